import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { DiagnosticError } from '../../model/errors.ts';
import type { Runtime, StateRuntime } from '../../model/runtime.ts';
import type { State } from '../../model/state/state.ts';
import { replaceState } from '../../state/replace-state.ts';
import { decodeSnapshot, encodeSnapshot } from '../../state/snapshot/snapshot.ts';
import {
  createHistoryKeeper,
  openBackend,
  openConfiguredState,
  type OpenedStateBackend,
} from '../session/state/open-backend.ts';
import { createCommandRefusal } from '../session/refuse.ts';
import type { Reporter } from '../session/reporter.ts';
import { takeStateLock } from '../session/session.ts';
import { publishedHostwrightVersion } from '../../model/version.ts';

/** Options of `state push`. */
export interface PushStateOptions {
  /** Path of a file that `state pull` printed; `-` for standard input. */
  readonly path: string;
  /** True to overwrite a newer state or one of another history (`--force`). */
  readonly isForced: boolean;
  readonly lockTimeoutMs: number;
}

/** Result of a push: the serial of the state, and whether it changed. */
export interface StatePushResult {
  readonly serial: number;
  readonly isChanged: boolean;
}

/** Replaces the state of the working directory. @throws DiagnosticError when the pushed one is another or an older one */
export async function pushState(
  runtime: StateRuntime & Pick<Runtime, 'readInput'>,
  { path, isForced, lockTimeoutMs }: PushStateOptions,
  reporter: Pick<Reporter, 'showDiagnostics'>,
): Promise<StatePushResult> {
  const pushed = await readPushed(runtime, path);
  const access = await openBackend(runtime, resolve(runtime.cwd), { reporter });
  const { backend, settings } = access;
  const operation = 'state push';
  const wish = { operation, timeoutMs: lockTimeoutMs, leaseMs: settings.leaseMs };
  const lock = await takeStateLock(runtime, backend, wish, reporter);
  try {
    const before = await readCurrent(access, reporter);
    const { serial } = before;
    if (isAlike(before, pushed)) return { serial, isChanged: false };
    if (!isForced) requireNewer(before, pushed);
    // The serial grows with every change: plans that were made on the replaced state are then stale.
    const after = { ...pushed, serial: Math.max(pushed.serial, serial + 1) };
    const history = createHistoryKeeper(runtime, access, operation);
    await replaceState(
      backend,
      { before, after, version: publishedHostwrightVersion, history },
      lock.fence,
    );
    await access.trust.rememberState(after);
    return { serial: after.serial, isChanged: true };
  } finally {
    await lock.release();
    await backend.close();
  }
}

async function readPushed(
  runtime: Pick<Runtime, 'cwd' | 'readInput'>,
  path: string,
): Promise<State> {
  let text;
  try {
    text = await (path === '-'
      ? runtime.readInput()
      : readFile(resolve(runtime.cwd, path), 'utf8'));
  } catch (error) {
    throw createCommandRefusal('file-unreadable', `The state to push cannot be read: ${path}`, {
      detail: `${error instanceof Error ? error.message : String(error)}.`,
      hint: 'Give a file that "hostwright state pull" printed, or - for standard input.',
    });
  }
  try {
    return decodeSnapshot(text, { snapshot: path, backup: '', journal: '' }).state;
  } catch (error) {
    if (!(error instanceof DiagnosticError)) throw error;
    const [first] = error.diagnostics;
    if (!first || first.code === 'state-newer') throw error;
    throw createCommandRefusal('not-a-state', `This is not a state: ${path}`, {
      ...(first.detail !== undefined && { detail: first.detail }),
      hint: 'Give a file that "hostwright state pull" printed.',
    });
  }
}

async function readCurrent(
  access: OpenedStateBackend,
  reporter: Pick<Reporter, 'showDiagnostics'>,
): Promise<State> {
  const store = await openConfiguredState(access, { isReadOnly: true });
  try {
    reporter.showDiagnostics(store.diagnostics.filter(({ severity }) => severity !== 'note'));
    return { ...store.state, serial: store.snapshotSerial };
  } finally {
    await store.close();
  }
}

/** Tells whether two states have the same content, so that nothing needs to be written. */
function isAlike(before: State, after: State): boolean {
  return encodeSnapshot(before) === encodeSnapshot(after);
}

function requireNewer(before: State, after: State): void {
  const isEmpty = before.serial === 0 && before.resources.size + before.pending.size === 0;
  if (isEmpty) return;
  const hint =
    'Look at both ("hostwright state pull" prints the current one). --force pushes it anyway.';
  if (before.lineage !== after.lineage) {
    throw createCommandRefusal(
      'state-other-lineage',
      'This is the state of another configuration',
      {
        detail: `Its lineage is ${after.lineage}, the current one has ${before.lineage}.`,
        hint,
      },
    );
  }
  if (after.serial > before.serial) return;
  throw createCommandRefusal('state-older', 'The current state is as new or newer', {
    detail: `Its serial is ${before.serial}, that of the one to push is ${after.serial}: what was recorded since would be lost.`,
    hint,
  });
}
