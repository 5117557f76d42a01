// Where the state goes when its own place cannot be written: nothing that the service did may be forgotten.
import { mkdtemp } from 'node:fs/promises';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { openDiskFiles, stateDirectoryName, type StateFiles } from '../files/files.ts';

/** Files in a new directory of their own, for their owner alone: among the system's temporary ones, else at home. */
export async function openRescue(): Promise<StateFiles> {
  try {
    return await openBelow(join(tmpdir(), 'hostwright-rescue-'));
  } catch {
    return await openBelow(join(homedir(), '.hostwright-rescue-'));
  }
}

async function openBelow(prefix: string): Promise<StateFiles> {
  return openDiskFiles(join(await mkdtemp(prefix), stateDirectoryName));
}
