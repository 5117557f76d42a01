// The place of a state and its lock. The store, the journal, the lock and the history know this interface and no medium. A
// backend keeps texts by name and one lock, and never looks into the texts.
import type { LockFence } from '../lock/fence.ts';
import type { LockMedium } from '../lock/lock-medium.ts';
import type { StateFiles } from '../files/files.ts';

/** Names of all backends, as the configuration spells them. */
export type BackendKind = 'local' | 'postgres' | 's3' | 'http' | 'git';

/** Abilities of a state backend. A command that needs a missing one refuses to run, and names it. */
export interface BackendCapabilities {
  /** Each lock has an epoch, a number higher than all before, and the late write of an older holder is refused. */
  readonly epoch: boolean;
  /** The lock of a holder that is silent for longer than its lease can be taken over. */
  readonly expiry: boolean;
  /** Tells whether former states can be kept as versions. */
  readonly history: boolean;
  /** Tells whether a write can be made to fail if another one came first. */
  readonly compareAndSwap: boolean;
}

/** State in its backend, opened for a single run. */
export interface StateBackend {
  readonly kind: BackendKind;
  /** The place as messages name it: `PostgreSQL at db.example.com, schema hostwright, state shop`. */
  readonly place: string;
  /** Text that identifies the state among all states, wherever they are kept; holds no secret. */
  readonly address: string;
  /** The origins to which credentials of the environment are sent; none for a backend whose address holds its own. */
  readonly hosts?: readonly string[];
  readonly capabilities: BackendCapabilities;
  readonly lock: LockMedium;
  /**
   * Opens the files of the state. Writes go out under `fence`, which the lock of this backend has given. Without a
   * fence only a directory can be written to, by a caller who knows that nobody else writes.
   */
  openFiles(fence?: LockFence): StateFiles;
  /**
   * Tells whether the backend accepts a write under this released lock while nobody holds a lock; the trial changes nothing.
   * Absent where each write carries the epoch of its lock.
   */
  readonly takesLateWrite?: (fence: LockFence) => Promise<boolean>;
  /** Closes the connections of the backend. */
  close(): Promise<void>;
}
