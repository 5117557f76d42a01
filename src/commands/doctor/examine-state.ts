import { access, constants, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { DoctorCheckUp } from '../../model/account/check-up.ts';
import type { Diagnostic } from '../../model/diagnostic.ts';
import { DiagnosticError } from '../../model/errors.ts';
import type { Runtime, StateRuntime } from '../../model/runtime.ts';
import { formatCountWithNoun } from '../../model/text/count-noun.ts';
import { quoteForShell } from '../../render/format/shell.ts';
import type { StateBackend } from '../../state/backends/backend.ts';
import { stateDirectoryName } from '../../state/files/files.ts';
import {
  openBackend,
  openConfiguredState,
  type OpenedStateBackend,
} from '../session/state/open-backend.ts';
import { attemptCheckUp } from './attempt.ts';
import { examineBackend, isRemoteBackend } from './examine-backend.ts';
import { examineLock } from './examine-lock.ts';
import { examineRecordClock } from './examine-remote.ts';
import { makeFailedCheckUp, makeSkippedCheckUp } from './make-check-up.ts';
import { formatRelativePath } from '../session/session.ts';

/** Checks that the state can be read and written, the access of others to its files, and the holder of its lock. */
export async function examineState(
  runtime: StateRuntime,
  directory: string,
): Promise<readonly DoctorCheckUp[]> {
  const opened = await attemptCheckUp(() => openBackend(runtime, directory));
  if ('fault' in opened) return [makeFailedCheckUp('backend', 'failure', opened.fault)];
  const { backend } = opened.value;
  const lock = await examineLock(runtime, backend.lock);
  const isHeld = lock.checkUp.outcome !== 'ok';
  const isThere = isRemoteBackend(backend);
  const ofBackend = isThere ? await examineBackend(runtime, backend, isHeld) : [];
  if (ofBackend.some(({ outcome }) => outcome === 'failure')) {
    await backend.close();
    const why = 'The backend has to work first';
    return [...ofBackend, makeSkippedCheckUp('state', why), makeSkippedCheckUp('lock', why)];
  }
  const faults = [
    ...(isThere ? [] : await examineModes(runtime, directory, backend)),
    ...(await examineContent(opened.value, lock.isAlive)),
  ];
  await backend.close();
  const ofState = faults.filter(({ name }) => name === 'state');
  const found = ofState.filter(({ outcome }) => outcome !== 'ok');
  const ofClocks = faults.filter(({ name }) => name === 'clock');
  return [
    ...ofClocks,
    ...ofBackend,
    ...(found.length > 0 ? found : ofState.slice(-1)),
    lock.checkUp,
  ];
}

async function examineContent(
  access: OpenedStateBackend,
  isBusy: boolean,
): Promise<DoctorCheckUp[]> {
  try {
    const store = await openConfiguredState(access, { isReadOnly: true });
    await store.close();
    const { state, diagnostics } = store;
    // While a run is under way, its records belong in the journal.
    const told = isBusy ? [] : diagnostics.map(explainOpened);
    const summary =
      state.serial === 0 && state.resources.size === 0
        ? 'There is no state yet: the first apply creates it'
        : `${formatCountWithNoun('resource', state.resources.size)}, serial ${store.snapshotSerial}`;
    return [
      ...told.map((one) => makeFailedCheckUp('state', 'warning', one)),
      ...examineRecordClock(state.clocks?.resourcesAheadMs),
      { name: 'state', outcome: 'ok', summary },
    ];
  } catch (error) {
    if (!(error instanceof DiagnosticError)) throw error;
    return error.diagnostics.map((one) => makeFailedCheckUp('state', 'failure', one));
  }
}

function explainOpened(diagnostic: Diagnostic): Diagnostic {
  if (diagnostic.code !== 'journal-replayed') return diagnostic;
  return {
    ...diagnostic,
    summary: 'A run has not finished',
    detail: 'Its records are in the journal.',
    hint: 'Run its command again: it continues from there.',
  };
}

/**
 * Checks the permissions of the state's directory: only its owner may read it, since it has values of resources, and the
 * owner must be able to write.
 */
async function examineModes(
  runtime: Pick<Runtime, 'cwd'>,
  directory: string,
  backend: StateBackend,
): Promise<DoctorCheckUp[]> {
  const folder = join(directory, stateDirectoryName);
  const shown = formatRelativePath(runtime, folder);
  const found = await stat(folder).catch(() => undefined);
  const faults: DoctorCheckUp[] = [];
  const parent = found ? folder : directory;
  const isParentThere = found ?? (await stat(parent).catch(() => undefined));
  if (isParentThere && !(await isWritable(parent))) {
    const summary = `${formatRelativePath(runtime, parent)} cannot be written to`;
    const hint = 'Fix its permissions or its owner: an apply writes there.';
    faults.push(makeFailedCheckUp('state', 'failure', { code: 'state-read-only', summary, hint }));
  }
  const open: string[] = [];
  if (found && (found.mode & 0o022) !== 0) open.push(shown);
  for (const name of await backend.openFiles().list()) {
    const file = await stat(join(folder, name)).catch(() => undefined);
    if (file && (file.mode & 0o077) !== 0) open.push(join(shown, name));
  }
  if (open.length > 0) {
    const hint = `Run chmod -R go-rwx ${quoteForShell(shown)}`;
    const summary = `Other users may read or write ${open.join(', ')}`;
    faults.push(makeFailedCheckUp('state', 'warning', { code: 'state-open', summary, hint }));
  }
  return faults;
}

function isWritable(path: string): Promise<boolean> {
  return access(path, constants.W_OK).then(
    () => true,
    () => false,
  );
}
