import { expect, it } from 'vitest';
import { describeType } from '../../../../src/expressions/evaluate/cel-values.ts';

it.each([
  ['shop', 'text'],
  [2n, 'a number'],
  [2.5, 'a number'],
  [false, 'true or false'],
  [null, 'null'],
  [[1n], 'a list'],
  [new Map([['a', 1n]]), 'a map'],
  [undefined, 'another value of CEL'],
])('says what %s is, in a sentence', (value, words) => expect(describeType(value)).toBe(words));
