import { sortJournals, type StateFiles } from '../files/files.ts';
import { decodeJournal } from './journal-format.ts';

/** How far a run has come, by what it has written down. */
export interface RunProgress {
  /** Changes that are finished. */
  readonly finished: number;
  /** Requests that were sent and whose end is not known yet. */
  readonly underWay: number;
}

/** How far the run has come that writes to these files; undefined where that cannot be told. Never rejects. */
export async function readProgress(files: StateFiles): Promise<RunProgress | undefined> {
  try {
    const [latest] = sortJournals(await files.list());
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
