import type { State } from '../model/state/state.ts';
import { StateWriteError } from './faults.ts';
import { LockLostError, type Fence } from './lock/fence.ts';
import type { StateBackend } from './backends/backend.ts';
import { fileNames, sortJournals } from './files/files.ts';
import { encodeSnapshot } from './snapshot/snapshot.ts';

/** What takes the place of what. */
export interface Replacement {
  /** What is there, with what the journal holds: it becomes the backup. */
  readonly before: State;
  readonly after: State;
  /** The version of Hostwright. */
  readonly version: string;
}

/**
 * Puts another state in place of the one that is there: at every moment one of the two is whole. What
 * journals hold belongs to the state that goes: the snapshot is of a later epoch, so they count no more.
 * Have no store open that writes.
 * @throws StateWriteError when it cannot be written, LockLostError when the lock was lost meanwhile
 */
export async function replaceState(
  backend: StateBackend,
  { before, after, version }: Replacement,
  fence: Fence,
): Promise<void> {
  const files = backend.openFiles(fence);
  try {
    const origin = { version, epoch: fence.epoch };
    const journals = sortJournals(await files.list());
    await files.replace(fileNames.backup, encodeSnapshot(before, origin));
    await files.replace(fileNames.snapshot, encodeSnapshot(after, origin));
    for (const name of journals) await files.remove(name);
  } catch (error) {
    if (error instanceof LockLostError) throw error;
    throw new StateWriteError(files.pathOf(fileNames.snapshot), error);
  } finally {
    await files.close();
  }
}
