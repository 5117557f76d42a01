// Functions that work on numbers.
import type { Value } from '../../model/value.ts';
import { defineFunction } from './define.ts';
import { FunctionError } from '../parse/expression-fault.ts';

/** The numbers that are given, one by one or as a list. @throws FunctionError for none, or for something else */
function readNumbers(name: string, given: readonly Value[]): readonly number[] {
  const [only] = given;
  const all = given.length === 1 && Array.isArray(only) ? only : given;
  const numbers = all.filter((one) => typeof one === 'number');
  if (numbers.length > 0 && numbers.length === all.length) return numbers;
  throw new FunctionError(
    `${name}() takes numbers, or a list of them, and at least one`,
    `Write for example \`${name}(1, 2)\`, or \`${name}([1, 2])\`.`,
    'expression-type',
  );
}

/** Digits of all bases; from 37 on, capital letters come behind the small ones. */
const digits = '0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ';

function readInteger(text: string, base: number): number {
  if (base < 2 || base > digits.length) {
    throw new FunctionError('parseInt() takes a base from 2 to 62', 'Use 10, 16 or 2.');
  }
  const [, sign = '', written = ''] = /^([-+]?)(.+)$/s.exec(text) ?? [];
  const found = Array.from(base > 36 ? written : written.toLowerCase(), (one) =>
    digits.indexOf(one),
  );
  if (found.length === 0 || !found.every((one) => one >= 0 && one < base)) {
    throw new FunctionError(
      `parseInt() was given a text that is not a whole number of base ${base}`,
      'Write for example `parseInt("ff", 16)`.',
    );
  }
  const number = found.reduce((sum, one) => sum * base + one, 0);
  if (Number.isSafeInteger(number)) return sign === '-' ? -number + 0 : number;
  throw new FunctionError(
    'parseInt() was given a number that is too large',
    'Give a number below 2 to the power of 53.',
  );
}

export const numberFunctions = [
  defineFunction(
    {
      is: 'abs(number: number): number',
      does: 'The number without its sign.',
      example: ['abs(-3)', 3],
    },
    (number: number) => Math.abs(number),
  ),
  defineFunction(
    {
      is: 'ceil(number: number): integer',
      does: 'The number rounded up to a whole number.',
      example: ['ceil(4.1)', 5],
    },
    (number: number) => Math.ceil(number) + 0,
  ),
  defineFunction(
    {
      is: 'floor(number: number): integer',
      does: 'The number rounded down to a whole number.',
      example: ['floor(4.9)', 4],
    },
    (number: number) => Math.floor(number) + 0,
  ),
  defineFunction(
    {
      is: 'min(...numbers: any): number',
      does: 'The smallest of the numbers, or of a list of them.',
      example: ['min(12, 54, 3)', 3],
    },
    (...given: readonly Value[]) => readNumbers('min', given).reduce((a, b) => Math.min(a, b)),
  ),
  defineFunction(
    {
      is: 'max(...numbers: any): number',
      does: 'The largest of the numbers, or of a list of them.',
      example: ['max(12, 54, 3)', 54],
    },
    (...given: readonly Value[]) => readNumbers('max', given).reduce((a, b) => Math.max(a, b)),
  ),
  defineFunction(
    {
      is: 'parseInt(text: text, base: integer): integer',
      does: 'The whole number that a text holds in a base from 2 to 62.',
      example: ['parseInt("ff", 16)', 255],
    },
    readInteger,
  ),
];
