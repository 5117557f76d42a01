import type { ServiceCaller } from '../../api/wire/caller.ts';
import { listSales } from '../../api/sales.ts';
import type { Sale } from '../../model/account/account.ts';
import type { Clock } from '../../model/runtime.ts';

/** Looks up the sales of many resources with few requests. */
export interface BatchedSaleLookup {
  /** The sale of a resource by a list that is younger than the question; undefined when none shows up in time. */
  find(id: string, deadline: number): Promise<Sale | undefined>;
}

/** Time that the first lookup waits for others to join, and the least time between two looks, in milliseconds. */
const gatherMs = 500;

/** Creates the lookup of sales that shares requests of one client. */
export function createBatchedSaleLookup(client: ServiceCaller, clock: Clock): BatchedSaleLookup {
  let next: Promise<readonly Sale[]> | undefined;
  const look = (): Promise<readonly Sale[]> => {
    next ??= clock.sleep(gatherMs).then(() => {
      next = undefined;
      return listSales(client);
    });
    return next;
  };
  return {
    async find(id, deadline) {
      for (;;) {
        const sale = (await look()).find(({ resourceId }) => resourceId === id);
        if (sale || clock.now() >= deadline) return sale;
      }
    },
  };
}
