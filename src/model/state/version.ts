import type { EffectCounts } from '../effects.ts';

/** The current state or a former one, in a listing of the history. */
export interface StateVersion {
  readonly serial: number;
  /** When it was written, RFC 3339; absent where the index does not say. */
  readonly at?: string;
  /** `user@host`. */
  readonly who?: string;
  /** The command that wrote it. */
  readonly operation?: string;
  /** Id of the run, for a state that an apply wrote. */
  readonly runId?: string;
  /** Effects of the apply that wrote it. */
  readonly counts?: Partial<EffectCounts>;
}
