// A worker's sign of life: a lock of PostgreSQL on a session of its own. The session ends with the process, so the lock is
// free as soon as the worker is gone, and whoever takes it queues again what that worker had begun.
import { randomInt, randomUUID } from 'node:crypto';
import { setMaxListeners } from 'node:events';
import type { PoolClient } from 'pg';
import { serverDatabaseSchemaName, type ServerDatabase } from '../database/database.ts';

/** A worker's session in PostgreSQL, whose lock proves to other workers that it is alive. */
export interface WorkerSession {
  readonly id: string;
  /** Aborted when the session has ended: others carry on with the runs of this worker. */
  readonly lost: AbortSignal;
  /**
   * Takes the locks of workers that are gone, one after the other, and calls `recover` to queue their runs.
   * @returns their number
   */
  recoverOthers(recover: (workerId: string) => Promise<readonly string[]>): Promise<number>;
  /** Ends the session, so that the next check by another worker finds this one gone, and continues its runs. */
  close(): void;
}

/** The network between may be cut without a word: it is noticed after so many seconds. */
const keepalive =
  'SET tcp_keepalives_idle = 2; SET tcp_keepalives_interval = 1; SET tcp_keepalives_count = 3';
const lockKeyRange = 2 ** 47;

/**
 * Registers this process as a worker in the database, under a lock that is free once the process is gone.
 * @throws the errors of PostgreSQL
 */
export async function openWorkerSession(
  database: ServerDatabase,
  { host, version }: { readonly host: string; readonly version: string },
): Promise<WorkerSession> {
  const client = await database.connect();
  const lost = new AbortController();
  // Every run under way listens to this signal, more than Node's default limit of listeners.
  setMaxListeners(0, lost.signal);
  let isClosing = false;
  const lose = () => isClosing || lost.abort(new Error('The session of this worker has ended.'));
  client.on('error', lose);
  client.on('end', lose);
  const id = randomUUID();
  const lockKey = randomInt(1, lockKeyRange);
  await client.query(keepalive);
  // First the lock, then the row: whoever reads the row finds the lock taken.
  await client.query('SELECT pg_advisory_lock($1)', [lockKey]);
  await client.query(
    `INSERT INTO ${serverDatabaseSchemaName}.workers (id, lock_key, host, version) VALUES ($1, $2, $3, $4)`,
    [id, lockKey, host, version],
  );
  return {
    id,
    lost: lost.signal,
    recoverOthers: (recover) => recoverOthers(client, id, recover),
    close() {
      if (isClosing) return;
      isClosing = true;
      client.release(true);
    },
  };
}

async function recoverOthers(
  client: PoolClient,
  id: string,
  recover: (workerId: string) => Promise<readonly string[]>,
): Promise<number> {
  const { rows } = await client.query<{ id: string; lock_key: string }>(
    `SELECT id, lock_key FROM ${serverDatabaseSchemaName}.workers WHERE ended_at IS NULL AND id <> $1`,
    [id],
  );
  let count = 0;
  for (const other of rows) {
    const { rows: taken } = await client.query<{ free: boolean }>(
      'SELECT pg_try_advisory_lock($1) AS free',
      [other.lock_key],
    );
    if (taken[0]?.free !== true) continue;
    try {
      // Another worker that looked at the same time may have recovered the runs first.
      const { rowCount } = await client.query(
        `SELECT id FROM ${serverDatabaseSchemaName}.workers WHERE id = $1 AND ended_at IS NULL`,
        [other.id],
      );
      if (rowCount === 0) continue;
      count += (await recover(other.id)).length;
      await client.query(
        `UPDATE ${serverDatabaseSchemaName}.workers SET ended_at = now() WHERE id = $1`,
        [other.id],
      );
    } finally {
      await client.query('SELECT pg_advisory_unlock($1)', [other.lock_key]);
    }
  }
  return count;
}
