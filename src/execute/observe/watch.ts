import type { ServiceClient } from '../../api/client.ts';
import type { LiveResource, Place } from '../../model/account/live.ts';
import type { LiveOperation } from '../../model/account/operation.ts';
import type { Clock } from '../../model/runtime.ts';
import type { KindName } from '../../model/kind-places.ts';

/** The resources of one look. */
export interface Seen {
  /** Every resource of the watched kind and place; only the watched one where a single id is watched. */
  readonly resources: readonly LiveResource[];
  /** The one with this id; undefined when it is not there. */
  readonly find: (id: string) => LiveResource | undefined;
  /** True when the service was asked for this id, and has no such resource. */
  readonly isMissing: (id: string) => boolean;
  /** True when a list showed this id. */
  readonly isListed: (id: string) => boolean;
  /** True when the list is one of a while ago: what it does not show may be there. */
  readonly isFromPast: boolean;
  readonly at: number;
}

/** What one look at the service showed. */
export interface Sighting extends Seen {
  /** The newest operation records of the project; empty when no watcher asked for them. */
  readonly operations: readonly LiveOperation[];
}

/** What is noticed late by half of a pause is late by half of this share of the time that it delays. */
export const pauseShare = 0.02;

/** The pause while nothing was seen to end, as a share of the time waited. */
export const guessShare = 0.08;

/** How many looks those who wait pay for in the time of one: up to `few` of them for one, four times as many for two. */
export function looksPaidBy(waiters: number, few: number): number {
  return Math.max(1, Math.sqrt(waiters / few));
}

/** How long the end of work that begins now may go unnoticed, in milliseconds: to be asked while it goes on. */
export function mayWaitSince(clock: Pick<Clock, 'now'>): () => number {
  const startedAt = clock.now();
  return () => (clock.now() - startedAt) * pauseShare;
}

/** What is known of when something will show. */
export interface Pace {
  /** It is not expected to show any sooner, in milliseconds from the start of the wait. */
  readonly firstMs: number;
  /** When it has shown almost certainly; given where that is known. */
  readonly byMs?: number;
  /** Set where nothing tells how long it takes. All who wait for the same anywhere share the looks, until one of them sees an end. */
  readonly guessOf?: string;
}

/** How late the end of something may be noticed. */
export interface Lateness {
  /** For how long it may go unnoticed by now, in milliseconds. */
  readonly mayWaitMs: () => number;
  /** How many pay for its looks by now, where those are more than wait in its place: at the end of a run, all that it was. */
  readonly payers?: (() => number) | undefined;
}

/** One wait for something to show. `mayWaitMs`: a share of the time waited unless given. */
export interface Watch<V> extends Partial<Lateness> {
  readonly kind: KindName;
  readonly place: Place;
  /** The only resource that the verdict is about; absent when it may be any. */
  readonly id?: string;
  /**
   * Whether it was seen before, so that a list without it is no proof: then it is asked for by its id as well. Asked
   * before each look; without it a list is believed.
   */
  readonly wasSeen?: () => boolean;
  /** True: what is not found by its id is looked for in the list as well, since one 404 may come from a lagging copy. */
  readonly needsList?: boolean;
  /** Whether the verdict needs operation records too, by the resources as they were just seen. */
  readonly needsOperations: boolean | ((seen: Seen) => boolean);
  /** When it began to take its time, by the clock; now unless given. */
  readonly since?: number | undefined;
  /** Asked before every look, since what is known of durations grows. */
  readonly pace?: () => Pace;
  /** Decides by one sighting; undefined when it takes longer. */
  decide(sighting: Sighting): V | undefined;
  /** What to answer when the time is over. */
  expire(): V;
  /** By the clock, in milliseconds since the Unix epoch. A look that is under way by then still counts. */
  readonly deadline: number;
  /**
   * True: it ends soon after the deadline, too, where the look is held back for longer. Not for who takes the end of the
   * time for evidence: nothing was looked at.
   */
  readonly endsInTime?: boolean;
}

/** The part of the client that looks. */
export type ObservedService = Pick<ServiceClient, 'list' | 'isFromPast' | 'get' | 'listOperations'>;
