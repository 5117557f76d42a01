import type { Runtime } from '../../model/runtime.ts';
import { findBranch, type Means } from '../../modules/check-out.ts';
import { serverActor, type Actor } from '../audit/audit-entry.ts';
import type { Engine } from '../engine/engine.ts';
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
  const { repository, branch } = workspace;
  const commit =
    request.commit ?? (await findBranch(means.runtime, repository, branch).catch(explain));
  return queueRun(
    means,
    { workspaceId: workspace.id, operation, commit, reason },
    workspace.name,
    by,
  );
}

/** Queues the apply of a plan, which was approved by whoever calls this. @throws RunFault where it has no saved plan */
export async function requestApply(
  means: RequestMeans,
  plan: Run,
  reason: string,
  by?: Actor,
): Promise<string> {
  if (plan.operation !== 'plan' || plan.planFile === undefined) {
    throw new RunFault('The run has no saved plan. Only a plan that succeeded can be applied.');
  }
  const { workspaceId, commit, id: planRun } = plan;
  return queueRun(
    means,
    { workspaceId, operation: 'apply', commit, reason, planRun },
    plan.workspace,
    by,
  );
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

async function queueRun(
  { store, engine }: RequestMeans,
  run: Parameters<Store['runs']['add']>[0],
  workspace: string,
  by: Actor = serverActor,
): Promise<string> {
  const { id, superseded } = await store.audit.record(
    by,
    () => store.runs.add(run),
    (added) => {
      const { operation, commit, reason, planRun } = run;
      const detail = {
        id: added.id,
        commit,
        reason,
        ...(planRun !== undefined && { plan: planRun }),
      };
      return {
        act: `run.${operation}`,
        target: `workspace/${workspace}/run/${added.number}`,
        detail,
      };
    },
  );
  // Only now: a worker that takes the run finds it.
  await engine.enqueue({ id, workspaceId: run.workspaceId });
  for (const other of superseded) await engine.cancel(other);
  return id;
}

function explain(error: unknown): never {
  const detail = error instanceof Error ? error.message : String(error);
  throw new RunFault(`The branch cannot be read. ${detail}`, { cause: error });
}
