// Check of everything that a start needs, for `--check`: each part by itself, so that one problem hides no other. It changes
// nothing.
import type { Diagnostic } from '../model/diagnostic.ts';
import { DiagnosticError } from '../model/errors.ts';
import type { Runtime } from '../model/runtime.ts';
import { isMissingTableError } from '../state/backends/postgres/database-errors.ts';
import { requireKnownServerKey } from './access/confirm-key.ts';
import { serveApi } from './api/serve-api.ts';
import {
  openServerDatabase,
  serverDatabaseSchemaName,
  type ServerDatabase,
} from './database/database.ts';
import { requireKnownTableVersion } from './database/migrations/migrate.ts';
import { loadDbos } from './engine/load-dbos.ts';
import { explainStartDatabaseError } from './explain-database.ts';
import { openMailSender } from './messages/open-mail.ts';
import { loadOpenIdClient } from './oidc/load-openid-client.ts';
import { readOidcSettings } from './oidc/read-oidc-settings.ts';
import { readRetentionSettings } from './retention/read-retention-settings.ts';
import { readServerKeys } from './secrets/keyring.ts';
import { stateDatabaseSchemaName } from './states/open-states.ts';
import { assembleServerStore } from './store/store.ts';
import { openTracing } from './traces/open-tracing.ts';
import { requireGit } from './health/require-git.ts';

/** Options for starting a server, as far as the start is checked. */
export interface ServerStartOptions {
  readonly databaseUrl: string;
  readonly stateDatabaseUrl: string;
  readonly listen?: { readonly host: string; readonly port: number };
  /** Host and port at which a worker answers health checks. */
  readonly healthAt?: { readonly host: string; readonly port: number };
  readonly carriesOut: boolean;
  readonly version: string;
}

/** Connections that a process opens at most: of the server, its runs, the engine, and where it has an API, of laptops. */
const mostConnections = { ownWork: 10, runs: 24, engine: 10, laptops: 4 };

/**
 * Lists every problem that the start of a server would have with these options, without starting it.
 * @throws errors that are no problem of the setup
 */
export async function checkServerStart(
  runtime: Pick<Runtime, 'env' | 'execute' | 'clock'>,
  plan: ServerStartOptions,
): Promise<readonly Diagnostic[]> {
  const { databaseUrl, stateDatabaseUrl, listen, healthAt, version } = plan;
  const examinations: (() => Promise<unknown>)[] = [
    () => requireGit(runtime),
    () => readServerKeys(runtime),
    () => loadDbos(),
    ...(databaseUrl === '' ? [] : [() => examineDatabase(runtime, plan)]),
    ...(stateDatabaseUrl === databaseUrl ? [] : [() => examineStates(stateDatabaseUrl)]),
    async () => (await openMailSender(runtime))?.close(),
    async () => (await openTracing(runtime, { version, warn: () => undefined })).close(),
    async () => Promise.resolve(readRetentionSettings(runtime)),
    ...[listen, healthAt].flatMap((at) =>
      at ? async () => (await serveApi(() => new Response(), at)).close() : [],
    ),
    ...(listen ? [async () => readOidcSettings(runtime) && loadOpenIdClient()] : []),
  ];
  const found = await Promise.all(examinations.map(listProblems));
  return found.flat();
}

async function listProblems(examine: () => Promise<unknown>): Promise<readonly Diagnostic[]> {
  try {
    await examine();
    return [];
  } catch (error) {
    if (error instanceof DiagnosticError) return error.diagnostics;
    throw error;
  }
}

async function examineDatabase(
  runtime: Pick<Runtime, 'env' | 'execute'>,
  { databaseUrl, listen, carriesOut }: ServerStartOptions,
): Promise<void> {
  await withDatabase(databaseUrl, async (database) => {
    await requireSchema(database, serverDatabaseSchemaName);
    await requireConnections(database, { hasApi: listen !== undefined, carriesOut });
    // A key that is missing is another problem than one that is wrong.
    const keyring = await readServerKeys(runtime).catch(() => undefined);
    try {
      await requireKnownTableVersion(database);
      if (keyring) await requireKnownServerKey(assembleServerStore(database, keyring));
    } catch (error) {
      // A missing table only means that no server has used this database yet.
      if (!isMissingTableError(error)) throw error;
    }
  });
}

async function examineStates(url: string): Promise<void> {
  await withDatabase(url, (database) => requireSchema(database, stateDatabaseSchemaName));
}

async function withDatabase(
  url: string,
  work: (database: ServerDatabase) => Promise<void>,
): Promise<void> {
  const database = await openServerDatabase(url);
  try {
    await work(database);
  } catch (error) {
    throw explainStartDatabaseError(error, url);
  } finally {
    await database.close();
  }
}

/** Checks that the database role has its schema, or may create it. */
async function requireSchema(database: ServerDatabase, name: string): Promise<void> {
  const [row] = await database.ask<{ role: string; may: boolean }>(
    `SELECT current_user AS role, CASE
       WHEN found.oid IS NULL THEN has_database_privilege(current_database(), 'CREATE')
       ELSE has_schema_privilege(found.oid, 'USAGE') AND has_schema_privilege(found.oid, 'CREATE')
     END AS may
     FROM (SELECT 1) AS one LEFT JOIN pg_namespace AS found ON found.nspname = $1`,
    [name],
  );
  if (row?.may !== false) return;
  throw new DiagnosticError([
    {
      severity: 'error',
      code: 'server-database-unusable',
      summary: `The role ${row.role} may not use the schema ${name} at ${database.place}`,
      detail: 'It may neither make tables there nor make the schema.',
      hint: `Run as its owner: GRANT USAGE, CREATE ON SCHEMA ${name} TO ${row.role}; Or make the role the owner of the database.`,
    },
  ]);
}

async function requireConnections(
  database: ServerDatabase,
  { hasApi, carriesOut }: { readonly hasApi: boolean; readonly carriesOut: boolean },
): Promise<void> {
  const [row] = await database.ask<{ free: number }>(
    `SELECT current_setting('max_connections')::int
       - current_setting('superuser_reserved_connections')::int AS free`,
  );
  const { ownWork, runs, engine, laptops } = mostConnections;
  const needed = ownWork + engine + (carriesOut ? runs : 0) + (hasApi ? laptops : 0);
  if (row && row.free < needed) throw explainFew(database.place, row.free, needed);
}

function explainFew(place: string, free: number, needed: number): DiagnosticError {
  return new DiagnosticError([
    {
      severity: 'error',
      code: 'server-connections',
      summary: `PostgreSQL at ${place} has too few connections for a process of the server`,
      detail: `It allows ${free} at once, and one process opens ${needed} at most.`,
      hint: `Set max_connections in postgresql.conf to more than ${needed} for each process of the server, and restart PostgreSQL.`,
    },
  ]);
}
