import type { State } from '../model/state.ts';
import { StateWriteError } from './faults.ts';
import { fileNames, openDiskFiles } from './files.ts';
import { decodeJournal } from './journal-format.ts';
import { encodeSnapshot } from './snapshot.ts';

/** What takes the place of what. */
export interface Replacement {
  /** What is there, with what the journal holds: it becomes the backup. */
  readonly before: State;
  readonly after: State;
  /** The version of Hostwright. */
  readonly version: string;
}

/**
 * Puts another state in place of the one in `<directory>/.hostwright`: at every moment one of the two is whole. Hold the
 * lock, and have no store open that writes.
 * @throws StateWriteError when it cannot be written
 */
export async function replaceState(
  directory: string,
  { before, after, version }: Replacement,
): Promise<void> {
  const files = openDiskFiles(directory);
  const path = files.pathOf(fileNames.journal);
  try {
    const { base } = decodeJournal((await files.read(fileNames.journal)) ?? '', path);
    // What an earlier run recorded belongs to the state that goes.
    const origin = { version, ...(base && { journalId: base.id }) };
    await files.replace(fileNames.backup, encodeSnapshot(before, origin));
    await files.replace(fileNames.snapshot, encodeSnapshot(after, origin));
  } catch (error) {
    throw new StateWriteError(files.pathOf(fileNames.snapshot), error);
  } finally {
    await files.close();
  }
}
