import { fileNames, historyName, type StateFiles } from '../files/files.ts';
import type { StateVersion } from '../../model/state/version.ts';
import { noteVersion, usualVersions, type HistoryLimits } from './history.ts';

/** How the history of a state is kept by one run. */
export interface HistoryKeeper {
  readonly limits: HistoryLimits;
  /** `user@host`. */
  readonly who: string;
  /** The command. */
  readonly operation: string;
  /** Milliseconds since the Unix epoch. */
  readonly now: () => number;
}

/** What a run says of the state that it leaves. */
export type VersionNote = Pick<StateVersion, 'runId' | 'counts'>;

/** A snapshot that takes the place of another. */
export interface NextSnapshot {
  readonly text: string;
  readonly serial: number;
  /** That of the one which is there, if there is one. */
  readonly previousSerial: number;
}

/**
 * Puts a snapshot in place of the one that is there, which becomes the backup, and with a keeper a version of the
 * history. At every moment one of the two is whole.
 */
export async function saveSnapshot(
  files: StateFiles,
  { text, serial, previousSerial }: NextSnapshot,
  keeper: HistoryKeeper | undefined,
  note: VersionNote = {},
): Promise<void> {
  const versions = keeper?.limits.versions ?? usualVersions(text.length);
  const isKept = keeper !== undefined && versions > 0;
  const previous = await files.read(fileNames.snapshot);
  if (previous !== undefined) {
    await files.replace(fileNames.backup, previous);
    if (isKept) await files.replace(historyName(previousSerial), previous);
  }
  await files.replace(fileNames.snapshot, text);
  if (!isKept) return;
  const { limits, who, operation } = keeper;
  const now = keeper.now();
  const at = new Date(now).toISOString();
  const { ageMs } = limits;
  await noteVersion(files, { serial, at, who, operation, ...note }, { versions, ageMs }, now);
}
