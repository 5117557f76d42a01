// Replacement of a file: whole or not at all, and never of something else of the user's.
import { randomBytes } from 'node:crypto';
import { open, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { readErrorCode } from '../../model/errors.ts';

/** Makes a unique name for the temporary file that will replace a file, in the same directory and so in the same file system. */
export function nameTemporaryFile(path: string): string {
  return join(dirname(path), `.${basename(path)}.${randomBytes(8).toString('hex')}.tmp`);
}

/**
 * Writes a file beside the target, readable by its owner alone unless `mode` says otherwise, syncs it, renames it onto the
 * target and syncs the directory. `text` may come in pieces. `confirm` is called right before the rename, and stops it by
 * throwing. A failure leaves nothing behind. Not write-file-atomic: that takes a short write (a disk that runs full) for a
 * whole one, and does not sync the directory.
 */
export async function replaceFile(
  path: string,
  text: string | Iterable<string>,
  confirm: () => Promise<void> | void = () => undefined,
  mode = 0o600,
): Promise<void> {
  const temporary = nameTemporaryFile(path);
  const handle = await open(temporary, 'wx', 0o600);
  try {
    try {
      await writeFile(handle, text);
      if (mode !== 0o600) await handle.chmod(mode);
      await handle.sync();
    } finally {
      await handle.close();
    }
    await confirm();
    await rename(temporary, path);
  } catch (error) {
    await rm(temporary, { force: true }).catch(() => undefined);
    throw error;
  }
  await syncDirectory(dirname(path));
}

/** Removes the temporary files of other writers in a directory, for those target files that `isMeant` accepts. */
export async function removeTemporaryFiles(
  directory: string,
  isMeant: (name: string) => boolean,
): Promise<void> {
  for (const entry of await readdir(directory)) {
    const [, beside] = /^\.(.+)\.[0-9a-f]{16}\.tmp$/.exec(entry) ?? [];
    if (beside !== undefined && isMeant(beside)) await rm(join(directory, entry), { force: true });
  }
}

const unsyncable: ReadonlySet<string | undefined> = new Set([
  'EINVAL',
  'ENOTSUP',
  'EPERM',
  'EISDIR',
]);

/** Makes a rename or a new file survive a power cut, on file systems that can sync a directory. */
async function syncDirectory(path: string): Promise<void> {
  try {
    const handle = await open(path, 'r');
    try {
      await handle.sync();
    } finally {
      await handle.close();
    }
  } catch (error) {
    if (!unsyncable.has(readErrorCode(error))) throw error;
  }
}
