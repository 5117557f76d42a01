// Place of a configuration's state, and its content. HOSTWRIGHT_STATE overrides the YAML: pipelines set it, so that a pull
// request cannot send the state, or the credentials for it, elsewhere.
import { loadStateSettings, parseStateSettings } from '../../../config/load-state-settings.ts';
import { listEnvironmentSecrets } from '../../../api/transport/token.ts';
import type { Diagnostic } from '../../../model/diagnostic.ts';
import type { Runtime, StateRuntime } from '../../../model/runtime.ts';
import type { State } from '../../../model/state/state.ts';
import type { StateSettings } from '../../../model/state/state-settings.ts';
import type { StateBackend } from '../../../state/backends/backend.ts';
import type { StateHistoryKeeper } from '../../../state/history/save-snapshot.ts';
import { reportBackendSilence } from '../../../state/backends/tell-silence.ts';
import { openBackendOfPlace } from '../../../state/backends/open-place.ts';
import { findRescueDirectory } from '../../../state/rescue/rescue-files.ts';
import { openStateKeyring } from '../../../state/encryption/read-passphrases.ts';
import {
  encryptStateBackend,
  type StateEncryptionKeys,
} from '../../../state/encryption/sealed-files.ts';
import type { StateStoreOptions } from '../../../state/store-options.ts';
import { openStateStore, type StateStore } from '../../../state/store.ts';
import type { Reporter } from '../reporter.ts';
import type { StateServiceBinding } from '../locate-service.ts';
import {
  admitCredentialsToStateLocation,
  type StateLocationSource,
  type StateTrust,
} from '../trust/admit-state-place.ts';

const variable = 'HOSTWRIGHT_STATE';

/** Backend, encryption keys and trust checks of a state, opened for one run. */
export interface OpenedStateBackend extends StateEncryptionKeys {
  readonly backend: StateBackend;
  readonly settings: StateSettings;
  readonly trust: StateTrust;
  /** Directory of a state that a run could not write here; absolute. */
  readonly rescueDirectory: string;
}

/** Options of opening a backend. */
interface OpenOptions {
  /** Settings of the state from the configuration; absent where it was not read. */
  readonly given?: StateSettings | undefined;
  /** Shows warnings of failures that do not stop the use of the state. */
  readonly reporter?: Pick<Reporter, 'showDiagnostics'> | undefined;
  /** Set where a person moves the state to this place, wherever it was. */
  readonly isMoving?: boolean;
}

/**
 * Opens the backend in which a configuration keeps its state, after the checks that its location can be trusted; `directory` is
 * absolute.
 */
export async function openBackend(
  runtime: StateRuntime,
  directory: string,
  { given, reporter, isMoving = false }: OpenOptions = {},
): Promise<OpenedStateBackend> {
  const { settings, source } = await findSettings(runtime, directory, given);
  return openBackendFromSettings(runtime, directory, settings, { source, reporter, isMoving });
}

/** Opens the backend that settings name. @throws DiagnosticError */
export async function openBackendFromSettings(
  runtime: StateRuntime,
  directory: string,
  settings: StateSettings,
  {
    source,
    reporter,
    isMoving = false,
  }: Omit<OpenOptions, 'given'> & { readonly source: StateLocationSource },
): Promise<OpenedStateBackend> {
  const keyring = openStateKeyring(runtime, settings.encryption);
  await keyring?.check();
  const warn = (diagnostic: Diagnostic) => reporter?.showDiagnostics([diagnostic]);
  const place = await openBackendOfPlace(settings.place, {
    ...runtime,
    directory,
    warn,
  });
  const isSealed = keyring !== undefined;
  const trust = await admitCredentialsToStateLocation(runtime, {
    backend: place,
    directory,
    source,
    isSealed,
    isMoving,
    warn,
  }).catch(async (error: unknown) => {
    await place.close();
    throw error;
  });
  const told = place.kind === 'local' ? place : reportBackendSilence(place, runtime.clock, warn);
  const sealing = { keyring, allowsPlain: runtime.allowsPlainState ?? false };
  const rescueDirectory = findRescueDirectory(directory, runtime.rescueDirectory);
  return {
    backend: encryptStateBackend(told, sealing),
    settings,
    trust,
    rescueDirectory,
    ...sealing,
  };
}

/**
 * Opens the state in a backend, and checks that it is the state of earlier runs and no other one in its place.
 * @throws DiagnosticError
 */
export function openConfiguredState(
  { backend, trust }: Pick<OpenedStateBackend, 'backend' | 'trust'>,
  options: StateStoreOptions,
): Promise<StateStore> {
  const admit = (state: State) => trust.admitState(state, options.isReadOnly !== true);
  return openStateStore(backend, { ...options, admit });
}

/** Makes the settings by which a run keeps earlier versions of the state; undefined where the backend keeps none. */
export function createHistoryKeeper(
  { clock, process: { user, host } }: Pick<Runtime, 'clock' | 'process'>,
  { backend, settings: { history } }: OpenedStateBackend,
  operation: string,
): StateHistoryKeeper | undefined {
  if (!backend.capabilities.history) return undefined;
  return {
    limits: history,
    who: `${user}@${host}`,
    operation,
    now: () => clock.now(),
  };
}

async function findSettings(
  runtime: Pick<Runtime, 'allowsOutsideFiles' | 'bounds' | 'cwd' | 'env'>,
  directory: string,
  given: StateSettings | undefined,
): Promise<{ readonly settings: StateSettings; readonly source: StateLocationSource }> {
  const text = runtime.env[variable] ?? '';
  if (text.trim() !== '') {
    const settings = await parseStateSettings(text, variable, runtime.cwd);
    return { settings, source: 'environment' };
  }
  const settings =
    given ??
    (await loadStateSettings({
      directory,
      workingDirectory: runtime.cwd,
      allowsOutsideFiles: runtime.allowsOutsideFiles ?? false,
      fileBytes: runtime.bounds?.fileBytes,
      secrets: await listEnvironmentSecrets(runtime),
    }));
  return { settings, source: 'configuration' };
}

/** A state, with the trust questions that are asked before its service is connected to. */
export interface StateWithTrust extends State, StateServiceBinding {}

/** A state that was read without taking its lock, so that another run may change it meanwhile. */
export interface UnlockedStateReading {
  readonly state: StateWithTrust;
  /** Serial number of the state with all records of the journal included. */
  readonly serial: number;
  readonly diagnostics: readonly Diagnostic[];
}

/**
 * Reads the state of a configuration, journal records included. Nothing is locked or changed. `given` are the configuration's
 * settings, where it was read.
 */
export async function readConfiguredState(
  runtime: StateRuntime,
  directory: string,
  given?: StateSettings,
): Promise<UnlockedStateReading> {
  const access = await openBackend(runtime, directory, { given });
  const { backend, trust } = access;
  try {
    const store = await openConfiguredState(access, { isReadOnly: true });
    await store.close();
    const { state, snapshotSerial: serial, diagnostics } = store;
    return { state: { ...state, trust }, serial, diagnostics };
  } finally {
    await backend.close();
  }
}

/**
 * Reads the state for shell completion and the like, which must not wait; undefined where the state is not on this machine, or a
 * command has to be run for its key.
 */
export async function readLocalState(
  runtime: StateRuntime,
  directory: string,
  given: StateSettings,
): Promise<StateWithTrust | undefined> {
  const { settings } = await findSettings(runtime, directory, given);
  const isNear = (settings.place?.kind ?? 'local') === 'local' && settings.encryption !== 'command';
  return isNear ? (await readConfiguredState(runtime, directory, given)).state : undefined;
}
