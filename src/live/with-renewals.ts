import type { Sale } from '../model/account/account.ts';
import type { LiveSnapshot } from '../model/account/live.ts';

/** The account with what its sales say of each VM: whether it is renewed. */
export function withRenewals(live: LiveSnapshot, sales: readonly Sale[]): LiveSnapshot {
  const byResource = new Map(sales.map(({ resourceId, renewal }) => [resourceId, renewal]));
  const resources = live.resources.map((one) => {
    const renewal = one.kind === 'vm' ? byResource.get(one.id) : undefined;
    return renewal === undefined ? one : { ...one, renewal };
  });
  return { ...live, resources };
}
