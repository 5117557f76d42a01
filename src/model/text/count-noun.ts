/** Writes a number with its noun: `1 error`, `3 errors`. */
export function formatCountWithNoun(noun: string, count: number): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}
