import { access, constants, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { CheckUp } from '../../model/account/check-up.ts';
import type { Diagnostic } from '../../model/diagnostic.ts';
import { DiagnosticError } from '../../model/errors.ts';
import type { Runtime } from '../../model/runtime.ts';
import { countNoun } from '../../render/view/labels.ts';
import { formatAge } from '../../render/format/moment.ts';
import { quoteForShell } from '../../render/format/shell.ts';
import type { StateBackend } from '../../state/backends/backend.ts';
import { stateDirectoryName } from '../../state/files/files.ts';
import type { HeldLock } from '../../state/lock/lock-info.ts';
import { isInSight, isProcessGone } from '../../state/lock/lock-holder.ts';
import { readLock } from '../../state/lock/lock.ts';
import { openState } from '../../state/store.ts';
import { openBackend } from '../session/open-backend.ts';
import { judge } from './judge-check-up.ts';
import { relativeTo } from '../session/session.ts';

/** Whether the state can be read and written, and by whom; and who holds its lock. */
export async function examineState(
  runtime: Runtime,
  directory: string,
): Promise<readonly CheckUp[]> {
  const { backend } = await openBackend(runtime, directory);
  const lock = await examineLock(runtime, backend);
  const faults = [
    ...(await examineModes(runtime, directory, backend)),
    ...(await examineContent(backend, lock.isAlive)),
  ];
  await backend.close();
  const found = faults.filter(({ outcome }) => outcome !== 'ok');
  return [...(found.length > 0 ? found : faults.slice(-1)), lock.checkUp];
}

async function examineContent(backend: StateBackend, isBusy: boolean): Promise<CheckUp[]> {
  try {
    const store = await openState(backend, { isReadOnly: true });
    await store.close();
    const { state, diagnostics } = store;
    // While a run is under way, its records belong in the journal.
    const told = isBusy ? [] : diagnostics.map(explainOpened);
    const summary =
      state.serial === 0 && state.resources.size === 0
        ? 'There is none yet: the first apply makes it'
        : `${countNoun('resource', state.resources.size)}, serial ${store.snapshotSerial}`;
    return [
      ...told.map((one) => judge('state', 'warning', one)),
      { name: 'state', outcome: 'ok', summary },
    ];
  } catch (error) {
    if (!(error instanceof DiagnosticError)) throw error;
    return error.diagnostics.map((one) => judge('state', 'failure', one));
  }
}

function explainOpened(diagnostic: Diagnostic): Diagnostic {
  if (diagnostic.code !== 'journal-replayed') return diagnostic;
  return {
    ...diagnostic,
    summary: 'A run has not finished',
    detail: 'What it did and what it was about to do stand in the journal.',
    hint: 'Run its command again: it goes on from there.',
  };
}

/** The state holds the values of resources: it is its owner's alone to read, and must be his to write. */
async function examineModes(
  runtime: Runtime,
  directory: string,
  backend: StateBackend,
): Promise<CheckUp[]> {
  const folder = join(directory, stateDirectoryName);
  const shown = relativeTo(runtime, folder);
  const found = await stat(folder).catch(() => undefined);
  const faults: CheckUp[] = [];
  const parent = found ? folder : directory;
  const isParentThere = found ?? (await stat(parent).catch(() => undefined));
  if (isParentThere && !(await isWritable(parent))) {
    const summary = `${relativeTo(runtime, parent)} cannot be written to`;
    const hint = 'An apply needs to write there: mend its permissions or its owner.';
    faults.push(judge('state', 'failure', { code: 'state-read-only', summary, hint }));
  }
  const open: string[] = [];
  if (found && (found.mode & 0o022) !== 0) open.push(shown);
  for (const name of await backend.openFiles().list()) {
    const file = await stat(join(folder, name)).catch(() => undefined);
    if (file && (file.mode & 0o077) !== 0) open.push(join(shown, name));
  }
  if (open.length > 0) {
    const hint = `chmod -R go-rwx ${quoteForShell(shown)}`;
    const summary = `Others than its owner may read or write ${open.join(', ')}`;
    faults.push(judge('state', 'warning', { code: 'state-open', summary, hint }));
  }
  return faults;
}

function isWritable(path: string): Promise<boolean> {
  return access(path, constants.W_OK).then(
    () => true,
    () => false,
  );
}

async function examineLock(
  { clock, process }: Runtime,
  { lock }: StateBackend,
): Promise<{ readonly checkUp: CheckUp; readonly isAlive: boolean }> {
  const name = 'lock';
  let holder: HeldLock | undefined;
  try {
    holder = await readLock(lock);
  } catch (error) {
    if (!(error instanceof DiagnosticError)) throw error;
    const [fault = { code: 'lock-failed', summary: 'The lock cannot be read' }] = error.diagnostics;
    return { checkUp: judge(name, 'failure', fault), isAlive: false };
  }
  if (!holder)
    return { checkUp: { name, outcome: 'ok', summary: 'Nobody holds it' }, isAlive: false };
  const { info, heartbeatAt } = holder;
  const now = clock.now();
  const who = `${info.Operation} by ${info.Who}, process ${info.Pid}, since ${info.Created}`;
  const beat = `Its last sign of life was ${formatAge(heartbeatAt, now)} ago.`;
  if (info.Kept) {
    const hint = 'Ask them, or remove it with "hostwright state unlock".';
    const summary = `${info.Who} keeps it since ${info.Created}`;
    const detail = info.Info === '' ? 'No reason is given.' : `The reason: ${info.Info}.`;
    const checkUp = judge(name, 'warning', { code: 'state-locked', summary, detail, hint });
    return { checkUp, isAlive: false };
  }
  if (isProcessGone(info, process.host)) {
    const summary = `Held by a process that has exited: ${who}`;
    const hint = 'Nothing to do: the next run takes it over.';
    return {
      checkUp: judge(name, 'warning', { code: 'lock-left', summary, hint }),
      isAlive: false,
    };
  }
  const isHere = isInSight(info, process.host);
  const where = isHere
    ? 'The process runs on this machine.'
    : 'Whether it still runs cannot be seen from this machine or container.';
  const unlock = isHere
    ? ''
    : ` If you know that it no longer runs: hostwright force-unlock ${info.ID}`;
  const checkUp = judge(name, 'warning', {
    code: 'state-locked',
    summary: `Held: ${who}`,
    detail: `${where} ${beat}`,
    hint: `Wait for it to end: --lock-timeout 10m does that for you.${unlock}`,
  });
  return { checkUp, isAlive: true };
}
