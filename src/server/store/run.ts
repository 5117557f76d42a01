// A run as the server knows it, and what becomes of it.
import type { StoredRunProgress } from './run-step.ts';
import type { Schemas } from '../contract.ts';

/** Operation of a run: plan, apply, drift check and so on. */
export type RunOperation = Schemas['Run']['operation'];

/** Status of a run; the last four are final. */
export type RunStatus = Schemas['Run']['status'];

/** One change of a plan, or one that a drift check found. */
export type PlannedChange = Schemas['Drift']['changes'][number];

/** The pull request that a run plans, and its newest commit. */
export interface PullRequestCommit {
  readonly number: number;
  /** The newest commit of the pull request, which the run merges with its base where that can be done. */
  readonly head: string;
}

/** A run as the database keeps it. */
export interface StoredRun {
  readonly id: string;
  /** Number of the run, which grows with each run of the server. */
  readonly number: number;
  readonly workspaceId: string;
  readonly workspace: string;
  readonly operation: RunOperation;
  readonly commit: string;
  /** Id of the run whose plan this one applies, or whose place this preview holds; undefined for others. */
  readonly planRun: string | undefined;
  /**
   * Pull request whose merge result the run plans; undefined for a run of the branch. A pull request's run does not count for the
   * status of its workspace, and is never applied.
   */
  readonly pull: PullRequestCommit | undefined;
  readonly status: RunStatus;
  /** Words for who or what asked for the run. */
  readonly reason: string;
  /** Who requested the run, as the audit log names people; undefined where the server began it by itself. */
  readonly requestedBy: string | undefined;
  readonly attempt: number;
  readonly worker: string | undefined;
  /** Identity of the process that the last attempt ran, by which its machine recognises it. */
  readonly child: unknown;
  /** Progress of the changes that the run carries out; undefined where it has begun none. */
  readonly progress: StoredRunProgress | undefined;
  /** End of a queued run's wait for its account, which may be in the past. */
  readonly waitsUntil: Date | undefined;
  /** Number of times that somebody has asked to cancel the run. */
  readonly cancels: number;
  readonly hasChanges: boolean | undefined;
  /** Id of the encrypted saved plan; undefined without one. */
  readonly planFile: string | undefined;
  /** Changes of the saved plan; undefined without one. */
  readonly changes: readonly PlannedChange[] | undefined;
  readonly createdAt: Date;
  readonly startedAt: Date | undefined;
  readonly endedAt: Date | undefined;
  /** Set for an old run, whose log, saved plan and plan page were deleted. */
  readonly deleted: DeletedDetails | undefined;
}

/** Time at which the details of a run were deleted. */
export interface DeletedDetails {
  readonly at: Date;
  /** Number of days for which the details were kept. */
  readonly keptDays: number;
}

/** An older plan that equals a newer one in all that a person approves, so that decisions about it hold for the newer one, too. */
export interface EqualOlderPlan {
  /** Id of the run with the older plan. */
  readonly from: string;
  /** E-mail addresses of whoever wrote the commits between the two plans; undefined where nobody knows. */
  readonly authors: ReadonlySet<string> | undefined;
}

/** End of an attempt to carry out a run. */
export interface RunAttemptOutcome {
  readonly status: Extract<RunStatus, 'succeeded' | 'failed' | 'cancelled'>;
  readonly hasChanges?: boolean;
  readonly planFile?: string;
  /** Changes of the plan, or those that a drift check found. */
  readonly changes?: readonly PlannedChange[];
  /** Set for a plan that equals the last one. */
  readonly carried?: EqualOlderPlan;
  /** Fingerprint of the drift that a check found: the same while the account differs in the same way. */
  readonly driftFingerprint?: string;
}

/** Tells whether a run is a drift check that the server started by its schedule, so that no person waits for it. */
export function isScheduledDriftCheck({ operation, requestedBy }: StoredRun): boolean {
  return operation === 'drift' && requestedBy === undefined;
}

/** Explains why a run has no log, saved plan or page any more. */
export function describeDeletedDetails({ at, keptDays }: DeletedDetails): string {
  const day = at.toISOString().slice(0, 10);
  return `Its log and its plan were deleted on ${day}: they are kept for ${keptDays} days.`;
}
