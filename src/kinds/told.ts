// What the service tells of a resource against what was asked for: a service may leave out what it was given.

/** True where the text is the one that was asked for, or is left out. */
export function isSameOrUntold(told: string, asked: string): boolean {
  return told === '' || told === asked;
}

/** True where the set is the one that was asked for, or is left out. */
export function isSameSetOrUntold(told: readonly string[], asked: readonly string[]): boolean {
  return told.length === 0 || isSameSet(told, asked);
}

/** True for the same texts in any order. */
export function isSameSet(told: readonly string[], asked: readonly string[]): boolean {
  return told.length === asked.length && asked.every((one) => told.includes(one));
}
