import { mkdirSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { readErrorCode } from '../../model/errors.ts';

/**
 * Makes a directory with its missing parents. Node's own recursion never ends where an existing directory answers ENOENT to a
 * new entry, as /proc does. Throws the error of the system.
 */
export function makeDirectories(path: string, mode?: number): void {
  try {
    mkdirSync(path, { mode });
  } catch (error) {
    if (isDirectory(path)) return;
    const parent = dirname(path);
    if (readErrorCode(error) !== 'ENOENT' || isDirectory(parent)) throw error;
    makeDirectories(parent, mode);
    makeDirectories(path, mode);
  }
}

function isDirectory(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
}
