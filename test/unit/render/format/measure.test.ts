import { expect, test } from 'vitest';
import { escapeUntrustedText, quoteText } from '../../../../src/render/format/escape.ts';
import { cutCodeFrame } from '../../../../src/render/format/frame.ts';
import {
  cutTextEnd,
  cutTextMiddle,
  findFirstDifference,
  measureTerminalWidth,
  padLeft,
  padRight,
  wrapText,
} from '../../../../src/render/format/measure.ts';

test.each<[string, number]>([
  ['', 0],
  ['abc', 3],
  ['日本', 4],
  ['🚀', 2],
  ['e\u0301', 1],
  ['\u001b[31mred\u001b[39m', 3],
])('the width of %j is %i', (text, width) => expect(measureTerminalWidth(text)).toBe(width));

// Lengths that no piece ends at evenly: each of them is measured and cut as the short text is.
test.each<[string, number]>([
  ['я', 1],
  ['👨‍👩‍👧', 2],
  ['🇩🇪', 2],
  ['e\u0301', 1],
  ['日', 2],
])('%j is as wide in a text of any length, and is never cut through', (character, width) => {
  const long = `a${character.repeat(1_777)}`;
  expect(measureTerminalWidth(long)).toBe(1 + 1_777 * width);
  expect(cutTextEnd(long, 2 + 1_500 * width)).toBe(`a${character.repeat(1_500)}…`);
});

test('a text is measured and cut in time, however long it is', () => {
  const long = 'я'.repeat(100_000);
  expect(measureTerminalWidth(long)).toBe(100_000);
  expect(cutTextMiddle(long, 9)).toBe('я…яяяя…я');
});

test('filling up', () =>
  expect([padRight('日', 4), padLeft('日', 4), padRight('long', 2)]).toEqual([
    '日  ',
    '  日',
    'long',
  ]));

test.each<[string, number, string]>([
  ['fits', 4, 'fits'],
  ['too long', 4, 'too…'],
  ['日本語', 4, '日…'],
  ['👨‍👩‍👧👨‍👩‍👧👨‍👩‍👧', 5, '👨‍👩‍👧👨‍👩‍👧…'],
  ['ab', 1, '…'],
])('%j cut to %i is %j', (text, room, cut) => expect(cutTextEnd(text, room)).toBe(cut));

test.each<[string, number, number, string]>([
  ['abcdefghijklmnopqrstuvwxyz', 30, 0, 'abcdefghijklmnopqrstuvwxyz'],
  ['abcdefghijklmnopqrstuvwxyz', 11, 0, 'abcdef…wxyz'],
  ['abcdefghijklmnopqrstuvwxyz', 11, 25, 'abcdef…wxyz'],
  ['abcdefghijklmnopqrstuvwxyz', 11, 14, 'ab…klmno…yz'],
  ['abcdefghijklmnopqrstuvwxyz', 2, 14, 'a…k…z'],
])('%j cut in its middle to %i, seeing %i', (text, room, focus, cut) => {
  expect(cutTextMiddle(text, room, focus)).toBe(cut);
});

test.each<[string, string, number]>([
  ['abc', 'abd', 2],
  ['ab', 'abc', 2],
  ['', '', 0],
])('%j and %j differ at %i', (a, b, at) => expect(findFirstDifference(a, b)).toBe(at));

test.each<[string, string, number, string[]]>([
  ['one line', 'a b', 5, ['a b']],
  ['at spaces', 'aa bb cc', 5, ['aa bb', 'cc']],
  ['a long word stands alone', 'a bbbbbbbb c', 5, ['a', 'bbbbbbbb', 'c']],
  ['line ends are kept', 'a\n\nb', 5, ['a', '', 'b']],
  ['indented', '  aa bb cc', 6, ['  aa', '  bb', '  cc']],
])('wrapping: %s', (_, text, room, lines) => expect(wrapText(text, room)).toEqual(lines));

test('control characters and marks of direction never pass', () => {
  const evil = 'a\u0000\u001b]0;x\u0007\u007f\u009b\u202e\u2066\u200b\r\n\t';
  const safe = /^[\x20-\x7e]*$/;
  expect(escapeUntrustedText(evil)).toMatch(safe);
  expect(quoteText(evil)).toMatch(safe);
  expect(quoteText(evil)).toContain('\\r\\n\\t"');
});

const frame = ['  1 | a:', '> 2 |   key: value', '    |   ^^^'].join('\n');

test.each<[string, string, number, string[]]>([
  ['as it is', `${frame}\n`, 40, ['  1 | a:', '> 2 |   key: value', '    |   ^^^']],
  ['cut at the right', frame, 14, ['  1 | a:', '> 2 |   key: …', '    |   ^^^']],
  ['a tab is one cell', '> 2 | \tx\n    |  ^', 40, ['> 2 |  x', '    |  ^']],
  ['without a caret', '1 | abcdef', 8, ['1 | abc…']],
  ['escape sequences', '1 | \u001b[31m', 40, ['1 | \\u001b[31m']],
])('a frame: %s', (_, text, room, lines) => expect(cutCodeFrame(text, room)).toEqual(lines));

test('a frame whose caret stands far right loses its beginning', () => {
  const far = ['  1 | ab', `> 2 | ${'x'.repeat(50)}HERE`, `    | ${' '.repeat(50)}^^^^`].join('\n');
  expect(cutCodeFrame(far, 20)).toEqual(['  1 | …', '> 2 | …xxHERE', '    |    ^^^^']);
  expect(cutCodeFrame(`no gutter\n${far}`, 20)[0]).toBe('…');
});
