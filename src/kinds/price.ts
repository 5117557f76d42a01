import type { Catalog, CatalogTariff } from '../model/account/live.ts';
import type { PriceOrUnknown } from '../model/cost/plan-costs.ts';
import { calculateMonthlyPrice } from '../model/cost/price.ts';
import type { KindName } from '../model/kind-places.ts';
import type { Attributes } from '../model/value.ts';
import { findCatalogEntry } from './catalog.ts';
import { kindRegistry } from './registry.ts';

/** The field that names the tariff of a resource of this kind; undefined for a kind without tariffs. */
export function findPriceField(kind: KindName): string | undefined {
  const { price } = kindRegistry[kind].traits;
  return typeof price === 'object' ? price.field : undefined;
}

/** The price of a resource by the tariff in one of its fields. */
export function readPriceByTariff(
  attributes: Attributes,
  field: string,
  { tariffs }: Catalog,
): PriceOrUnknown {
  const { price } = findCatalogEntry<CatalogTariff>(tariffs, attributes[field]) ?? {};
  return price && calculateMonthlyPrice(price) !== undefined ? price : 'unknown';
}

/** The price of a resource by the rule of its kind; null for kinds without one. */
export function findResourcePrice(
  kind: KindName,
  attributes: Attributes,
  catalog: Catalog,
): PriceOrUnknown {
  const field = findPriceField(kind);
  return field === undefined ? null : readPriceByTariff(attributes, field, catalog);
}

/** Tells whether the service gives prices at all. */
export function hasReadablePrices({ tariffs }: Catalog): boolean {
  return tariffs.some(({ price }) => price && calculateMonthlyPrice(price) !== undefined);
}
