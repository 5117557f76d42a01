import type { State } from '../model/state/state.ts';
import { StateWriteError } from './faults.ts';
import { LockLostError, type LockFence } from './lock/fence.ts';
import type { StateBackend } from './backends/backend.ts';
import {
  parseJournalEpoch,
  stateFileNames,
  sortJournalNames,
  type StateFileName,
  type StateFiles,
} from './files/files.ts';
import { saveSnapshot, type StateHistoryKeeper } from './history/save-snapshot.ts';
import { encodeSnapshot, readSnapshotHeadEpoch } from './snapshot/snapshot.ts';

/** State that is to be replaced, with the one that replaces it. */
export interface StateReplacement {
  /** The present state with the records of its journal: it becomes the backup. */
  readonly before: State;
  readonly after: State;
  /** Version of this program. */
  readonly version: string;
  /** Keeps the replaced state as a version; without it, only the backup remains. */
  readonly history?: StateHistoryKeeper | undefined;
}

/**
 * Replaces a state by another: at every moment one of the two is whole. Journals belong to the replaced state: the new
 * snapshot is of a later epoch, so they count no more. No store may be open for writing.
 * @throws StateWriteError when it cannot be written, LockLostError when the lock was lost meanwhile
 */
export async function replaceState(
  backend: StateBackend,
  { before, after, version, history }: StateReplacement,
  fence: LockFence,
): Promise<void> {
  const files = backend.openFiles(fence);
  try {
    const journals = sortJournalNames(await files.list());
    const epoch = Math.max(fence.epoch, 1 + (await readHighestEpoch(files, journals)));
    const origin = { version, epoch };
    // The backup contains the records of the journals, which end here.
    await files.replace(stateFileNames.snapshot, encodeSnapshot(before, origin));
    const text = encodeSnapshot(after, origin);
    const next = { text, serial: after.serial, previousSerial: before.serial };
    await saveSnapshot(files, next, history);
    for (const name of journals) await files.remove(name);
  } catch (error) {
    if (error instanceof LockLostError) throw error;
    throw new StateWriteError(files.pathOf(stateFileNames.snapshot), error);
  } finally {
    await files.close();
  }
}

/** The highest epoch that a state has seen: a state from another place may be ahead of its lock. */
async function readHighestEpoch(
  files: StateFiles,
  journals: readonly StateFileName[],
): Promise<number> {
  const snapshot = await files.read(stateFileNames.snapshot);
  return Math.max(
    readSnapshotHeadEpoch(snapshot ?? ''),
    ...journals.map((name) => parseJournalEpoch(name) ?? 0),
  );
}
