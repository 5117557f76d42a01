import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import {
  formatPriceAmount,
  formatCents,
  formatCostChange,
  parsePriceAmount,
  roundToCents,
  convertToMonthlyAmount,
} from '../../../../src/model/cost/money.ts';

describe('an amount', () => {
  it.each([
    ['5', '5.00'],
    ['5.0', '5.00'],
    ['0', '0.00'],
    ['0.0137', '0.0137'],
    ['007.50', '7.50'],
    ['1e-7', '0.0000001'],
    ['1.5E+2', '150.00'],
    ['123456789012345.67', '123456789012345.67'],
    ['1000000000000000', '1000000000000000.00'],
    ['0.00000000000000000001', '0.00000000000000000001'],
    ['0.000000000000000000019', '0.00000000000000000001'],
  ])('%s is read as %s', (text, expected) => {
    const amount = parsePriceAmount(text);
    expect(amount === undefined ? undefined : formatPriceAmount(amount)).toBe(expected);
  });

  it.each(['', ' ', '-1', '+1', '5,00', '5.', '.5', '1_000', 'NaN', 'Infinity', '0x10', '5 EUR'])(
    '%j is none',
    (text) => expect(parsePriceAmount(text)).toBeUndefined(),
  );

  it.each(['1000000000000001', '1e16', '1e999', '1'.repeat(65)])('%s is too large', (text) => {
    expect(parsePriceAmount(text)).toBeUndefined();
  });

  test('every number that JSON can write is read as it is written', () => {
    fc.assert(
      fc.property(fc.double({ min: 0, max: 1e15, noNaN: true }), (number) => {
        const [whole = '', fraction = ''] = formatPriceAmount(
          parsePriceAmount(String(number)) ?? -1n,
        ).split('.');
        // Twenty decimals hold all digits of a double that is not tiny.
        if (number === 0 || number >= 1e-3) expect(Number(`${whole}.${fraction}`)).toBe(number);
        else expect(Number(`${whole}.${fraction}`)).toBeLessThanOrEqual(number);
      }),
    );
  });
});

describe('a month', () => {
  const monthly = (amount: string, period: string) => {
    const exact = convertToMonthlyAmount(parsePriceAmount(amount) ?? 0n, period);
    return exact === undefined ? undefined : formatCents(roundToCents(exact));
  };

  it.each([
    ['0.01', 'hour', '7.30'],
    ['0.0137', 'hour', '10.00'],
    ['1', 'day', '30.42'],
    ['24', 'day', '730.00'],
    ['41.20', 'month', '41.20'],
    ['50', 'year', '4.17'],
    ['8760', 'year', '730.00'],
    ['0.000001', 'hour', '0.00'],
    ['0.005', 'month', '0.01'],
    ['0.0049999', 'month', '0.00'],
    ['1000000000000000', 'hour', '730000000000000000.00'],
  ])('%s for each %s is %s', (amount, period, expected) => {
    expect(monthly(amount, period)).toBe(expected);
  });

  it.each(['week', 'fortnight', '', 'constructor'])('has no known number of %j', (period) => {
    expect(monthly('1', period)).toBeUndefined();
  });

  test('0.1 and 0.2 are 0.3, and a sum is rounded once', () => {
    const add = (period: string, ...amounts: string[]) =>
      amounts.reduce(
        (sum, one) => sum + (convertToMonthlyAmount(parsePriceAmount(one) ?? 0n, period) ?? 0n),
        0n,
      );
    expect(add('month', '0.1', '0.2')).toBe(add('month', '0.3'));
    expect(formatCents(roundToCents(add('year', '50', '50', '50')))).toBe('12.50');
    expect(formatCents(roundToCents(add('month', ...Array<string>(1000).fill('0.001'))))).toBe(
      '1.00',
    );
  });

  test('however a sum is parted, it is the same', () => {
    const price = fc.tuple(
      fc.integer({ min: 0, max: 1_000_000 }).map((cents) => `${cents / 1000}`),
      fc.constantFrom('hour', 'day', 'month', 'year'),
    );
    fc.assert(
      fc.property(fc.array(price), (prices) => {
        const exact = (of: typeof prices) =>
          of.reduce(
            (sum, [one, each]) =>
              sum + (convertToMonthlyAmount(parsePriceAmount(one) ?? 0n, each) ?? 0n),
            0n,
          );
        expect(exact(prices)).toBe(exact([...prices].reverse()));
        const half = Math.floor(prices.length / 2);
        expect(exact(prices.slice(0, half)) + exact(prices.slice(half))).toBe(exact(prices));
      }),
    );
  });
});

test('a change has its sign', () => {
  expect([4360n, -4360n, 0n, -5n].map(formatCostChange)).toEqual([
    '+43.60',
    '-43.60',
    '+0.00',
    '-0.05',
  ]);
  expect(formatCents(-123456n)).toBe('-1234.56');
});
