// Comparison of a live resource with a request: a service may leave attributes out of its answers ("untold").
import type { ToldField } from '../model/account/told.ts';

/** The match of a live value with the requested one: `untold` where the service does not report the value. */
export type ToldMatch = 'same' | 'untold' | 'other';

/** Compares a value that the service told with the requested one; an untold value proves nothing. */
export function compareTold<T>(told: ToldField<T>, asked: T): ToldMatch {
  if (told === undefined) return 'untold';
  return told === asked ? 'same' : 'other';
}

/** Compares a set of texts that the service told with the requested set. */
export function compareToldSets(
  told: ToldField<readonly string[]>,
  asked: readonly string[],
): ToldMatch {
  if (told === undefined) return 'untold';
  return isSameSet(told, asked) ? 'same' : 'other';
}

/** The match of several values together: `other` where one is, else `untold` where one is. */
export function combineLikeness(all: readonly ToldMatch[]): ToldMatch {
  if (all.includes('other')) return 'other';
  return all.includes('untold') ? 'untold' : 'same';
}

/** Tells whether a value is the requested one, or is unreported. */
export function isSameOrUntold<T>(told: ToldField<T>, asked: T): boolean {
  return compareTold(told, asked) !== 'other';
}

/** Tells whether two lists have the same texts, in any order. */
function isSameSet(told: readonly string[], asked: readonly string[]): boolean {
  return told.length === asked.length && asked.every((one) => told.includes(one));
}
