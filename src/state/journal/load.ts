// Loading of a state: its snapshot, with the records that the journal of the highest epoch has on top of it. Reads, never
// writes. Without the lock, a run may write meanwhile: files that do not fit together are read once more.
import type { Diagnostic } from '../../model/diagnostic.ts';
import { DiagnosticError } from '../../model/errors.ts';
import type { State } from '../../model/state/state.ts';
import {
  createMigratedStateError,
  readStateMigrationMarker,
  type StateMigrationMarker,
} from '../moved/marker.ts';
import { createUnreadableFileError, createUnrelatedJournalError } from '../faults.ts';
import {
  parseJournalEpoch,
  stateFileNames,
  nameJournalFile,
  sortJournalNames,
  splitWholeLines,
  type StateFileName,
  type StateFiles,
} from '../files/files.ts';
import { decodeJournal, type DecodedJournal, type JournalBase } from './journal-format.ts';
import type { JournalStart } from './journal.ts';
import { applyJournalRecord, copyStateDraft, createEmptyState, type StateDraft } from './replay.ts';
import { decodeSnapshot, type StateSnapshot } from '../snapshot/snapshot.ts';

/** State as it was read from its files, and the start of a new epoch's journal. */
export interface LoadedState {
  readonly draft: StateDraft;
  /** Set when a journal has records that the snapshot does not contain. */
  readonly isChanged: boolean;
  /** The highest epoch among the state's files; 0 where there was none. */
  readonly epoch: number;
  /** The snapshot that a new journal builds on; the writer adds its own epoch. */
  readonly base: Omit<JournalBase, 'epoch'>;
  readonly start: JournalStart;
  readonly diagnostics: readonly Diagnostic[];
}

/** The texts of one reading of the state's files. */
interface Reading {
  readonly journals: readonly StateFileName[];
  readonly journalText: string;
  readonly snapshotText: string | undefined;
}

interface Paths {
  readonly snapshot: string;
  readonly backup: string;
  readonly journal: string;
}

const nothing: DecodedJournal = {
  base: undefined,
  records: [],
  lines: '',
  bytes: 0,
  isTorn: false,
};

/** The most times that a state is read anew because another run changed its files meanwhile. */
const maxReadings = 20;

/**
 * Reads the state; without any files it is empty. `createId` makes the ids of a new state. `leftOut` are the numbers of
 * the journal's lines to ignore.
 */
export async function loadState(
  files: StateFiles,
  createId: () => string,
  leftOut: ReadonlySet<number> = new Set(),
): Promise<LoadedState> {
  let before: Reading | undefined;
  for (let count = 1; ; count += 1) {
    const reading = await readFiles(files, count < maxReadings, leftOut.size > 0);
    if (!reading) continue;
    const paths = pathsOf(files, reading);
    const journal = decodeJournal(reading.journalText, paths.journal, leftOut);
    const { snapshotText } = reading;
    const snapshot = snapshotText === undefined ? undefined : decodeSnapshot(snapshotText, paths);
    const used = isContained(reading, journal, snapshot) ? nothing : journal;
    const fault = findMismatch(used.base, snapshot?.state);
    if (fault === undefined) return assemble(files, createId, { reading, paths, snapshot, used });
    // A run that writes meanwhile leaves other files behind each time; damaged files stay as they are.
    if ((before && isSame(before, reading)) || count >= maxReadings) {
      throw createUnrelatedJournalError(paths, fault);
    }
    before = reading;
  }
}

/**
 * One reading; undefined when a run has removed the journal meanwhile, and `mayVanish`. With `isByLine`, an unreadable line
 * counts as an empty one, and is no failure.
 */
async function readFiles(
  files: StateFiles,
  mayVanish: boolean,
  isByLine: boolean,
): Promise<Reading | undefined> {
  let journals: readonly StateFileName[];
  let marker: StateMigrationMarker | undefined;
  try {
    const names = await files.list();
    journals = sortJournalNames(names);
    if (names.includes(stateFileNames.moved)) marker = await readStateMigrationMarker(files);
  } catch (error) {
    if (error instanceof DiagnosticError) throw error;
    throw createUnreadableFileError(files.pathOf(stateFileNames.snapshot), error);
  }
  if (marker) throw createMigratedStateError(marker, files.pathOf(stateFileNames.snapshot));
  const [latest] = journals;
  // The journal is read first: a run that compacts between the two reads leaves the newer snapshot, which contains it.
  const read = isByLine ? joinLines : readOrExplain;
  let journalText: string | undefined = '';
  if (latest !== undefined) {
    journalText = await read(files, latest);
    if (journalText === undefined && mayVanish) return undefined;
    if (journalText === undefined) {
      throw createUnreadableFileError(files.pathOf(latest), 'It is gone again');
    }
  }
  const snapshotText = await readOrExplain(files, stateFileNames.snapshot);
  return { journals, journalText, snapshotText };
}

function isSame(left: Reading, right: Reading): boolean {
  return (
    left.journals.join() === right.journals.join() &&
    left.journalText === right.journalText &&
    left.snapshotText === right.snapshotText
  );
}

function pathsOf(files: StateFiles, { journals }: Reading): Paths {
  return {
    snapshot: files.pathOf(stateFileNames.snapshot),
    backup: files.pathOf(stateFileNames.backup),
    journal: files.pathOf(journals[0] ?? nameJournalFile(1)),
  };
}

/**
 * Tells whether the snapshot contains all records of the journal: it is of a later epoch, which took them over, or names the
 * journal.
 */
function isContained(
  { journals: [latest] }: Reading,
  journal: DecodedJournal,
  snapshot: StateSnapshot | undefined,
): boolean {
  if (!snapshot || latest === undefined) return false;
  const epoch = parseJournalEpoch(latest) ?? 0;
  if (epoch !== snapshot.epoch) return epoch < snapshot.epoch;
  const { base } = journal;
  if (base === undefined) return false;
  if (base.id === snapshot.journalId) return true;
  // Folded into its own snapshot, from which this one descends; the removal of the journal failed, as on a full disk.
  return base.lineage === snapshot.state.lineage && base.serial + 1 < snapshot.state.serial;
}

interface Parts {
  readonly reading: Reading;
  readonly paths: Paths;
  readonly snapshot: StateSnapshot | undefined;
  readonly used: DecodedJournal;
}

async function assemble(
  files: StateFiles,
  createId: () => string,
  { reading, paths, snapshot, used }: Parts,
): Promise<LoadedState> {
  const { journals } = reading;
  const initial = snapshot?.state ?? createEmptyState(used.base?.lineage ?? createId());
  const draft = copyStateDraft(initial);
  let isChanged = false;
  for (const record of used.records) isChanged = applyJournalRecord(draft, record) || isChanged;

  const diagnostics: Diagnostic[] = noteJournal(used, paths.journal);
  if (snapshot === undefined && used.base === undefined) {
    diagnostics.push(...(await noteLostSnapshot(files, paths)));
  }
  const epochs = journals.flatMap((name) => parseJournalEpoch(name) ?? []);
  return {
    draft,
    isChanged,
    epoch: Math.max(snapshot?.epoch ?? 0, ...epochs),
    base: { id: createId(), lineage: initial.lineage, serial: initial.serial },
    start: { carried: used.lines, older: journals },
    diagnostics,
  };
}

async function readOrExplain(files: StateFiles, name: StateFileName): Promise<string | undefined> {
  try {
    return await files.read(name);
  } catch (error) {
    if (error instanceof DiagnosticError) throw error;
    throw createUnreadableFileError(files.pathOf(name), error);
  }
}

async function joinLines(files: StateFiles, name: StateFileName): Promise<string> {
  const lines = await readJournalLines(files, name);
  return lines.map((line = '') => `${line}\n`).join('');
}

/** Reads the lines of a journal; see `StateFiles.readLines`. @throws DiagnosticError where the journal cannot be read */
export async function readJournalLines(
  files: StateFiles,
  name: StateFileName,
): Promise<readonly (string | undefined)[]> {
  if (!files.readLines) return splitWholeLines((await readOrExplain(files, name)) ?? '');
  try {
    return await files.readLines(name);
  } catch (error) {
    throw error instanceof DiagnosticError
      ? error
      : createUnreadableFileError(files.pathOf(name), error);
  }
}

/** The reason why the journal may not be replayed onto the snapshot. No record is ever dropped in silence. */
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
      summary: `Recovered ${length} journal ${length === 1 ? 'record' : 'records'} of an unfinished run`,
      detail: `They are in ${path} and not yet in the snapshot: that run was interrupted, or is still at work.`,
    });
  }
  if (journal.isTorn) {
    notes.push({
      severity: 'note',
      code: 'journal-torn',
      summary: 'Dropped the last record of the journal, whose write was cut short',
      detail: `${path} is whole up to byte ${journal.bytes}. The record was never reported as saved.`,
    });
  }
  return notes;
}

async function noteLostSnapshot(
  files: StateFiles,
  paths: { readonly snapshot: string; readonly backup: string },
): Promise<Diagnostic[]> {
  if ((await readOrExplain(files, stateFileNames.backup)) === undefined) return [];
  return [
    {
      severity: 'warning',
      code: 'state-missing',
      summary: `There is a backup of a state but no state: ${paths.snapshot}`,
      detail: 'Hostwright treats the state as empty.',
      hint: `To continue from the backup, copy ${paths.backup} over ${paths.snapshot}.`,
    },
  ];
}
