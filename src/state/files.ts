// The few file operations that the state is made of. Each either happened or did not once its promise settles,
// so a kill falls between two of them; tests count them, fail them, or stop between two.
import { mkdir, open, readFile, type FileHandle } from 'node:fs/promises';
import { join } from 'node:path';
import { errorCode } from './faults.ts';
import { replaceFile, syncDirectory } from './replace-file.ts';

/** The directory of the state, below the configuration's. */
export const stateDirectoryName = '.hostwright';

/** The names of the state's files. */
export const fileNames = {
  snapshot: 'state.json',
  backup: 'state.json.backup',
  journal: 'journal.jsonl',
} as const;
export type FileName = (typeof fileNames)[keyof typeof fileNames];

/** Where the state's bytes live. Operations reject with the system's own error. */
export interface StateFiles {
  /** The path of a file, for messages. */
  pathOf(name: FileName): string;
  /** The whole text; undefined when there is no such file. */
  read(name: FileName): Promise<string | undefined>;
  /** Puts a text in place of what was there, durably: at every moment one of the two is whole. */
  replace(name: FileName, text: string): Promise<void>;
  /** Adds to the end, durably: one write and one sync. Makes the file where there is none. */
  append(name: FileName, text: string): Promise<void>;
  /** Cuts the file down to its first bytes, durably. */
  truncate(name: FileName, bytes: number): Promise<void>;
  /** Gives back what is held open. */
  close(): Promise<void>;
}

/** The files below `<directory>/.hostwright`, readable by their owner alone. Nothing is made before the first write. */
export function openDiskFiles(directory: string): StateFiles {
  const folder = join(directory, stateDirectoryName);
  const handles = new Map<FileName, FileHandle>();
  const pathOf = (name: FileName) => join(folder, name);

  async function openForAppend(name: FileName): Promise<FileHandle> {
    const known = handles.get(name);
    if (known) return known;
    await makeDirectory(folder);
    const handle = await open(pathOf(name), 'a', 0o600);
    handles.set(name, handle);
    await syncDirectory(folder);
    return handle;
  }

  return {
    pathOf,
    async read(name) {
      try {
        return await readFile(pathOf(name), 'utf8');
      } catch (error) {
        if (errorCode(error) === 'ENOENT') return undefined;
        throw error;
      }
    },
    async replace(name, text) {
      await makeDirectory(folder);
      await replaceFile(pathOf(name), text);
    },
    async append(name, text) {
      const handle = await openForAppend(name);
      await handle.appendFile(text);
      await handle.datasync();
    },
    async truncate(name, bytes) {
      const handle = await openForAppend(name);
      await handle.truncate(bytes);
      await handle.datasync();
    },
    async close() {
      const held = [...handles.values()];
      handles.clear();
      for (const handle of held) await handle.close();
    },
  };
}

/** Makes the directory of the state, for its owner alone. */
export async function makeDirectory(path: string): Promise<void> {
  await mkdir(path, { recursive: true, mode: 0o700 });
}
