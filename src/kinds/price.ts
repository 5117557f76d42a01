import type { Catalog, CatalogTariff } from '../model/account/live.ts';
import type { CostSide } from '../model/cost/plan-costs.ts';
import { monthlyOf } from '../model/cost/price.ts';
import type { KindName } from '../model/kind-places.ts';
import type { Attributes } from '../model/value.ts';
import { findEntry } from './catalog.ts';
import { kinds } from './registry.ts';

/** The field that names the tariff of a resource of this kind; undefined for a kind without tariffs. */
export function priceField(kind: KindName): string | undefined {
  const { price } = kinds[kind].traits;
  return typeof price === 'object' ? price.field : undefined;
}

/** Price of a resource under the tariff that a field names. */
export function priceOf(attributes: Attributes, field: string, { tariffs }: Catalog): CostSide {
  const { price } = findEntry<CatalogTariff>(tariffs, attributes[field]) ?? {};
  return price && monthlyOf(price) !== undefined ? price : 'unknown';
}

/** Price of a resource by its kind; null where that has none. */
export function priceOfKind(kind: KindName, attributes: Attributes, catalog: Catalog): CostSide {
  const field = priceField(kind);
  return field === undefined ? null : priceOf(attributes, field, catalog);
}

/** Tells whether the service has a price that can be read. */
export function tellsPrices({ tariffs }: Catalog): boolean {
  return tariffs.some(({ price }) => price && monthlyOf(price) !== undefined);
}
