import type { ResourceAddress } from '../address.ts';
import type { EffectCounts } from '../effects.ts';
import type { ApplyStep, ChangeResult } from './result.ts';

/** When one task of an apply ran. Times are milliseconds since the Unix epoch. */
export interface TimelineEntry {
  readonly address: ResourceAddress;
  readonly step: ApplyStep;
  readonly result: ChangeResult['kind'];
  readonly startedAt: number;
  readonly endedAt: number;
  /**
   * Tells whether the task is on the critical path: the chain that ended last, each link of which waited for the one before it.
   */
  readonly isCritical: boolean;
}

/** Times of the tasks of an apply, in the order in which they started. Nothing of it is secret. */
export interface Timeline {
  readonly startedAt: number;
  readonly endedAt: number;
  /** Number of changes by effect; absent for runs of earlier versions. */
  readonly counts?: EffectCounts;
  readonly entries: readonly TimelineEntry[];
}
