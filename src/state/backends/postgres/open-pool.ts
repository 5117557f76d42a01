import type { Pool as PgPool, PoolConfig } from 'pg';
import { BackendError, stateReadRetryMs } from '../backend-error.ts';
import type { ConnectionPool, DatabaseResultRow } from './database.ts';

/** Time to wait for a connection, and for the answer to a statement; milliseconds. */
const connectMs = 10_000;
const answerMs = 60_000;

/**
 * Makes a pool of connections with timeouts by the library `pg`; no connection is opened yet. Throws for a text that is
 * no address.
 */
export async function makeConnectionPool(settings: PoolConfig): Promise<PgPool> {
  const { default: pg } = await import('pg');
  const pool = new pg.Pool({
    connectionTimeoutMillis: connectMs,
    query_timeout: answerMs,
    keepAlive: true,
    ...settings,
  });
  // A connection that ends while it is idle is replaced at the next statement.
  pool.on('error', () => undefined);
  // The next statement notices a connection that has ended since the last one.
  pool.on('connect', (client) => client.on('error', () => undefined));
  return pool;
}

/** Opens the connections for a state. @throws BackendError for a text that is no address */
export async function openStateConnectionPool(connection: PoolConfig): Promise<ConnectionPool> {
  let pool: PgPool;
  try {
    // One connection for writes, one for the heartbeat beside them.
    pool = await makeConnectionPool({
      ...connection,
      max: 2,
      application_name: 'hostwright',
      // A third of the least patience: the next attempt opens another connection.
      connectionTimeoutMillis: stateReadRetryMs / 3,
    });
  } catch {
    // Without the cause: it may quote the address with its password.
    throw new BackendError(
      'broken',
      'HOSTWRIGHT_STATE_POSTGRES_URL is not the address of a database.',
    );
  }
  return {
    query: (text, values, answerMs) =>
      pool.query<DatabaseResultRow>(makeTimedQuery(text, values, answerMs)),
    end: () => pool.end(),
  };
}

/** Makes a query that is given up after a time in milliseconds, for which the types of node-postgres lack the member. */
export function makeTimedQuery<T>(text: string, values: readonly T[], answerMs: number) {
  return { text, values: [...values], query_timeout: answerMs };
}
