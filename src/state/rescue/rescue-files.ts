import { join } from 'node:path';
import { openDiskStateFiles, stateDirectoryName, type StateFiles } from '../files/files.ts';

/**
 * Finds the directory for the state of a run that could not write to its backend, from where the next run uploads it:
 * beside the configuration in `directory`, or the one that a worker keeps for the workspace.
 */
export function findRescueDirectory(directory: string, kept: string | undefined): string {
  return kept ?? join(directory, stateDirectoryName, 'rescue');
}

/** Files of a rescued state, in the directory for it. */
export function openRescueFiles(rescueDirectory: string): StateFiles {
  return openDiskStateFiles(rescueDirectory);
}
