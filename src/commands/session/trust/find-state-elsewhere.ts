import { resolve } from 'node:path';
import type { DiagnosticError } from '../../../model/errors.ts';
import type { State } from '../../../model/state/state.ts';
import type { StateBackend } from '../../../state/backends/backend.ts';
import {
  stateFileNames,
  openDiskStateFiles,
  sortJournalNames,
  stateDirectoryName,
} from '../../../state/files/files.ts';
import { readStateMigrationMarker } from '../../../state/moved/marker.ts';
import { createCommandRefusal } from '../refuse.ts';

/**
 * Explains why a run must not start from an empty state: a state beside the configuration was never moved to the new location,
 * and everything would be created again. Undefined where there is no such state.
 */
export async function explainUnmigratedState(
  { place }: Pick<StateBackend, 'place'>,
  directory: string,
  { serial, resources, pending }: State,
): Promise<DiagnosticError | undefined> {
  const folder = resolve(directory, stateDirectoryName);
  if (place === folder || serial > 0 || resources.size + pending.size > 0) return undefined;
  if (!(await hasUnmigratedState(folder))) return undefined;
  return createCommandRefusal('state-elsewhere', `The state is in ${folder}, and not in ${place}`, {
    detail:
      '`state` names another place now, which has no state. A plan would create everything a second time.',
    hint: 'Move it with "hostwright init --migrate-state". If you no longer need it, remove that directory.',
  });
}

/** Tells whether a directory holds a state that was not moved to another location. */
export async function hasUnmigratedState(folder: string): Promise<boolean> {
  const files = openDiskStateFiles(folder);
  const names = await files.list();
  const isThere = names.includes(stateFileNames.snapshot) || sortJournalNames(names).length > 0;
  return isThere && !(await readStateMigrationMarker(files));
}
