import { InternalError } from './errors.ts';

/** Appends a value to the list of a key. */
export function addToGroup<K, V>(map: Map<K, V[]>, key: K, value: V): void {
  const values = map.get(key);
  if (values) values.push(value);
  else map.set(key, [value]);
}

/** Groups values by key; each group keeps the order of its values. */
export function groupBy<K, V>(values: Iterable<V>, keyOf: (value: V) => K): Map<K, V[]> {
  const groups = new Map<K, V[]>();
  for (const value of values) addToGroup(groups, keyOf(value), value);
  return groups;
}

/** The value at an index that the list is known to have. @throws InternalError where it has not */
export function elementAt<T>(list: readonly T[], index: number): T {
  if (index in list) return list[index] as T;
  throw new InternalError(`there is no element ${index} in a list of ${list.length}`);
}

/** The value of a key that the map is known to have. @throws InternalError where it has not */
export function getKnown<K, V>(map: ReadonlyMap<K, V>, key: K): V {
  const value = map.get(key);
  if (value === undefined) throw new InternalError(`a map has no ${String(key)}`);
  return value;
}
