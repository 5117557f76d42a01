import { mkdirSync, statSync } from 'node:fs';
import { dirname } from 'node:path';

/**
 * Makes a directory, and those that it lies in where they are missing. Node's own way never ends where a directory that
 * is there says ENOENT to whoever makes one in it, as /proc does. Throws what the system says.
 */
export function makeDirectories(path: string, mode?: number): void {
  try {
    mkdirSync(path, { mode });
  } catch (error) {
    if (isDirectory(path)) return;
    const parent = dirname(path);
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT' || isDirectory(parent)) throw error;
    makeDirectories(parent, mode);
    makeDirectories(path, mode);
  }
}

function isDirectory(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
}
