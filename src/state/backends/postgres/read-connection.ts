// The connection to a database, read from the environment: YAML never holds it, and no message shows its password.
import type { PoolConfig } from 'pg';
import type { Runtime } from '../../../model/runtime.ts';
import { createDiagnosticError } from '../../faults.ts';

/** Variable with the address of the state's database, with user and password. */
export const databaseUrlVariable = 'HOSTWRIGHT_STATE_POSTGRES_URL';

/** Database of the state, as environment variables name it. */
export interface StateDatabaseFromEnvironment {
  readonly connection: PoolConfig;
  /** The database as messages name it: `db.example.com:5432/infra`. */
  readonly database: string;
}

/** Reads the state's database from the environment. @throws DiagnosticError where the environment names none */
export function readDatabaseConnection(env: Runtime['env']): StateDatabaseFromEnvironment {
  const text = env[databaseUrlVariable]?.trim() ?? '';
  if (text !== '') return readUrl(text);
  const { PGHOST, PGPORT, PGDATABASE, PGUSER, PGPASSWORD, PGSSLMODE } = env;
  if (PGHOST === undefined && PGDATABASE === undefined && PGUSER === undefined) {
    throw createDiagnosticError(
      'state-database-missing',
      'The address of the database for the state is not set',
      {
        detail:
          'The configuration keeps the state in PostgreSQL. Its address and its password come from the environment.',
        hint: `Set ${databaseUrlVariable}, for example postgres://user:password@db.example.com/infra, or the PG variables (PGHOST, PGUSER …).`,
      },
    );
  }
  return {
    connection: {
      ...(PGHOST !== undefined && { host: PGHOST }),
      ...(PGPORT !== undefined && { port: Number(PGPORT) }),
      ...(PGDATABASE !== undefined && { database: PGDATABASE }),
      ...(PGUSER !== undefined && { user: PGUSER }),
      ...(PGPASSWORD !== undefined && { password: PGPASSWORD }),
      ...(PGSSLMODE !== undefined && PGSSLMODE !== 'disable' && { ssl: true }),
    },
    database: `${PGHOST ?? 'localhost'}:${PGPORT ?? 5432}/${PGDATABASE ?? PGUSER ?? ''}`,
  };
}

/** Describes the database of an address for messages, without its password. Undefined for a text that is no such address. */
export function describeDatabaseAddress(text: string): string | undefined {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (!url || (url.protocol !== 'postgres:' && url.protocol !== 'postgresql:')) return undefined;
  const host = url.hostname === '' ? (url.searchParams.get('host') ?? 'localhost') : url.hostname;
  return `${host}:${url.port === '' ? 5432 : url.port}${url.pathname}`;
}

function readUrl(text: string): StateDatabaseFromEnvironment {
  const database = describeDatabaseAddress(text);
  if (database === undefined) {
    throw createDiagnosticError(
      'state-database-malformed',
      `${databaseUrlVariable} is not the address of a database`,
      {
        detail: 'Its text is not shown, since it may hold a password.',
        hint: 'Write it as postgres://user:password@db.example.com:5432/infra. Characters such as @ and / in a password are written as %40 and %2F.',
      },
    );
  }
  return { connection: { connectionString: text }, database };
}
