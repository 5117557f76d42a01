import { readAttributes } from '../../kinds/read-attributes.ts';
import { quotaOfBrought } from '../../kinds/relations/brought.ts';
import type { Kind } from '../../kinds/kind.ts';
import type { Address } from '../../model/address.ts';
import {
  quotaNames,
  type Catalog,
  type LiveResource,
  type LiveSnapshot,
  type QuotaName,
} from '../../model/account/live.ts';
import { isRetiring, type Change, type QuotaUse } from '../../model/plan/plan.ts';
import type { Decision } from '../decide/decision.ts';

/** A quota before anything was ordered for it. */
export type MeasuredQuota = Omit<QuotaUse, 'peak' | 'unordered'>;

/** What a resource takes after its change. One whose size is not known yet is taken to stay as large as it is. */
export function costAfter(
  kind: Kind,
  { before, after, unknown }: Change,
  catalog: Catalog,
): Readonly<Partial<Record<QuotaName, number>>> {
  if (!after) return {};
  const kept = Object.entries(before ?? {}).filter(([name]) => unknown.includes(name));
  return kind.quota({ ...Object.fromEntries(kept), ...after }, catalog);
}

type Totals = Record<QuotaName, number>;

function zero(): Totals {
  return Object.fromEntries(quotaNames.map((name) => [name, 0])) as Totals;
}

/** What all that stood under an address before still takes of each quota. */
export function quotaOfDeposed(
  kind: Kind,
  deposed: readonly LiveResource[],
  catalog: Catalog,
): Partial<Totals> {
  const totals: Partial<Totals> = {};
  for (const live of deposed) {
    const attributes = readAttributes(live, { catalog, localKey: () => undefined }, undefined);
    const cost = kind.quota(attributes, catalog);
    for (const name of quotaNames) if (cost[name]) totals[name] = (totals[name] ?? 0) + cost[name];
  }
  return totals;
}

/**
 * What the quotas hold now and after the plan. Of all that is managed only what is selected changes. A quota that the
 * service does not give is left out.
 */
export function measureQuotas(
  all: Iterable<Decision>,
  selected: ReadonlySet<Address>,
  live: LiveSnapshot,
): MeasuredQuota[] {
  const delta = zero();
  const ours = zero();
  const add = (totals: Totals, cost: Partial<Record<QuotaName, number>>, sign: 1 | -1) => {
    for (const name of quotaNames) totals[name] += sign * (cost[name] ?? 0);
  };
  for (const { change, kind, live: existing, leftPublicIpId, deposed = [] } of all) {
    const left = quotaOfDeposed(kind, deposed, live.catalog);
    const behind = leftPublicIpId === undefined ? {} : quotaOfBrought(kind, live.catalog);
    // What was deleted outside takes nothing any more, though the plan shows what it was.
    const held = existing && change.before ? kind.quota(change.before, live.catalog) : {};
    for (const cost of [left, behind, held]) add(ours, cost, 1);
    if (!selected.has(change.address)) continue;
    for (const cost of [left, behind]) add(delta, cost, -1);
    if (change.action === 'no-op') continue;
    add(delta, costAfter(kind, change, live.catalog), 1);
    if (!isRetiring(change)) add(delta, held, -1);
  }
  return quotaNames.flatMap((name) => {
    const quota = live.limits.quotas[name];
    if (!quota) return [];
    // Where the service gives the limit alone, what we hold is the least that is in use.
    const used = quota.used ?? ours[name];
    return [{ name, limit: quota.limit, used, after: used + delta[name], ours: ours[name] }];
  });
}
