import { findBranch } from '../../modules/check-out.ts';
import type { Engine } from '../engine/engine.ts';
import type { Hosts, HostsRuntime } from '../hosts/open-hosts.ts';
import type { AddedRun, NewRun } from '../store/runs.ts';
import type { Store } from '../store/store.ts';
import type { Workspace } from '../store/workspaces.ts';
import { RunFault } from './run-fault.ts';
import type { Operation, PulledCommit, Run } from './run.ts';

/** What requests go through. */
export interface RequestMeans {
  readonly store: Store;
  readonly engine: Engine;
  readonly hosts: Hosts;
  readonly runtime: HostsRuntime;
}

/** What somebody wants done. */
export interface RunRequest {
  readonly workspace: Workspace;
  readonly operation: Exclude<Operation, 'apply'>;
  /** The commit of the branch unless given. */
  readonly commit?: string;
  readonly reason: string;
  /** The pull request whose result is planned. */
  readonly pull?: PulledCommit | undefined;
}

/** Queues a run; a plan takes the place of plans of other commits that still wait. @throws RunFault */
export async function requestRun(means: RequestMeans, request: RunRequest): Promise<string> {
  const { workspace, operation, reason, pull } = request;
  const commit = request.commit ?? (await findNewest(means, workspace).catch(explain));
  const run = { workspaceId: workspace.id, operation, commit, reason, pull };
  return queue(means, run, await means.store.runs.add(run));
}

/** The newest commit of the branch of a workspace. @throws ModuleError, BackendError, HostFault, RunFault */
export async function findNewest(
  { hosts }: Pick<RequestMeans, 'hosts'>,
  workspace: Workspace,
): Promise<string> {
  return findBranch(await hosts.openGit(workspace), workspace.repository, workspace.branch);
}

/** Plans a commit of the branch that nobody has planned for being new. @returns its run; undefined where it was seen before */
export async function planNewCommit(
  means: RequestMeans,
  { id: workspaceId, branch }: Workspace,
  commit: string,
): Promise<string | undefined> {
  const reason = `push to ${branch}`;
  return queueOnce(means, { workspaceId, operation: 'plan', commit, reason, isNewCommit: true });
}

/** Queues the apply of a plan, which was approved by whoever calls this. @throws RunFault where it has no saved plan */
export async function requestApply(
  means: RequestMeans,
  plan: Run,
  reason: string,
): Promise<string> {
  const run = describeApply(plan, reason);
  return queue(means, run, await means.store.runs.add(run));
}

/** A run that applies a plan. @throws RunFault where it has no saved plan */
export function describeApply(plan: Run, reason: string): NewRun {
  if (plan.pull) {
    throw new RunFault(
      'The plan of a pull request cannot be applied. Merge it, and apply the plan of the branch.',
    );
  }
  if (plan.operation !== 'plan' || plan.planFile === undefined) {
    throw new RunFault('The run has no saved plan. Only a plan that succeeded can be applied.');
  }
  const { workspaceId, commit, id: planRun } = plan;
  return { workspaceId, operation: 'apply', commit, reason, planRun };
}

/** Ends a run: one that waits at once, one that runs as after Ctrl-C. False where it has ended before. */
export async function cancelRun({ store, engine }: RequestMeans, id: string): Promise<boolean> {
  const before = await store.runs.cancel(id);
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

/** Queues a run unless it was made before. @returns its id; undefined where it was */
export async function queueOnce(means: RequestMeans, run: NewRun): Promise<string | undefined> {
  const added = await means.store.runs.addOnce(run);
  return added && queue(means, run, added);
}

/** Hands a run to the engine that is written down. */
async function queue(
  { engine }: RequestMeans,
  run: NewRun,
  { id, superseded }: AddedRun,
): Promise<string> {
  await engine.enqueue({ id, workspaceId: run.workspaceId });
  for (const other of superseded) await engine.cancel(other);
  return id;
}

function explain(error: unknown): never {
  if (error instanceof RunFault) throw error;
  const detail = error instanceof Error ? error.message : String(error);
  throw new RunFault(`The branch cannot be read. ${detail}`, { cause: error });
}
