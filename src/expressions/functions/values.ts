// Types and small operations that the functions of lists and maps share.
import type { Value } from '../../model/value.ts';
import { encodeJson } from '../notation/encode-json.ts';

export type ValueList = readonly Value[];
export type ValueMap = Readonly<Record<string, Value>>;

/** Makes a map of entries, whose keys may even be `__proto__`. */
export function makeMap(entries: Iterable<readonly [string, Value]>): Value {
  const made = Object.create<Value>(null);
  for (const [key, value] of entries) made[key] = value;
  return made;
}

/** Makes a text that is equal for equal values and differs for all others. */
export function makeValueIdentityKey(value: Value): Value {
  if (typeof value === 'string') return `"${value}`;
  return typeof value === 'object' && value !== null ? encodeJson(value) : value;
}

/** Removes items of a list that occur earlier in it. */
export function removeRepeatedItems(list: ValueList): Value[] {
  const seen = new Set<Value>();
  return list.filter((one) => {
    const { size } = seen;
    return seen.add(makeValueIdentityKey(one)).size > size;
  });
}
