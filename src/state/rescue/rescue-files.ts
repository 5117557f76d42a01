import { join } from 'node:path';
import { openDiskStateFiles, stateDirectoryName, type StateFiles } from '../files/files.ts';

/**
 * A place for the state of a run that could not write to its backend, where the next run finds it and uploads it: beside the
 * configuration in `directory`, or where a worker keeps it for the workspace.
 */
export function findRescueDirectory(directory: string, kept: string | undefined): string {
  return kept ?? join(directory, stateDirectoryName, 'rescue');
}

/** Files of a rescued state, in the directory for it. */
export function openRescueFiles(rescueDirectory: string): StateFiles {
  return openDiskStateFiles(rescueDirectory);
}
