import type { ServiceClient } from '../../api/client.ts';
import type { LiveResource, Place } from '../../model/account/live.ts';
import type { LiveOperation } from '../../model/account/operation.ts';
import type { KindName } from '../../model/kind-places.ts';

/** The resources of one look. */
export interface Seen {
  /** Every resource of the watched kind and place; only the watched one where a single id is watched. */
  readonly resources: readonly LiveResource[];
  /** The one with this id; undefined when it is not there. */
  readonly find: (id: string) => LiveResource | undefined;
  /** True when the service was asked for this id, and has no such resource. */
  readonly isMissing: (id: string) => boolean;
  readonly at: number;
}

/** What one look at the service showed. */
export interface Sighting extends Seen {
  /** The newest operation records of the project; empty when no watcher asked for them. */
  readonly operations: readonly LiveOperation[];
}

/** When to look, in milliseconds: first, counted from the start of the wait, and then again and again. */
export interface Pace {
  readonly firstMs: number;
  /** The shortest pause between two looks. */
  readonly everyMs: number;
  /** The pause grows with the time already waited, by this share of it. */
  readonly waitedShare: number;
}

/** One wait for something to show. */
export interface Watch<V> {
  readonly kind: KindName;
  readonly place: Place;
  /** The only resource that the verdict is about; absent when it may be any. */
  readonly id?: string;
  /**
   * Whether it was seen before, so that a list without it is no proof: then it is asked for by its id as well. Asked
   * before each look; without it a list is believed.
   */
  readonly wasSeen?: () => boolean;
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
export type ObservedService = Pick<ServiceClient, 'list' | 'get' | 'listOperations'>;
