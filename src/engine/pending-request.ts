import type { ServiceClient } from '../api/client.ts';
import type { LiveSnapshot } from '../model/account/live.ts';
import type { Clock } from '../model/runtime.ts';
import type { PendingCreate, State } from '../model/state/state.ts';
import type { ResolveOptions } from '../plan/reconcile/resolve-pending.ts';

/** What pending creates are looked for with. */
export interface PendingRequest {
  readonly state: State;
  readonly client: ServiceClient;
  readonly clock: Clock;
  readonly options: ResolveOptions;
  /** Reads the account. */
  readonly read: () => Promise<LiveSnapshot>;
  /** How long the run that left them behind had been silent when its lock was taken over; unknown unless given. */
  readonly silentForMs?: number | undefined;
  /** Given: what does not show is waited for, after this was called. Absent: nothing is waited for. */
  readonly onWait?: ((wait: PendingWait) => void) | undefined;
}

/** A wait that is about to begin. */
export interface PendingWait {
  readonly missing: readonly PendingCreate[];
  /** How long it takes at most. */
  readonly leftMs: number;
}
