import { describeReservedQuota } from '../../model/account/reserved-quota.ts';
import { formatQuotaLabel } from '../../render/view/labels.ts';
import type { QuotaName } from '../../model/account/live.ts';
import type { ServerStore } from '../store/store.ts';
import { RunFault } from '../errors/run-fault.ts';
import type { StoredRun } from '../store/run.ts';

/**
 * Reserves what an approved plan adds to the quotas of its account, within a transaction, so that no other plan uses it up.
 * @throws RunFault where the rest of a quota is too small
 */
export async function reservePlanQuotas(
  { reservations }: ServerStore,
  plan: StoredRun,
): Promise<void> {
  const [first] = await reservations.reserve(plan.id, plan.workspaceId);
  if (!first) return;
  const { name, amount, used, limit, reserved } = first;
  throw new RunFault(
    `The quota "${formatQuotaLabel(name as QuotaName)}" has no room for this plan: it adds ${amount}, limit ${limit}, used ${used}, ${describeReservedQuota(reserved, '')}. Apply or reject that plan first, or ask the service to raise the quota.`,
  );
}
