import { join } from 'node:path';
import { openDiskFiles, stateDirectoryName, type StateFiles } from '../files/files.ts';

/**
 * A place for the state of a run that could not write to its backend: beside the configuration, where the next run finds it
 * and uploads it. `directory` is that of the configuration.
 */
export function openRescueFiles(directory: string): StateFiles {
  return openDiskFiles(join(directory, stateDirectoryName, 'rescue'));
}
