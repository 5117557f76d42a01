import {
  formatPriceAmount,
  parsePriceAmount,
  convertToMonthlyAmount,
  type MonthlyAmount,
} from './money.ts';

/** Price of a tariff for each period, for each resource that is sold under it. */
export interface Price {
  /** Price as a decimal number with two decimals or more: `0.0137`. */
  readonly amount: string;
  /** Currency as an ISO 4217 code, such as `CHF`. */
  readonly currency: string;
  /** `hour`, `day`, `month` or `year`; any other word of the service has an unknown length. */
  readonly period: string;
}

const words: ReadonlyMap<string, string> = new Map([
  ['hourly', 'hour'],
  ['daily', 'day'],
  ['monthly', 'month'],
  ['yearly', 'year'],
]);

/** Reads a price as a service gives it: numbers may be text. Undefined where a part of it is missing or invalid. */
export function readPrice(told: {
  readonly price: unknown;
  readonly currency: unknown;
  readonly period: unknown;
}): Price | undefined {
  const { price, currency, period } = told;
  const isNumber = typeof price === 'number' || typeof price === 'string';
  const amount = isNumber ? parsePriceAmount(String(price).trim()) : undefined;
  if (amount === undefined) return undefined;
  if (typeof currency !== 'string' || !/^[A-Za-z]{3}$/.test(currency.trim())) return undefined;
  if (typeof period !== 'string' || !/^[A-Za-z0-9 _-]{1,32}$/.test(period.trim())) return undefined;
  const word = period.trim().toLowerCase();
  return {
    amount: formatPriceAmount(amount),
    currency: currency.trim().toUpperCase(),
    period: words.get(word) ?? word,
  };
}

/** Monthly amounts by price, kept since thousands of resources share the price of one tariff. */
const worked = new WeakMap<Price, MonthlyAmount | undefined>();

/** Monthly amount of a price, a month being 730 hours; undefined where its period is not known. */
export function calculateMonthlyPrice(price: Price): MonthlyAmount | undefined {
  if (!worked.has(price)) {
    const amount = parsePriceAmount(price.amount);
    worked.set(
      price,
      amount === undefined ? undefined : convertToMonthlyAmount(amount, price.period),
    );
  }
  return worked.get(price);
}

/** Monthly amount of a price that `readPrice` accepted, as the sides of costs are. */
export function readMonthlyPrice(price: Price): MonthlyAmount {
  return calculateMonthlyPrice(price) ?? 0n;
}
