/**
 * Returns the path of the documentation page that explains a diagnostic's code, relative to the root of the repository
 * and of the package.
 */
export function findErrorDocsPage(code: string): string {
  return `docs/errors.md#${encodeURIComponent(code)}`;
}
