// A place for the state when its own cannot be written: no action of the service may be forgotten.
import { mkdtemp } from 'node:fs/promises';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { openDiskStateFiles, stateDirectoryName, type StateFiles } from '../files/files.ts';

/**
 * Opens a new directory for the state of a run that cannot write it elsewhere, for its owner alone: in the system's
 * temporary directory, or else at home.
 */
export async function openRescueDirectory(): Promise<StateFiles> {
  try {
    return await openBelow(join(tmpdir(), 'hostwright-rescue-'));
  } catch {
    return await openBelow(join(homedir(), '.hostwright-rescue-'));
  }
}

async function openBelow(prefix: string): Promise<StateFiles> {
  return openDiskStateFiles(join(await mkdtemp(prefix), stateDirectoryName));
}
