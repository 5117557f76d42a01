// Commands: one file each, a straight recipe that reads like what it does. They put the rooms together and decide
// nothing that a room could decide. They never write to a stream: a reporter shows, main.ts exits.
import { existsSync } from 'node:fs';
import { relative, resolve } from 'node:path';
import type { Configuration } from '../config/load-configuration.ts';
import { DiagnosticError } from '../model/errors.ts';
import { hasErrors } from '../model/diagnostic.ts';
import type { Runtime } from '../model/runtime.ts';
import type { VmVerb } from '../model/vm-work.ts';
import { acquireLock, type Lock } from '../state/lock.ts';
import { openState, type StateStore } from '../state/store.ts';
import { connect, type Connection } from './connect.ts';
import type { Reporter } from './reporter.ts';
import { validate } from './validate.ts';
import { version } from './version.ts';

/** What every command that works on a configuration takes. */
export interface SessionOptions {
  /** As given on the command line, relative to the working directory. */
  readonly directory: string;
  /** How long to wait for the lock of the state. */
  readonly lockTimeoutMs: number;
}

/** An open configuration with its state and its service. */
export interface Session {
  readonly configuration: Configuration;
  /** Absolute. */
  readonly directory: string;
  readonly store: StateStore;
  readonly connection: Connection;
  /** How long a run that was killed had been silent when its lock was taken over; undefined when none was. */
  readonly silentForMs: number | undefined;
  close(): Promise<void>;
}

/** What the session is for: reading needs no lock where nobody has ever applied. */
export interface SessionPurpose {
  readonly operation: 'plan' | 'apply' | 'destroy' | 'import' | 'state resolve' | 'limits' | `vm ${VmVerb}`;
  readonly isReadOnly: boolean;
}

/**
 * Reads and checks the configuration alone. Warnings are reported. `saved` is what its variables were set to when a
 * plan was made. @throws DiagnosticError with every fault
 */
export async function readConfiguration(
  runtime: Runtime,
  directory: string,
  reporter: Pick<Reporter, 'showDiagnostics'>,
  saved?: Configuration['variables'],
): Promise<Configuration> {
  const { configuration, diagnostics } = await validate(runtime, directory, saved);
  if (!configuration || hasErrors(diagnostics)) throw new DiagnosticError(diagnostics);
  reporter.showDiagnostics(diagnostics);
  return configuration;
}

/**
 * Opens everything that a plan is made of, in an order in which a failure leaves nothing behind. `given` is the
 * configuration of a saved plan; it is read from the directory unless given.
 */
export async function openSession(
  runtime: Runtime,
  { directory, lockTimeoutMs }: SessionOptions,
  { operation, isReadOnly }: SessionPurpose,
  reporter: Pick<Reporter, 'showDiagnostics'>,
  given?: Configuration,
): Promise<Session> {
  const absolute = resolve(runtime.cwd, directory);
  const configuration = given ?? (await readConfiguration(runtime, directory, reporter));
  const opened: (() => unknown)[] = [];
  let silentForMs: number | undefined;
  const close = async () => {
    for (const undo of opened.reverse()) await undo();
  };
  try {
    if (!isReadOnly || existsSync(resolve(absolute, '.hostwright'))) {
      const lock = await takeLock(runtime, absolute, operation, lockTimeoutMs, reporter);
      silentForMs =
        lock.takenOverFrom === undefined
          ? undefined
          : Math.max(0, runtime.clock.now() - lock.takenOverFrom);
      // A directory that has become read-only keeps the lock: the next run sees that its holder is gone.
      opened.push(() => lock.release().catch(() => undefined));
    }
    const store = await openState(absolute, { isReadOnly, version });
    opened.push(() => store.close());
    reporter.showDiagnostics(store.diagnostics);
    const connection = await connect(runtime, configuration, reporter);
    opened.push(() => connection.close());
    return { configuration, directory: absolute, store, connection, silentForMs, close };
  } catch (error) {
    await close();
    throw error;
  }
}

/** Takes the lock of a state, and says so while it has to wait. */
export async function takeLock(
  runtime: Runtime,
  directory: string,
  operation: string,
  timeoutMs: number,
  reporter: Pick<Reporter, 'showDiagnostics'>,
): Promise<Lock> {
  const lock = await acquireLock(
    directory,
    { operation, version, process: runtime.process },
    {
      clock: runtime.clock,
      timeoutMs,
      signal: runtime.interrupted,
      onWait: ({ Who, Operation }) =>
        reporter.showDiagnostics([
          {
            severity: 'note',
            code: 'waiting-for-lock',
            summary: `Waiting for the lock of the state, held by ${Who} (${Operation})`,
          },
        ]),
    },
  );
  reporter.showDiagnostics(lock.diagnostics);
  return lock;
}

/** A path as the user would write it from the working directory. */
export function relativeTo(runtime: Runtime, path: string): string {
  return relative(runtime.cwd, path) || '.';
}
