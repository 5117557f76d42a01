// The texts of a state on a server, whatever the backend: as a reader without the lock sees them, and as the holder of the
// lock writes them.
import { InternalError } from '../../model/errors.ts';
import type { StateFileName, StateFiles } from '../files/files.ts';
import type { LockFence } from '../lock/fence.ts';
import { OwnLock, type LockKeeper } from '../lock/own-lock.ts';

/** Reader of the files of a state on a server. Operations reject with a BackendError. */
export interface StateFileReader {
  /** Lists the names of all files of the state, in any order. */
  list(): Promise<readonly StateFileName[]>;
  /** Reads the text of a file of the state; undefined where there is none. */
  read(name: StateFileName): Promise<string | undefined>;
}

/** Change of one file of the state on a server. */
export interface StateFileChange {
  readonly kind: 'replace' | 'append' | 'remove';
  readonly name: StateFileName;
  /** The text that replaces the old one or is added to it; empty for a removal. */
  readonly text: string;
}

/** Holder of a lock on a server, who reads and writes the files of the state under that lock. */
export interface LockedStateFileWriter extends LockKeeper, StateFileReader {
  /** Makes a change durable. Rejects with a LockLostError or a BackendError. */
  write(change: StateFileChange): Promise<void>;
  /** Waits until the writes under way have ended. */
  settle?(): Promise<void>;
}

/** Functions from which the access to the files of one state is built. */
export interface ServerStateFilesOptions {
  /** Returns the path of a file, for messages. */
  readonly pathOf: (name: StateFileName) => string;
  /** Opens a reader of the state's files as they are stored now. */
  readonly look: () => Promise<StateFileReader>;
  /** Repeats work that fails because a file was replaced meanwhile; the work is done once unless this is given. */
  readonly untilWhole?: <T>(work: () => Promise<T>) => Promise<T>;
}

/** Opens the files of a state on a server for the holder of its lock; without one they are read-only. */
export function openServerStateFiles(
  options: ServerStateFilesOptions,
  keeper: LockedStateFileWriter | undefined,
): StateFiles {
  const { pathOf } = options;
  const texts = keeper ?? new LookedTexts(options);
  const write = async (change: StateFileChange) => {
    if (!keeper) throw new InternalError('The state was opened without its lock.');
    await keeper.write(change);
  };
  return {
    pathOf,
    list: () => texts.list(),
    read: (name) => texts.read(name),
    replace: (name, text) => write({ kind: 'replace', name, text }),
    append: (name, text) => write({ kind: 'append', name, text }),
    remove: (name) => write({ kind: 'remove', name, text: '' }),
    close: async () => {
      await keeper?.settle?.();
    },
  };
}

/** Finds the lock holder of this backend behind a fence. @throws InternalError for the fence of another backend */
export function findLockedStateFileWriter<K extends LockKeeper>(
  fence: LockFence,
  kind: abstract new (...args: never) => K,
) {
  if (fence instanceof OwnLock && fence.keeper instanceof kind) return fence.keeper;
  throw new InternalError('The fence was given by the lock of another backend.');
}

/** Texts for a reader: all texts read after a `list` come from the same moment. */
class LookedTexts implements StateFileReader {
  readonly #options: ServerStateFilesOptions;
  #looked: Promise<StateFileReader> | undefined;

  constructor(options: ServerStateFilesOptions) {
    this.#options = options;
  }

  list(): Promise<readonly StateFileName[]> {
    return this.#untilWhole(() => this.#take(this.#look(), (texts) => texts.list()));
  }

  read(name: StateFileName): Promise<string | undefined> {
    return this.#untilWhole(() =>
      this.#take(this.#looked ?? this.#look(), (texts) => texts.read(name)),
    );
  }

  #untilWhole<T>(work: () => Promise<T>): Promise<T> {
    const { untilWhole } = this.#options;
    return untilWhole ? untilWhole(work) : work();
  }

  #look(): Promise<StateFileReader> {
    this.#looked = this.#options.look();
    return this.#looked;
  }

  /** When the work fails, the texts may have been replaced meanwhile: they are listed anew. */
  async #take<T>(
    looked: Promise<StateFileReader>,
    work: (texts: StateFileReader) => Promise<T>,
  ): Promise<T> {
    try {
      return await work(await looked);
    } catch (error) {
      if (this.#looked === looked) this.#looked = undefined;
      throw error;
    }
  }
}
