// The marker of a migration: as long as it exists, nobody reads or writes the state beside it.
import { createDiagnosticError } from '../faults.ts';
import { stateFileNames, type StateFiles } from '../files/files.ts';
import type { DiagnosticError } from '../../model/errors.ts';
import { parseJsonObject } from '../../model/json-object.ts';

/** Marker beside a state that must not be used, since it was moved to another place, or is not copied completely yet. */
export interface StateMigrationMarker {
  /** Kind of the marker. `moved`: the state is in another place now. `arriving`: it is not copied completely yet. */
  readonly kind: 'moved' | 'arriving';
  /** Name of the other place of the state, for messages. */
  readonly place: string;
  /** Time of the marker, in RFC 3339 format. */
  readonly at: string;
  /** User who moved the state, as `user@host`. */
  readonly who: string;
}

/** Reads the marker of a migration beside a state; undefined where there is none. A marker that cannot be decoded counts, too. */
export async function readStateMigrationMarker(
  files: StateFiles,
): Promise<StateMigrationMarker | undefined> {
  const text = await files.read(stateFileNames.moved);
  if (text === undefined) return undefined;
  const unknown: StateMigrationMarker = {
    kind: 'moved',
    place: 'an unknown place',
    at: 'an unknown time',
    who: 'somebody',
  };
  return { ...unknown, ...parseJsonObject(text) };
}

/** Writes a marker beside a state that must not be used. */
export function writeStateMigrationMarker(
  files: StateFiles,
  marker: StateMigrationMarker,
): Promise<void> {
  return files.replace(stateFileNames.moved, `${JSON.stringify(marker, null, 2)}\n`);
}

/** Creates the error for a state that must not be used because of a migration; `here` is its place. */
export function createMigratedStateError(
  { kind, place, at, who }: StateMigrationMarker,
  here: string,
): DiagnosticError {
  if (kind === 'arriving') {
    return createDiagnosticError('state-arriving', `The state is not whole yet: ${here}`, {
      detail: `${who} began at ${at} to copy it from ${place}, and has not finished.`,
      hint: 'Run "hostwright state migrate" again from there: it continues where it stopped.',
    });
  }
  return createDiagnosticError('state-moved', `The state has moved away from ${here}`, {
    detail: `${who} moved it to ${place} at ${at}. The state here is out of date.`,
    hint: 'Change `state` in the configuration, or HOSTWRIGHT_STATE, to the new place. To move it back, run "hostwright state migrate" there.',
  });
}
