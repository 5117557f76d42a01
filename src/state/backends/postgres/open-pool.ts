import type { PoolConfig } from 'pg';
import { BackendError } from '../backend-error.ts';
import type { Pool, Row } from './database.ts';

/** How long a connection, and the answer to a statement, are waited for; milliseconds. */
const connectMs = 10_000;
const answerMs = 60_000;

/** Connections by the library `pg`; nobody is asked yet. @throws BackendError for what is no address */
export async function openPool(connection: PoolConfig): Promise<Pool> {
  const { default: pg } = await import('pg');
  let pool: InstanceType<typeof pg.Pool>;
  try {
    pool = new pg.Pool({
      ...connection,
      // One for what is written, one for the heartbeat beside it.
      max: 2,
      connectionTimeoutMillis: connectMs,
      query_timeout: answerMs,
      keepAlive: true,
      application_name: 'hostwright',
    });
  } catch {
    // Without the cause: it may quote the address with its password.
    throw new BackendError(
      'broken',
      'HOSTWRIGHT_STATE_POSTGRES_URL is not the address of a database.',
    );
  }
  // A connection that ends while nobody uses it is made anew by the next statement.
  pool.on('error', () => undefined);
  return {
    query: (statement, values) => pool.query<Row>(statement, [...values]),
    end: () => pool.end(),
  };
}
