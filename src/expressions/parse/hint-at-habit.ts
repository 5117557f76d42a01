// Expressions that people bring from HCL and other languages, and what CEL writes in their place.
import type { ExpressionRange } from './expression-fault.ts';
import { celStringPattern } from './quoted.ts';

/** A form of another language, found in an expression whose quoted texts are blanked out. */
interface Habit {
  readonly form: RegExp;
  /** Makes the hint from what the pattern matched. */
  readonly hint: (match: RegExpExecArray) => string;
}

/** A part of the expression as a hint repeats it: a short path, or `…` for anything else. */
const show = (part: string | undefined, otherwise: string): string => {
  const text = (part ?? '').trim();
  return /^[\w.[\]]{1,40}$/.test(text) ? text : otherwise;
};

/** Translates Terraform's `[for x in list : body if condition]` for a hint. */
function translateList([, names = '', list, body = '', condition]: RegExpExecArray): string {
  const [first = 'x', second] = names.split(',').map((one) => one.trim());
  const from = show(list, 'list');
  if (second !== undefined) {
    return `Write \`values(${from}).map(${second}, …)\`, or \`keys(${from})\` for the keys.`;
  }
  const kept = condition === undefined ? from : `${from}.filter(${first}, …)`;
  return `Write \`${body.trim() === first ? kept : `${kept}.map(${first}, …)`}\`.`;
}

const habits: readonly Habit[] = [
  {
    form: /\[\s*for\s+(\w+(?:\s*,\s*\w+)?)\s+in\s+([^:]+):((?:(?!\bif\b)[^\]])*)(\bif\b[^\]]*)?/,
    hint: translateList,
  },
  {
    form: /\{\s*for\s+\w+(?:\s*,\s*\w+)?\s+in\s+([^:]+):/,
    hint: ([, map]) => {
      const from = show(map, 'map');
      return `Write \`zipMap(keys(${from}), values(${from}).map(v, …))\`: a list of keys and one of values.`;
    },
  },
  {
    form: /([\w.]+(?:\[\d+\])?)(?:\[\s*\*\s*\]|\.\*)(?:\.(\w+))?/,
    hint: ([, list, attribute]) =>
      attribute === undefined
        ? `Leave out the \`*\`: \`${show(list, 'list')}\` is the list.`
        : `Write \`${show(list, 'list')}.map(one, one.${attribute})\`.`,
  },
  {
    form: /\.\.\.\s*\)/,
    hint: () => 'Leave out the `...`: functions such as `merge(lists)` take one list.',
  },
  {
    form: /%\{/,
    hint: () => 'Write `condition ? a : b`, or `list.map(x, …)`: there are no `%{…}` directives.',
  },
  {
    form: /<<[-~]?[A-Za-z_]+/,
    hint: () => 'Write a text of several lines in YAML, with `|` behind the key.',
  },
  {
    form: /\(\s*\w+\s*[-=]>/,
    hint: () => 'Write `list.map(x, …)`: a name, a comma, and what is made of it.',
  },
  {
    form: /=>/,
    hint: () => 'Write `:` between a key and its value: `{"a": 1}`.',
  },
  {
    form: /[{,]\s*(\w+)\s*=(?![=~])/,
    hint: ([, key]) =>
      `Write a map with keys in quotes and colons: \`{"${show(key, 'key')}": …}\`.`,
  },
  {
    form: /^\s*if\b/,
    hint: () => 'Write `condition ? a : b`.',
  },
  {
    form: /\band\b|\bor\b|\bnot\b/,
    hint: () => 'Write `&&`, `||` and `!` for and, or and not.',
  },
  {
    form: /^\s*\{\s*([\w.[\]]+)\s*\}\s*$/,
    hint: ([, name]) => `Write \`${show(name, 'name')}\` alone, without braces around it.`,
  },
  {
    form: /\?\?/,
    hint: () => 'Use `coalesce(a, b)`: the first that is not null.',
  },
  {
    form: /^[^?:]*\?[^:]*$/,
    hint: () => 'Write `condition ? a : b`: the part behind the `:` is missing.',
  },
  {
    form: /\$(?=\w)/,
    hint: () => 'Remove the `$`: names stand without it inside `${…}`.',
  },
  {
    form: /(?<![=!<>])=(?![=~>])/,
    hint: () => 'Write `==` to compare two values.',
  },
  {
    form: /\|\s*\w/,
    hint: () => 'Call the function: `upper(text)` in place of `text | upper`.',
  },
];

/** Replaces quoted texts by blanks, so that their content is not taken for syntax. */
const blank = (text: string): string =>
  text.replace(new RegExp(celStringPattern, 'g'), (one) => `"${' '.repeat(one.length - 2)}"`);

/** Longest expression, in characters, that is searched for habits of Terraform: a hint is worth little time. */
const longest = 2_000;

/** A fault of an expression in a form that is known, and its place. */
interface Slip extends ExpressionRange {
  readonly hint: string;
  /** Summary that replaces the parser's message, where a better one is known. */
  readonly summary?: string;
}

const closing = new Map([
  ['(', ')'],
  ['[', ']'],
  ['{', '}'],
]);

/** Finds a bracket that is not closed, or one that closes none. */
function findBracket(bare: string): Slip | undefined {
  const open: { readonly at: number; readonly closer: string }[] = [];
  for (const { 0: bracket, index: at } of bare.matchAll(/[()[\]{}]/g)) {
    const closer = closing.get(bracket);
    if (closer !== undefined) open.push({ at, closer });
    else if (open.pop()?.closer !== bracket) {
      return {
        summary: `A \`${bracket}\` closes nothing`,
        hint: `Remove the \`${bracket}\`, or open its bracket.`,
        start: at,
        end: at + 1,
      };
    }
  }
  const last = open.at(-1);
  return (
    last && {
      summary: 'A bracket is not closed',
      hint: `Close it with \`${last.closer}\`.`,
      start: last.at,
      end: last.at + 1,
    }
  );
}

/**
 * Finds a form of another language in an expression that is not well formed, with a hint at its spelling in CEL;
 * undefined where no such form is found.
 */
export function findExpressionSlip(text: string): Slip | undefined {
  if (text.length > longest) return undefined;
  const bare = blank(text);
  for (const { form, hint } of habits) {
    const match = form.exec(bare);
    if (match) return { hint: hint(match), start: match.index, end: match.index + match[0].length };
  }
  return findBracket(bare);
}
