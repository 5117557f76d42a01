// A plan that has just got all of its approvals: what it needs is reserved, and it is applied where its workspace wants that.
import type { AuditActor } from '../audit/audit-entry.ts';
import { RunFault } from '../errors/run-fault.ts';
import { listApproverNames, type PlanApproval } from '../store/approvals.ts';
import type { StoredRun } from '../store/run.ts';
import type { AddedRun } from '../store/runs.ts';
import type { Workspace } from '../store/workspaces.ts';
import { addApplyRun, type RunAdditionDependencies } from './request-run.ts';
import { reservePlanQuotas } from './reserve-quotas.ts';

/** Approvals of a plan, and what follows from them. */
type GivenApproval = Pick<PlanApproval, 'applyWhenApproved' | 'decisions'>;

/** Reserves what an approved plan needs, and adds its apply where its workspace wants that. @throws RunFault */
export async function startApprovedPlan(
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
 * Starts an approved plan while nobody waits for the answer: an obstacle is written to the log of the plan. A paused workspace
 * applies nothing.
 */
export async function startCountedPlan(
  means: RunAdditionDependencies,
  { paused }: Pick<Workspace, 'paused'>,
  planRun: string,
  approval: PlanApproval,
): Promise<AddedRun | undefined> {
  const { store } = means;
  const plan = await store.runs.find(planRun);
  if (!plan) return undefined;
  const applyWhenApproved = approval.applyWhenApproved && !paused;
  try {
    return await startApprovedPlan(means, plan, { ...approval, applyWhenApproved });
  } catch (error) {
    if (!(error instanceof RunFault)) throw error;
    await store.log.add(planRun, [{ stream: 'server', text: error.message }]);
    return undefined;
  }
}
