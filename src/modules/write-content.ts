import { randomBytes } from 'node:crypto';
import { lstat, mkdir, realpath, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { dirname, join, posix, sep } from 'node:path';
import { isIntact, modulesDirectory, placeOfPin } from '../config/modules/git-modules.ts';
import type { ContentEntry } from '../config/modules/hash-content.ts';
import type { Pin } from '../config/modules/lock-file.ts';
import { ModuleError } from './module-error.ts';

/**
 * Writes what a module holds below the directory of a configuration, whole or not at all, in place of what was damaged.
 * @throws ModuleError where a link leads out of it, or the directory is not one
 */
export async function writeContent(
  root: string,
  pin: Pin,
  entries: readonly ContentEntry[],
): Promise<void> {
  await makeModulesDirectory(root);
  const target = join(root, placeOfPin(pin));
  const fresh = `${target}.${randomBytes(8).toString('hex')}.tmp`;
  try {
    await mkdir(fresh);
    // No link is there while files are written: none of them is written through one.
    for (const entry of entries) if (entry.type === 'file') await writeOne(fresh, entry);
    for (const entry of entries) if (entry.type === 'link') await linkOne(fresh, entry);
    await refuseLeadingOut(fresh, entries);
    // Another run may have written it meanwhile.
    if (isIntact(target, pin)) return;
    await rm(target, { recursive: true, force: true });
    await rename(fresh, target);
  } finally {
    await rm(fresh, { recursive: true, force: true });
  }
}

/** Makes `.hostwright/modules`; a link in its place could lead anywhere. */
async function makeModulesDirectory(root: string): Promise<void> {
  const parts = modulesDirectory.split(sep);
  for (let depth = 1; depth <= parts.length; depth += 1) {
    const below = join(...parts.slice(0, depth));
    await mkdir(join(root, below), { mode: 0o700 }).catch(() => undefined);
    const found = await lstat(join(root, below)).catch(() => undefined);
    if (found?.isDirectory() !== true) {
      throw new ModuleError({
        code: 'cannot-write',
        summary: `Modules cannot be written to ${below}`,
        detail: found ? 'It is not a directory.' : 'The directory cannot be made.',
        hint: `Remove ${below}, or check the permissions of the directory of the configuration.`,
      });
    }
  }
}

async function writeOne(directory: string, { path, bytes }: ContentEntry): Promise<void> {
  const full = join(directory, path);
  await mkdir(dirname(full), { recursive: true });
  await writeFile(full, bytes, { flag: 'wx' });
}

async function linkOne(directory: string, { path, bytes }: ContentEntry): Promise<void> {
  const target = Buffer.from(bytes).toString('utf8');
  const end = posix.normalize(posix.join(posix.dirname(path), target));
  if (posix.isAbsolute(target) || /^\.\.(?:\/|$)/.test(end)) throw explainLink(path);
  await mkdir(dirname(join(directory, path)), { recursive: true });
  await symlink(target, join(directory, path));
}

/** Links may lead from one to another: where they end is looked at, too. */
async function refuseLeadingOut(
  directory: string,
  entries: readonly ContentEntry[],
): Promise<void> {
  const real = await realpath(directory);
  for (const { path, type } of entries) {
    if (type !== 'link') continue;
    const end = await realpath(join(directory, path)).catch(() => undefined);
    if (end !== undefined && end !== real && !end.startsWith(real + sep)) throw explainLink(path);
  }
}

function explainLink(path: string): ModuleError {
  return new ModuleError({
    code: 'file-outside',
    summary: 'The repository of a module holds a link that leads out of it',
    detail: `It is ${JSON.stringify(path)}.`,
    hint: 'Use another repository, or another commit of it.',
  });
}
