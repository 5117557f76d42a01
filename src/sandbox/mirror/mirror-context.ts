import type { LiveResource } from '../../model/account/live.ts';
import type { SandboxStore } from '../store/store.ts';

/** A running operation of the service. Times are milliseconds since the Unix epoch. */
export interface MirroredOperation {
  /** Type of the operation in the service's spelling; null where the service does not report it. */
  readonly type: string | null;
  readonly since: number;
  readonly endsAt: number;
  /** The resource as it will be once the work is over; one with the status `deleting` will be gone. */
  readonly becomes: LiveResource;
}

/** Store and settings of the sandbox that a copy is written to. */
export interface MirrorContext {
  readonly store: SandboxStore;
  readonly seed: number;
  /** Prefix length of a network whose range the service does not report. */
  readonly networkPrefix: number;
  /** Time of the copy, in milliseconds since the Unix epoch. */
  readonly now: number;
}
