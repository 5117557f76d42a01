import { describeReserved } from '../../model/account/reserved-quota.ts';
import { quotaLabel } from '../../render/view/labels.ts';
import type { QuotaName } from '../../model/account/live.ts';
import type { Store } from '../store/store.ts';
import { RunFault } from '../errors/run-fault.ts';
import type { Run } from '../store/run.ts';

/** Reserves what a plan needs of the quotas of its account, in a transaction. @throws RunFault where others need too much */
export async function reserveQuotas({ reservations }: Store, plan: Run): Promise<void> {
  const [first] = await reservations.reserve(plan.id, plan.workspaceId);
  if (!first) return;
  const { name, amount, used, limit, reserved } = first;
  throw new RunFault(
    `The quota "${quotaLabel(name as QuotaName)}" has no room for this plan: it adds ${amount}, limit ${limit}, used ${used}, ${describeReserved(reserved, '')}. Apply or reject that plan first, or ask the service to raise the quota.`,
  );
}
