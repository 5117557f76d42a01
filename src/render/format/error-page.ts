/** Where a code is explained: a page of the documentation, relative to the root of the repository and of the package. */
export function pageOf(code: string): string {
  return `docs/errors.md#${encodeURIComponent(code)}`;
}
