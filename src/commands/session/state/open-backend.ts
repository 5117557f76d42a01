// Where the state of a configuration is, and what it says. HOSTWRIGHT_STATE goes over the YAML: the pipelines set it, so
// that a pull request cannot send the state, or the credentials for it, elsewhere.
import { loadStateSettings, parseStateSettings } from '../../../config/load-state-settings.ts';
import { listKnownTokens } from '../../../api/transport/token.ts';
import type { Diagnostic } from '../../../model/diagnostic.ts';
import type { Runtime, StateRuntime } from '../../../model/runtime.ts';
import type { State } from '../../../model/state/state.ts';
import type { StateSettings } from '../../../model/state/state-settings.ts';
import type { StateBackend } from '../../../state/backends/backend.ts';
import type { HistoryKeeper } from '../../../state/history/save-snapshot.ts';
import { tellSilence } from '../../../state/backends/tell-silence.ts';
import { openPlace } from '../../../state/backends/open-place.ts';
import { openKeyring } from '../../../state/encryption/read-passphrases.ts';
import { sealBackend, type SealingKeys } from '../../../state/encryption/sealed-files.ts';
import type { StoreOptions } from '../../../state/store-options.ts';
import { openState, type StateStore } from '../../../state/store.ts';
import type { Reporter } from '../reporter.ts';
import type { ServiceBinding } from '../locate-service.ts';
import { trustPlace, type PlaceSource, type StateTrust } from '../trust/trust-place.ts';

const variable = 'HOSTWRIGHT_STATE';

/** Where a state is, open for one run. */
export interface StateAccess extends SealingKeys {
  readonly backend: StateBackend;
  readonly settings: StateSettings;
  readonly trust: StateTrust;
}

/** What opening a state may be given. */
interface OpenOptions {
  /** What the configuration says, where it was read. */
  readonly given?: StateSettings | undefined;
  /** Shown what goes wrong without any harm while the state is used. */
  readonly reporter?: Pick<Reporter, 'showDiagnostics'> | undefined;
  /** A person has asked to move the state there, wherever it was. */
  readonly isMoving?: boolean;
}

/**
 * Opens the place of the state of a configuration; `directory` is absolute.
 * @throws DiagnosticError when that cannot be read, or is of no use
 */
export async function openBackend(
  runtime: StateRuntime,
  directory: string,
  { given, reporter, isMoving = false }: OpenOptions = {},
): Promise<StateAccess> {
  const { settings, source } = await findSettings(runtime, directory, given);
  return openSettings(runtime, directory, settings, { source, reporter, isMoving });
}

/** Opens the place that these settings name. @throws DiagnosticError */
export async function openSettings(
  runtime: StateRuntime,
  directory: string,
  settings: StateSettings,
  {
    source,
    reporter,
    isMoving = false,
  }: Omit<OpenOptions, 'given'> & { readonly source: PlaceSource },
): Promise<StateAccess> {
  const keyring = openKeyring(runtime, settings.encryption);
  await keyring?.check();
  const warn = (diagnostic: Diagnostic) => reporter?.showDiagnostics([diagnostic]);
  const place = await openPlace(settings.place, {
    ...runtime,
    ...{ directory, warn },
  });
  const isSealed = keyring !== undefined;
  const trust = await trustPlace(runtime, {
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
  const told = place.kind === 'local' ? place : tellSilence(place, runtime.clock, warn);
  const sealing = { keyring, allowsPlain: runtime.allowsPlainState ?? false };
  return { backend: sealBackend(told, sealing), settings, trust, ...sealing };
}

/** Opens the state that is there, once it is certain that it is the one which was there. @throws DiagnosticError */
export function openStateOf(
  { backend, trust }: Pick<StateAccess, 'backend' | 'trust'>,
  options: StoreOptions,
): Promise<StateStore> {
  const admit = (state: State) => trust.admitState(state, options.isReadOnly !== true);
  return openState(backend, { ...options, admit });
}

/** How a run keeps the history of a state; undefined where its backend cannot. */
export function keepHistory(
  { clock, process: { user, host } }: Pick<Runtime, 'clock' | 'process'>,
  { backend, settings: { history } }: StateAccess,
  operation: string,
): HistoryKeeper | undefined {
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
): Promise<{ readonly settings: StateSettings; readonly source: PlaceSource }> {
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
      secrets: await listKnownTokens(runtime),
    }));
  return { settings, source: 'configuration' };
}

/** A state, and what is asked before its service is. */
export interface KnownState extends State, ServiceBinding {}

/** A state as it was found. */
export interface FoundState {
  readonly state: KnownState;
  /** That of a snapshot that holds all of it. */
  readonly serial: number;
  readonly diagnostics: readonly Diagnostic[];
}

/**
 * Reads the state of a configuration, with what the journal has on top. Nothing is locked or changed. `given` is what the
 * configuration says of it, where it was read.
 */
export async function readStateOf(
  runtime: StateRuntime,
  directory: string,
  given?: StateSettings,
): Promise<FoundState> {
  const access = await openBackend(runtime, directory, { given });
  const { backend, trust } = access;
  try {
    const store = await openStateOf(access, { isReadOnly: true });
    await store.close();
    const { state, snapshotSerial: serial, diagnostics } = store;
    return { state: { ...state, trust }, serial, diagnostics };
  } finally {
    await backend.close();
  }
}

/** The same for whoever must not wait; undefined where the state is not on this machine, or a command has its key. */
export async function readNearState(
  runtime: StateRuntime,
  directory: string,
  given: StateSettings,
): Promise<KnownState | undefined> {
  const { settings } = await findSettings(runtime, directory, given);
  const isNear = (settings.place?.kind ?? 'local') === 'local' && settings.encryption !== 'command';
  return isNear ? (await readStateOf(runtime, directory, given)).state : undefined;
}
