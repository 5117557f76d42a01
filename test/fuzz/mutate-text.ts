import type { Dice } from '../scenario/simulation/dice.ts';
import { writeText } from './write-configuration.ts';

const words = [
  ...[
    '${',
    '}',
    '$${',
    '"',
    "'",
    ': ',
    '- ',
    '? ',
    '# ',
    '\n',
    '\r\n',
    '\t',
    '  ',
    '&a ',
    '*a',
    '<<: *a\n',
  ],
  ...[
    '!!str ',
    '!!binary ',
    '!x ',
    '|\n',
    '>-\n',
    '---\n',
    '...\n',
    '%YAML 1.1\n',
    '[',
    ']',
    '{',
    '}',
    ',',
  ],
  ...[
    '\u0000',
    '\u0007',
    '\u001b[31m',
    '\u2028',
    '\ufeff',
    '\u202e',
    '\ud800',
    '\udc00',
    '\u200b',
    'é\u0301',
  ],
  ...[
    '~',
    'null',
    'true',
    'yes',
    '.inf',
    '.nan',
    '0x7f',
    '1e999',
    '-0',
    '1_000',
    '0o17',
    '2026-01-01',
  ],
  ...[
    '__proto__: ',
    'constructor: ',
    'count: 100000',
    'count: 3',
    'forEach: [a, b]',
    '100000000',
    '-1',
  ],
  ...[
    'x'.repeat(5000),
    '['.repeat(100),
    '{a: '.repeat(80),
    'version: 1\n',
    'sensitive: true',
    'secret',
  ],
];

type Mutation = (text: string, dice: Dice, other: string) => string;

const place = (text: string, dice: Dice) => dice.below(text.length + 1);

function changeLines(text: string, change: (lines: string[]) => void): string {
  const lines = text.split('\n');
  change(lines);
  return lines.join('\n');
}

const mutations: readonly Mutation[] = [
  (text, dice) => {
    const at = place(text, dice);
    return text.slice(0, at) + dice.pick(words) + text.slice(at);
  },
  (text, dice) => {
    const at = place(text, dice);
    return text.slice(0, at) + text.slice(at + 1 + dice.below(12));
  },
  (text, dice) => {
    const at = place(text, dice);
    return text.slice(0, at) + String.fromCharCode(dice.below(256)) + text.slice(at + 1);
  },
  (text, dice) => {
    const [from, to] = [place(text, dice), place(text, dice)];
    const piece = text.slice(from, from + dice.below(200));
    return text.slice(0, to) + piece + text.slice(to);
  },
  (text, dice, other) => {
    const from = place(other, dice);
    const at = place(text, dice);
    return text.slice(0, at) + other.slice(from, from + dice.below(300)) + text.slice(at);
  },
  (text, dice) =>
    changeLines(text, (lines) => lines.splice(dice.below(lines.length), 1 + dice.below(3))),
  (text, dice) =>
    changeLines(text, (lines) => {
      const [line = ''] = lines.splice(dice.below(lines.length), 1);
      lines.splice(dice.below(lines.length + 1), 0, line);
    }),
  (text, dice) =>
    changeLines(text, (lines) => {
      const at = dice.below(lines.length);
      lines[at] = dice.chance(0.5)
        ? `  ${lines[at] ?? ''}`
        : (lines[at] ?? '').replace(/^ {1,2}/, '');
    }),
  (text, dice, other) =>
    changeLines(text, (lines) => {
      const others = other.split('\n');
      const from = dice.below(others.length);
      lines.splice(dice.below(lines.length), 0, ...others.slice(from, from + 1 + dice.below(5)));
    }),
  // Another value behind a colon, another expression between its braces.
  (text, dice) => replaceOne(text, /: [^\n{}[\]]+/g, `: ${JSON.stringify(writeText(dice))}`, dice),
  (text, dice) => replaceOne(text, /: [^\n{}[\],]+/g, `: ${dice.pick(words)}`, dice),
  (text, dice) => replaceOne(text, /\$\{[^}\n]*\}/g, writeText(dice).replaceAll('"', "'"), dice),
  (text, dice) =>
    replaceOne(text, /\b\w+\b/g, dice.pick(['shop', 'web', 'vms', 'a', '0', 'name']), dice),
];

function replaceOne(text: string, pattern: RegExp, by: string, dice: Dice): string {
  const found = [...text.matchAll(pattern)];
  const one = found[dice.below(found.length)];
  if (!one) return text;
  return text.slice(0, one.index) + by + text.slice(one.index + one[0].length);
}

/** The text with some changes. */
export function mutateText(text: string, dice: Dice, other: string): string {
  let mutated = text;
  for (let count = 1 + dice.below(dice.chance(0.2) ? 12 : 3); count > 0; count -= 1) {
    mutated = dice.pick(mutations)(mutated, dice, other);
  }
  return mutated;
}

/** Bytes of any kind, or a text with some of them in it. */
export function makeBytes(text: string, dice: Dice): Uint8Array {
  const bytes = dice.chance(0.3)
    ? Uint8Array.from({ length: dice.below(500) }, () => dice.below(256))
    : new TextEncoder().encode(text);
  for (let count = 1 + dice.below(4); count > 0 && bytes.length > 0; count -= 1) {
    bytes[dice.below(bytes.length)] = dice.below(256);
  }
  return bytes;
}
