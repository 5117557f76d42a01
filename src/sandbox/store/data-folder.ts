// Whom the files of a sandbox belong to: this user alone. Whoever could read them would read the account; whoever
// could plant one would have it written through.

import {
  chmodSync,
  closeSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  realpathSync,
  statSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';

import { SandboxDataFileError } from './storage-errors.ts';

/** Suffixes of the files that SQLite keeps beside a database. It gives them the mode of the database. */
const companions = ['-wal', '-shm', '-journal'];

/**
 * Makes the folder of a data file, with mode 0700, and takes what others may do away from one that is there. Does
 * the same with the file (0600) and what SQLite keeps beside it.
 * @param isNamedByConfiguration set where no person names the folder: one that is there, and no sandbox's, stays as it is
 * @returns the real path of the file: a link on the way to it that is changed later changes nothing
 * @throws SandboxDataFileError for a folder of another user, for one that is open to others and holds other files, and
 * for anything in it that is no regular file
 */
export function makeSandboxFolderPrivate(dataFile: string, isNamedByConfiguration = false): string {
  const name = basename(dataFile);
  const folder = makeFolder(dataFile);
  try {
    const { uid, mode } = statSync(folder);
    if (process.getuid !== undefined && uid !== process.getuid()) {
      throw new SandboxDataFileError(`The sandbox cannot use its data file ${dataFile}`, {
        detail: `The directory ${folder} belongs to another user.`,
        hint: 'Give a directory of your own; --help says which flag names it.',
      });
    }
    if (isOpen(mode)) {
      const other = readdirSync(folder).find((entry) => !entry.startsWith(name));
      if (other !== undefined)
        throw openFolder(dataFile, folder, `holds other files, such as ${other}`);
      const isOurs = lstatSync(join(folder, name), { throwIfNoEntry: false }) !== undefined;
      if (isNamedByConfiguration && !isOurs)
        throw openFolder(dataFile, folder, 'was not made by a sandbox');
      chmodSync(folder, ownerPart(mode));
    }
    const file = join(folder, name);
    makeFilePrivate(file);
    return file;
  } catch (cause) {
    if (cause instanceof SandboxDataFileError) throw cause;
    throw SandboxDataFileError.because(`The sandbox cannot use its data file ${dataFile}`, cause);
  }
}

/** Makes a file that SQLite opens, with mode 0600, and closes one that is there to others. Throws as `makeSandboxFolderPrivate` does. */
export function makeFilePrivate(file: string): void {
  for (const path of [file, ...companions.map((end) => file + end)]) closeToOthers(path);
  makeFile(file);
}

function makeFolder(dataFile: string): string {
  try {
    mkdirSync(dirname(dataFile), { recursive: true, mode: 0o700 });
    return realpathSync(dirname(dataFile));
  } catch (cause) {
    const what = `The sandbox cannot make the folder of its data file ${dataFile}`;
    throw SandboxDataFileError.because(what, cause);
  }
}

const openFolder = (dataFile: string, folder: string, why: string): SandboxDataFileError =>
  new SandboxDataFileError(`The sandbox cannot use its data file ${dataFile}`, {
    detail: `The directory ${folder} is open to other users and ${why}.`,
    hint: 'Give a directory of its own, or run `chmod 700` on this one.',
  });

/** Throws for what is no regular file: a link, a device, a pipe that nobody writes to. */
function closeToOthers(path: string): void {
  const found = lstatSync(path, { throwIfNoEntry: false });
  if (found === undefined) return;
  if (!found.isFile()) {
    throw new SandboxDataFileError(`The sandbox cannot use ${path}`, {
      detail: 'It is not a regular file.',
      hint: 'Remove it, or give another directory; --help says which flag names it.',
    });
  }
  if (isOpen(found.mode)) chmodSync(path, ownerPart(found.mode));
}

/** Creates the file before SQLite would, which makes files that everybody can read. */
function makeFile(path: string): void {
  // A file that is there is not opened: closing it would release the locks that SQLite has on it in this process.
  const isThere = lstatSync(path, { throwIfNoEntry: false }) !== undefined;
  if (!isThere) closeSync(openSync(path, 'a', 0o600));
}

const isOpen = (mode: number): boolean => (mode & 0o077) !== 0;

/** The owner's part of a file mode. No right is added: a file that its owner has made read-only stays so. */
const ownerPart = (mode: number): number => mode & 0o700;
