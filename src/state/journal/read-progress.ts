import { sortJournalNames, type StateFiles } from '../files/files.ts';
import { decodeJournal } from './journal-format.ts';

/** Progress of a run, as the records in its journal show it. */
export interface RunProgress {
  /** Number of changes that are finished. */
  readonly finished: number;
  /** Number of requests that were sent and have no known end yet. */
  readonly underWay: number;
}

/** Reads the progress of the run that writes to these files; undefined where they do not show it. Never rejects. */
export async function readRunProgress(files: StateFiles): Promise<RunProgress | undefined> {
  try {
    const [latest] = sortJournalNames(await files.list());
    const text = latest === undefined ? undefined : await files.read(latest);
    if (latest === undefined || text === undefined) return undefined;
    const { records } = decodeJournal(text, files.pathOf(latest));
    const begun = records.findLastIndex(({ kind }) => kind === 'begin');
    let finished = 0;
    const open = new Set<string>();
    for (const record of records.slice(begun + 1)) {
      if (record.kind === 'intent') open.add(record.address);
      if (record.kind === 'settled') open.delete(record.resource.address);
      if (record.kind === 'removed') open.delete(record.address);
      if (record.kind === 'settled' || record.kind === 'removed') finished += 1;
    }
    return { finished, underWay: open.size };
  } catch {
    return undefined;
  }
}
