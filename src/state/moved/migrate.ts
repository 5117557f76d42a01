// A copy of a state to another backend, whole and with its history. Both places are locked meanwhile. A kill at any moment
// leaves one of them usable, and the next attempt goes on.
import { createDiagnosticError } from '../faults.ts';
import type { StateBackend } from '../backends/backend.ts';
import {
  stateFileNames,
  parseHistorySerial,
  type StateFileName,
  type StateFiles,
} from '../files/files.ts';
import type { LockFence } from '../lock/fence.ts';
import {
  createMigratedStateError,
  readStateMigrationMarker,
  writeStateMigrationMarker,
} from './marker.ts';

/** Old or new place of a state that is migrated, with its lock. */
export interface StateMigrationPlace {
  readonly backend: StateBackend;
  readonly fence: LockFence;
}

/** Source and target of a migration, and the user who asked for it. */
export interface StateMigrationOptions {
  readonly from: StateMigrationPlace;
  readonly to: StateMigrationPlace;
  /** User who moves the state, as `user@host`. */
  readonly who: string;
  /** Present time, in milliseconds since the Unix epoch. */
  readonly now: number;
  /** Folds the journal of the source, so that its snapshot has all records. */
  readonly fold: () => Promise<void>;
}

/** Numbers about a finished move of a state. */
export interface StateMigrationResult {
  /** Number of former states that were copied. */
  readonly versions: number;
  /** Number of former states that stay in the old place alone, since the new one keeps none. */
  readonly leftVersions: number;
}

/**
 * Migrates a state: copies it, compares the copy, and marks the old place. @throws DiagnosticError where the new place
 * has another state, or the copy differs; the errors of the backends
 */
export async function migrateState(options: StateMigrationOptions): Promise<StateMigrationResult> {
  const { from, to, who, now, fold } = options;
  const source = from.backend.openFiles(from.fence);
  const target = to.backend.openFiles(to.fence);
  const about = ({ backend: { place } }: StateMigrationPlace) => ({
    place,
    who,
    at: new Date(now).toISOString(),
  });
  try {
    const isDone = await isMovedAlready(source, target, options);
    if (!isDone) {
      await clearTarget(target, options);
      await fold();
      await writeStateMigrationMarker(target, { kind: 'arriving', ...about(from) });
    }
    const copied = countVersions(await copyAll(source, target, to.backend));
    const leftVersions = countVersions(await source.list()) - copied;
    if (!isDone) await writeStateMigrationMarker(source, { kind: 'moved', ...about(to) });
    await target.remove(stateFileNames.moved);
    return { versions: copied, leftVersions };
  } finally {
    await source.close();
    await target.close();
  }
}

const countVersions = (names: readonly StateFileName[]) =>
  names.filter((one) => parseHistorySerial(one) !== undefined).length;

/** Tells whether an earlier attempt was killed after its last copy. A copy that is in use is never written over. */
async function isMovedAlready(
  source: StateFiles,
  target: StateFiles,
  { from, to }: StateMigrationOptions,
): Promise<boolean> {
  const marker = await readStateMigrationMarker(source);
  if (!marker) return false;
  const isMeant = marker.kind === 'moved' && marker.place === to.backend.place;
  if (isMeant && (await readStateMigrationMarker(target))?.kind === 'arriving') return true;
  throw createMigratedStateError(marker, from.backend.place);
}

/** Clears the new place, which must be empty or have a marker that names the old place: an earlier attempt, or a move from here. */
async function clearTarget(target: StateFiles, { from, to }: StateMigrationOptions): Promise<void> {
  const names = await target.list();
  if (names.length === 0) return;
  const marker = await readStateMigrationMarker(target);
  if (marker?.place === from.backend.place) {
    for (const name of names) if (name !== stateFileNames.moved) await target.remove(name);
    return;
  }
  throw createDiagnosticError('state-not-empty', `There is a state already: ${to.backend.place}`, {
    detail: 'A migration never overwrites another state.',
    hint: 'Choose another name or path for the new place.',
  });
}

/** Copies every text of the state, the snapshot last, and reads each back to compare it. */
async function copyAll(
  source: StateFiles,
  target: StateFiles,
  { capabilities }: StateBackend,
): Promise<readonly StateFileName[]> {
  const isKept = (name: StateFileName) =>
    name !== stateFileNames.moved && (capabilities.history || name === stateFileNames.snapshot);
  const names = (await source.list()).filter(isKept).sort(snapshotLast);
  for (const name of names) {
    const text = await source.read(name);
    if (text === undefined) continue;
    if ((await target.read(name)) !== text) await target.replace(name, text);
  }
  for (const name of names) {
    if ((await target.read(name)) === (await source.read(name))) continue;
    throw createDiagnosticError(
      'migration-differs',
      `The copy differs from the state: ${target.pathOf(name)}`,
      {
        detail: 'It was read back after it was written. The old place is still in use.',
        hint: 'Run the migration once more. If it fails again, "hostwright doctor" examines the new place.',
      },
    );
  }
  return names;
}

function snapshotLast(left: StateFileName, right: StateFileName): number {
  return Number(left === stateFileNames.snapshot) - Number(right === stateFileNames.snapshot);
}
