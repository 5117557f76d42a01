// The result of a rehearsal, in which a plan is applied to a copy of the account. Times are milliseconds since the Unix
// epoch, on the clock of the rehearsal, which begins when the plan was made.
import type { ResourceAddress } from '../address.ts';
import type { CommandName } from '../account/command.ts';
import type { QuotaName } from '../account/live.ts';
import { hasErrors, type Diagnostic } from '../diagnostic.ts';
import type { Downtime } from './downtime.ts';
import type { Action } from './plan.ts';
import type { Timeline } from './timeline.ts';

/** A command in a rehearsal, with its start and end. */
export interface RehearsedCommandRun {
  /** Id of the task that the command belongs to. */
  readonly task: string;
  /** Index of the command within its task. */
  readonly index: number;
  readonly command: CommandName;
  readonly startedAt: number;
  readonly endedAt: number;
  readonly isDone: boolean;
}

/** A command of the critical path, which decides how long the plan takes. */
export interface CriticalPathStep {
  readonly address: ResourceAddress;
  readonly command: CommandName;
  readonly startedAt: number;
  readonly endedAt: number;
  /** For how long it waited for something else than the step before it: a lock, a place, room; milliseconds. */
  readonly waitedMs: number;
}

/** A change that failed in a rehearsal. */
export interface RehearsedFailure {
  readonly address: ResourceAddress;
  /** The command that failed; null where the change failed before its first command. */
  readonly command: CommandName | null;
  readonly diagnostic: Diagnostic;
}

/** The highest use of a quota during a rehearsal. */
export interface QuotaPeak {
  readonly name: QuotaName;
  readonly peak: number;
  readonly limit: number;
}

/** A resource that the plan changes while the service still works on it. */
export interface BusyPlannedResource {
  readonly address: ResourceAddress;
  /** The operation, in the service's word; null where it does not say. */
  readonly operation: string | null;
  /** Start of the operation that holds the resource; null where no record tells it. */
  readonly since: number | null;
  /** Expected end of the operation that holds the resource. */
  readonly endsAt: number;
  /**
   * Set where `endsAt` is a forecast: it is known when the operation began and how long such operations take, and this one is
   * not late. Otherwise `endsAt` is only assumed.
   */
  readonly isEndKnown: boolean;
}

/** A fault of a fault script, and how often it happened over all rehearsals. */
export interface RehearsedInjectedFault {
  readonly name: string;
  readonly count: number;
  /** Reason why the scripted fault never happened. */
  readonly why?: string;
}

/** The faults of a rehearsal: the file that says so, and each fault in its order there. */
export interface RehearsedInjectedFaults {
  readonly file: string;
  readonly each: readonly RehearsedInjectedFault[];
}

/** Outcome of several rehearsals, each with random durations and faults of its own. */
export interface RehearsalTrials {
  readonly count: number;
  /** Rehearsals that carried out every change, and left a second plan nothing to do. */
  readonly whole: number;
  readonly medianMs: number;
  readonly worstMs: number;
  /** Changes that failed in some rehearsal, the most frequent first, each with its first reason. */
  readonly failures: readonly (RehearsedFailure & { readonly count: number })[];
}

/** Result of rehearsing a plan; of several rehearsals, all but `trials` is that of the first. */
export interface Rehearsal {
  /** Errors of the plan itself: with any, an apply refuses it however the rehearsal ends. */
  readonly errors: number;
  readonly timeline: Timeline;
  /** Commands of the critical path, from the first to the last. */
  readonly path: readonly CriticalPathStep[];
  /** The number of changes that the plan carries out. */
  readonly changes: number;
  readonly failures: readonly RehearsedFailure[];
  /** Advice of the service, which it does not bind itself to: warnings of the plan. */
  readonly doubts: readonly Diagnostic[];
  /** Checks of the configuration that read values which the service assigns, by name: a copy can only invent those. */
  readonly undecided: readonly string[];
  /** Changes that were not begun, because a change that they need had failed. */
  readonly skipped: readonly ResourceAddress[];
  /** Changes that a second plan would make: an apply leaves them undone. */
  readonly remaining: readonly { readonly address: ResourceAddress; readonly action: Action }[];
  /** Errors and warnings of the second plan, or those that kept the rehearsal from beginning. */
  readonly findings: readonly Diagnostic[];
  /** Highest use of each quota that the plan changes. */
  readonly quotas: readonly QuotaPeak[];
  readonly held: readonly BusyPlannedResource[];
  /** Commands of the plan whose operations take time: those with durations seen on this account, and the others. */
  readonly durations: {
    readonly learned: readonly CommandName[];
    readonly assumed: readonly CommandName[];
  };
  readonly faults?: RehearsedInjectedFaults;
  readonly trials?: RehearsalTrials;
  /** Downtime that was seen; absent where nothing went out of service. */
  readonly downtime?: Downtime;
}

/** Tells whether every change came about, and a second plan has nothing to do. */
export function hasRehearsalSucceeded({
  failures,
  skipped,
  remaining,
  findings,
}: Pick<Rehearsal, 'failures' | 'skipped' | 'remaining' | 'findings'>): boolean {
  const isDone = failures.length + skipped.length + remaining.length === 0;
  return isDone && !hasErrors(findings);
}

/** Tells whether an apply takes the plan, and each rehearsal of it ended whole. */
export function haveAllRehearsalsSucceeded(rehearsal: Rehearsal): boolean {
  const { errors, trials } = rehearsal;
  return errors === 0 && hasRehearsalSucceeded(rehearsal) && trials?.whole === trials?.count;
}
