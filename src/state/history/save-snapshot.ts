import { stateFileNames, nameHistoryFile, type StateFiles } from '../files/files.ts';
import type { StateVersion } from '../../model/state/version.ts';
import {
  recordStateVersion,
  findDefaultHistoryVersions,
  type StateHistoryLimits,
} from './history.ts';

/** Settings of the state's history for one run: the limits, and the person and command that the next version names. */
export interface StateHistoryKeeper {
  readonly limits: StateHistoryLimits;
  /** User who makes the change, as `user@host`. */
  readonly who: string;
  /** Name of the command that makes the change: `apply`, `destroy`. */
  readonly operation: string;
  /** Tells the time, in milliseconds since the Unix epoch. */
  readonly now: () => number;
}

/** Data about a version of the state that only the run itself knows: its id, and the counts of its changes. */
export type StateVersionNote = Pick<StateVersion, 'runId' | 'counts'>;

/** A snapshot of the state that replaces the present one. */
export interface SnapshotReplacement {
  readonly text: string;
  readonly serial: number;
  /** Serial number of the present snapshot of the state, if there is one. */
  readonly previousSerial: number;
}

/**
 * Replaces the snapshot of the state by the next one. The old one becomes the backup and, where a history is kept, one
 * of its versions. At every moment one of the two is whole.
 */
export async function saveSnapshot(
  files: StateFiles,
  { text, serial, previousSerial }: SnapshotReplacement,
  keeper: StateHistoryKeeper | undefined,
  note: StateVersionNote = {},
): Promise<void> {
  const versions = keeper?.limits.versions ?? findDefaultHistoryVersions(text.length);
  const isKept = keeper !== undefined && versions > 0;
  const previous = await files.read(stateFileNames.snapshot);
  if (previous !== undefined) {
    await files.replace(stateFileNames.backup, previous);
    if (isKept) await files.replace(nameHistoryFile(previousSerial), previous);
  }
  await files.replace(stateFileNames.snapshot, text);
  if (!isKept) return;
  const { limits, who, operation } = keeper;
  const now = keeper.now();
  const at = new Date(now).toISOString();
  const { ageMs } = limits;
  await recordStateVersion(
    files,
    { serial, at, who, operation, ...note },
    { versions, ageMs },
    now,
  );
}
