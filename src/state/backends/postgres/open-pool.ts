import type { Pool as PgPool, PoolConfig } from 'pg';
import { BackendError, readPatienceMs } from '../backend-error.ts';
import type { Pool, Row } from './database.ts';

/** How long a connection, and the answer to a statement, are waited for; milliseconds. */
const connectMs = 10_000;
const answerMs = 60_000;

/** Connections by the library `pg`, which give up in time; nobody is asked yet. Throws for what is no address. */
export async function makePool(settings: PoolConfig): Promise<PgPool> {
  const { default: pg } = await import('pg');
  const pool = new pg.Pool({
    connectionTimeoutMillis: connectMs,
    query_timeout: answerMs,
    keepAlive: true,
    ...settings,
  });
  // A connection that ends while nobody uses it is made anew by the next statement.
  pool.on('error', () => undefined);
  // One that ends between two statements is noticed by the next of them.
  pool.on('connect', (client) => client.on('error', () => undefined));
  return pool;
}

/** Connections for a state. @throws BackendError for what is no address */
export async function openPool(connection: PoolConfig): Promise<Pool> {
  let pool: PgPool;
  try {
    // One for what is written, one for the heartbeat beside it.
    pool = await makePool({
      ...connection,
      ...{ max: 2, application_name: 'hostwright' },
      // A third of the least patience: the next attempt makes another one.
      connectionTimeoutMillis: readPatienceMs / 3,
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
      pool.query<Row>({ text, values: [...values], ...{ query_timeout: answerMs } }),
    end: () => pool.end(),
  };
}
