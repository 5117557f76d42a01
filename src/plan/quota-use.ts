import { kinds } from '../kinds/registry.ts';
import { quotaNames, type LiveSnapshot, type QuotaName } from '../model/live.ts';
import type { Change, QuotaUse } from '../model/plan.ts';
import type { Attributes } from '../model/value.ts';

type Totals = Record<QuotaName, number>;

function zero(): Totals {
  return Object.fromEntries(quotaNames.map((name) => [name, 0])) as Totals;
}

/** What the quotas hold now and after the plan. A quota that the service does not give is left out. */
export function measureQuotas(changes: readonly Change[], live: LiveSnapshot): QuotaUse[] {
  const delta = zero();
  const ours = zero();
  const add = (totals: Totals, change: Change, attributes: Attributes | null, sign: 1 | -1) => {
    if (!attributes) return;
    const cost = kinds[change.kind].quota(attributes, live.catalog);
    for (const name of quotaNames) totals[name] += sign * (cost[name] ?? 0);
  };
  for (const change of changes) {
    add(ours, change, change.before, 1);
    if (change.action === 'no-op') continue;
    add(delta, change, change.after, 1);
    add(delta, change, change.before, -1);
  }
  return quotaNames.flatMap((name) => {
    const quota = live.limits.quotas[name];
    if (!quota) return [];
    // Where the service gives the limit alone, what we hold is the least that is in use.
    const used = quota.used ?? ours[name];
    return [{ name, limit: quota.limit, used, after: used + delta[name], ours: ours[name] }];
  });
}
