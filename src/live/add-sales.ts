import { kindRegistry } from '../kinds/registry.ts';
import type { Sale } from '../model/account/account.ts';
import type { LiveSnapshot } from '../model/account/live.ts';

/**
 * The account with what its sales say of its resources: whether a VM is renewed. A sale that does not tell of what it is may
 * be that of any resource without one.
 */
export function addSalesToSnapshot(live: LiveSnapshot, sales: readonly Sale[]): LiveSnapshot {
  const byResource = new Map(sales.map((sale) => [sale.resourceId, sale]));
  const untold = sales.some(({ resourceId }) => resourceId === '')
    ? { renewal: undefined }
    : undefined;
  const resources = live.resources.map((one) => {
    const sale = byResource.get(one.id) ?? untold;
    return (sale && kindRegistry[one.kind].traits.sale?.withSale(one, sale)) ?? one;
  });
  return { ...live, resources };
}
