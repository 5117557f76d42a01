// Functions of CEL's libraries and of other languages, and what takes the place of each here.

const pairs = 'Write `zipMap(keys(map), values(map).map(v, …))`: a list of keys and one of values.';
const condition = 'Write `condition ? a : b`.';

const hints: ReadonlyMap<string, string> = new Map([
  ['transformmap', pairs],
  ['transformmapentry', pairs],
  ['tomap', pairs],
  ['transformlist', 'Write `list.map(x, …)`, after `list.filter(x, …)` where some are left out.'],
  ['foreach', 'Write `list.map(x, …)`.'],
  ['map', 'Write `list.map(x, …)`.'],
  ['filter', 'Write `list.filter(x, …)`.'],
  ['some', 'Write `list.exists(x, …)`.'],
  ['any', 'Write `list.exists(x, …)`.'],
  ['every', 'Write `list.all(x, …)`.'],
  ['reduce', 'Use `sum()`, `min()`, `max()` or `join()`: there is no loop that keeps a value.'],
  ['len', 'Write `size(x)`.'],
  ['count', 'Write `size(list)`.'],
  ['includes', 'Write `x in list`, or `text.contains(part)`.'],
  ['has_key', 'Write `"key" in map`.'],
  ['haskey', 'Write `"key" in map`.'],
  ['if', condition],
  ['cond', condition],
  ['ternary', condition],
  ['default', 'Use `coalesce(value, default)`.'],
  ['quote', 'Use `jsonEncode(text)`.'],
  ['getenv', 'Use `env("NAME")`.'],
]);

/** Hint at the counterpart of another language's function; undefined for an unknown name. */
export function hintAtFunctionOfOtherLanguage(name: string): string | undefined {
  return hints.get(name.toLowerCase());
}
