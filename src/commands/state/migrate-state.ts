// The state of the working directory moves to another place.
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { readStateSettingsFile } from '../../config/load-state-settings.ts';
import type { Runtime, StateRuntime } from '../../model/runtime.ts';
import type { StateSettings } from '../../model/state/state-settings.ts';
import { stateDirectoryName } from '../../state/files/files.ts';
import type { StateLock } from '../../state/lock/lock.ts';
import { migrateState, type StateMigrationResult } from '../../state/moved/migrate.ts';
import { readStateMigrationMarker } from '../../state/moved/marker.ts';
import {
  createHistoryKeeper,
  openBackend,
  openBackendFromSettings,
  openConfiguredState,
  type OpenedStateBackend,
} from '../session/state/open-backend.ts';
import { createCommandRefusal } from '../session/refuse.ts';
import type { Reporter } from '../session/reporter.ts';
import { takeStateLock } from '../session/session.ts';
import { publishedHostwrightVersion } from '../../model/version.ts';

type Notices = Pick<Reporter, 'showDiagnostics'>;

/** A finished move of a state from one place to another. */
export interface StateMigration extends StateMigrationResult {
  readonly from: string;
  readonly to: string;
}

/** Options of `state migrate`. */
export interface MigrateStateOptions {
  /** Path of a file with the `state` block of the new location, relative to the working directory. */
  readonly to: string;
  readonly lockTimeoutMs: number;
}

/** Moves the state to the place that a file names. @throws DiagnosticError */
export async function migrateStateTo(
  runtime: StateRuntime,
  { to, lockTimeoutMs }: MigrateStateOptions,
  reporter: Notices,
): Promise<StateMigration> {
  const directory = resolve(runtime.cwd);
  const settings = await readStateSettingsFile(to, '--to', runtime.cwd);
  const from = await openBackend(runtime, directory, { reporter });
  // Both places are trusted from here on, whichever the configuration names.
  await from.trust.rememberPlace();
  const target = await openBackendFromSettings(runtime, directory, settings, {
    source: 'person',
    reporter,
  });
  return migrate(runtime, from, target, lockTimeoutMs, reporter);
}

/** Moves the state beside a configuration to the location that the configuration names now. @throws DiagnosticError */
export async function migrateStateHere(
  runtime: StateRuntime,
  directory: string,
  reporter: Notices,
): Promise<StateMigration> {
  const absolute = resolve(runtime.cwd, directory);
  const to = await openBackend(runtime, absolute, { reporter, isMoving: true });
  const folder = resolve(absolute, stateDirectoryName);
  if (to.backend.place === folder || !existsSync(folder)) {
    await to.backend.close();
    throw createCommandRefusal('nothing-to-migrate', 'There is no state to migrate', {
      detail: `"init --migrate-state" moves the state in ${stateDirectoryName} to the place that \`state\` names.`,
      hint: 'To move it from or to another place, use "hostwright state migrate --to FILE".',
    });
  }
  const local: StateSettings = { ...to.settings, place: { kind: 'local' }, source: undefined };
  const from = await openBackendFromSettings(runtime, absolute, local, {
    source: 'person',
    reporter,
  });
  return migrate(runtime, from, to, 0, reporter);
}

async function migrate(
  runtime: Pick<Runtime, 'clock' | 'interrupted' | 'process'>,
  from: OpenedStateBackend,
  to: OpenedStateBackend,
  timeoutMs: number,
  reporter: Notices,
): Promise<StateMigration> {
  const opened: (() => Promise<unknown>)[] = [() => from.backend.close(), () => to.backend.close()];
  const operation = 'state migrate';
  const lockOf = async (
    { backend, settings: { leaseMs } }: OpenedStateBackend,
    before?: StateLock,
  ): Promise<StateLock> => {
    const wish = { operation, timeoutMs, leaseMs };
    const lock = await takeStateLock(runtime, backend, wish, reporter, before);
    opened.push(() => lock.release());
    return lock;
  };
  try {
    await requireState(from, to);
    const source = await lockOf(from);
    const { fence } = source;
    const target = await lockOf(to, source);
    const { user, host } = runtime.process;
    const migrated = await migrateState({
      from: { backend: from.backend, fence },
      to: { backend: to.backend, fence: target.fence },
      who: `${user}@${host}`,
      now: runtime.clock.now(),
      async fold() {
        const history = createHistoryKeeper(runtime, from, operation);
        const store = await openConfiguredState(from, {
          version: publishedHostwrightVersion,
          fence,
          history,
        });
        await store.compact();
        await store.close();
      },
    });
    return { ...migrated, from: from.backend.place, to: to.backend.place };
  } finally {
    for (const close of opened.reverse()) await close();
  }
}

/** Refuses a source without a state before locking it: a lock would make it appear as if there were one. */
async function requireState(from: OpenedStateBackend, to: OpenedStateBackend): Promise<void> {
  const { backend } = from;
  if (backend.place === to.backend.place) {
    throw createCommandRefusal('same-place', `The state is there already: ${backend.place}`, {
      hint: 'Give a file that names another place.',
    });
  }
  if (await readStateMigrationMarker(backend.openFiles())) return;
  const store = await openConfiguredState(from, { isReadOnly: true });
  await store.close();
  const { serial, resources, pending } = store.state;
  if (serial > 0 || resources.size + pending.size > 0) return;
  throw createCommandRefusal('no-state', `There is no state: ${backend.place}`, {
    hint: 'Apply to create it, in the place that the configuration names.',
  });
}
