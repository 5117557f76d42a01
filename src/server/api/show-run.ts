import type { DriftMark } from '../store/drift.ts';
import type { Progress } from '../store/run-step.ts';
import { describeDeletion, type PlannedChange, type Run } from '../store/run.ts';
import type { Role } from '../people/roles.ts';
import type { ApprovalRule, Workspace } from '../store/workspaces.ts';

/** A run as JSON. Times are as RFC 3339 has them. */
export interface ShownRun {
  readonly id: string;
  readonly number: number;
  readonly workspace: string;
  readonly operation: string;
  readonly commit: string;
  readonly status: string;
  readonly reason: string;
  readonly attempt: number;
  readonly plan?: string;
  readonly pullRequest?: number;
  readonly place?: number;
  /** Until when it waits for its account. */
  readonly waitsUntil?: string;
  readonly worker?: string;
  readonly hasChanges?: boolean;
  readonly changes?: readonly PlannedChange[];
  readonly progress?: Progress;
  readonly createdAt: string;
  readonly startedAt?: string;
  readonly endedAt?: string;
  /** Why it has no log, no saved plan and no page any more. */
  readonly deleted?: string;
  /** The number of a plan of a newer commit, for which this plan cannot be run again; of a single run. */
  readonly newerPlan?: number;
}

/** A workspace as JSON. */
export interface ShownWorkspace {
  readonly name: string;
  readonly repository: string;
  readonly branch: string;
  readonly directory: string;
  readonly poll: boolean;
  readonly connection?: string;
  readonly account?: string;
  readonly applyOnMerge: boolean;
  readonly approvals: ApprovalRule;
  readonly applyWhenApproved: boolean;
  readonly after: readonly string[];
  readonly driftEveryMinutes: number | null;
  readonly applyDrift: boolean;
  readonly createdAt: string;
  readonly status: string;
  readonly settledRun?: string;
  /** Where the account is known to differ from the state. */
  readonly drift?: ShownDrift;
  /** What the caller may do; of a single workspace. */
  readonly roles?: readonly Role[];
  /** Why its repository could not be checked; of one that was just created or changed. */
  readonly warning?: string;
}

/** How the account of a workspace differs from its state, as JSON. */
export interface ShownDrift {
  readonly beganAt: string;
  readonly changedAt: string;
  readonly run: string;
  readonly count: number;
  readonly changes: readonly PlannedChange[];
}

/** Drift as the interface shows it. */
export function showDrift({ beganAt, changedAt, ...drift }: DriftMark): ShownDrift {
  return { beganAt: beganAt.toISOString(), changedAt: changedAt.toISOString(), ...drift };
}

/** What is shown of a single run besides. */
interface SingleRun {
  /** How many of its workspace come before it. */
  readonly place?: number;
  /** See `ShownRun`. */
  readonly newerPlan?: number | undefined;
}

/** A run as the interface shows it. */
export function showRun(run: Run, { place, newerPlan }: SingleRun = {}): ShownRun {
  const { id, number, workspace, operation, commit, status, reason, attempt, createdAt } = run;
  const { planRun, worker, hasChanges, changes, progress, startedAt, endedAt, pull, deleted } = run;
  const { waitsUntil } = run;
  return {
    ...{ id, number, workspace, operation, commit, status, reason, attempt },
    createdAt: createdAt.toISOString(),
    ...(planRun !== undefined && { plan: planRun }),
    ...(pull && { pullRequest: pull.number }),
    ...(status === 'queued' && place !== undefined && { place }),
    ...(status === 'queued' && waitsUntil && { waitsUntil: waitsUntil.toISOString() }),
    ...(worker !== undefined && { worker }),
    ...(hasChanges !== undefined && { hasChanges }),
    ...(changes && { changes }),
    ...(progress && { progress }),
    ...(startedAt && { startedAt: startedAt.toISOString() }),
    ...(endedAt && { endedAt: endedAt.toISOString() }),
    ...(deleted && { deleted: describeDeletion(deleted) }),
    ...(newerPlan !== undefined && { newerPlan }),
  };
}

/** A workspace as the interface shows it: never its variables. */
export function showWorkspace(workspace: Workspace): ShownWorkspace {
  const { name, repository, branch, directory, poll, createdAt, status, settledRun } = workspace;
  const { connection, applyOnMerge, approvals, applyWhenApproved, after } = workspace;
  const { driftEveryMinutes, applyDrift, account } = workspace;
  return {
    ...{ name, repository, branch, directory, poll, status },
    ...{ applyOnMerge, approvals, applyWhenApproved, after, driftEveryMinutes, applyDrift },
    ...(connection !== undefined && { connection }),
    ...(account !== undefined && { account }),
    createdAt: createdAt.toISOString(),
    ...(settledRun !== undefined && { settledRun }),
  };
}
