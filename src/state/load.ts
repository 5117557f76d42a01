// From the files to the state: the snapshot, and what the journal has recorded on top of it. Reads, never writes.
import type { Diagnostic } from '../model/diagnostic.ts';
import type { State } from '../model/state.ts';
import { createUnreadableError, createUnrelatedJournalError } from './faults.ts';
import { fileNames, type FileName, type StateFiles } from './files.ts';
import { decodeJournal, type DecodedJournal, type JournalBase } from './journal-format.ts';
import type { JournalStart } from './journal.ts';
import { applyRecord, copyState, createEmptyState, type StateDraft } from './replay.ts';
import { decodeSnapshot } from './snapshot.ts';

/** The state as the disk has it, and where its journal goes on. */
export interface LoadedState {
  readonly draft: StateDraft;
  /** True when the journal holds what the snapshot does not. */
  readonly isChanged: boolean;
  readonly base: JournalBase;
  readonly start: JournalStart;
  readonly diagnostics: readonly Diagnostic[];
}

const nothing: DecodedJournal = { base: undefined, records: [], bytes: 0, isTorn: false };

/** Reads the state; no files at all are an empty one. `createId` gives the ids of what is born here. */
export async function loadState(files: StateFiles, createId: () => string): Promise<LoadedState> {
  const paths = {
    snapshot: files.pathOf(fileNames.snapshot),
    backup: files.pathOf(fileNames.backup),
    journal: files.pathOf(fileNames.journal),
  };
  // The journal first: a run that compacts between the two reads leaves the newer snapshot, which contains it.
  const journalText = (await readOrExplain(files, fileNames.journal)) ?? '';
  const snapshotText = await readOrExplain(files, fileNames.snapshot);
  const journal = decodeJournal(journalText, paths.journal);
  const snapshot = snapshotText === undefined ? undefined : decodeSnapshot(snapshotText, paths);
  const isContained = journal.base !== undefined && snapshot?.journalId === journal.base.id;
  const used: DecodedJournal = isContained ? nothing : journal;
  const fault = findMismatch(used.base, snapshot?.state);
  if (fault !== undefined) throw createUnrelatedJournalError(paths, fault);

  const initial = snapshot?.state ?? createEmptyState(used.base?.lineage ?? createId());
  const draft = copyState(initial);
  let isChanged = false;
  for (const record of used.records) isChanged = applyRecord(draft, record) || isChanged;

  const diagnostics: Diagnostic[] = noteJournal(used, paths.journal);
  if (snapshot === undefined && used.base === undefined) {
    diagnostics.push(...(await noteLostSnapshot(files, paths)));
  }
  return {
    draft,
    isChanged,
    base: used.base ?? { id: createId(), lineage: initial.lineage, serial: initial.serial },
    start: { keptBytes: used.bytes, hasExcess: used.bytes < Buffer.byteLength(journalText) },
    diagnostics,
  };
}

async function readOrExplain(files: StateFiles, name: FileName): Promise<string | undefined> {
  try {
    return await files.read(name);
  } catch (error) {
    throw createUnreadableError(files.pathOf(name), error);
  }
}

/** Why the journal may not be replayed onto the snapshot. Nothing it records is ever dropped in silence. */
function findMismatch(
  base: JournalBase | undefined,
  snapshot: State | undefined,
): string | undefined {
  if (base === undefined) return undefined;
  if (snapshot === undefined) {
    if (base.serial === 0) return undefined;
    return `It builds on the snapshot with serial ${base.serial}, and there is no snapshot.`;
  }
  if (base.lineage !== snapshot.lineage) {
    return `It builds on a state of lineage ${base.lineage}; the snapshot's lineage is ${snapshot.lineage}.`;
  }
  if (base.serial === snapshot.serial) return undefined;
  return `It builds on the snapshot with serial ${base.serial}; the one that is there has serial ${snapshot.serial}.`;
}

function noteJournal(journal: DecodedJournal, path: string): Diagnostic[] {
  const notes: Diagnostic[] = [];
  const { length } = journal.records;
  if (length > 0) {
    notes.push({
      severity: 'note',
      code: 'journal-replayed',
      summary: `Took up ${length} ${length === 1 ? 'record' : 'records'} of a run that has not finished`,
      detail: `They stand in ${path} and not yet in the snapshot.`,
    });
  }
  if (journal.isTorn) {
    notes.push({
      severity: 'note',
      code: 'journal-torn',
      summary: 'Dropped the last record of the journal, whose write was cut short',
      detail: `${path} is whole up to byte ${journal.bytes}. Nobody was told that the record was saved.`,
    });
  }
  return notes;
}

async function noteLostSnapshot(
  files: StateFiles,
  paths: { readonly snapshot: string; readonly backup: string },
): Promise<Diagnostic[]> {
  if ((await readOrExplain(files, fileNames.backup)) === undefined) return [];
  return [
    {
      severity: 'warning',
      code: 'state-missing',
      summary: `There is a backup of a state but no state: ${paths.snapshot}`,
      detail: 'The state is taken as empty.',
      hint: `To go on from the backup, copy ${paths.backup} over ${paths.snapshot}.`,
    },
  ];
}
