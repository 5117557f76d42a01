// Where the state goes when its own place cannot be written: nothing that the service did may be forgotten.
import { mkdtemp } from 'node:fs/promises';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { openDiskFiles, type StateFiles } from './files/files.ts';

/** Files in a new directory of their own, for their owner alone: among the system's temporary ones, else at home. */
export async function openRefuge(): Promise<StateFiles> {
  try {
    return openDiskFiles(await mkdtemp(join(tmpdir(), 'hostwright-rescue-')));
  } catch {
    return openDiskFiles(await mkdtemp(join(homedir(), '.hostwright-rescue-')));
  }
}
