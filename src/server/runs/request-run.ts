import { setTimeout as sleep } from 'node:timers/promises';
import { isKeyOf } from '../../model/tables.ts';
import { findBranchCommit } from '../../modules/check-out.ts';
import { BackendError } from '../../state/backends/backend-error.ts';
import { isPlanApproved, type PlanApprovalStatus } from '../store/approvals.ts';
import { serverActor, type AuditActor } from '../audit/audit-entry.ts';
import type { DurableRunEngine } from '../engine/durable-engine.ts';
import type { GitHosts, GitHostsRuntime } from '../hosts/open-hosts.ts';
import type { AddedRun, NewRun } from '../store/runs.ts';
import { isAccountChangingRun } from '../store/server-hold.ts';
import type { ServerStore } from '../store/store.ts';
import type { Workspace } from '../store/workspaces.ts';
import { reservePlanQuotas } from './reserve-quotas.ts';
import { findApplyWindowWait } from './wait-for-window.ts';
import { RunFault } from '../errors/run-fault.ts';
import {
  describeDeletedDetails,
  isScheduledDriftCheck,
  type RunOperation,
  type PullRequestCommit,
  type StoredRun,
} from '../store/run.ts';

/** Dependencies that are needed to queue new runs. */
export interface RunRequestDependencies {
  readonly store: ServerStore;
  readonly engine: DurableRunEngine;
  readonly hosts: GitHosts;
  readonly runtime: GitHostsRuntime;
}

/** Parts of the server that add a run by themselves, without a git host. */
export interface RunAdditionDependencies {
  readonly store: ServerStore;
  readonly runtime: Pick<GitHostsRuntime, 'clock'>;
}

/** Request for a new run of a workspace. */
export interface RunRequest {
  readonly workspace: Workspace;
  readonly operation: Exclude<RunOperation, 'apply' | 'preview'>;
  /** Hash of the commit to run on; the newest of the branch when absent. */
  readonly commit?: string;
  readonly reason: string;
  /** Pull request whose result is planned; undefined for a run of the branch. */
  readonly pull?: PullRequestCommit | undefined;
  /** Person or token that asks for the run; the server itself when absent. */
  readonly by?: AuditActor;
}

/** Most times that the newest commit is read while other processes plan newer ones. */
const mostLooks = 10;

/** Queues a new run. A new plan supersedes plans of other commits that are still queued. @throws RunFault */
export async function requestRun(
  means: RunRequestDependencies,
  request: RunRequest,
): Promise<string> {
  const { workspace, operation, reason, pull, by } = request;
  if (operation === 'destroy' && workspace.approvals.count > 0) {
    throw new RunFault(
      'A destroy has no plan that somebody could approve. Remove the resources from the configuration, and approve the plan of that.',
    );
  }
  if (operation === 'plan' && request.commit === undefined)
    return requireAddedRun(await planNewestCommit(means, workspace, { reason, by }).catch(explain));
  const commit = request.commit ?? (await findNewestCommit(means, workspace).catch(explain));
  const run = { operation, commit, reason, pull };
  return requireAddedRun(await queueRunOnce(means, workspace, { ...run, by }));
}

/**
 * Plans the newest commit of the branch, and marks it as seen. Where another process has planned a push since the commit was
 * read, it is read again, so that an older commit never supersedes a newer plan.
 * @returns the run; undefined where there is one of the same origin
 * @throws RepositoryError, BackendError, GitHostFault, RunFault
 */
export async function planNewestCommit(
  means: RunRequestDependencies,
  workspace: Workspace,
  run: Omit<QueuedRun, 'operation' | 'commit' | 'after'>,
): Promise<string | undefined> {
  const { runs, workspaces } = means.store;
  let current: Workspace | undefined = workspace;
  for (let looks = 0; current && looks < mostLooks; looks += 1) {
    const commit = await findNewestCommit(means, current);
    const after = { commit: current.seenCommit };
    const id = await queueRunOnce(means, current, { operation: 'plan', commit, ...run, after });
    if (id !== undefined) return id;
    if (run.origin !== undefined && (await runs.hasOrigin(run.origin))) return undefined;
    current = await workspaces.read(workspace.id);
  }
  throw new RunFault('The branch gets new commits all the time. Try again.');
}

/** Time limit for the git host to name the newest commit, in milliseconds: a person waits for the answer. */
const usualPatienceMs = 8_000;

/** The newest commit of the branch of a workspace. @throws RepositoryError, BackendError, GitHostFault, RunFault */
export async function findNewestCommit(
  { hosts }: Pick<RunRequestDependencies, 'hosts'>,
  workspace: Workspace,
  patienceMs = usualPatienceMs,
): Promise<string> {
  const { repository, branch } = workspace;
  const late = new AbortController();
  const ask = async () =>
    findBranchCommit(await hosts.openGit(workspace), repository, branch, patienceMs);
  const giveUp = async () => {
    await sleep(patienceMs, undefined, { signal: late.signal });
    const words = `The git host has not answered within ${patienceMs / 1_000} s.`;
    throw new BackendError('unreachable', words);
  };
  try {
    return await Promise.race([ask(), giveUp()]);
  } finally {
    late.abort();
  }
}

/**
 * Plans a commit of the branch that was not seen before.
 * @returns the run; undefined where the workspace has seen another commit since `workspace` was read
 */
export async function planNewCommit(
  means: RunRequestDependencies,
  workspace: Workspace,
  commit: string,
): Promise<string | undefined> {
  const reason = `push to ${workspace.branch}`;
  const after = { commit: workspace.seenCommit };
  return queueRunOnce(means, workspace, { operation: 'plan', commit, reason, after });
}

/** Fields of a new run that applies a plan. */
type ApplyRequest = Pick<NewRun, 'reason' | 'origin'> & { readonly by?: AuditActor | undefined };

/** Queues the apply of a plan. @returns its id; undefined where there is one of its origin. @throws RunFault where the plan has no saved file, or an approval is missing */
export async function requestApplyRun(
  means: RunRequestDependencies,
  plan: StoredRun,
  request: ApplyRequest,
): Promise<string | undefined> {
  const added = await means.store.transact(async () => {
    await means.store.approvals.lock(plan.workspaceId);
    return addApplyRun(means, plan, request);
  });
  return added && sendRunToEngine(means, plan.workspaceId, added);
}

/** Adds the apply of a plan, in a transaction that holds the lock of its workspace. @throws RunFault */
export async function addApplyRun(
  means: RunAdditionDependencies,
  plan: StoredRun,
  { by, ...given }: ApplyRequest,
): Promise<AddedRun | undefined> {
  // A repeated request for the same apply is recognised, as its plan may be applied by now.
  if (given.origin !== undefined && (await means.store.runs.hasOrigin(given.origin))) {
    return undefined;
  }
  if (plan.pull) {
    throw new RunFault(
      'The plan of a pull request cannot be applied. Merge it, and apply the plan of the branch.',
    );
  }
  if (plan.deleted) throw new RunFault(`${describeDeletedDetails(plan.deleted)} Plan again.`);
  if (plan.operation !== 'plan' || plan.planFile === undefined) {
    throw new RunFault('The run has no saved plan. Only a plan that succeeded can be applied.');
  }
  const successor = await means.store.runs.findSuccessor(plan);
  if (successor) throw explainSuccessor(plan, successor);
  const approval = await means.store.approvals.read(plan.id);
  if (approval && !isPlanApproved(approval)) {
    throw new RunFault(explainMissing(approval));
  }
  await reservePlanQuotas(means.store, plan);
  const { workspaceId, commit, id: planRun } = plan;
  const run = { workspaceId, operation: 'apply', commit, planRun, ...given } as const;
  return addRun(means, run, plan.workspace, by);
}

/** Explains why a plan cannot be applied: it already was, or a newer plan exists. */
function explainSuccessor(
  plan: StoredRun,
  { id, number, operation, status, planRun }: StoredRun,
): RunFault {
  if (planRun !== plan.id) {
    const advice = operation === 'plan' ? 'Apply that one.' : 'Plan again.';
    return new RunFault(
      `A newer run took the place of plan #${plan.number}: ${operation} #${number}. ${advice}`,
    );
  }
  const words = {
    queued: 'applies this plan already.',
    running: 'applies this plan already.',
    succeeded: 'has applied this plan.',
  };
  const said = isKeyOf(words, status)
    ? words[status]
    : `was to apply this plan, and ended as ${status}. Plan again.`;
  return new RunFault(`Run #${number} ${said}`, { doneBy: id });
}

function explainMissing({ state, given, needed }: PlanApprovalStatus): string {
  switch (state) {
    case 'rejected':
      return 'Somebody said no to this plan.';
    case 'closed':
      return 'The plan is not open any more: it was applied, a newer run took its place, or it has no changes.';
    default:
      return `The plan has ${given} of ${needed} approvals.`;
  }
}

/**
 * Cancels a run: a queued one ends at once, a running one as after Ctrl-C. The result is false for a run that had ended before.
 */
export async function cancelRun(
  { store, engine }: RunRequestDependencies,
  { id, workspace, number, operation }: StoredRun,
  by: AuditActor = serverActor,
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

/** Queues the stored runs that the engine has not heard of, as when a server was killed between storing and queueing one. */
export async function queueForgottenRuns({
  store,
  engine,
}: Pick<RunRequestDependencies, 'store' | 'engine'>): Promise<void> {
  const runs = await store.runs.listUnattended(5);
  if (runs.length === 0) return;
  const known = new Set((await engine.list()).map(({ id }) => id));
  for (const run of runs.filter(({ id }) => !known.has(id)))
    await engine.enqueue(run, chooseQueue(run));
}

function chooseQueue(run: StoredRun): Parameters<DurableRunEngine['enqueue']>[1] {
  if (run.operation === 'preview') return 'previews';
  return isScheduledDriftCheck(run) ? 'low' : undefined;
}

/** Fields of a new run, with the person or token that asked for it. */
type QueuedRun = Omit<NewRun, 'workspaceId'> & { readonly by?: AuditActor | undefined };

/**
 * Queues a run, unless there is one of the same origin. `isDue` is asked while the workspace is locked, so that no other run of
 * it is added after the answer.
 * @returns the id of the run; undefined where it exists already, or is not due
 */
export async function queueRunOnce(
  means: RunRequestDependencies,
  { id: workspaceId, name }: Workspace,
  { by, ...run }: QueuedRun,
  isDue?: () => Promise<boolean>,
): Promise<string | undefined> {
  const { store } = means;
  const added = await store.transact(async () => {
    if (isDue) {
      await store.workspaces.hold(name);
      if (!(await isDue())) return undefined;
    }
    if (run.operation === 'plan' && !run.pull && run.origin === undefined) {
      await store.workspaces.hold(name);
      const same = await store.runs.findSamePlan(workspaceId, run.commit);
      if (same) return same;
    }
    return addRun(means, { workspaceId, ...run }, name, by);
  });
  return added && sendRunToEngine(means, workspaceId, added);
}

/**
 * Explains why no run may change the account of a workspace now: the server is held, or the workspace is locked. Undefined where
 * runs may.
 */
export async function explainAccountHold(
  { hold, workspaces }: Pick<ServerStore, 'hold' | 'workspaces'>,
  { workspaceId }: Pick<NewRun, 'workspaceId'>,
): Promise<string | undefined> {
  const mark = await hold.read();
  if (mark) return `The server is held: ${mark.reason}`;
  const lock = (await workspaces.read(workspaceId))?.lock;
  return lock && `The workspace is locked by ${lock.by}: ${lock.reason}`;
}

/** Adds a run, and the entry of the audit log with it. @returns undefined where it was made before @throws RunFault while it would be held up */
async function addRun(
  { store, runtime }: RunAdditionDependencies,
  run: NewRun,
  workspace: string,
  by: AuditActor = serverActor,
): Promise<AddedRun | undefined> {
  const requested = by === serverActor ? run : { ...run, requestedBy: by.id };
  return store.transact(async () => {
    const held = isAccountChangingRun(run) ? await explainAccountHold(store, run) : undefined;
    if (held !== undefined) throw new RunFault(held);
    const wait = await findApplyWindowWait(store, run, runtime.clock.now());
    // An apply that fits into no window would wait for ever.
    if (wait && wait.startsAtMs === undefined) throw new RunFault(wait.why);
    const added = await store.runs.add(requested);
    if (!added) return undefined;
    const { operation, commit, reason, planRun } = run;
    const { id, number } = added;
    await store.audit.append(by, {
      act: `run.${operation}`,
      target: `workspace/${workspace}/run/${number}`,
      detail: { id, commit, reason, ...(planRun !== undefined && { plan: planRun }) },
      result: 'done',
    });
    return added;
  });
}

/** Requires the id of an added run: one without an origin is never a duplicate. */
export function requireAddedRun(id: string | undefined): string {
  if (id === undefined) throw new Error('A run without an origin was not added.');
  return id;
}

/**
 * Queues an added run in the run engine, once the transaction that added it has ended, so that a worker finds it in the database.
 * @returns its id
 */
export async function sendRunToEngine(
  { engine }: Pick<RunRequestDependencies, 'engine'>,
  workspaceId: string,
  { id, superseded }: AddedRun,
): Promise<string> {
  await engine.enqueue({ id, workspaceId });
  for (const other of superseded) await engine.cancel(other);
  return id;
}

function explain(error: unknown): never {
  if (error instanceof RunFault) throw error;
  const detail = error instanceof Error ? error.message : String(error);
  throw new RunFault(`The branch cannot be read. ${detail}`, { cause: error });
}
