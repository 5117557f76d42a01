// Where a state and its lock are kept. Everything above knows this interface and no medium: the store, the journal, the
// lock, the history. A backend keeps texts by name and one lock; what the texts say is none of its business.
import type { Fence } from '../lock/fence.ts';
import type { LockMedium } from '../lock/lock-medium.ts';
import type { StateFiles } from '../files/files.ts';

/** Every backend there is. */
export type BackendKind = 'local' | 'postgres' | 's3' | 'http' | 'git';

/** What a backend can do. A command that needs what is missing refuses, and names it. */
export interface Capabilities {
  /** Each lock has a number that is higher than all before, and what an older holder still writes is refused. */
  readonly epoch: boolean;
  /** The lock of a holder that is silent for longer than its lease can be taken over. */
  readonly expiry: boolean;
  /** The states that earlier runs left can be kept. */
  readonly history: boolean;
  /** A write can be bound to what was there before. */
  readonly compareAndSwap: boolean;
}

/** One state in its place, for one run. */
export interface StateBackend {
  readonly kind: BackendKind;
  /** As messages name it: `PostgreSQL at db.example.com, schema hostwright, state shop`. */
  readonly place: string;
  /** Tells this state from all others, wherever they are; holds no secret. */
  readonly address: string;
  /** The origins that credentials of the environment go to; none for a backend whose address holds its own. */
  readonly hosts?: readonly string[];
  readonly capabilities: Capabilities;
  readonly lock: LockMedium;
  /**
   * The texts of the state. What is written goes out under `fence`, which `lock` gave; without one, only a directory can
   * be written to, by whoever knows that nobody else does.
   */
  openFiles(fence?: Fence): StateFiles;
  /**
   * True where a write under this lock, which was released, is taken while nobody holds one; it changes nothing. Absent where
   * each write carries the epoch of its lock.
   */
  readonly takesLateWrite?: (fence: Fence) => Promise<boolean>;
  /** Gives back connections. */
  close(): Promise<void>;
}
