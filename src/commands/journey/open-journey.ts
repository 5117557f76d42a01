// The place of a journey: the account of the workspace, with a state of its own beside the workspace's, so that neither
// touches resources of the other.
import { generateKeyPairSync } from 'node:crypto';
import { join } from 'node:path';
import type { RequestAttemptEvent } from '../../api/transport/attempt.ts';
import type { Configuration } from '../../config/load-configuration.ts';
import type { Runtime } from '../../model/runtime.ts';
import { publishedHostwrightVersion } from '../../model/version.ts';
import type { StateBackend } from '../../state/backends/backend.ts';
import { openBackendOfPlace } from '../../state/backends/open-place.ts';
import { openStateStore, type StateStore } from '../../state/store.ts';
import { connectToService, type ServiceConnection } from '../session/connect.ts';
import { createCommandRefusal } from '../session/refuse.ts';
import type { Reporter } from '../session/reporter.ts';
import { readConfiguration, formatRelativePath, takeStateLock } from '../session/session.ts';
import { readConfiguredState } from '../session/state/open-backend.ts';

/** The directory of its state, below that of the configuration. */
const journeyPath = join('.hostwright', 'journey');

/** Options of opening a journey. */
export interface JourneySettings {
  /** Directory of the configuration, as given on the command line. */
  readonly directory: string;
  /** The longest wait for the lock of the journey's state. */
  readonly lockTimeoutMs: number;
  /** Called after every attempt of a request, for the log. */
  readonly onRequest: (event: RequestAttemptEvent) => void;
}

/** An account, a state and a client that are ready for a journey. */
export interface OpenedJourneyAccount {
  readonly configuration: Configuration;
  readonly connection: ServiceConnection;
  /** State of the journey, separate from that of the user's configuration. */
  readonly store: StateStore;
  readonly backend: StateBackend;
  /** Silence of the killed run whose lock was taken over; see `ConfigurationSession`. */
  readonly silentForMs: number | undefined;
  close(): Promise<void>;
}

/**
 * Opens the account, the state and the client of a journey, in an order in which a failure leaves nothing behind.
 * @throws DiagnosticError
 */
export async function openJourneyAccount(
  runtime: Runtime,
  { directory, lockTimeoutMs, onRequest }: JourneySettings,
  reporter: Pick<Reporter, 'showDiagnostics'>,
): Promise<OpenedJourneyAccount> {
  const configuration = await readConfiguration(runtime, directory, reporter);
  const found = await readConfiguredState(runtime, configuration.directory, configuration.state);
  const opened: (() => unknown)[] = [];
  const close = async () => {
    for (const undo of opened.toReversed()) await undo();
  };
  try {
    const warn = (diagnostic: Parameters<typeof reporter.showDiagnostics>[0][number]) =>
      reporter.showDiagnostics([diagnostic]);
    const where = { kind: 'local', path: journeyPath } as const;
    const means = { ...runtime, directory: configuration.directory, warn };
    const backend = await openBackendOfPlace(where, means);
    opened.push(() => backend.close());
    const wish = { operation: 'contract journey', timeoutMs: lockTimeoutMs };
    const lock = await takeStateLock(runtime, backend, wish, reporter);
    opened.push(() => lock.release());
    const store = await openStateStore(backend, {
      version: publishedHostwrightVersion,
      fence: lock.fence,
    });
    opened.push(() => store.close());
    const beforeChange = () => store.requireLock();
    const connection = await connectToService(runtime, configuration, found.state, reporter, {
      beforeChange,
      onRequest,
    });
    opened.push(() => connection.close());
    requireSameAccount(runtime, configuration, store, connection);
    const { silentForMs } = lock;
    return { configuration, connection, store, backend, silentForMs, close };
  } catch (error) {
    await close();
    throw error;
  }
}

/**
 * Refuses another account than that of an unfinished journey, whose resources could not be removed there. @throws
 * DiagnosticError `other-journey`
 */
function requireSameAccount(
  runtime: Pick<Runtime, 'cwd'>,
  { directory }: Configuration,
  { state }: StateStore,
  { service }: ServiceConnection,
): void {
  const isEmpty = state.resources.size === 0 && state.pending.size === 0;
  if (isEmpty || state.service === null || state.service === service) return;
  const place = formatRelativePath(runtime, join(directory, journeyPath));
  throw createCommandRefusal(
    'other-journey',
    `An unfinished journey is on another service, ${state.service}`,
    {
      detail: `${place} knows what it made there. This run is for ${service}, and changed nothing.`,
      hint: 'Run the journey against that service first: it removes what is left there.',
    },
  );
}

/** Generates an SSH public key and drops its private key, so that nobody can log in with it. */
export function makeDiscardedSshKey(): string {
  const { publicKey } = generateKeyPairSync('ed25519');
  const raw = Buffer.from(publicKey.export({ format: 'jwk' }).x ?? '', 'base64url');
  const part = (bytes: Buffer) => {
    const length = Buffer.alloc(4);
    length.writeUInt32BE(bytes.length);
    return Buffer.concat([length, bytes]);
  };
  const blob = Buffer.concat([part(Buffer.from('ssh-ed25519')), part(raw)]);
  return `ssh-ed25519 ${blob.toString('base64')} hostwright-journey`;
}
