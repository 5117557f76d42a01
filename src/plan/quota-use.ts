import type { Kind } from '../kinds/kind.ts';
import { quotaNames, type LiveSnapshot, type QuotaName } from '../model/live.ts';
import type { Attributes } from '../model/value.ts';
import type { Decision } from './decision.ts';
import type { MeasuredQuota } from './make-room.ts';

type Totals = Record<QuotaName, number>;

function zero(): Totals {
  return Object.fromEntries(quotaNames.map((name) => [name, 0])) as Totals;
}

/** What the quotas hold now and after the plan. A quota that the service does not give is left out. */
export function measureQuotas(decisions: readonly Decision[], live: LiveSnapshot): MeasuredQuota[] {
  const delta = zero();
  const ours = zero();
  const add = (totals: Totals, kind: Kind, attributes: Attributes | null, sign: 1 | -1) => {
    if (!attributes) return;
    const cost = kind.quota(attributes, live.catalog);
    for (const name of quotaNames) totals[name] += sign * (cost[name] ?? 0);
  };
  for (const { change, kind, live: standing, leftPublicIpId } of decisions) {
    if (leftPublicIpId !== undefined) {
      ours.publicIps += 1;
      delta.publicIps -= 1;
    }
    // What was deleted outside takes nothing any more, though the plan shows what it was.
    if (standing) add(ours, kind, change.before, 1);
    if (change.action === 'no-op') continue;
    add(delta, kind, change.after, 1);
    if (standing) add(delta, kind, change.before, -1);
  }
  return quotaNames.flatMap((name) => {
    const quota = live.limits.quotas[name];
    if (!quota) return [];
    // Where the service gives the limit alone, what we hold is the least that is in use.
    const used = quota.used ?? ours[name];
    return [{ name, limit: quota.limit, used, after: used + delta[name], ours: ours[name] }];
  });
}
