// The file operations that the state needs. Each either happened or did not once its promise settles, so a kill falls between
// two of them; tests count them, fail them, or stop between two. With a fence, each write is followed by a look at the lock:
// a write that resolves was made while the lock was held.
import { constants } from 'node:fs';
import { mkdir, open, readdir, rm, type FileHandle } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { readErrorCode } from '../../model/errors.ts';
import { readRegularFile } from './regular-file.ts';
import { replaceFile } from './replace-file.ts';

/** Name of the state's directory within that of the configuration. */
export const stateDirectoryName = '.hostwright';

/** The names of the state's files that stay the same; each epoch has a journal of its own beside them. */
export const stateFileNames = {
  snapshot: 'state.json',
  backup: 'state.json.backup',
  /** Name of the index of former states. */
  history: 'history.json',
  /** A file that is written and removed to check that this is possible. */
  probe: 'probe.json',
  /** The marker of a migration: while it is there, the state beside it is neither read nor written. */
  moved: 'moved.json',
} as const;
export type StateFileName =
  | (typeof stateFileNames)[keyof typeof stateFileNames]
  | `journal.${number}.jsonl`
  | `history/${number}.json`;

/** Upper bound of epochs: a journal of a higher epoch would not be recognised by its name. */
export const epochUpperBound = 1e15;

/** Makes the name of the journal that is written under the lock with this epoch. */
export function nameJournalFile(epoch: number): StateFileName {
  return `journal.${epoch}.jsonl`;
}

/** Parses the epoch from the name of a journal; undefined for any other file. */
export function parseJournalEpoch(name: string): number | undefined {
  const [, digits] = /^journal\.([1-9]\d{0,14})\.jsonl$/.exec(name) ?? [];
  return digits === undefined ? undefined : Number(digits);
}

const historyFolder = 'history';

/** Makes the name of the file with the former state of this serial number. */
export function nameHistoryFile(serial: number): StateFileName {
  return `${historyFolder}/${serial}.json`;
}

/** Parses the serial number from the name of a former state's file; undefined for any other file. */
export function parseHistorySerial(name: string): number | undefined {
  const [, digits] = /^history\/(\d{1,15})\.json$/.exec(name) ?? [];
  return digits === undefined ? undefined : Number(digits);
}

/** Tells whether a name is that of a file of the state, and not of another file beside it. */
export function isStateFileName(name: string): name is StateFileName {
  return (
    Object.values<string>(stateFileNames).includes(name) ||
    parseJournalEpoch(name) !== undefined ||
    parseHistorySerial(name) !== undefined
  );
}

/** The names of journals among file names, that of the highest epoch first. */
export function sortJournalNames(names: readonly string[]): StateFileName[] {
  return names
    .flatMap((name) => parseJournalEpoch(name) ?? [])
    .sort((left, right) => right - left)
    .map(nameJournalFile);
}

/**
 * Files of a state, on a disk or on a server. Operations reject with the system's own error, and writes with a
 * LockLostError when the lock was lost meanwhile.
 */
export interface StateFiles {
  /** The path of a state's file, for messages. */
  pathOf(name: StateFileName): string;
  /** Lists the names of all existing files of the state, in any order. */
  list(): Promise<readonly StateFileName[]>;
  /** Reads a whole file of the state; undefined when there is none. */
  read(name: StateFileName): Promise<string | undefined>;
  /**
   * Reads the whole lines of a file, each as it was written, or undefined for a line that was changed since. Absent
   * where files are not encrypted.
   */
  readLines?(name: StateFileName): Promise<readonly (string | undefined)[]>;
  /** Replaces a file durably: at every moment either the old or the new text is whole. */
  replace(name: StateFileName, text: string): Promise<void>;
  /** Adds to the end of a file that `replace` made, durably: one write and one sync. */
  append(name: StateFileName, text: string): Promise<void>;
  /** Removes a file of the state if it exists. */
  remove(name: StateFileName): Promise<void>;
  /** Closes the files that are open. */
  close(): Promise<void>;
}

/** Splits a text into its whole lines, without a last line that was cut short. */
export const splitWholeLines = (text: string): readonly string[] => text.split('\n').slice(0, -1);

/** Checks before a write that the lock is still held. */
interface WriteGuard {
  /** Checks that the lock is still held. @throws LockLostError when it is not */
  verify(): void;
}

/** Opens the files of a state in a directory, readable by their owner alone. Nothing is created before the first write. */
export function openDiskStateFiles(folder: string, fence?: WriteGuard): StateFiles {
  return new DiskFiles(folder, fence);
}

class DiskFiles implements StateFiles {
  readonly #folder: string;
  readonly #fence: WriteGuard | undefined;
  readonly #handles = new Map<StateFileName, FileHandle>();

  constructor(folder: string, fence: WriteGuard | undefined) {
    this.#folder = folder;
    this.#fence = fence;
  }

  pathOf(name: StateFileName): string {
    return join(this.#folder, name);
  }

  async list(): Promise<readonly StateFileName[]> {
    const own = await listFolder(this.#folder);
    const kept = own.includes(historyFolder)
      ? await listFolder(join(this.#folder, historyFolder))
      : [];
    return [...own, ...kept.map((name) => `${historyFolder}/${name}`)].filter(isStateFileName);
  }

  async read(name: StateFileName): Promise<string | undefined> {
    try {
      return await readRegularFile(this.pathOf(name));
    } catch (error) {
      if (readErrorCode(error) === 'ENOENT') return undefined;
      throw error;
    }
  }

  replace(name: StateFileName, text: string): Promise<void> {
    return explainByLock(this.#fence, async () => {
      await this.#closeHandle(name);
      await makeStateDirectory(dirname(this.pathOf(name)));
      await replaceFile(this.pathOf(name), text, () => this.#fence?.verify());
    });
  }

  append(name: StateFileName, text: string): Promise<void> {
    return explainByLock(this.#fence, async () => {
      // Checked again after the write: this check spares the file a late write, the later one confirms a write in time.
      this.#fence?.verify();
      const handle = await this.#openForAppend(name);
      await handle.appendFile(text);
      await handle.datasync();
      this.#fence?.verify();
    });
  }

  remove(name: StateFileName): Promise<void> {
    return explainByLock(this.#fence, async () => {
      await this.#closeHandle(name);
      this.#fence?.verify();
      await rm(this.pathOf(name), { force: true });
    });
  }

  async close(): Promise<void> {
    for (const name of [...this.#handles.keys()]) await this.#closeHandle(name);
  }

  /** Never makes the file: a file that is gone belonged to a lock that was lost. */
  async #openForAppend(name: StateFileName): Promise<FileHandle> {
    const known = this.#handles.get(name);
    if (known) return known;
    const flags = constants.O_WRONLY | constants.O_APPEND | constants.O_NONBLOCK;
    const handle = await open(this.pathOf(name), flags);
    this.#handles.set(name, handle);
    return handle;
  }

  async #closeHandle(name: StateFileName): Promise<void> {
    const handle = this.#handles.get(name);
    this.#handles.delete(name);
    await handle?.close();
  }
}

async function listFolder(path: string): Promise<readonly string[]> {
  try {
    return await readdir(path);
  } catch (error) {
    // A path with a file in place of the directory is reported by the first write.
    if (readErrorCode(error) === 'ENOENT' || readErrorCode(error) === 'ENOTDIR') return [];
    throw error;
  }
}

/** The lost lock as the reason of a failed write: a successor removes files. */
async function explainByLock(
  fence: WriteGuard | undefined,
  write: () => Promise<void>,
): Promise<void> {
  try {
    await write();
  } catch (error) {
    fence?.verify();
    throw error;
  }
}

/** Creates the directory of the state, readable by its owner alone. */
export async function makeStateDirectory(path: string): Promise<void> {
  await mkdir(path, { recursive: true, mode: 0o700 });
}
