// A service may spell what it was given in its own way: trimmed, in lower case, in another order. That is the same value, and
// nothing is changed for it.
import type { Catalog, CatalogEntry } from '../model/account/live.ts';
import type { KindName } from '../model/kind-places.ts';
import { foldName } from '../model/text/fold-name.ts';
import { isEqual, type Value } from '../model/value.ts';
import { listMeant } from './catalog.ts';
import { kinds } from './registry.ts';

/** Equal as far as a field goes: nothing given and null are one, and some lists have no order. */
export function isSameValue(
  left: Value | undefined,
  right: Value | undefined,
  isSet: boolean,
): boolean {
  if (isSet && Array.isArray(left) && Array.isArray(right) && left.length > 1) {
    return isEqual([...(left as Value[])].sort(), [...(right as Value[])].sort());
  }
  return isEqual(left ?? null, right ?? null);
}

/** The same of a field of a kind. */
export function isSameField(
  kind: KindName,
  name: string,
  left: Value | undefined,
  right: Value | undefined,
): boolean {
  return isSameValue(left, right, kinds[kind].fields[name]?.isSet === true);
}

/**
 * True for two values of a field of which one is the other as a service may spell it. The list is closed: trimmed, in another
 * case or normal form, a set in another order, an entry by its id or its name, a number as a text. What names another resource
 * of the configuration is never spelled otherwise, nor is a key: its kind knows what of it may differ.
 */
export function isSpelling(
  kind: KindName,
  name: string,
  asked: Value | undefined,
  shown: Value | undefined,
  catalog?: Catalog,
): boolean {
  const field = kinds[kind].fields[name];
  if (!field || field.isReference || field.deferrable === 'publicKey') return false;
  const entries: readonly CatalogEntry[] = (field.offered && catalog?.[field.offered]) ?? [];
  const isSpelled = (left: Value, right: Value): boolean => {
    if (!isScalar(left) || !isScalar(right)) return false;
    if (foldName(String(left)) === foldName(String(right))) return true;
    const meant = listMeant(entries, left);
    return listMeant(entries, right).some((entry) => meant.includes(entry));
  };
  if (Array.isArray(asked) && Array.isArray(shown)) {
    return field.isSet === true && isMatch(asked as Value[], shown as Value[], isSpelled);
  }
  return asked !== undefined && shown !== undefined && isSpelled(asked, shown);
}

function isScalar(value: Value): value is string | number {
  return typeof value === 'string' || typeof value === 'number';
}

/** True where each item of one list has an item of the other for itself. */
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
