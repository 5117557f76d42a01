import type { EffectCounts } from '../effects.ts';

/** A state that is, or was. */
export interface Version {
  readonly serial: number;
  /** When it was written, RFC 3339; absent where the index does not say. */
  readonly at?: string;
  /** `user@host`. */
  readonly who?: string;
  /** The command that wrote it. */
  readonly operation?: string;
  /** Of an apply. */
  readonly runId?: string;
  /** What an apply did. */
  readonly counts?: Partial<EffectCounts>;
}
