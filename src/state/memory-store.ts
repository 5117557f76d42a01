// The state store on files in memory: the real code on a virtual clock, for rehearsals and for our own tests, which kill,
// tear, delay and fail. Nothing of it outlives the process.
import type { State } from '../model/state/state.ts';
import type { LockFence } from './lock/fence.ts';
import { stateFileNames, type StateFileName, type StateFiles } from './files/files.ts';
import { encodeSnapshot } from './snapshot/snapshot.ts';
import { openStateStoreOnFiles, type StateStore } from './store.ts';
import type { StateStoreOptions } from './store-options.ts';

/** Content of a simulated disk: the text of each file by name. */
export type MemoryDiskContent = ReadonlyMap<StateFileName, string>;

/** Change of the simulated disk, shown before it happens, so that tests can make it fail. */
export interface MemoryDiskWrite {
  readonly kind: 'append' | 'replace' | 'remove';
  readonly name: StateFileName;
  /** The text that is appended or replaces the file; empty for a removal. */
  readonly text: string;
}

/** Content and faults of a state that is kept in memory. */
export interface MemoryStateOptions extends StateStoreOptions {
  /** The disk to begin with, which is copied; empty unless given. */
  readonly disk?: MemoryDiskContent;
  /** State to begin with, as if a snapshot of it lay on the disk. */
  readonly state?: State;
  /** Files of the rescue directory; none can be opened when absent. */
  readonly rescue?: Map<StateFileName, string>;
  /** Awaited before each write becomes durable: delays it by its promise, fails it by throwing. */
  readonly onWrite?: (write: MemoryDiskWrite) => Promise<void> | void;
}

/** Store of a state that is kept in memory, for tests and rehearsals. */
export interface MemoryStateStore extends StateStore {
  /** Copies the durable content, which is the disk after a kill at this moment. */
  readDisk(): Map<StateFileName, string>;
  /** Opens the store of the next process, after a kill at this moment. It never sees later writes of this one. */
  reopen(options?: StateStoreOptions): Promise<MemoryStateStore>;
}

/** Opens a state that is kept in memory only. */
export async function openMemoryState(options: MemoryStateOptions = {}): Promise<MemoryStateStore> {
  const { disk, state, onWrite, rescue, ...others } = options;
  const rest = { openRescue: () => openMemoryRescue(rescue), ...others };
  const contents = new Map(disk);
  if (state) contents.set(stateFileNames.snapshot, encodeSnapshot(state));
  const store = await openStateStoreOnFiles(
    openMemoryStateFiles(contents, onWrite, rest.fence),
    rest,
  );
  const readDisk = () => new Map(contents);
  return {
    get state() {
      return store.state;
    },
    get snapshotSerial() {
      return store.snapshotSerial;
    },
    diagnostics: store.diagnostics,
    get failure() {
      return store.failure;
    },
    get refusal() {
      return store.refusal;
    },
    get rescue() {
      return store.rescue;
    },
    record: (record) => store.record(record),
    compact: (note) => store.compact(note),
    requireLock: () => store.requireLock(),
    keepAside: () => store.keepAside(),
    close: () => store.close(),
    readDisk,
    reopen: (changed = {}) =>
      openMemoryState({ ...rest, ...changed, disk: readDisk(), ...(onWrite && { onWrite }) }),
  };
}

function openMemoryRescue(contents: Map<StateFileName, string> | undefined): Promise<StateFiles> {
  if (!contents) return Promise.reject(new Error('There is no rescue.'));
  return Promise.resolve(openMemoryStateFiles(contents));
}

/** Opens the files of a state in a map; each write is announced before and checked by the fence after, as on a disk. */
export function openMemoryStateFiles(
  contents: Map<StateFileName, string>,
  onWrite: MemoryStateOptions['onWrite'] = () => undefined,
  fence?: LockFence,
): StateFiles {
  return {
    pathOf: (name) => `memory/${name}`,
    list: () => Promise.resolve([...contents.keys()]),
    read: (name) => Promise.resolve(contents.get(name)),
    async replace(name, text) {
      await onWrite({ kind: 'replace', name, text });
      fence?.verify();
      contents.set(name, text);
    },
    async append(name, text) {
      fence?.verify();
      await onWrite({ kind: 'append', name, text });
      const before = contents.get(name);
      // Like a file that a successor has removed: nobody sees what is written to it.
      if (before !== undefined) contents.set(name, before + text);
      fence?.verify();
    },
    async remove(name) {
      await onWrite({ kind: 'remove', name, text: '' });
      fence?.verify();
      contents.delete(name);
    },
    close: () => Promise.resolve(),
  };
}
