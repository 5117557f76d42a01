/** A number with what it counts: `1 error`, `3 errors`. */
export function countNoun(noun: string, count: number): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}
