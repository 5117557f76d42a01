// Comparison of a live resource, of which a service may tell less than all, with what was asked for. A service may leave out what it was given.
import type { Told } from '../model/account/told.ts';

/** The match of a live value with the one that was asked for: `untold` where nothing speaks against it, and nothing for it. */
export type ToldMatch = 'same' | 'untold' | 'other';

/** Compares a live value with the one that was asked for. */
export function compareTold<T>(told: Told<T>, asked: T): ToldMatch {
  if (told === undefined) return 'untold';
  return told === asked ? 'same' : 'other';
}

/** The same of a set of texts. */
export function compareToldSets(
  told: Told<readonly string[]>,
  asked: readonly string[],
): ToldMatch {
  if (told === undefined) return 'untold';
  return isSameSet(told, asked) ? 'same' : 'other';
}

/** The match of all of several values: `other` where one is, else `untold` where one is. */
export function combineLikeness(all: readonly ToldMatch[]): ToldMatch {
  if (all.includes('other')) return 'other';
  return all.includes('untold') ? 'untold' : 'same';
}

/** True where the value is the one that was asked for, or is untold. */
export function isSameOrUntold<T>(told: Told<T>, asked: T): boolean {
  return compareTold(told, asked) !== 'other';
}

/** True for the same texts in any order. */
function isSameSet(told: readonly string[], asked: readonly string[]): boolean {
  return told.length === asked.length && asked.every((one) => told.includes(one));
}
