import type { EffectCounts } from '../effects.ts';

/** The current state or a former one, in a listing of the history. */
export interface StateVersion {
  readonly serial: number;
  /** When it was written, RFC 3339; absent where the index does not say. */
  readonly at?: string;
  /** Who wrote this version of the state, as `user@host`. */
  readonly who?: string;
  /** Name of the command that wrote this version of the state. */
  readonly operation?: string;
  /** Id of the run, for a version that an apply wrote. */
  readonly runId?: string;
  /** Number of changes by effect of the apply that wrote this version. */
  readonly counts?: Partial<EffectCounts>;
}
