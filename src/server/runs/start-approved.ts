// A plan that has just got all of its approvals: what it needs is reserved, and it is applied where its workspace wants that.
import type { AuditActor } from '../audit/audit-entry.ts';
import { RunFault } from '../errors/run-fault.ts';
import { listApproverNames, type PlanApprovalStatus } from '../store/approvals.ts';
import type { StoredRun } from '../store/run.ts';
import type { AddedRun } from '../store/runs.ts';
import type { Workspace } from '../store/workspaces.ts';
import { addApplyRun, type RunAdditionDependencies } from './request-run.ts';
import { reservePlanQuotas } from './reserve-quotas.ts';

/** Approvals of a plan, and what follows from them. */
type GivenApproval = Pick<PlanApprovalStatus, 'applyWhenApproved' | 'decisions'>;

/**
 * Reserves the quotas of a plan that was just approved, and adds its apply where the workspace applies approved plans by itself.
 * @throws RunFault
 */
export async function reserveAndQueueApprovedPlan(
  means: RunAdditionDependencies,
  plan: StoredRun,
  approval: GivenApproval,
  by?: AuditActor,
): Promise<AddedRun | undefined> {
  const { store } = means;
  await reservePlanQuotas(store, plan);
  // While a newer plan is made, only the newest may be applied: the yes holds for that one where it is equal.
  if (!approval.applyWhenApproved || (await store.runs.findSuccessor(plan))) return undefined;
  const reason = `approved by ${listApproverNames(approval).join(', ')}`;
  return addApplyRun(means, plan, { reason, by });
}

/**
 * Starts a plan that became approved without a person waiting for the answer, as by a counted review: an obstacle goes to the log
 * of the plan. A paused workspace applies nothing.
 */
export async function startPlanApprovedByReviews(
  means: RunAdditionDependencies,
  { paused }: Pick<Workspace, 'paused'>,
  planRun: string,
  approval: PlanApprovalStatus,
): Promise<AddedRun | undefined> {
  const { store } = means;
  const plan = await store.runs.find(planRun);
  if (!plan) return undefined;
  const applyWhenApproved = approval.applyWhenApproved && !paused;
  try {
    return await reserveAndQueueApprovedPlan(means, plan, { ...approval, applyWhenApproved });
  } catch (error) {
    if (!(error instanceof RunFault)) throw error;
    await store.log.add(planRun, [{ stream: 'server', text: error.message }]);
    return undefined;
  }
}
