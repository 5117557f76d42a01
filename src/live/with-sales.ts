import { kinds } from '../kinds/registry.ts';
import type { Sale } from '../model/account/account.ts';
import type { LiveSnapshot } from '../model/account/live.ts';

/** The account with what its sales say of its resources: whether a VM is renewed. */
export function withSales(live: LiveSnapshot, sales: readonly Sale[]): LiveSnapshot {
  const byResource = new Map(sales.map((sale) => [sale.resourceId, sale]));
  const resources = live.resources.map((one) => {
    const sale = byResource.get(one.id);
    return (sale && kinds[one.kind].ofSale?.withSale(one, sale)) ?? one;
  });
  return { ...live, resources };
}
