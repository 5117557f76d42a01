// The server's own tables in PostgreSQL, beside those of the engine and the states: workspaces, runs, their logs, workers,
// and encrypted texts. Nothing secret is in a column that is not encrypted.
import { AsyncLocalStorage } from 'node:async_hooks';
import type { PoolClient } from 'pg';
import { DiagnosticError } from '../../model/errors.ts';
import { BackendError } from '../../state/backends/backend-error.ts';
import { explainDatabaseError } from '../../state/backends/postgres/database-errors.ts';
import { makeTimedQuery, makeConnectionPool } from '../../state/backends/postgres/open-pool.ts';
import { describeDatabaseAddress } from '../../state/backends/postgres/read-connection.ts';

/** Name of the PostgreSQL schema that holds the server's own tables. */
export const serverDatabaseSchemaName = 'hostwright_server';

/** A row of a query, as PostgreSQL returns it. */
export type DatabaseRow = Readonly<Record<string, unknown>>;

/** Statements on a database, each on its own or some in a transaction. */
export interface ServerDatabase {
  /** Sends one SQL statement, and returns its rows. @throws BackendError */
  ask<R extends DatabaseRow>(statement: string, values?: readonly unknown[]): Promise<readonly R[]>;
  /** Does work in a transaction, calls of `ask` included. Within another transaction, the work is a part of that one. */
  transact<T>(work: (client: PoolClient) => Promise<T>): Promise<T>;
  /** Checks that the database answers. Rejects without an answer within so many milliseconds, once there is a connection. */
  ping(withinMs: number): Promise<void>;
  /** Opens a connection that is used by one caller and stays open, as a lock of a PostgreSQL session needs one. */
  connect(): Promise<PoolClient>;
  close(): Promise<void>;
  /** Address of the database for messages, without user and password: `db.example.com:5432/infra`. */
  readonly place: string;
}

/**
 * Does work in a transaction that only one process at a time can have, by an advisory lock.
 * @returns undefined where another process holds the lock
 */
export async function transactExclusively<T>(
  database: ServerDatabase,
  key: number,
  work: () => Promise<T>,
): Promise<T | undefined> {
  return database.transact(async () => {
    const [lock] = await database.ask<{ held: boolean }>(
      'SELECT pg_try_advisory_xact_lock($1) AS held',
      [key],
    );
    return lock?.held === true ? work() : undefined;
  });
}

/**
 * Opens connections to a database; asks nothing yet. `onFault` hears of each statement that fails.
 * @throws DiagnosticError for what is no address
 */
export async function openServerDatabase(
  url: string,
  onFault: (error: BackendError) => void = () => undefined,
): Promise<ServerDatabase> {
  const place = describePlace(url);
  const settings = { connectionString: url, max: 10, application_name: 'hostwright-server' };
  const pool = await makeConnectionPool(settings);
  const name = `The database of the server at ${place}`;
  const current = new AsyncLocalStorage<PoolClient>();
  return {
    place,
    async ask<R extends DatabaseRow>(statement: string, values: readonly unknown[] = []) {
      try {
        return (await (current.getStore() ?? pool).query<R>(statement, [...values])).rows;
      } catch (error) {
        const fault = explainDatabaseError(error, name);
        onFault(fault);
        throw fault;
      }
    },
    async transact(work) {
      const outer = current.getStore();
      if (outer) return work(outer);
      const client = await pool.connect();
      let lost: Error | undefined;
      // Between two statements, nobody else hears of a connection that ends: the next one fails.
      const note = (error: Error) => (lost = error);
      client.on('error', note);
      try {
        await client.query('BEGIN');
        const result = await current.run(client, () => work(client));
        await client.query('COMMIT');
        return result;
      } catch (error) {
        await client.query('ROLLBACK').catch(() => undefined);
        throw error;
      } finally {
        client.off('error', note);
        client.release(lost);
      }
    },
    async ping(withinMs) {
      await pool.query(makeTimedQuery('SELECT 1', [], withinMs));
    },
    connect: () => pool.connect(),
    async close() {
      await pool.end();
      // Left enabled, the storage of async context would slow every promise of the process.
      current.disable();
    },
  };
}

/**
 * Tells whether a statement failed because of a text with the character NUL, which PostgreSQL can neither store nor search for.
 */
export function isUnstorableText(error: unknown): boolean {
  const cause = error instanceof BackendError ? error.cause : error;
  const code = cause instanceof Error && 'code' in cause ? cause.code : undefined;
  return code === '22021' || code === '22P05';
}

function describePlace(text: string): string {
  const place = describeDatabaseAddress(text);
  if (place !== undefined) return place;
  throw new DiagnosticError([
    {
      severity: 'error',
      code: 'server-database-malformed',
      summary: '--database is not the address of a database',
      detail: 'Its text is not shown, since it may hold a password.',
      hint: 'Write it as postgres://user:password@db.example.com:5432/hostwright.',
    },
  ]);
}
