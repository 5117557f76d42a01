/** Keys of a table that is declared with all of them. */
export function tableKeys<K extends string>(table: Readonly<Record<K, unknown>>): readonly K[] {
  return Object.keys(table) as K[];
}

/** Keys of a table with their values. */
export function tableEntries<K extends string, V>(
  table: Readonly<Partial<Record<K, V>>>,
): readonly (readonly [K, V])[] {
  return Object.entries(table) as [K, V][];
}

/** A table with a value for each of these keys. */
export function createTable<K extends string, V>(
  keys: readonly K[],
  valueOf: (key: K) => V,
): Record<K, V> {
  return Object.fromEntries(keys.map((key) => [key, valueOf(key)])) as Record<K, V>;
}

/** Tells whether a text is a key of a table, and no name that every object has. */
export function isKeyOf<K extends string>(
  table: Readonly<Record<K, unknown>>,
  text: string,
): text is K {
  return Object.hasOwn(table, text);
}
