// Accounts whose service tells prices.
import type { Catalog } from '../../src/model/account/live.ts';
import { readPrice } from '../../src/model/cost/price.ts';
import { defaultCatalog } from './account.ts';

/** Tariffs by name: `5 EUR month`; an empty text for one without a price. The ids are those of the sandbox. */
export const pricedCatalog = (prices: Readonly<Record<string, string>>): Catalog => ({
  ...defaultCatalog,
  tariffs: Object.entries(prices).map(([name, told]) => {
    const [price, currency, period] = told.split(' ');
    const read = readPrice({ price, currency, period });
    return { id: `trf-${name}`, name, ...(read && { price: read }) };
  }),
});

/** What most tests need: 5 and 7.30 EUR a month, 30.42 USD a month, and two that nobody knows. */
export const prices = pricedCatalog({
  monthly: '5 EUR month',
  hourly: '0.01 EUR hour',
  dollars: '1 USD day',
  weekly: '9 EUR week',
  untold: '',
});
