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
import { readMigrationMarker } from '../../../state/moved/marker.ts';
import { createCommandRefusal } from '../refuse.ts';

/**
 * Why an empty state must not be gone on from: there is one beside the configuration that was not moved, and everything
 * would be made a second time. Undefined where all is well.
 */
export async function findUnmovedState(
  { place }: Pick<StateBackend, 'place'>,
  directory: string,
  { serial, resources, pending }: State,
): Promise<DiagnosticError | undefined> {
  const folder = resolve(directory, stateDirectoryName);
  if (place === folder || serial > 0 || resources.size + pending.size > 0) return undefined;
  if (!(await hasUnmovedState(folder))) return undefined;
  return createCommandRefusal('state-elsewhere', `The state is in ${folder}, and not in ${place}`, {
    detail:
      '`state` names another place now, which has no state. A plan would create everything a second time.',
    hint: 'Move it with "hostwright init --migrate-state". If you no longer need it, remove that directory.',
  });
}

/** Tests whether a directory has a state that was not moved away. */
export async function hasUnmovedState(folder: string): Promise<boolean> {
  const files = openDiskStateFiles(folder);
  const names = await files.list();
  const isThere = names.includes(stateFileNames.snapshot) || sortJournalNames(names).length > 0;
  return isThere && !(await readMigrationMarker(files));
}
