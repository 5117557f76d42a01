import type { Diagnostic } from '../../model/diagnostic.ts';
import type { NetworkConnections } from '../../model/http.ts';
import type { Runtime } from '../../model/runtime.ts';
import type { StatePlace } from '../../model/state/state-settings.ts';
import { BackendError } from './backend-error.ts';
import { createBackendFailureError, createDiagnosticError } from '../faults.ts';
import { findDirectoryFault } from '../files/written-file.ts';
import type { StateBackend } from './backend.ts';
import { openLocalBackend } from './local.ts';
import type { BasicCredentials } from './http/state-server.ts';

/** Parts of the runtime that are needed to open a state's place. */
export interface StatePlaceRuntime extends Pick<
  Runtime,
  'allowsOutsideFiles' | 'askState' | 'clock' | 'env' | 'openNetwork'
> {
  /** Absolute path of the configuration's directory. */
  readonly directory: string;
  /** Shows warnings about failures that do no harm. */
  readonly warn: (diagnostic: Diagnostic) => void;
}

/** Connections at once, enough for a write, a read and a heartbeat of several files. */
const maxConnections = 8;

/**
 * Opens the backend of a state's place, whose code is loaded only then. Nothing is read or sent yet.
 * @throws DiagnosticError where the environment lacks the address or the credentials
 */
export async function openBackendOfPlace(
  place: StatePlace | undefined,
  means: StatePlaceRuntime,
): Promise<StateBackend> {
  const { clock, env } = means;
  switch (place?.kind) {
    case 'postgres': {
      const [
        { openPostgresBackend },
        { openStateConnectionPool: openPool },
        { readDatabaseConnection: readConnection, databaseUrlVariable: urlVariable },
      ] = await Promise.all([
        import('./postgres/postgres.ts'),
        import('./postgres/open-pool.ts'),
        import('./postgres/read-connection.ts'),
      ]);
      const { schema, name } = place;
      const { askState } = means;
      // A workspace may still keep its state elsewhere, and sets the variable then.
      if (askState && env[urlVariable] === undefined) {
        const pool = { query: askState, end: () => Promise.resolve() };
        const byWorker = { database: 'the server', openPool: () => Promise.resolve(pool) };
        return openPostgresBackend({ schema, name, clock, ...byWorker });
      }
      const { connection, database } = readConnection(env);
      const open = () => openPool(connection);
      return openPostgresBackend({ schema, name, database, clock, openPool: open });
    }
    case 's3':
      return openBucket(place, means);
    case 'http':
      return openStateServer(place, means);
    case 'git': {
      const { openGitBackend } = await import('./git/open-git-backend.ts');
      const { branch, remote, path } = place;
      const options = { branch, remote, path, directory: means.directory, clock, env };
      return openGitBackend(options).catch(explainUnusable);
    }
    default:
      return openLocal(place?.kind === 'local' ? place.path : undefined, means);
  }
}

async function openBucket(
  place: Extract<StatePlace, { kind: 's3' }>,
  { clock, env, openNetwork }: StatePlaceRuntime,
): Promise<StateBackend> {
  const [{ openS3Backend }, { readS3Environment }, { locateBucket }] = await Promise.all([
    import('./s3/open-s3-backend.ts'),
    import('./s3/read-credentials.ts'),
    import('./s3/locate-bucket.ts'),
  ]);
  const environment = await readS3Environment(env);
  const address = locateBucket(place, environment);
  const { bucket, key } = place;
  const { credentials } = environment;
  return overNetwork(openNetwork({ maxConnections }), ({ exchange }) =>
    openS3Backend({ bucket, key, ...address, credentials, exchange, clock }),
  );
}

async function openStateServer(
  place: Extract<StatePlace, { kind: 'http' }>,
  { clock, env, openNetwork, warn }: StatePlaceRuntime,
): Promise<StateBackend> {
  const { openHttpBackend } = await import('./http/open-http-backend.ts');
  const credentials = readHttpCredentials(env);
  return overNetwork(openNetwork({ maxConnections }), ({ exchange }) =>
    openHttpBackend({ ...place, credentials, exchange, clock, warn }),
  );
}

/** Makes a backend that closes its network connections with itself. */
function overNetwork(
  network: NetworkConnections,
  open: (network: NetworkConnections) => StateBackend,
): StateBackend {
  const backend = open(network);
  return {
    ...backend,
    close: async () => {
      await backend.close();
      network.close();
    },
  };
}

/** Turns an error about the settings of a place, found before anybody was asked, into a diagnostic. */
function explainUnusable(cause: unknown): never {
  throw cause instanceof BackendError ? createBackendFailureError(cause) : cause;
}

async function openLocal(
  path: string | undefined,
  { directory, allowsOutsideFiles }: StatePlaceRuntime,
): Promise<StateBackend> {
  const backend = openLocalBackend(directory, path);
  const { place } = backend;
  const fault = await findDirectoryFault(place, directory, allowsOutsideFiles === true);
  if (fault === undefined) return backend;
  if (fault === 'outside') {
    throw createDiagnosticError(
      'file-outside',
      `The state would be outside of the directory of the configuration: ${place}`,
      {
        detail:
          '`state.local.path` must lead below the directory of the configuration, by no link.',
        hint: 'Name a directory below it, or run with --allow-outside-files.',
      },
    );
  }
  throw createDiagnosticError(
    'file-outside',
    `The state cannot be in ${fault.reserved}: ${place}`,
    {
      detail: '`state.local.path` must not lead to the files of git or of SSH.',
      hint: 'Name another directory.',
    },
  );
}

/** The credentials in the environment; undefined where it has none. YAML never holds them. */
function readHttpCredentials(env: Runtime['env']): BasicCredentials | undefined {
  const username = env.HOSTWRIGHT_STATE_HTTP_USERNAME ?? '';
  const password = env.HOSTWRIGHT_STATE_HTTP_PASSWORD ?? '';
  return username === '' && password === '' ? undefined : { username, password };
}
