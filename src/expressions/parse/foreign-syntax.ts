// Syntax of HCL, JavaScript, Python and templates that CEL does not have, and what to write in its place.
import { quoted } from './quoted.ts';

const literals = new RegExp(quoted, 'g');

/** What gives a syntax away, by the expression without what is in quotes; the first that fits is meant. */
const habits: readonly (readonly [RegExp, string])[] = [
  [
    /\[\s*for\s+\w+\s*,[^]*\sif\s/,
    'Write `keys(map).filter(k, map[k].on)` in place of `[for k, v in map : k if v.on]`.',
  ],
  [
    /\[\s*for\s+\w+\s*,/,
    'Write `keys(map).map(k, map[k].ip)` in place of `[for k, v in map : v.ip]`.',
  ],
  [
    /\[\s*for\s[^]*\sif\s/,
    'Write `list.filter(x, x > 1).map(x, x * 2)` in place of `[for x in list : x * 2 if x > 1]`.',
  ],
  [/\[\s*for\s/, 'Write `list.map(x, upper(x))` in place of `[for x in list : upper(x)]`.'],
  [
    /\{\s*for\s+\w+\s*,/,
    'Write `zipMap(keys(map), values(map).map(v, v.ip))` in place of `{for k, v in map : k => v.ip}`.',
  ],
  [
    /\{\s*for\s/,
    'Write `zipMap(list.map(x, x.name), list)` in place of `{for x in list : x.name => x}`.',
  ],
  [
    /^\[[^]*\sfor\s+\w+\s+in\s/,
    'Write `list.map(x, upper(x))` in place of `[upper(x) for x in list]`.',
  ],
  [/\[\s*\*\s*\]|\.\*/, 'Write `list.map(x, x.id)` in place of `list[*].id`.'],
  [/[\w\])]\.\d/, 'Write `list[0].id` in place of `list.0.id`.'],
  [/^\{\s*[\w.[\]"']+\s*\}$/, 'Remove one pair of braces: an expression is `${var.name}`.'],
  [/\.\.\.\s*\)/, 'Remove `...`: the functions take the list itself, as in `merge(maps)`.'],
  [/\w\s*=>|\)\s*=>/, 'Write `list.map(x, upper(x))` in place of a function with `=>`.'],
  [/\{\s*(?:[\w-]+|"")\s*=(?!=)/, 'Write `{"a": 1}` in place of `{ a = 1 }`.'],
  [/===|!==/, 'Write `==` or `!=`.'],
  [/(?<![=!<>])=(?!=)/, 'Write `==` to compare: an expression assigns nothing.'],
  [/\?\?/, 'Write `coalesce(a, b)` in place of `a ?? b`.'],
  [/\?\./, 'Write `try(a.b, null)` in place of `a?.b`.'],
  [/(?<!\|)\|(?!\|)/, 'Call the function, as in `upper(x)`: there are no pipes.'],
  [/(?<!&)&(?!&)/, 'Write `&&` for a logical and.'],
  [/^\s*if\b|\selse\s|\bthen\b/, 'Write `condition ? a : b` in place of `if`.'],
  [/\bnot\s+[\w(]/, 'Write `!x` in place of `not x`.'],
  [/\s(?:and|or)\s/, 'Write `&&` and `||` in place of `and` and `or`.'],
  [/`/, 'Put texts in double or single quotes.'],
  [/<<[-~]?\s*\w/, 'Write a text of many lines in YAML, with `|`.'],
  [/\?[^:]*$/, 'Add the other value: `condition ? a : b`.'],
];

/** What to write in place of syntax that is none of CEL; undefined where nothing is known of it. */
export function hintAtForeignSyntax(text: string): string | undefined {
  const bare = text.replace(literals, '""');
  return habits.find(([pattern]) => pattern.test(bare))?.[1];
}
