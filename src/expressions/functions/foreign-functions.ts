// Functions of other dialects of CEL, and of languages that people write from habit, and what takes their place.

const ways = {
  transformMap: 'Write `zipMap(keys(map), keys(map).map(k, map[k].ip))`.',
  transformList: 'Write `keys(map).map(k, map[k].ip)`: a macro has one variable.',
  transformMapEntry: 'Write `zipMap(list.map(x, x.name), list)`.',
  flatMap: 'Write `flatten(list.map(x, x.items))`.',
  reduce: 'Use `sum(list)`, `join(",", list)`, `min(list)` or `max(list)`: there is no fold.',
  sortBy: 'Write `sort(list.map(x, x.name))`, and look the items up by `zipMap`.',
  forEach: 'Write `list.map(x, upper(x))`, or give the resource a `forEach`.',
  find: 'Write `list.filter(x, x.name == "web")[0]`.',
  includes: 'Write `value in list`, or `text.contains(part)`.',
  has_key: 'Write `"key" in map`.',
  getenv: 'Declare a variable: HOSTWRIGHT_VAR_NAME sets `var.NAME`.',
  env: 'Declare a variable: HOSTWRIGHT_VAR_NAME sets `var.NAME`.',
  default: 'Write `coalesce(value, "web")`, or `try(value, "web")`.',
  len: 'Write `size(x)`.',
  count: 'Write `size(list)`.',
  str: 'Write `string(x)`.',
  float: 'Write `double(x)`.',
  number: 'Write `int(text)`, or `double(text)`.',
  substring: 'Write `substr(text, 0, 3)`.',
  toUpperCase: 'Write `upper(text)`.',
  toLowerCase: 'Write `lower(text)`.',
  now: 'Give the time as a variable: two plans of one configuration are the same.',
  random: 'Give the value as a variable: two plans of one configuration are the same.',
  isset: 'Write `has(map.key)`, or compare with `null`.',
  defined: 'Write `has(map.key)`, or compare with `null`.',
} satisfies Readonly<Record<string, string>>;

const byName = new Map(
  Object.entries(ways).map(([name, hint]): [string, string] => [fold(name), hint]),
);

function fold(name: string): string {
  return name.toLowerCase().replaceAll('_', '');
}

/** What to write in place of a function that other tools have, as a hint; undefined where nothing is known of it. */
export function hintAtForeignFunction(name: string): string | undefined {
  return byName.get(fold(name));
}
