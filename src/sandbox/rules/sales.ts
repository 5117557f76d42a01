import { findCatalogEntryById } from '../store/catalog.ts';
import { createSandboxId } from '../store/ids.ts';
import type { SandboxResourceType, SandboxSaleRow } from '../store/rows.ts';
import { sandboxTables } from '../store/rows.ts';
import type { SandboxContext } from '../store/world.ts';

/** Computes the end of the sale's period that follows the one ending at `from`. */
function addPeriod(
  { rules }: Pick<SandboxContext, 'rules'>,
  tariffId: string,
  from: number,
): number {
  const end = new Date(from);
  const period = findCatalogEntryById(rules.catalog.tariffs, tariffId)?.period;
  if (period === 'hour') end.setUTCHours(end.getUTCHours() + 1);
  else if (period === 'day') end.setUTCDate(end.getUTCDate() + 1);
  else if (period === 'year') end.setUTCFullYear(end.getUTCFullYear() + 1);
  // A period that is not known counts as a month: none may take no time at all.
  else end.setUTCMonth(end.getUTCMonth() + 1);
  return end.getTime();
}

/** Finds the time until which a sale is paid for: while it renews, the end of the running period. */
export function findPaidUntil(world: SandboxContext, sale: SandboxSaleRow): number {
  if (sale.renewal === 'cancelled') return sale.paidUntil;
  let end = sale.paidUntil;
  while (end <= world.now) end = addPeriod(world, sale.tariffId, end);
  return end;
}

/** Adds a sale to the account for a new resource: its tariff, the end of the paid period, and the renewal. */
export function createResourceSale(
  world: SandboxContext,
  resourceType: SandboxResourceType,
  resourceId: string,
  tariffId: string,
): string {
  const { store, rules, now } = world;
  const id = createSandboxId(store, rules.seed, 'sale');
  store.insert(sandboxTables.sales, {
    id,
    resourceType,
    resourceId,
    tariffId,
    renewal: 'active',
    paidUntil: addPeriod(world, tariffId, now),
    createdAt: now,
  });
  return id;
}
