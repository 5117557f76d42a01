import { expect, it } from 'vitest';
import { isExpressionIncomplete } from '../../../src/expressions/parse/parse-expression.ts';

it.each([
  ['', false],
  ['  ', false],
  ['1 + 2', false],
  ['1 +', true],
  ['size([1, 2', true],
  ['1 + ) 2', false],
  ['1 + '.repeat(20_000), false],
])('%#: %.20s', (text, isCut) => expect(isExpressionIncomplete(text)).toBe(isCut));
