// Opening of files whose place is known and whose content may come from anybody: regular files only. A link could lead to a
// file that is not ours, a pipe would be waited for without end, and a device may do anything.
import {
  closeSync,
  constants,
  lstatSync,
  openSync,
  readFileSync,
  type BigIntStats,
  type Stats,
} from 'node:fs';
import { lstat, open, type FileHandle } from 'node:fs/promises';
import { readErrorCode } from '../../model/errors.ts';

/** Error for a pipe, a link or a device in the place of a file. */
export class IrregularFileError extends Error {
  readonly code: string;

  constructor(path: string, what: string) {
    super(`${path} is ${what}`);
    this.code = what === 'a directory' ? 'EISDIR' : 'EIRREGULAR';
    this.name = 'IrregularFileError';
  }
}

/** Name of a file's type, as `a pipe`; undefined for a regular file. */
export function nameIrregularFileType(found: Stats | BigIntStats): string | undefined {
  if (found.isFile()) return undefined;
  if (found.isSymbolicLink()) return 'a link';
  if (found.isDirectory()) return 'a directory';
  if (found.isFIFO()) return 'a pipe';
  return found.isSocket() ? 'a socket' : 'a device';
}

function requireRegular(path: string, found: Stats): void {
  const what = nameIrregularFileType(found);
  if (what !== undefined) throw new IrregularFileError(path, what);
}

/** Flags of open: a link or a pipe that has replaced the file since its check is neither followed nor waited for. */
const careful = constants.O_NONBLOCK | constants.O_NOFOLLOW;

/** Opens an existing regular file. Rejects with the system's error, or an IrregularFileError. */
export async function openRegularFile(
  path: string,
  flags = constants.O_RDONLY,
): Promise<FileHandle> {
  requireRegular(path, await lstat(path));
  const handle = await open(path, flags | careful);
  try {
    requireRegular(path, await handle.stat());
    return handle;
  } catch (error) {
    await handle.close();
    throw error;
  }
}

/** Reads the text of a regular file. Rejects with the system's error, or an IrregularFileError. */
export async function readRegularFile(path: string): Promise<string> {
  const handle = await openRegularFile(path);
  try {
    return await handle.readFile('utf8');
  } finally {
    await handle.close();
  }
}

/** Reads the beginning of a regular file, as text. Rejects with the system's error, or an IrregularFileError. */
export async function readRegularFileHead(path: string, bytes: number): Promise<string> {
  const handle = await openRegularFile(path);
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(bytes), 0, bytes, 0);
    return buffer.toString('utf8', 0, bytesRead);
  } finally {
    await handle.close();
  }
}

/**
 * Reads the text of a regular file synchronously; undefined where there is none. @throws the system's error, or an
 * IrregularFileError
 */
export function readRegularFileSync(path: string): string | undefined {
  // Asking first is cheaper than catching an error, as the file is mostly missing.
  const found = lstatSync(path, { throwIfNoEntry: false });
  if (!found) return undefined;
  requireRegular(path, found);
  let descriptor: number | undefined;
  try {
    descriptor = openSync(path, constants.O_RDONLY | careful);
    return readFileSync(descriptor, 'utf8');
  } catch (error) {
    if (readErrorCode(error) === 'ENOENT') return undefined;
    throw error;
  } finally {
    if (descriptor !== undefined) closeSync(descriptor);
  }
}
