// The texts of a state on a server, whatever the backend: as a reader without the lock sees them, and as the holder of the
// lock writes them.
import { InternalError } from '../../model/errors.ts';
import type { StateFileName, StateFiles } from '../files/files.ts';
import type { LockFence } from '../lock/fence.ts';
import { OwnLock, type LockKeeper } from '../lock/own-lock.ts';

/** Texts by their names. Operations reject with a BackendError. */
export interface StateTexts {
  /** Lists the names of all texts of the state, in any order. */
  list(): Promise<readonly StateFileName[]>;
  /** Reads a text of the state; undefined where there is none. */
  read(name: StateFileName): Promise<string | undefined>;
}

/** A change of one text of the state. */
export interface StateTextChange {
  readonly kind: 'replace' | 'append' | 'remove';
  readonly name: StateFileName;
  /** The text that replaces the old one or is added to it; empty for a removal. */
  readonly text: string;
}

/** Keeps a lock on a server and writes the state under it. */
export interface StateTextKeeper extends LockKeeper, StateTexts {
  /** Makes a change durable. Rejects with a LockLostError or a BackendError. */
  write(change: StateTextChange): Promise<void>;
  /** Waits until the writes under way have ended. */
  settle?(): Promise<void>;
}

/** Parts from which access to the files of one state is made. */
export interface ServerStateFilesOptions {
  /** The path of a text, for messages. */
  readonly pathOf: (name: StateFileName) => string;
  /** Reads the texts of the state as they are stored now. */
  readonly look: () => Promise<StateTexts>;
  /** Repeats work that found a text changed meanwhile; the work is done once unless this is given. */
  readonly untilWhole?: <T>(work: () => Promise<T>) => Promise<T>;
}

/** The files of a state under a lock; without a keeper they are read-only. */
export function openServerStateFiles(
  options: ServerStateFilesOptions,
  keeper: StateTextKeeper | undefined,
): StateFiles {
  const { pathOf } = options;
  const texts = keeper ?? new LookedTexts(options);
  const write = async (change: StateTextChange) => {
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

/** The keeper of a lock of this kind. @throws InternalError for the fence of another backend */
export function findStateTextKeeper<K extends LockKeeper>(
  fence: LockFence,
  kind: abstract new (...args: never) => K,
) {
  if (fence instanceof OwnLock && fence.keeper instanceof kind) return fence.keeper;
  throw new InternalError('The fence was given by the lock of another backend.');
}

/** Texts for a reader: all texts read after a `list` come from the same moment. */
class LookedTexts implements StateTexts {
  readonly #options: ServerStateFilesOptions;
  #looked: Promise<StateTexts> | undefined;

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

  #look(): Promise<StateTexts> {
    this.#looked = this.#options.look();
    return this.#looked;
  }

  /** When the work fails, the texts may have been replaced meanwhile: they are listed anew. */
  async #take<T>(looked: Promise<StateTexts>, work: (texts: StateTexts) => Promise<T>): Promise<T> {
    try {
      return await work(await looked);
    } catch (error) {
      if (this.#looked === looked) this.#looked = undefined;
      throw error;
    }
  }
}
