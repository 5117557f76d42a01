// Spellings of a value: a service may store a text trimmed, in lower case, or a list in another order. That is the same
// value, and no reason for a change.
import type { Catalog, CatalogEntry } from '../model/account/live.ts';
import type { KindName } from '../model/kind-places.ts';
import { foldNameForComparison } from '../model/text/fold-name.ts';
import { isEqual, type Value } from '../model/value.ts';
import { listMatchingCatalogEntries } from './catalog.ts';
import { kindRegistry } from './registry.ts';

/** Equality of two values of a field: an absent value equals null, and some lists have no order. */
export function isSameValue(
  left: Value | undefined,
  right: Value | undefined,
  isSet: boolean,
): boolean {
  if (isSet && Array.isArray(left) && Array.isArray(right) && left.length > 1) {
    return isEqual([...left].sort(), [...right].sort());
  }
  return isEqual(left ?? null, right ?? null);
}

/** Equality of two values of a kind's field, by the settings of that field. */
export function isSameFieldValue(
  kind: KindName,
  name: string,
  left: Value | undefined,
  right: Value | undefined,
): boolean {
  return isSameValue(left, right, kindRegistry[kind].fields[name]?.isSet === true);
}

/**
 * Tells whether one value of a field is the other in a service's spelling. The list is closed: trimmed, in another case or
 * normal form, a set in another order, an entry by its id or its name, a number as a text. A reference to another resource is
 * never spelled otherwise, nor is a key: its kind knows which parts may differ.
 */
export function isServiceSpelling(
  kind: KindName,
  name: string,
  asked: Value | undefined,
  shown: Value | undefined,
  catalog?: Catalog,
): boolean {
  const field = kindRegistry[kind].fields[name];
  if (!field || field.isReference || field.deferrable === 'publicKey') return false;
  const entries: readonly CatalogEntry[] = (field.offered && catalog?.[field.offered]) ?? [];
  const isSpelled = (left: Value, right: Value): boolean => {
    if (!isScalar(left) || !isScalar(right)) return false;
    if (foldNameForComparison(String(left)) === foldNameForComparison(String(right))) return true;
    const meant = listMatchingCatalogEntries(entries, left);
    return listMatchingCatalogEntries(entries, right).some((entry) => meant.includes(entry));
  };
  if (Array.isArray(asked) && Array.isArray(shown)) {
    return field.isSet === true && isMatch(asked, shown, isSpelled);
  }
  return asked !== undefined && shown !== undefined && isSpelled(asked, shown);
}

function isScalar(value: Value): value is string | number {
  return typeof value === 'string' || typeof value === 'number';
}

/** Tells whether the items of two lists can be paired, each with one of the other list. */
function isMatch(
  left: readonly Value[],
  right: readonly Value[],
  isPair: (left: Value, right: Value) => boolean,
): boolean {
  const rest = [...right];
  for (const item of left) {
    const at = rest.findIndex((other) => isPair(item, other));
    if (at < 0) return false;
    rest.splice(at, 1);
  }
  return rest.length === 0;
}
