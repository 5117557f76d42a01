// Changes whose fields read what is only known after apply: what they come to at their turn.
import type { Address } from '../address.ts';
import type { Command } from '../account/command.ts';
import type { KnownResource } from '../deferred.ts';
import type { Finding } from '../diagnostic.ts';
import type { Change, TaskPhase } from './plan.ts';

/** What a change comes to against what is known by now. */
export type LateOutcome =
  /** Everything is known: the change as it is with that, and its commands by phase. */
  | {
      readonly kind: 'known';
      readonly change: Change;
      readonly commands: ReadonlyMap<TaskPhase, readonly Command[]>;
    }
  /** Something that it reads is still to be made. */
  | { readonly kind: 'unknown'; readonly reference: string }
  /** It cannot be carried out: why, in findings with their places. */
  | { readonly kind: 'fault'; readonly findings: readonly Finding[] };

/**
 * Works a change out against what stands. Made with a plan, handed to whoever carries the plan out.
 * `isGone`: what was to be replaced was destroyed already, so that it is made again whatever its values come to.
 */
export type SettleLate = (
  address: Address,
  read: (address: Address) => KnownResource | undefined,
  isGone: boolean,
) => LateOutcome;
