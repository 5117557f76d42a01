// Where the state of a configuration is, and what it says. HOSTWRIGHT_STATE goes over the YAML: the pipelines set it, so
// that a pull request cannot send the state, or the credentials for it, elsewhere.
import { loadStateSettings, parseStateSettings } from '../../../config/load-state-settings.ts';
import { listKnownTokens } from '../../../api/transport/token.ts';
import type { Diagnostic } from '../../../model/diagnostic.ts';
import type { Runtime } from '../../../model/runtime.ts';
import type { State } from '../../../model/state/state.ts';
import type { StateSettings } from '../../../model/state/state-settings.ts';
import type { StateBackend } from '../../../state/backends/backend.ts';
import type { HistoryKeeper } from '../../../state/history/save-snapshot.ts';
import { tellSilence } from '../../../state/backends/tell-silence.ts';
import { openPlace } from '../../../state/backends/open-place.ts';
import { openKeyring } from '../../../state/encryption/read-passphrases.ts';
import { sealBackend, type Sealing } from '../../../state/encryption/sealed-files.ts';
import { openState } from '../../../state/store.ts';
import type { Reporter } from '../reporter.ts';
import { admitAddresses, type AddressSource } from './admit-addresses.ts';

const variable = 'HOSTWRIGHT_STATE';

/** Where a state is, open for one run. */
export interface StateAccess extends Sealing {
  readonly backend: StateBackend;
  readonly settings: StateSettings;
}

/** What opening a state may be given. */
interface OpenOptions {
  /** What the configuration says, where it was read. */
  readonly given?: StateSettings | undefined;
  /** Shown what goes wrong without any harm while the state is used. */
  readonly reporter?: Pick<Reporter, 'showDiagnostics'> | undefined;
}

/**
 * Opens the place of the state of a configuration; `directory` is absolute.
 * @throws DiagnosticError when that cannot be read, or is of no use
 */
export async function openBackend(
  runtime: Runtime,
  directory: string,
  { given, reporter }: OpenOptions = {},
): Promise<StateAccess> {
  const { settings, source } = await findSettings(runtime, directory, given);
  return openSettings(runtime, directory, settings, { source, reporter });
}

/** Opens the place that these settings name. @throws DiagnosticError */
export async function openSettings(
  runtime: Runtime,
  directory: string,
  settings: StateSettings,
  { source, reporter }: Pick<OpenOptions, 'reporter'> & { readonly source: AddressSource },
): Promise<StateAccess> {
  const keyring = openKeyring(runtime, settings.encryption);
  await keyring?.check();
  const warn = (diagnostic: Diagnostic) => reporter?.showDiagnostics([diagnostic]);
  const place = await openPlace(settings.place, {
    ...runtime,
    ...{ directory, warn },
    admit: (addresses) => admitAddresses(runtime, directory, addresses, source),
  });
  const told = place.kind === 'local' ? place : tellSilence(place, runtime.clock, warn);
  const sealing = { keyring, allowsPlain: runtime.allowsPlainState ?? false };
  return { backend: sealBackend(told, sealing), settings, ...sealing };
}

/** How a run keeps the history of a state; undefined where its backend cannot. */
export function keepHistory(
  { clock, process: { user, host } }: Runtime,
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
  runtime: Runtime,
  directory: string,
  given: StateSettings | undefined,
): Promise<{ readonly settings: StateSettings; readonly source: AddressSource }> {
  const text = runtime.env[variable] ?? '';
  if (text.trim() !== '') {
    return { settings: await parseStateSettings(text, variable, runtime.cwd), source: 'person' };
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

/** A state as it was found. */
export interface FoundState {
  readonly state: State;
  /** That of a snapshot that holds all of it. */
  readonly serial: number;
  readonly diagnostics: readonly Diagnostic[];
}

/** Reads the state of a configuration, with what the journal has on top. Nothing is locked or changed. */
export async function readStateOf(runtime: Runtime, directory: string): Promise<FoundState> {
  const { backend } = await openBackend(runtime, directory);
  try {
    const store = await openState(backend, { isReadOnly: true });
    await store.close();
    const { state, snapshotSerial: serial, diagnostics } = store;
    return { state, serial, diagnostics };
  } finally {
    await backend.close();
  }
}
