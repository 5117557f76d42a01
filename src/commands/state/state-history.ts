// Former states: listing, showing, and rolling back to one under a new serial.
import { resolve } from 'node:path';
import { DiagnosticError } from '../../model/errors.ts';
import type { Runtime, StateRuntime } from '../../model/runtime.ts';
import type { State } from '../../model/state/state.ts';
import type { StateVersion } from '../../model/state/version.ts';
import type { StateBackend } from '../../state/backends/backend.ts';
import { nameHistoryFile } from '../../state/files/files.ts';
import { readStateHistory } from '../../state/history/history.ts';
import { replaceState } from '../../state/replace-state.ts';
import { decodeSnapshot } from '../../state/snapshot/snapshot.ts';
import {
  createHistoryKeeper,
  openBackend,
  openConfiguredState,
  type OpenedStateBackend,
} from '../session/state/open-backend.ts';
import { explainReplacedState } from '../session/trust/admit-state-place.ts';
import { createCommandRefusal } from '../session/refuse.ts';
import type { Reporter } from '../session/reporter.ts';
import { takeStateLock } from '../session/session.ts';
import { publishedHostwrightVersion } from '../../model/version.ts';

type Notices = Pick<Reporter, 'showDiagnostics'>;

/** The versions of the state of the working directory, the newest first. @throws DiagnosticError where none are kept */
export function listStateHistory(runtime: StateRuntime): Promise<readonly StateVersion[]> {
  return withState(runtime, async (access) => {
    const { backend } = access;
    requireHistory(backend);
    const { serial } = await readCurrent(access);
    return (await readStateHistory(backend.openFiles(), serial)).toReversed();
  });
}

/** The state that had this serial. @throws DiagnosticError where it is not kept */
export function readStateVersion(runtime: StateRuntime, serial: number): Promise<State> {
  return withState(runtime, (access) => findVersion(runtime, access, serial));
}

/** Options of a rollback. */
export interface RollBackStateOptions {
  readonly serial: number;
  readonly lockTimeoutMs: number;
  /** Asked once the former state is found; false leaves everything as it is. */
  readonly confirm: () => Promise<boolean>;
}

/**
 * Makes a former state the state again, under a new serial. Nothing in the account changes.
 * @returns the new serial; undefined where it was not confirmed
 * @throws DiagnosticError where it is not kept, or a create of an interrupted run is not settled
 */
export function rollBackState(
  runtime: StateRuntime,
  { serial, lockTimeoutMs, confirm }: RollBackStateOptions,
  reporter: Notices,
): Promise<number | undefined> {
  const work = async (access: OpenedStateBackend) => {
    const { backend, settings } = access;
    await findVersion(runtime, access, serial);
    if (!(await confirm())) return undefined;
    const operation = 'state rollback';
    const wish = { operation, timeoutMs: lockTimeoutMs, leaseMs: settings.leaseMs };
    const lock = await takeStateLock(runtime, backend, wish, reporter);
    try {
      const before = await readCurrent(access);
      requireSettled(before);
      const former = await findVersion(runtime, access, serial);
      const after = { ...former, serial: before.serial + 1 };
      const history = createHistoryKeeper(runtime, access, operation);
      await replaceState(
        backend,
        { before, after, version: publishedHostwrightVersion, history },
        lock.fence,
      );
      await access.trust.rememberState(after);
      return after.serial;
    } finally {
      await lock.release();
    }
  };
  return withState(runtime, work, reporter);
}

async function withState<T>(
  runtime: StateRuntime,
  work: (access: OpenedStateBackend) => Promise<T>,
  reporter?: Notices,
): Promise<T> {
  const access = await openBackend(runtime, resolve(runtime.cwd), { reporter });
  try {
    return await work(access);
  } finally {
    await access.backend.close();
  }
}

/** Reads the present state, with the serial of a snapshot with all journal records in it. */
async function readCurrent(access: OpenedStateBackend): Promise<State> {
  const store = await openConfiguredState(access, { isReadOnly: true });
  await store.close();
  return { ...store.state, serial: store.snapshotSerial };
}

async function findVersion(
  { allowsOtherState }: Pick<Runtime, 'allowsOtherState'>,
  access: OpenedStateBackend,
  serial: number,
): Promise<State> {
  const { backend } = access;
  requireHistory(backend);
  const current = await readCurrent(access);
  if (serial === current.serial && serial > 0) return current;
  const files = backend.openFiles();
  const name = nameHistoryFile(serial);
  const text = await files.read(name);
  const path = files.pathOf(name);
  if (text !== undefined) {
    const former = decodeSnapshot(text, { snapshot: path, backup: '', journal: '' }).state;
    if (former.lineage === current.lineage || allowsOtherState === true) return former;
    throw explainReplacedState(path, [current.lineage], former.lineage);
  }
  const known = (await readStateHistory(files, current.serial)).map((one) => one.serial);
  throw createCommandRefusal('no-such-version', `No state with the serial ${serial} is kept`, {
    detail:
      known.length === 0
        ? 'There is no state yet.'
        : `The oldest that is kept has the serial ${Math.min(...known)}, the newest ${Math.max(...known)}.`,
    hint: 'See "hostwright state history" for those that are kept.',
  });
}

function requireHistory({ capabilities, place }: StateBackend): void {
  if (capabilities.history) return;
  throw createCommandRefusal('no-history', `No former states are kept by ${place}`, {
    detail: 'Its protocol does not support history.',
    hint: 'Look for versions that the server keeps, or use another backend.',
  });
}

/** Refuses a rollback while a create of a killed run is open: only the present state remembers it. */
function requireSettled({ pending }: State): void {
  const [address] = pending.keys();
  if (address === undefined) return;
  throw new DiagnosticError([
    {
      severity: 'error',
      code: 'not-settled',
      summary: 'The result of a create of an interrupted run is unknown',
      detail: `No former state has ${address}: a rollback would forget what that create made.`,
      hint: 'Apply once, then roll back. To record the result yourself, run "hostwright state resolve".',
    },
  ]);
}
