import type { State } from '../model/state/state.ts';
import type { StateFiles } from './files/files.ts';
import type { StateHistoryKeeper } from './history/save-snapshot.ts';
import type { LockFence } from './lock/fence.ts';

/** Options for opening a state. */
export interface StateStoreOptions {
  /** Set for commands that only read: `record` and `compact` are then refused. */
  readonly isReadOnly?: boolean;
  /** Called once the state is read, before anything is written. Rejects where the state must not be used. */
  readonly admit?: (state: State) => Promise<void>;
  /** Version of this program, noted in what it writes. */
  readonly version?: string;
  /** Makes the lineage of a new state and the ids of journals; random UUIDs unless given. */
  readonly createId?: () => string;
  /** Opens a place for a state that cannot be written to its own; the system's temporary files unless given. */
  readonly openRescue?: () => Promise<StateFiles>;
  /** The numbers of the journal's lines that are ignored, from 1 on: a person has given them up. */
  readonly leftOut?: ReadonlySet<number>;
  /** Keeps former states; none are kept when absent. */
  readonly history?: StateHistoryKeeper | undefined;
  /** The held lock; without one, nobody else may have the state open for writing. */
  readonly fence?: LockFence;
}
