// A run as the server knows it, and what becomes of it.
import type { StoredProgress } from './run-step.ts';
import type { Schemas } from '../contract.ts';

/** Operation of a run. */
export type Operation = Schemas['Run']['operation'];

/** Status of a run. The last four are final. */
export type RunStatus = Schemas['Run']['status'];

/** One change of a plan. */
export type PlannedChange = Schemas['Drift']['changes'][number];

/** The commit of a pull request that a run is about. */
export interface PulledCommit {
  readonly number: number;
  /** The newest commit of the pull request, which the run merges with its base where that can be done. */
  readonly head: string;
}

/** A run. */
export interface Run {
  readonly id: string;
  /** Rises with each run of the server. */
  readonly number: number;
  readonly workspaceId: string;
  readonly workspace: string;
  readonly operation: Operation;
  readonly commit: string;
  /** The run whose plan this one applies. */
  readonly planRun: string | undefined;
  /** The pull request whose result it plans. Such a run says nothing about its workspace, and is never applied. */
  readonly pull: PulledCommit | undefined;
  readonly status: RunStatus;
  /** Who or what asked for it. */
  readonly reason: string;
  /** As the audit log names them; undefined where the server began it by itself. */
  readonly requestedBy: string | undefined;
  readonly attempt: number;
  readonly worker: string | undefined;
  /** The process that an attempt ran last, as its machine knows it. */
  readonly child: unknown;
  /** Progress of its apply. */
  readonly progress: StoredProgress | undefined;
  /** Until when it waits for its account; it may be over. Of a run that is queued. */
  readonly waitsUntil: Date | undefined;
  /** Number of requests to cancel it. */
  readonly cancels: number;
  readonly hasChanges: boolean | undefined;
  /** The saved plan, encrypted. */
  readonly planFile: string | undefined;
  /** Counts of the changes of the saved plan. */
  readonly changes: readonly PlannedChange[] | undefined;
  readonly createdAt: Date;
  readonly startedAt: Date | undefined;
  readonly endedAt: Date | undefined;
  /** Its log, its saved plan and the page of that were deleted, since it is old. */
  readonly deleted: DeletedDetails | undefined;
}

/** When the details of a run were deleted. */
export interface DeletedDetails {
  readonly at: Date;
  /** For how many days they were kept. */
  readonly keptDays: number;
}

/** End of an attempt. */
export interface AttemptOutcome {
  readonly status: Extract<RunStatus, 'succeeded' | 'failed' | 'cancelled'>;
  readonly hasChanges?: boolean;
  readonly planFile?: string;
  /** A change of a plan, or one that a drift check found. */
  readonly changes?: readonly PlannedChange[];
  /** Of a drift check that found drift: the same while the account differs in the same way. */
  readonly driftFingerprint?: string;
}

/** True for a drift check that nobody asked for, so that nobody waits for it. */
export function isScheduledCheck({ operation, requestedBy }: Run): boolean {
  return operation === 'drift' && requestedBy === undefined;
}

/** Why a run has no log, no saved plan and no page any more. */
export function describeDeletion({ at, keptDays }: DeletedDetails): string {
  const day = at.toISOString().slice(0, 10);
  return `Its log and its plan were deleted on ${day}: they are kept for ${keptDays} days.`;
}
