import { lstat, readdir, rm } from 'node:fs/promises';
import { basename, join, sep } from 'node:path';
import { modulesDirectory, findModulePinDirectory } from '../config/modules/git-modules.ts';
import type { ModulePin } from '../config/modules/lock-file.ts';

/** Directory name of a fetched module: the start of a hash. Everything else beside them is not ours. */
const fetchedName = /^[0-9a-f]{16}$/;

/**
 * Removes the fetched modules of a directory that no pin names any more. A link is neither followed nor removed, and what
 * cannot be removed stays. @returns the names of what was removed, sorted
 */
export async function removeUnpinnedModules(
  root: string,
  pins: Iterable<ModulePin>,
): Promise<readonly string[]> {
  if (!(await isPlainDirectory(root))) return [];
  const kept = new Set(Array.from(pins, (pin) => basename(findModulePinDirectory(pin))));
  const all = await readdir(join(root, modulesDirectory), { withFileTypes: true });
  const removed: string[] = [];
  for (const entry of all) {
    if (!entry.isDirectory() || !fetchedName.test(entry.name) || kept.has(entry.name)) continue;
    const isGone = await rm(join(root, modulesDirectory, entry.name), { recursive: true }).then(
      () => true,
      () => false,
    );
    if (isGone) removed.push(entry.name);
  }
  return removed.sort();
}

/** Tells whether the modules' directory is reached without links: a link in its path could lead anywhere. */
async function isPlainDirectory(root: string): Promise<boolean> {
  const parts = modulesDirectory.split(sep);
  for (let depth = 1; depth <= parts.length; depth += 1) {
    const found = await lstat(join(root, ...parts.slice(0, depth))).catch(() => undefined);
    if (found?.isDirectory() !== true) return false;
  }
  return true;
}
