import { stateFileNames, nameHistoryFile, type StateFiles } from '../files/files.ts';
import type { StateVersion } from '../../model/state/version.ts';
import { recordStateVersion, findDefaultHistoryVersions, type HistoryLimits } from './history.ts';

/** Keeps former states on behalf of one run: the limits, and the run that writes the next version. */
export interface HistoryKeeper {
  readonly limits: HistoryLimits;
  /** User who makes the change, as `user@host`. */
  readonly who: string;
  /** Name of the command that makes the change: `apply`, `destroy`. */
  readonly operation: string;
  /** Tells the time, in milliseconds since the Unix epoch. */
  readonly now: () => number;
}

/** Members of a version that the run itself knows: its id, and the counts of its changes. */
export type StateVersionNote = Pick<StateVersion, 'runId' | 'counts'>;

/** A snapshot of the state that replaces the present one. */
export interface SnapshotReplacement {
  readonly text: string;
  readonly serial: number;
  /** Serial number of the present snapshot of the state, if there is one. */
  readonly previousSerial: number;
}

/**
 * Replaces the snapshot by the next one; the old one becomes the backup, and with a keeper a version of the history. At every
 * moment one of the two is whole.
 */
export async function saveSnapshot(
  files: StateFiles,
  { text, serial, previousSerial }: SnapshotReplacement,
  keeper: HistoryKeeper | undefined,
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
