// The state store on files in memory: the real code on a virtual clock, for rehearsals and for our own tests, which kill,
// tear, delay and fail. Nothing of it outlives the process.
import type { State } from '../model/state/state.ts';
import type { Fence } from './lock/fence.ts';
import { fileNames, type FileName, type StateFiles } from './files/files.ts';
import { encodeSnapshot } from './snapshot/snapshot.ts';
import { openStore, type StateStore } from './store.ts';
import type { StoreOptions } from './store-options.ts';

/** Content of a simulated disk: the text of each file by name. */
export type DiskContent = ReadonlyMap<FileName, string>;

/** A change of the simulated disk, seen before it happens so that tests can make it fail. */
export interface DiskWrite {
  readonly kind: 'append' | 'replace' | 'remove';
  readonly name: FileName;
  /** The text that is appended or replaces the file; empty for a removal. */
  readonly text: string;
}

/** Content and faults of a state that is kept in memory. */
export interface MemoryOptions extends StoreOptions {
  /** The disk to begin with, which is copied; empty unless given. */
  readonly disk?: DiskContent;
  /** State to begin with, as if a snapshot of it lay on the disk. */
  readonly state?: State;
  /** Files of the rescue directory; none can be opened when absent. */
  readonly rescue?: Map<FileName, string>;
  /** Awaited before each write becomes durable: delays it by its promise, fails it by throwing. */
  readonly onWrite?: (write: DiskWrite) => Promise<void> | void;
}

/** A store of a state that is kept in memory, for tests and rehearsals. */
export interface MemoryStore extends StateStore {
  /** A copy of the durable content: the disk after a kill at this moment. */
  readDisk(): Map<FileName, string>;
  /** The store of the next process, after a kill at this moment. It never sees later writes of this one. */
  reopen(options?: StoreOptions): Promise<MemoryStore>;
}

/** Opens a state that is kept in memory only. */
export async function openMemoryState(options: MemoryOptions = {}): Promise<MemoryStore> {
  const { disk, state, onWrite, rescue, ...others } = options;
  const rest = { openRescue: () => openMemoryRescue(rescue), ...others };
  const contents = new Map(disk);
  if (state) contents.set(fileNames.snapshot, encodeSnapshot(state));
  const store = await openStore(openMemoryFiles(contents, onWrite, rest.fence), rest);
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

function openMemoryRescue(contents: Map<FileName, string> | undefined): Promise<StateFiles> {
  if (!contents) return Promise.reject(new Error('There is no rescue.'));
  return Promise.resolve(openMemoryFiles(contents));
}

/** Files in a map, each write of which is announced first and confirmed by the fence, as on a disk. */
export function openMemoryFiles(
  contents: Map<FileName, string>,
  onWrite: MemoryOptions['onWrite'] = () => undefined,
  fence?: Fence,
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
