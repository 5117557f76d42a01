import { describe, expect, test } from 'vitest';
import {
  escapeJsonDocument,
  escapeUntrustedLines,
  escapeStreamOutput,
  escapeUntrustedText,
  formatPrintableJson,
  formatMarkdownInlineCode,
  quoteText,
} from '../../../../src/render/format/escape.ts';
import { measureTerminalWidth, padRight } from '../../../../src/render/format/measure.ts';
import { findRaw, hostileTexts } from '../../../support/hostile-text.ts';

const named = Object.entries(hostileTexts);

describe('text for people', () => {
  test.each([
    ['plain, höflich, 漢字, e\u0301, 🚀', 'plain, höflich, 漢字, e\u0301, 🚀'],
    ['a\u001b[31m', String.raw`a\u001b[31m`],
    ['a\nb\tc', String.raw`a\u000ab\u0009c`],
    ['a\u200bb\u00adc\u3164', String.raw`a\u200bb\u00adc\u3164`],
    ['\ufe0f\u{e0041}', String.raw`\ufe0f\U000e0041`],
    ['\ud800 \udc00', String.raw`\ud800 \udc00`],
    ['##[error]x ##vso[y] # #[z] ##a b[', String.raw`##\u005berror]x ##vso\u005by] # #[z] ##a b[`],
    [
      'section_start:1:x section_end:2 section_startle:',
      String.raw`section_start\u003a1:x section_end\u003a2 section_startle:`,
    ],
  ])('%j', (text, escaped) => {
    expect(escapeUntrustedText(text)).toBe(escaped);
    expect(escapeUntrustedText(escaped)).toBe(escaped);
  });

  test.each(named)('%s', (_, text) => {
    expect(findRaw(escapeUntrustedText(text))).toEqual([]);
    expect(findRaw(quoteText(text))).toEqual([]);
    expect(findRaw(formatMarkdownInlineCode(text))).toEqual([]);
    expect(findRaw(escapeStreamOutput(escapeUntrustedLines(text)))).toEqual([]);
  });

  test('lies below each other whatever it holds', () => {
    for (const [, text] of named) {
      expect(measureTerminalWidth(padRight(escapeUntrustedText(text), 400))).toBe(400);
    }
    expect(measureTerminalWidth(escapeUntrustedText('👩\u200d👩'))).toBe(
      2 + String.raw`\u200d`.length + 2,
    );
  });

  test('a quoted text with escapes of the first plane is JSON, with all that YAML has is YAML', () => {
    expect(quoteText('a"\u200b')).toBe(String.raw`"a\"\u200b"`);
    expect(JSON.parse(quoteText('a"\u200b'))).toBe('a"\u200b');
  });

  test('code in Markdown holds no reference to what is not shown', () =>
    expect(formatMarkdownInlineCode('a\u200b<@x>')).toBe(
      '<code>a&#92;u200b&#60;&#64;x&#62;</code>',
    ));
});

test.each(named)('JSON: %s', (_, text) => {
  const value = { [text]: [text] };
  for (const indent of [undefined, 2]) {
    const document = formatPrintableJson(value, indent);
    expect(findRaw(document)).toEqual([]);
    expect(JSON.parse(document)).toEqual(value);
  }
  expect(JSON.parse(escapeJsonDocument(JSON.stringify(value)))).toEqual(value);
  expect(JSON.parse(escapeStreamOutput(JSON.stringify(value, null, 1)))).toEqual(value);
});

describe('all that goes to a stream', () => {
  test.each([
    ['::error::x', String.raw`\u003a:error::x`],
    ['a\n \t::error::x\n', `a\n \t\\u003a:error::x\n`],
    ['\u00a0\u3000::x', `\u00a0\u3000\\u003a:x`],
    ['a ::x\n: :x\n::', `a ::x\n: :x\n\\u003a:`],
    ['a\r::x', String.raw`a\u000d::x`],
  ])('%j', (text, escaped) => expect(escapeStreamOutput(text)).toBe(escaped));

  test.each(named)('%s', (_, text) => expect(findRaw(escapeStreamOutput(text))).toEqual([]));
});
