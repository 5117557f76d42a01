// Comparison of a live resource with a request: a service may leave attributes out of its answers ("untold").
import type { ReportedOrUntoldField } from '../model/account/told.ts';

/** The match of a live value with the requested one: `untold` where the service does not report the value. */
export type ToldValueMatch = 'same' | 'untold' | 'other';

/** Compares a value that the service told with the requested one; an untold value proves nothing. */
export function compareToldValue<T>(told: ReportedOrUntoldField<T>, asked: T): ToldValueMatch {
  if (told === undefined) return 'untold';
  return told === asked ? 'same' : 'other';
}

/** Compares a set of texts that the service told with the requested set. */
export function compareToldSets(
  told: ReportedOrUntoldField<readonly string[]>,
  asked: readonly string[],
): ToldValueMatch {
  if (told === undefined) return 'untold';
  return isSameSet(told, asked) ? 'same' : 'other';
}

/** The match of several values together: `other` where one is, else `untold` where one is. */
export function combineToldMatches(all: readonly ToldValueMatch[]): ToldValueMatch {
  if (all.includes('other')) return 'other';
  return all.includes('untold') ? 'untold' : 'same';
}

/** Tells whether a value is the requested one, or is unreported. */
export function isSameOrUntold<T>(told: ReportedOrUntoldField<T>, asked: T): boolean {
  return compareToldValue(told, asked) !== 'other';
}

/** Tells whether two lists have the same texts, in any order. */
function isSameSet(told: readonly string[], asked: readonly string[]): boolean {
  return told.length === asked.length && asked.every((one) => told.includes(one));
}
