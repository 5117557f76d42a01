import type { Sale } from '../model/account.ts';
import type { LiveSnapshot } from '../model/live.ts';

/** The account with what its sales say: whether each VM is renewed, and what is there although no list showed it. */
export function withRenewals(live: LiveSnapshot, sales: readonly Sale[]): LiveSnapshot {
  const byResource = new Map(sales.map(({ resourceId, renewal }) => [resourceId, renewal]));
  const resources = live.resources.map((one) => {
    const renewal = one.kind === 'vm' ? byResource.get(one.id) : undefined;
    return renewal === undefined ? one : { ...one, renewal };
  });
  const listed = new Set(live.resources.map(({ id }) => id));
  const unlistedIds = [...byResource.keys()].filter((id) => !listed.has(id));
  return { ...live, resources, unlistedIds };
}
