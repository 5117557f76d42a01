import { describe, expect, it } from 'vitest';
import type { Catalog } from '../../../../src/model/account/live.ts';
import {
  renderCatalogJson,
  renderCatalogText,
  type CatalogListName,
} from '../../../../src/render/account/catalog-text.ts';
import { createAnsiStyle } from '../../../../src/render/format/style.ts';
import { measureTerminalWidth } from '../../../../src/render/format/measure.ts';

const catalog: Catalog = {
  images: [
    { id: 'i1', name: 'debian-13', os: 'Debian 13' },
    { id: 'i2', name: 'odd\u001b[2J' },
  ],
  configurations: [
    { id: 'c1', name: 'c1-r1-d20', cpu: 1, ram: 1, disk: 20, availability: 'limited', maxCount: 3 },
    { id: 'c2', name: 'c2-r4-d40', cpu: 2, ram: 4, disk: 40, availability: null, maxCount: null },
  ],
  tariffs: [
    { id: 't1', name: 'hourly', price: { amount: '0.0137', currency: 'EUR', period: 'hour' } },
    { id: 't2', name: 'free', price: { amount: '0.00', currency: 'EUR', period: 'month' } },
    { id: 't3', name: 'weekly', price: { amount: '9.00', currency: 'EUR', period: 'week' } },
    { id: 't4', name: 'untold' },
  ],
};
const empty: Catalog = { images: [], configurations: [], tariffs: [] };
const draw = (list?: CatalogListName, columns = 80, shown = catalog, arePricesAssumed = false) =>
  renderCatalogText(
    { catalog: shown, list, arePricesAssumed },
    { columns, style: createAnsiStyle(false) },
  );

describe('the catalog for people', () => {
  it('is a table for each list', () =>
    expect(draw()).toBe(`Images:
  name           system
  debian-13      Debian 13
  odd\\u001b[2J   -

Configurations:
  name        cores   RAM (GB)   disk (GB)   availability   at most
  c1-r1-d20       1          1          20   limited              3
  c2-r4-d40       2          4          40   -                    -

Tariffs:
  name          price   for each     a month
  hourly   0.0137 EUR   hour       10.00 EUR
  free       0.00 EUR   month       0.00 EUR
  weekly     9.00 EUR   week               -
  untold            -   -                  -
`));

  it('is a list of entries where a table has no room', () => {
    expect(draw('configurations', 40)).toBe(`Configurations:
  c1-r1-d20
    1 core, 1 GB RAM, 20 GB disk,
    limited, at most 3
  c2-r4-d40
    2 cores, 4 GB RAM, 40 GB disk
`);
    expect(draw('tariffs', 30)).toBe(`Tariffs:
  hourly
    0.0137 EUR, for each hour,
    10.00 EUR a month
  free
    0.00 EUR, for each month,
    0.00 EUR a month
  weekly
    9.00 EUR, for each week
  untold
`);
  });

  it.each([80, 40])('keeps within %i columns', (columns) => {
    const widths = draw(undefined, columns).split('\n').map(measureTerminalWidth);
    expect(Math.max(...widths)).toBeLessThanOrEqual(columns);
  });

  it('says where the prices are from, if there are any', () => {
    const note = 'The prices are assumed by the sandbox.';
    expect(draw(undefined, 80, catalog, true)).toContain(note);
    expect(draw('tariffs', 80, catalog, true)).toContain(note);
    expect(draw('images', 80, catalog, true)).not.toContain(note);
    expect(draw(undefined, 80, empty, true)).toBe(
      'Images:\n  none\n\nConfigurations:\n  none\n\nTariffs:\n  none\n',
    );
  });
});

it('the catalog for machines has all lists, or the one that is asked for', () => {
  expect(renderCatalogJson({ catalog, list: 'tariffs', arePricesAssumed: true })).toEqual({
    format_version: '1.0',
    tariffs: [
      {
        id: 't1',
        name: 'hourly',
        price: '0.0137',
        currency: 'EUR',
        period: 'hour',
        monthly: '10.00',
      },
      {
        id: 't2',
        name: 'free',
        price: '0.00',
        currency: 'EUR',
        period: 'month',
        monthly: '0.00',
      },
      { id: 't3', name: 'weekly', price: '9.00', currency: 'EUR', period: 'week', monthly: null },
      { id: 't4', name: 'untold', price: null, currency: null, period: null, monthly: null },
    ],
    pricesAssumed: true,
  });
  expect(renderCatalogJson({ catalog, list: undefined, arePricesAssumed: false })).toMatchObject({
    images: [
      { id: 'i1', name: 'debian-13', os: 'Debian 13' },
      { id: 'i2', os: null },
    ],
    configurations: catalog.configurations,
    pricesAssumed: false,
  });
});
