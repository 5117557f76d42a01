import type { AuditActor } from '../audit/audit-entry.ts';
import { sendRunToEngine, type RunRequestDependencies } from './request-run.ts';
import { reserveAndQueueApprovedPlan } from './start-approved.ts';
import { RunFault } from '../errors/run-fault.ts';
import type { StoredRun } from '../store/run.ts';
import type { PlanApprovalStatus } from '../store/approvals.ts';
import type { Schemas } from '../contract.ts';

/**
 * Records a person's yes or no to a saved plan. The last missing yes queues the apply, where the workspace is set up so.
 * @throws RunFault where there is nothing to decide
 */
export async function recordPlanDecision(
  means: RunRequestDependencies,
  plan: StoredRun,
  { decision, comment }: Schemas['NewDecision'],
  by: AuditActor,
): Promise<void> {
  const { store } = means;
  const added = await store.transact(async () => {
    await store.approvals.lock(plan.workspaceId);
    const before = await store.approvals.read(plan.id);
    requireOpen(before, decision);
    await store.approvals.keep(plan.id, { member: by.id, name: by.name, decision, comment });
    const after = (await store.approvals.read(plan.id)) ?? before;
    // Without a rule there is nothing to say yes to, and a no needs a plan that waits.
    if (decision === 'no' && after.state === 'notNeeded') throw explainClosed();
    await store.audit.append(by, {
      act: decision === 'yes' ? 'plan.approve' : 'plan.reject',
      target: `workspace/${plan.workspace}/run/${plan.number}`,
      detail: { id: plan.id, comment, given: after.given, needed: after.needed },
      result: 'done',
    });
    return after.state === 'approved'
      ? reserveAndQueueApprovedPlan(means, plan, after, by)
      : undefined;
  });
  // Only now: a worker that takes the run finds it.
  if (added) await sendRunToEngine(means, plan.workspaceId, added);
}

function requireOpen(
  approval: PlanApprovalStatus | undefined,
  decision: 'yes' | 'no',
): asserts approval is PlanApprovalStatus {
  if (!approval || (approval.state === 'notNeeded' && decision === 'yes'))
    throw new RunFault('Plans of this workspace need no approval.');
  if (approval.state === 'closed') throw explainClosed();
}

function explainClosed(): RunFault {
  return new RunFault(
    'The plan is not open any more: it was applied, a newer run took its place, or it has no changes.',
  );
}
