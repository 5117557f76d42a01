import type { ServiceClient } from '../../api/client.ts';
import type { LiveResource, ResourcePlace } from '../../model/account/live.ts';
import type { LiveOperation } from '../../model/account/operation.ts';
import type { Clock } from '../../model/runtime.ts';
import type { KindName } from '../../model/kind-places.ts';

/** The resources that one look at the account has seen. */
export interface PolledResources {
  /** Every resource of the watched kind and place; only the watched one where a single id is watched. */
  readonly resources: readonly LiveResource[];
  /** Finds the resource with this id; undefined when it is not there. */
  readonly find: (id: string) => LiveResource | undefined;
  /** Tells whether the service was asked for this id, and has no such resource. */
  readonly isMissing: (id: string) => boolean;
  /** Tells whether a list has shown this id. */
  readonly isListed: (id: string) => boolean;
  /** Tells whether the list is one of a while ago: what it does not show may be there. */
  readonly isFromPast: boolean;
  readonly at: number;
}

/** Result of one look at the service. */
export interface PollResult extends PolledResources {
  /** The newest operation records of the project; empty when no watcher asked for them. */
  readonly operations: readonly LiveOperation[];
  /** Tells whether the service has withheld the records of everything that was asked for. */
  readonly areRecordsWithheld: boolean;
}

/** Longest pause between looks, as a share of the time that a late look would delay: half a pause is the mean lateness. */
export const pollPauseShare = 0.02;

/** Pause between two looks for a command whose duration is not known yet, as a share of the time waited. */
export const unknownDurationPauseShare = 0.08;

/**
 * Number of looks at a place that its waiters justify in the time in which a single one justifies one: no more for up to `few`
 * waiters, and twice as many for four times as many waiters.
 */
export function affordablePollCount(waiters: number, few: number): number {
  return Math.max(1, Math.sqrt(waiters / few));
}

/**
 * Longest time that the end of work beginning now may go unnoticed, in milliseconds; a function, since it grows while the
 * work goes on.
 */
export function calculateToleratedLateness(clock: Pick<Clock, 'now'>): () => number {
  const startedAt = clock.now();
  return () => (clock.now() - startedAt) * pollPauseShare;
}

/** Expected time at which a command shows its result. */
export interface ExpectedResultTimes {
  /** Earliest time at which the result is expected to show, in milliseconds from the start of the wait. */
  readonly firstMs: number;
  /** When it has shown almost certainly; given where that is known. */
  readonly byMs?: number;
  /** Set where nothing tells how long it takes. All who wait for the same anywhere share the looks, until one of them sees an end. */
  readonly guessOf?: string;
}

/** Time by which the end of a command may be noticed late. */
export interface ToleratedLateness {
  /** Milliseconds for which the end may go unnoticed at this moment. */
  readonly mayWaitMs: () => number;
  /**
   * Number of waits that pay for the looks of a place, where more pay than wait there: near the end of a run, all that it
   * had.
   */
  readonly payers?: (() => number) | undefined;
  /** Shortest pause between two looks of one request each, in milliseconds; `shortestPollPauseMs` unless given. */
  readonly shortestMs?: (() => number) | undefined;
}

/** One wait for something to show. `mayWaitMs`: a share of the time waited unless given. */
export interface ResourceWatch<V> extends Partial<ToleratedLateness> {
  readonly kind: KindName;
  readonly place: ResourcePlace;
  /** The only resource that the verdict is about; absent when it may be any. */
  readonly id?: string;
  /**
   * Tells whether the resource was seen before, so that a list without it proves nothing and it is read by its id as well.
   * Asked before each look; without it a list is believed.
   */
  readonly wasSeen?: () => boolean;
  /** Looks in the list as well for a resource that is not found by its id, since one 404 may come from a replica that lags. */
  readonly needsList?: boolean;
  /** Tells, by the resources just seen, whether the verdict needs operation records too. */
  readonly needsOperations: boolean | ((seen: PolledResources) => boolean);
  /** When it began to take its time, by the clock; now unless given. */
  readonly since?: number | undefined;
  /** Asked before every look, since what is known of durations grows. */
  readonly pace?: () => ExpectedResultTimes;
  /** Decides by one look; undefined when the wait has to go on. */
  decide(sighting: PollResult): V | undefined;
  /** Verdict when the deadline has passed. */
  expire(): V;
  /** By the clock, in milliseconds since the Unix epoch. A look that is under way by then still counts. */
  readonly deadline: number;
  /**
   * Ends the watch soon after the deadline, too, where its look is held back for longer. Not for a watch that takes the end
   * of the time for evidence: then nothing was looked at.
   */
  readonly endsInTime?: boolean;
}

/** The part of the client that looks. */
export type ObservationReader = Pick<
  ServiceClient,
  'list' | 'isFromPast' | 'get' | 'listOperations' | 'isHeldBack'
>;
