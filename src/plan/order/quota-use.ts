import { readAttributes } from '../../kinds/read-attributes.ts';
import { countCompanionQuotaUse } from '../../kinds/relations/brought.ts';
import type { ResourceKind } from '../../kinds/kind.ts';
import type { ResourceAddress } from '../../model/address.ts';
import {
  quotaNames,
  type Catalog,
  type LiveResource,
  type LiveSnapshot,
  type QuotaName,
} from '../../model/account/live.ts';
import {
  isRetiring,
  leavesAttributesUnchanged,
  type Change,
  type QuotaUse,
} from '../../model/plan/plan.ts';
import { createTable } from '../../model/tables.ts';
import type { ChangeDecision } from '../decide/decision.ts';

/** Use of a quota before the tasks are ordered by it. */
export type MeasuredQuotaUse = Omit<QuotaUse, 'peak' | 'unordered'>;

/** Use of a quota by a resource after its change. A resource of unknown size is taken to stay as large as it is. */
export function measureQuotaUseAfter(
  kind: ResourceKind,
  { before, after, unknown }: Change,
  catalog: Catalog,
): Readonly<Partial<Record<QuotaName, number>>> {
  if (!after) return {};
  const kept = Object.entries(before ?? {}).filter(([name]) => unknown.includes(name));
  return kind.quota({ ...Object.fromEntries(kept), ...after }, catalog);
}

type Totals = Record<QuotaName, number>;

function zero(): Totals {
  return createTable(quotaNames, () => 0);
}

/** Use of each quota by replaced resources that still exist. */
export function measureDeposedQuotaUse(
  kind: ResourceKind,
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
 * Use of the quotas now and after the plan. Of all managed resources only the selected ones change. A quota that the service
 * does not report is left out.
 */
export function measurePlanQuotas(
  all: Iterable<ChangeDecision>,
  selected: ReadonlySet<ResourceAddress>,
  live: LiveSnapshot,
): MeasuredQuotaUse[] {
  const delta = zero();
  const ours = zero();
  const add = (totals: Totals, cost: Partial<Record<QuotaName, number>>, sign: 1 | -1) => {
    for (const name of quotaNames) totals[name] += sign * (cost[name] ?? 0);
  };
  for (const { change, kind, live: existing, leftPublicIpId, deposed = [] } of all) {
    const left = measureDeposedQuotaUse(kind, deposed, live.catalog);
    const behind = leftPublicIpId === undefined ? {} : countCompanionQuotaUse(kind, live.catalog);
    // A resource that was deleted outside uses nothing any more, though the plan shows its attributes.
    const held = existing && change.before ? kind.quota(change.before, live.catalog) : {};
    for (const cost of [left, behind, held]) add(ours, cost, 1);
    if (!selected.has(change.address)) continue;
    for (const cost of [left, behind]) add(delta, cost, -1);
    if (leavesAttributesUnchanged(change)) continue;
    add(delta, measureQuotaUseAfter(kind, change, live.catalog), 1);
    if (!isRetiring(change)) add(delta, held, -1);
  }
  return quotaNames.flatMap((name) => {
    const quota = live.limits.quotas[name];
    if (!quota) return [];
    // The use by managed resources is a lower bound, for a service that reports the limit alone.
    const used = quota.used ?? ours[name];
    return [{ name, limit: quota.limit, used, after: used + delta[name], ours: ours[name] }];
  });
}
