// Drift is undone where the workspace says so: it is planned, and the plan is applied where it removes nothing. Whoever is killed
// in between, another process goes on: each step has an origin, and is done once.
import { explainUndecidedPolicies, isPlanWithoutRemovals } from '../runs/compare-changes.ts';
import { queueRunOnce, requestApplyRun, type RunRequestDependencies } from '../runs/request-run.ts';
import { RunFault } from '../errors/run-fault.ts';
import type { PlannedDriftRepair, DriftRepair } from '../store/drift.ts';

/**
 * Plans the workspaces whose drift is to be undone, and applies those plans that remove nothing; the log of any other says why it
 * is not applied.
 */
export async function repairDrift(means: RunRequestDependencies): Promise<void> {
  for (const repair of await means.store.drift.listWanted()) await planRepair(means, repair);
  for (const repair of await means.store.drift.listPlanned()) await decide(means, repair);
}

async function planRepair(means: RunRequestDependencies, repair: DriftRepair): Promise<void> {
  const { store } = means;
  const { episode, fingerprint, workspaceId, commit } = repair;
  const workspace = await store.workspaces.read(workspaceId);
  if (!workspace) return;
  const origin = `drift-plan:${episode}:${fingerprint}`;
  const plan = { operation: 'plan', commit, reason: 'drift', origin } as const;
  await queueRunOnce(means, workspace, plan, async () => {
    // Meanwhile, a push may have been planned, whose place this plan would take.
    const [wanted] = await store.drift.listWanted(episode);
    if (wanted?.fingerprint !== fingerprint || wanted.commit !== commit) return false;
    await store.drift.notePlanned(repair);
    return true;
  });
}

async function decide(means: RunRequestDependencies, repair: PlannedDriftRepair): Promise<void> {
  const { store } = means;
  const fault = repair.isOpen ? await applyRepair(means, repair.plan) : undefined;
  await store.transact(async () => {
    if (!(await store.drift.decide(repair)) || fault === undefined) return;
    const text = `Not applied by itself after drift: ${fault} Review this plan, and apply it.`;
    await store.log.add(repair.plan, [{ stream: 'server', text }]);
    await store.messages.tellWaiting(repair.plan);
  });
}

/** Applies a plan that undoes drift. @returns the reason why it is not applied. */
async function applyRepair(
  means: RunRequestDependencies,
  planId: string,
): Promise<string | undefined> {
  const { store } = means;
  const plan = await store.runs.find(planId);
  if (!plan) return undefined;
  const figures = await store.reports.readFigures(planId);
  const counts = figures?.counts ?? {};
  const undecided = explainUndecidedPolicies(counts);
  if (undecided !== undefined) return undecided;
  if (!isPlanWithoutRemovals(plan.changes ?? [], counts))
    return 'it removes or replaces something.';
  try {
    await requestApplyRun(means, plan, { reason: 'drift', origin: `drift-apply:${planId}` });
    return undefined;
  } catch (error) {
    if (error instanceof RunFault) return error.message;
    throw error;
  }
}
