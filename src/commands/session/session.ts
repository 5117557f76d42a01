// Commands: one file each, a straight recipe that reads like what it does. They put the rooms together and decide
// nothing that a room could decide. They never write to a stream: a reporter shows, main.ts exits.
import { existsSync } from 'node:fs';
import { relative, resolve } from 'node:path';
import type { Configuration } from '../../config/load-configuration.ts';
import type { VmOperationVerb } from '../../model/account/vm-work.ts';
import type { ResourceAddress } from '../../model/address.ts';
import { hasErrors, type Diagnostic } from '../../model/diagnostic.ts';
import { DiagnosticError, toError } from '../../model/errors.ts';
import type { PlanMode } from '../../model/plan/plan.ts';
import type { ReadingRuntime, Runtime, SessionRuntime } from '../../model/runtime.ts';
import { publishedHostwrightVersion } from '../../model/version.ts';
import { formatElapsed } from '../../render/format/elapsed.ts';
import type { StateBackend } from '../../state/backends/backend.ts';
import type { EncryptionKeyring } from '../../state/encryption/keyring.ts';
import { readRunProgress } from '../../state/journal/read-progress.ts';
import type { LockLostError } from '../../state/lock/fence.ts';
import { createLockedError, warnOfLockHolder } from '../../state/lock/lock-faults.ts';
import { isSameProcess } from '../../state/lock/lock-holder.ts';
import type { LockInfo } from '../../state/lock/lock-info.ts';
import { acquireLock, findLockHolderAfterWait, type StateLock } from '../../state/lock/lock.ts';
import type { LockWaitOptions } from '../../state/lock/watch-holder.ts';
import type { StateStore } from '../../state/store.ts';
import { connectToService, type ServiceConnection } from './connect.ts';
import type { Reporter } from './reporter.ts';
import {
  createHistoryKeeper,
  openBackend,
  openConfiguredState,
  type OpenedStateBackend,
} from './state/open-backend.ts';
import {
  createStateRescueOpener,
  rescueStateAfterRollback,
  uploadOrReportRescuedState,
} from './state/rescue.ts';
import { explainUnmigratedState } from './trust/find-state-elsewhere.ts';
import { validate, type ValidateOptions } from './validate.ts';

/** Options of every command that works on a configuration. */
export interface ConfigurationSessionOptions {
  /** As given on the command line, relative to the working directory. */
  readonly directory: string;
  /** Milliseconds to wait for the lock of the state at most. */
  readonly lockTimeoutMs: number;
  /** Resources whose values are traced to their origins; none unless given. */
  readonly traced?: readonly ResourceAddress[] | undefined;
  /** Kind of plan that the session is opened for, such as a destroy; absent for other sessions. */
  readonly mode?: PlanMode | undefined;
}

/** An open configuration with its state, its lock where one is needed, and a connection to its service. */
export interface ConfigurationSession {
  readonly configuration: Configuration;
  /** Absolute path of the configuration's directory. */
  readonly directory: string;
  /** Backend that stores the configuration's state. */
  readonly backend: StateBackend;
  /** Directory in which the next run looks for a rescued state; absolute. */
  readonly rescueDirectory: string;
  /** Encryption keys of the state and of saved plans; undefined where they are not encrypted. */
  readonly keyring: EncryptionKeyring | undefined;
  readonly store: StateStore;
  readonly connection: ServiceConnection;
  /**
   * Shortest time for which the run whose lock was taken over had sent nothing; milliseconds. Undefined when the lock was
   * free, or none was taken.
   */
  readonly silentForMs: number | undefined;
  /** @throws DiagnosticError `state-set-back` where the state went back to an earlier moment; what the run knows is saved */
  close(): Promise<void>;
}

/** Purpose of a session, which decides whether the state is locked, and against what. */
export type SessionLockPurpose =
  /** Takes no lock and writes nothing. `isRefusedInUse`: another run must not hold the lock; else that is a warning. */
  | { readonly operation: 'plan'; readonly access: 'read'; readonly isRefusedInUse: boolean }
  /** Prevents changes of the account by other runs meanwhile; before the first apply there can be none, and no lock. */
  | {
      readonly operation: `vm ${VmOperationVerb}`;
      readonly access: 'lock';
      /** Set where the command writes to the state, such as a note that a VM is out of service. */
      readonly writes: boolean;
    }
  | {
      readonly operation: 'apply' | 'destroy' | 'import' | 'state resolve';
      readonly access: 'write';
    };

/**
 * Reads and checks the configuration alone. Warnings are reported. @throws DiagnosticError with every fault
 */
export async function readConfiguration(
  runtime: ReadingRuntime,
  directory: string,
  reporter: Pick<Reporter, 'showDiagnostics'>,
  { saved, traced, mode, isEnvironmentOptional = false }: Omit<ValidateOptions, 'areOptional'> = {},
): Promise<Configuration> {
  const { configuration, diagnostics } = await validate(runtime, directory, {
    ...(saved && { saved }),
    traced,
    mode,
    isEnvironmentOptional,
  });
  if (!configuration || hasErrors(diagnostics)) throw new DiagnosticError(diagnostics);
  reporter.showDiagnostics(diagnostics);
  return configuration;
}

/**
 * Opens everything that a plan is made of, in an order in which a failure leaves nothing behind. `given` is the
 * configuration of a saved plan; it is read from the directory unless given.
 */
export async function openConfigurationSession(
  runtime: SessionRuntime,
  { directory, lockTimeoutMs, traced, mode }: ConfigurationSessionOptions,
  purpose: SessionLockPurpose,
  reporter: Pick<Reporter, 'showDiagnostics'>,
  given?: Configuration,
): Promise<ConfigurationSession> {
  const absolute = resolve(runtime.cwd, directory);
  const configuration =
    given ?? (await readConfiguration(runtime, directory, reporter, { traced, mode }));
  const opened: (() => unknown)[] = [];
  const close = async () => {
    const failures: unknown[] = [];
    // Everything that was opened is closed, even where closing one of them fails.
    for (const undo of opened.reverse()) {
      await Promise.resolve()
        .then(undo)
        .catch((error: unknown) => failures.push(error));
    }
    if (failures.length > 0) throw toError(failures[0]);
  };
  try {
    const access = await openBackend(runtime, absolute, { given: configuration.state, reporter });
    const { backend, keyring, rescueDirectory } = access;
    opened.push(() => backend.close());
    const where = { access, directory: absolute, lockTimeoutMs };
    const { store, silentForMs } = await openLocked(runtime, where, purpose, reporter, opened);
    const beforeChange = () => store.requireLock();
    const binding = { ...store.state, trust: access.trust };
    const connection = await connectToService(runtime, configuration, binding, reporter, {
      beforeChange,
    });
    opened.push(() => connection.close());
    return {
      configuration,
      directory: absolute,
      backend,
      rescueDirectory,
      keyring,
      store,
      connection,
      silentForMs,
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

/**
 * Opens the state under the lock that its purpose needs, after uploading a rescued state of an earlier run. Functions that
 * close both are added to `opened`.
 */
async function openLocked(
  runtime: Pick<Runtime, 'clock' | 'interrupted' | 'process'>,
  {
    access,
    directory,
    lockTimeoutMs,
  }: ConfigurationSessionOptions & { readonly access: OpenedStateBackend },
  purpose: SessionLockPurpose,
  reporter: Pick<Reporter, 'showDiagnostics'>,
  opened: (() => unknown)[],
): Promise<Pick<ConfigurationSession, 'store' | 'silentForMs'>> {
  const { backend, settings, rescueDirectory } = access;
  const { operation } = purpose;
  const wish = { operation, timeoutMs: lockTimeoutMs, leaseMs: settings.leaseMs };
  let lock: StateLock | undefined;
  const open: { store?: StateStore } = {};
  let isInUse = false;
  if (purpose.access === 'read') {
    isInUse = await noteUse(runtime, backend, { ...wish, ...purpose }, reporter);
  } else if (purpose.access === 'write' || mayHaveState(backend)) {
    const held = await takeStateLock(runtime, backend, wish, reporter);
    lock = held;
    opened.push(async () => {
      const failure = await held.release().catch(toError);
      const { store } = open;
      const setBack =
        store && (await rescueStateAfterRollback({ store, backend, rescueDirectory }));
      if (setBack) throw setBack;
      if (failure) throw failure;
    });
  }
  const isReadOnly =
    purpose.access !== 'write' && !(purpose.access === 'lock' && purpose.writes && lock);
  const rescue = { operation, lock: isReadOnly ? undefined : lock };
  await uploadOrReportRescuedState(runtime, access, rescue, reporter);
  const store = await openConfiguredState(access, {
    isReadOnly,
    version: publishedHostwrightVersion,
    openRescue: createStateRescueOpener(access),
    history: createHistoryKeeper(runtime, access, operation),
    ...(lock && { fence: lock.fence }),
  });
  open.store = store;
  opened.push(() => store.close());
  const elsewhere = await explainUnmigratedState(backend, directory, store.state);
  if (elsewhere) throw elsewhere;
  // While a run is under way, its records belong in the journal.
  const isNews = ({ severity }: Diagnostic) => !isInUse || severity !== 'note';
  reporter.showDiagnostics(store.diagnostics.filter(isNews));
  return { store, silentForMs: lock?.silentForMs };
}

/** Tells whether there may be a state; a local one needs its file. */
function mayHaveState({ kind, place }: StateBackend): boolean {
  return kind !== 'local' || existsSync(place);
}

/** A request for the lock of a state. */
export interface StateLockRequest {
  readonly operation: string;
  /** Milliseconds to wait for the lock of the state at most. */
  readonly timeoutMs: number;
  /** For how long the run may be silent before its lock is taken over; the default unless given. */
  readonly leaseMs?: number | undefined;
}

/**
 * Takes the lock of a state, and says so while it has to wait, and when it is lost. `before` is another lock that this run has
 * taken: a process that left both is reported once.
 */
export async function takeStateLock(
  runtime: Pick<Runtime, 'clock' | 'interrupted' | 'process'>,
  backend: StateBackend,
  { operation, timeoutMs, leaseMs }: StateLockRequest,
  reporter: Pick<Reporter, 'showDiagnostics'>,
  before?: StateLock,
): Promise<StateLock> {
  const lock = await acquireLock(
    backend.lock,
    { operation, version: publishedHostwrightVersion, process: runtime.process, leaseMs },
    {
      ...makeLockWaitOptions(runtime, backend, timeoutMs, reporter),
      onLost: (lost) => reporter.showDiagnostics([warnOfLoss(lost)]),
      onUnreleased: (warning) => reporter.showDiagnostics([warning]),
    },
  );
  const isTold = lock.from && before?.from && isSameProcess(lock.from, before.from);
  if (!isTold) reporter.showDiagnostics(lock.diagnostics);
  return lock;
}

/**
 * Reports the holder of the lock; true where a run may be changing the state that is read. @throws DiagnosticError
 * `state-locked` where the lock must be free
 */
async function noteUse(
  runtime: Pick<Runtime, 'clock' | 'interrupted' | 'process'>,
  backend: StateBackend,
  { timeoutMs, isRefusedInUse }: StateLockRequest & { readonly isRefusedInUse: boolean },
  reporter: Pick<Reporter, 'showDiagnostics'>,
): Promise<boolean> {
  const { host } = runtime.process;
  const options = makeLockWaitOptions(runtime, backend, timeoutMs, reporter);
  const found = await findLockHolderAfterWait(backend.lock, host, {
    ...options,
    isThorough: isRefusedInUse,
  });
  if (!found) return false;
  if (isRefusedInUse) throw createLockedError(found, host);
  const { info } = found.by;
  reporter.showDiagnostics([warnOfLockHolder(info)]);
  return !info.Kept;
}

/** The warning right after the loss of the lock; the end of the run is reported at its end. */
function warnOfLoss({ diagnostics: [diagnostic] }: LockLostError): Diagnostic {
  const { summary = '', code = '' } = diagnostic ?? {};
  return {
    severity: 'warning',
    code,
    summary,
    detail: 'This run starts nothing new, and waits for the changes that run.',
  };
}

/** A path as the user would write it from the working directory. */
export function formatRelativePath(runtime: Pick<Runtime, 'cwd'>, path: string): string {
  return relative(runtime.cwd, path) || '.';
}

/** Options of waiting for a lock, with reports of its holder and of that run's progress. */
function makeLockWaitOptions(
  { clock, interrupted, process: { run } }: Pick<Runtime, 'clock' | 'interrupted' | 'process'>,
  backend: StateBackend,
  timeoutMs: number,
  reporter: Pick<Reporter, 'showDiagnostics'>,
): LockWaitOptions {
  const say = (words: string) => reporter.showDiagnostics([note(words)]);
  const nameOf = ({ Who, Operation }: LockInfo) => `${Who} (${Operation})`;
  return {
    clock,
    timeoutMs,
    run,
    signal: interrupted,
    onWait: (holder) =>
      say(
        `Waiting for the lock of the state, held by ${nameOf(holder)}, for ${formatElapsed(timeoutMs)} at most`,
      ),
    async onStillWaiting(holder) {
      const files = backend.openFiles();
      const progress = await readRunProgress(files);
      await files.close();
      const far = progress && `: ${progress.finished} finished, ${progress.underWay} under way`;
      say(`Still waiting for the lock, held by ${nameOf(holder)}${far ?? ''}`);
    },
  };
}

function note(summary: string): Diagnostic {
  return { severity: 'note', code: 'waiting-for-lock', summary };
}
