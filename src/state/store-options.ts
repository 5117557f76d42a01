import type { State } from '../model/state/state.ts';
import type { StateFiles } from './files/files.ts';
import type { HistoryKeeper } from './history/save-snapshot.ts';
import type { Fence } from './lock/fence.ts';

/** How a state is opened. */
export interface StoreOptions {
  /** True for commands that only look: `record` and `compact` are then refused. */
  readonly isReadOnly?: boolean;
  /** Asked once it is read, before anything is written. Rejects with why it must not be used. */
  readonly admit?: (state: State) => Promise<void>;
  /** The version of Hostwright, noted in what it writes. */
  readonly version?: string;
  /** Makes the lineage of a new state and the ids of journals; random UUIDs unless given. */
  readonly createId?: () => string;
  /** Opens the place for a state that cannot be written where it belongs; the system's temporary files unless given. */
  readonly openRescue?: () => Promise<StateFiles>;
  /** The numbers of lines of the journal that count for nothing, from 1 on: those that a person gives up. */
  readonly leftOut?: ReadonlySet<number>;
  /** Keeps the states that were; they are not kept unless given. */
  readonly history?: HistoryKeeper | undefined;
  /** The lock that is held; without one, nobody else may have the state open for writing. */
  readonly fence?: Fence;
}
