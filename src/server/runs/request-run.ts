import type { Runtime } from '../../model/runtime.ts';
import { findBranch, type Means } from '../../modules/check-out.ts';
import type { Approval } from '../approvals/approvals.ts';
import { serverActor, type Actor } from '../audit/audit-entry.ts';
import type { Engine } from '../engine/engine.ts';
import type { AddedRun, NewRun } from '../store/runs.ts';
import type { Store } from '../store/store.ts';
import type { Workspace } from '../store/workspaces.ts';
import { RunFault } from './run-fault.ts';
import type { Operation, Run } from './run.ts';

/** What requests go through. */
export interface RequestMeans {
  readonly store: Store;
  readonly engine: Engine;
  readonly runtime: Means & Pick<Runtime, 'env'>;
}

/** What somebody wants done. */
export interface RunRequest {
  readonly workspace: Workspace;
  readonly operation: Exclude<Operation, 'apply'>;
  /** The commit of the branch unless given. */
  readonly commit?: string;
  readonly reason: string;
  /** Who asks; the server itself unless given. */
  readonly by?: Actor;
}

/** Queues a run; a plan takes the place of plans of other commits that still wait. @throws RunFault */
export async function requestRun(means: RequestMeans, request: RunRequest): Promise<string> {
  const { workspace, operation, reason, by } = request;
  const { id: workspaceId, name, repository, branch, approvals } = workspace;
  if (operation === 'destroy' && approvals.count > 0) {
    throw new RunFault(
      'A destroy has no plan that somebody could approve. Remove the resources from the configuration, and approve the plan of that.',
    );
  }
  const commit =
    request.commit ?? (await findBranch(means.runtime, repository, branch).catch(explain));
  const added = await addRun(means, { workspaceId, operation, commit, reason }, name, by);
  return sendToEngine(means, workspaceId, added);
}

/** Queues the apply of a plan. @throws RunFault where it has no saved plan, or an approval is missing */
export async function requestApply(
  means: RequestMeans,
  plan: Run,
  reason: string,
  by?: Actor,
): Promise<string> {
  const added = await means.store.transact(async () => {
    await means.store.approvals.lock(plan.workspaceId);
    return addApply(means, plan, reason, by);
  });
  return sendToEngine(means, plan.workspaceId, added);
}

/** Adds the apply of a plan, in a transaction that holds the lock of its workspace. @throws RunFault */
export async function addApply(
  means: Pick<RequestMeans, 'store'>,
  plan: Run,
  reason: string,
  by?: Actor,
): Promise<AddedRun> {
  if (plan.operation !== 'plan' || plan.planFile === undefined) {
    throw new RunFault('The run has no saved plan. Only a plan that succeeded can be applied.');
  }
  const approval = await means.store.approvals.read(plan.id);
  if (approval && approval.state !== 'notNeeded' && approval.state !== 'approved') {
    throw new RunFault(explainMissing(approval));
  }
  const { workspaceId, commit, id: planRun } = plan;
  const run = { workspaceId, operation: 'apply', commit, reason, planRun } as const;
  return addRun(means, run, plan.workspace, by);
}

function explainMissing({ state, given, needed }: Approval): string {
  switch (state) {
    case 'rejected':
      return 'Somebody said no to this plan.';
    case 'closed':
      return 'The plan is not open any more: it was applied, a newer run took its place, or it has no changes.';
    default:
      return `The plan has ${given} of ${needed} approvals.`;
  }
}

/** Ends a run: one that waits at once, one that runs as after Ctrl-C. False where it has ended before. */
export async function cancelRun(
  { store, engine }: RequestMeans,
  { id, workspace, number, operation }: Run,
  by: Actor = serverActor,
): Promise<boolean> {
  const before = await store.transact(async () => {
    const found = await store.runs.cancel(id);
    const target = `workspace/${workspace}/run/${number}`;
    const detail = { id, operation, was: found };
    if (found) await store.audit.append(by, { act: 'run.cancel', target, detail, result: 'done' });
    return found;
  });
  if (before === 'queued') await engine.cancel(id);
  return before !== undefined;
}

/** Queues what was written down and did not come to the engine, as when a server was killed in between. */
export async function queueForgotten({ store, engine }: RequestMeans): Promise<void> {
  const runs = await store.runs.listQueued(5);
  if (runs.length === 0) return;
  const known = new Set((await engine.list()).map(({ id }) => id));
  for (const run of runs) if (!known.has(run.id)) await engine.enqueue(run);
}

/** Adds a run, and the entry of the audit log with it. */
async function addRun(
  { store }: Pick<RequestMeans, 'store'>,
  run: NewRun,
  workspace: string,
  by: Actor = serverActor,
): Promise<AddedRun> {
  const requested = by === serverActor ? run : { ...run, requestedBy: by.id };
  return store.audit.record(
    by,
    () => store.runs.add(requested),
    ({ id, number }) => {
      const { operation, commit, reason, planRun } = run;
      const detail = { id, commit, reason, ...(planRun !== undefined && { plan: planRun }) };
      return { act: `run.${operation}`, target: `workspace/${workspace}/run/${number}`, detail };
    },
  );
}

/** Queues a run that was added. Its transaction has ended, so that a worker that takes the run finds it. @returns its id */
export async function sendToEngine(
  { engine }: Pick<RequestMeans, 'engine'>,
  workspaceId: string,
  { id, superseded }: AddedRun,
): Promise<string> {
  await engine.enqueue({ id, workspaceId });
  for (const other of superseded) await engine.cancel(other);
  return id;
}

function explain(error: unknown): never {
  const detail = error instanceof Error ? error.message : String(error);
  throw new RunFault(`The branch cannot be read. ${detail}`, { cause: error });
}
