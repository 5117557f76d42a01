import type { PresentDriftSummary } from '../store/drift.ts';
import { describeDeletedDetails, type StoredRun } from '../store/run.ts';
import type { Workspace } from '../store/workspaces.ts';
import type { Schemas } from '../contract.ts';
import type { ApplyWindowFit, RunHoldReason } from '../runs/run-timing.ts';

/** A run as JSON. */
export type RunJson = Schemas['Run'];
/** A workspace as JSON. */
export type WorkspaceJson = Schemas['Workspace'];
/** Drift of a workspace (differences between its account and its state), as JSON. */
export type WorkspaceDriftJson = Schemas['Drift'];

/** Converts drift to the JSON of the API. */
export function describeWorkspaceDriftJson({
  beganAt,
  changedAt,
  ...drift
}: PresentDriftSummary): WorkspaceDriftJson {
  return { beganAt: beganAt.toISOString(), changedAt: changedAt.toISOString(), ...drift };
}

/** Fields that only the JSON of a single run has, as they cost queries. */
interface SingleRun extends RunHoldReason, ApplyWindowFit {
  /** Number of runs of the same workspace that come before a waiting one. */
  readonly place?: number;
  /** Number of a newer plan that replaces this one, see `RunJson`. */
  readonly newerPlan?: number | undefined;
}

/** Converts a run to the JSON of the API. */
export function describeRunJson(
  run: StoredRun,
  { place, held, startsAtMs, newerPlan, expectedMs, fits }: SingleRun = {},
): RunJson {
  const { id, number, workspace, operation, commit, status, reason, attempt, createdAt } = run;
  const { planRun, worker, hasChanges, changes, progress, startedAt, endedAt, pull, deleted } = run;
  const { waitsUntil } = run;
  return {
    id,
    number,
    workspace,
    operation,
    commit,
    status,
    reason,
    attempt,
    createdAt: createdAt.toISOString(),
    ...(planRun !== undefined && { plan: planRun }),
    ...(pull && { pullRequest: pull.number }),
    ...(status === 'queued' && place !== undefined && { place }),
    ...(held !== undefined && { held }),
    ...(startsAtMs !== undefined && { startsAt: new Date(startsAtMs).toISOString() }),
    ...(expectedMs !== undefined && { expectedSeconds: Math.ceil(expectedMs / 1_000) }),
    ...(fits !== undefined && { fits }),
    ...(status === 'queued' && waitsUntil && { waitsUntil: waitsUntil.toISOString() }),
    ...(worker !== undefined && { worker }),
    ...(hasChanges !== undefined && { hasChanges }),
    ...(changes && { changes }),
    ...(progress && { progress }),
    ...(startedAt && { startedAt: startedAt.toISOString() }),
    ...(endedAt && { endedAt: endedAt.toISOString() }),
    ...(deleted && { deleted: describeDeletedDetails(deleted) }),
    ...(newerPlan !== undefined && { newerPlan }),
  };
}

/** Converts a workspace to the JSON of the API, without its variables. */
export function describeWorkspaceJson(workspace: Workspace): WorkspaceJson {
  const { name, repository, branch, directory, poll, createdAt, status, settledRun } = workspace;
  const { connection, applyOnMerge, approvals, applyWhenApproved, after } = workspace;
  const { driftEveryMinutes, applyDrift, allowProbes, account, paused, lock, stateName, reads } =
    workspace;
  const { windows, freezes, variableSets } = workspace;
  return {
    name,
    repository,
    branch,
    directory,
    reads,
    poll,
    status,
    applyOnMerge,
    approvals,
    applyWhenApproved,
    after,
    variableSets,
    driftEveryMinutes,
    applyDrift,
    allowProbes,
    windows,
    freezes,
    paused,
    stateName,
    ...(lock && { lock }),
    ...(connection !== undefined && { connection }),
    ...(account !== undefined && { account }),
    createdAt: createdAt.toISOString(),
    ...(settledRun !== undefined && { settledRun }),
  };
}
