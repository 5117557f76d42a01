// What came of carrying a plan out on a copy of the account before it is carried out. Times are milliseconds since the
// Unix epoch, on the clock of the rehearsal, which begins when the plan was made.
import type { Address } from '../address.ts';
import type { CommandName } from '../account/command.ts';
import type { QuotaName } from '../account/live.ts';
import { hasErrors, type Diagnostic } from '../diagnostic.ts';
import type { Downtime } from './downtime.ts';
import type { Action } from './plan.ts';
import type { Timeline } from './timeline.ts';

/** One command of a task, begun and ended. */
export interface CommandRun {
  /** The id of its task. */
  readonly task: string;
  /** Its index among the commands of the task. */
  readonly index: number;
  readonly command: CommandName;
  readonly startedAt: number;
  readonly endedAt: number;
  readonly isDone: boolean;
}

/** One command of the chain that decides how long the plan takes. */
export interface PathStep {
  readonly address: Address;
  readonly command: CommandName;
  readonly startedAt: number;
  readonly endedAt: number;
  /** For how long it waited for something else than the step before it: a lock, a place, room; milliseconds. */
  readonly waitedMs: number;
}

/** A change that does not come about. */
export interface RehearsedFailure {
  readonly address: Address;
  /** What failed; null where it failed before its first command. */
  readonly command: CommandName | null;
  readonly diagnostic: Diagnostic;
}

/** The most that was in use of a quota. */
export interface QuotaPeak {
  readonly name: QuotaName;
  readonly peak: number;
  readonly limit: number;
}

/** Something that the plan changes and that the service is at work on. */
export interface HeldResource {
  readonly address: Address;
  /** The operation, in the service's word; null where it does not say. */
  readonly operation: string | null;
  /** Since when; null where no record says. */
  readonly since: number | null;
  /** When it is taken to end. */
  readonly endsAt: number;
  /** False: it has taken longer than such work takes, or nothing says since when it goes on. */
  readonly isEndKnown: boolean;
}

/** One fault of a script, and what became of it over all rehearsals. */
export interface RehearsedFault {
  readonly name: string;
  readonly count: number;
  /** The reason where it never happened. */
  readonly why?: string;
}

/** The faults of a rehearsal: the file that says so, and each fault in its order there. */
export interface RehearsedFaults {
  readonly file: string;
  readonly each: readonly RehearsedFault[];
}

/** How several rehearsals ended, each with a chance of its own. */
export interface Trials {
  readonly count: number;
  /** How many carried out every change, and left a second plan nothing to do. */
  readonly whole: number;
  readonly medianMs: number;
  readonly worstMs: number;
  /** What did not come about, most often first, each with its first reason. */
  readonly failures: readonly (RehearsedFailure & { readonly count: number })[];
}

/** How a plan was rehearsed; of several times, the first in all but `trials`. */
export interface Rehearsal {
  /** Errors of the plan itself: with any, an apply refuses it however the rehearsal ends. */
  readonly errors: number;
  readonly timeline: Timeline;
  /** From the first to the last command. */
  readonly path: readonly PathStep[];
  /** How many changes there were to carry out. */
  readonly changes: number;
  readonly failures: readonly RehearsedFailure[];
  /** Advice of the service, which it does not bind itself to: warnings of the plan. */
  readonly doubts: readonly Diagnostic[];
  /** Checks of the configuration that read what the service assigns, by name: a copy can only invent that. */
  readonly undecided: readonly string[];
  /** What was not begun, because something that it needs had failed. */
  readonly skipped: readonly Address[];
  /** What a second plan would change. */
  readonly remaining: readonly { readonly address: Address; readonly action: Action }[];
  /** What is wrong afterwards, or kept it from being begun: errors and warnings. */
  readonly findings: readonly Diagnostic[];
  /** Of the quotas that the plan changes. */
  readonly quotas: readonly QuotaPeak[];
  readonly held: readonly HeldResource[];
  /** The commands of the plan whose operations take time: those that were seen to end on this account, and the others. */
  readonly durations: {
    readonly learned: readonly CommandName[];
    readonly assumed: readonly CommandName[];
  };
  readonly faults?: RehearsedFaults;
  readonly trials?: Trials;
  /** What was out of service; absent where nothing was. */
  readonly downtime?: Downtime;
}

/** True where every change came about, and a second plan has nothing to do. */
export function endsWhole({
  failures,
  skipped,
  remaining,
  findings,
}: Pick<Rehearsal, 'failures' | 'skipped' | 'remaining' | 'findings'>): boolean {
  const isDone = failures.length + skipped.length + remaining.length === 0;
  return isDone && !hasErrors(findings);
}

/** True where an apply takes the plan, and each rehearsal of it ended whole. */
export function isWhole(rehearsal: Rehearsal): boolean {
  const { errors, trials } = rehearsal;
  return errors === 0 && endsWhole(rehearsal) && trials?.whole === trials?.count;
}
