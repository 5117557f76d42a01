import { expect, test } from 'vitest';
import { replaceUnsafeCharacters, escapeLineEnds } from '../../../../src/model/text/unsafe-text.ts';

const unsafe =
  /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\p{Noncharacter_Code_Point}\u2800]/u;

test('every character of Unicode is replaced or stays, each as one', () => {
  const wrong: string[] = [];
  for (let code = 0; code <= 0x10ffff; code += 1) {
    const character = String.fromCodePoint(code);
    const shown = replaceUnsafeCharacters(character, (one) => (one === character ? '!' : '?'));
    if (shown !== (unsafe.test(character) ? '!' : character)) wrong.push(code.toString(16));
  }
  expect(wrong).toEqual([]);
});

test('line ends and tabs stay where there are lines', () => {
  expect(replaceUnsafeCharacters('a\n\tb\r', () => '!', 'lines')).toBe('a\n\tb!');
  expect(replaceUnsafeCharacters('a\n\tb\r', () => '!')).toBe('a!!b!');
});

test('a name is one line', () => expect(escapeLineEnds('a\r\nb')).toBe(String.raw`a\r\nb`));
