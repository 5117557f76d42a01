import { randomBytes } from 'node:crypto';
import { lstat, mkdir, realpath, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join, posix, relative, sep } from 'node:path';
import {
  isModuleIntact,
  modulesDirectory,
  findModulePinDirectory,
} from '../config/modules/git-modules.ts';
import type { ModulePin } from '../config/modules/lock-file.ts';
import { ModuleFetchError } from './module-error.ts';
import type { ModuleFile } from './module-files.ts';

/**
 * Writes the content of a module below the directory of a configuration, whole or not at all, and replaces content that
 * was damaged.
 * @throws ModuleFetchError where the directory of modules is not a directory
 */
export async function writeModuleContent(
  root: string,
  pin: ModulePin,
  files: readonly ModuleFile[],
): Promise<void> {
  await makeModulesDirectory(root);
  const target = join(root, findModulePinDirectory(pin));
  const fresh = `${target}.${randomBytes(8).toString('hex')}.tmp`;
  try {
    await mkdir(fresh);
    await requireInPlace(root, fresh);
    await writeAll(fresh, files);
    // Another run may have written the same module meanwhile.
    if (isModuleIntact(target, pin)) return;
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
    if (found?.isDirectory() !== true) throw explainPlace(found !== undefined);
  }
}

/** Checks that a new directory lies where its path says, and not behind a link. @throws ModuleFetchError */
async function requireInPlace(root: string, fresh: string): Promise<void> {
  const real = await realpath(fresh);
  if (real === join(await realpath(root), relative(root, fresh))) return;
  throw explainPlace(true);
}

function explainPlace(isThere: boolean): ModuleFetchError {
  return new ModuleFetchError({
    code: 'cannot-write',
    summary: `Modules cannot be written to ${modulesDirectory}`,
    detail: isThere ? 'It is not a directory.' : 'The directory cannot be made.',
    hint: `Remove ${modulesDirectory}, or check the permissions of the directory of the configuration.`,
  });
}

/** Every directory on the way was made here, and no link ever is: so no file is written through one. */
async function writeAll(fresh: string, files: readonly ModuleFile[]): Promise<void> {
  const made = new Set(['.']);
  const makeParents = async (path: string): Promise<void> => {
    if (made.has(path)) return;
    await makeParents(dirname(path));
    await mkdir(join(fresh, path)).catch((error: unknown) => explainCase(path, error));
    made.add(path);
  };
  for (const { path, bytes } of files) {
    await makeParents(posix.dirname(path));
    await writeFile(join(fresh, path), bytes, { flag: 'wx' }).catch((error: unknown) =>
      explainCase(path, error),
    );
  }
}

/** Explains an existing file in a fresh directory: the file system takes two names that differ in case for one. */
function explainCase(path: string, error: unknown): never {
  if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
  throw new ModuleFetchError({
    code: 'invalid-module-content',
    summary: 'The repository of a module holds two paths that are one on this file system',
    detail: `One of them is ${JSON.stringify(path)}: they differ in case, or in how their characters are composed.`,
    hint: 'Use a file system that tells them apart, another repository, or another commit of it.',
  });
}
