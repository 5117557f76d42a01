import { describe, expect, it } from 'vitest';
import { calculateMonthlyPrice, readPrice } from '../../../../src/model/cost/price.ts';

const told = { price: 5, currency: 'EUR', period: 'month' };

describe('a price as a service may tell it', () => {
  it.each<[string, object, string]>([
    ['a number', {}, '5.00 EUR month'],
    ['text', { price: ' 5.50 ' }, '5.50 EUR month'],
    ['a tiny number', { price: 0.0000001 }, '0.0000001 EUR month'],
    ['nothing to pay', { price: 0 }, '0.00 EUR month'],
    ['a currency in small letters', { currency: ' eur' }, '5.00 EUR month'],
    ['another word for the period', { period: 'Hourly' }, '5.00 EUR hour'],
    ['a period in capitals', { period: 'YEAR ' }, '5.00 EUR year'],
    ['a period that nobody knows', { period: 'fortnight' }, '5.00 EUR fortnight'],
  ])('%s', (_what, given, expected) => {
    const price = readPrice({ ...told, ...given });
    expect(price && `${price.amount} ${price.currency} ${price.period}`).toBe(expected);
  });

  it.each<[string, object]>([
    ['no price', { price: undefined }],
    ['null', { price: null }],
    ['a price in an object', { price: { amount: 5 } }],
    ['a list', { price: ['5'] }],
    ['a price that is less than nothing', { price: -5 }],
    ['words', { price: 'on request' }],
    ['no currency', { currency: undefined }],
    ['a sign for the currency', { currency: '€' }],
    ['no period', { period: undefined }],
    ['a number for the period', { period: 30 }],
    ['a period that would break a line', { period: 'month\n::error::' }],
    ['an empty period', { period: ' ' }],
  ])('%s is none', (_what, given) => expect(readPrice({ ...told, ...given })).toBeUndefined());

  it('comes to nothing known where its period is not known', () => {
    expect(
      calculateMonthlyPrice({ amount: '5.00', currency: 'EUR', period: 'fortnight' }),
    ).toBeUndefined();
    expect(
      calculateMonthlyPrice({ amount: 'x', currency: 'EUR', period: 'month' }),
    ).toBeUndefined();
  });
});
