// Types and small operations that the functions of lists and maps share.
import type { Value } from '../../model/value.ts';
import { encodeJson } from '../notation/encode-json.ts';

export type ValueList = readonly Value[];
export type ValueMap = Readonly<Record<string, Value>>;

/** A map of entries; a key may be called anything. */
export function makeMap(entries: Iterable<readonly [string, Value]>): Value {
  const made = Object.create<Value>(null);
  for (const [key, value] of entries) made[key] = value;
  return made;
}

/** A key that is the same for equal values, and for no others. */
export function valueIdentityKey(value: Value): Value {
  if (typeof value === 'string') return `"${value}`;
  return typeof value === 'object' && value !== null ? encodeJson(value) : value;
}

/** The list without items that were there before. */
export function removeRepeated(list: ValueList): Value[] {
  const seen = new Set<Value>();
  return list.filter((one) => {
    const { size } = seen;
    return seen.add(valueIdentityKey(one)).size > size;
  });
}
