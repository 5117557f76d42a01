// The same once more: what has ended is done again, at the same commit. An apply begins again with a plan of it.
import type { AuditActor } from '../audit/audit-entry.ts';
import type { Workspace } from '../store/workspaces.ts';
import {
  queueRunOnce,
  requestRun,
  requireAddedRun,
  type RunRequestDependencies,
} from './request-run.ts';
import { RunFault } from '../errors/run-fault.ts';
import type { StoredRun } from '../store/run.ts';

/** Person or token that wants a run repeated, with the reason. */
interface RetryRequest {
  readonly reason: string;
  readonly by?: AuditActor | undefined;
  /** See `NewRun`; for what plans alone. There is no run of it yet. */
  readonly origin?: string;
}

/** Repeats an ended run as a new run. @returns the id of the new run @throws RunFault */
export async function retryRun(
  means: RunRequestDependencies,
  workspace: Workspace,
  run: StoredRun,
  { reason, by, origin }: RetryRequest,
): Promise<string> {
  const { store } = means;
  const { commit, pull } = run;
  // An apply is planned anew: its own changes, or another run, have made its plan stale. A preview is run again as its plan.
  const isPlanned = run.operation === 'apply' || run.operation === 'preview';
  const operation = isPlanned ? 'plan' : run.operation;
  if (operation !== 'plan')
    return requestRun(means, { workspace, operation, commit, reason, ...(by && { by }) });
  const plan = { operation, commit, reason, pull, by, ...(origin !== undefined && { origin }) };
  const isDue = async () => {
    const newer = await store.runs.findNewerPlan(run);
    if (newer === undefined) return true;
    throw new RunFault(explainNewer(run, newer));
  };
  return requireAddedRun(await queueRunOnce(means, workspace, plan, isDue));
}

/** A plan of an older commit would take the place of the newer one. */
function explainNewer({ pull }: StoredRun, newer: number): string {
  const advice = pull
    ? `Run plan #${newer} again, or comment \`hostwright plan\` on pull request #${pull.number}.`
    : `Run plan #${newer} again, or plan the workspace. To plan this commit all the same, name it in a request to the API.`;
  return `The run cannot be run again: plan #${newer} is of a newer commit. ${advice}`;
}
