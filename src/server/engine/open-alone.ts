import { setTimeout as sleep } from 'node:timers/promises';
import type { PoolClient } from 'pg';
import type { ServerDatabase } from '../database/database.ts';
import { lockKeys } from '../database/lock-keys.ts';

const lookMs = 100;

/**
 * Does what may make the tables of the engine, while no other process does. The engine makes indexes concurrently: that waits
 * for every statement of others, so a statement that waits for the lock would wait for ever. Hence each asks again and again.
 */
export async function openAlone<T>(
  database: Pick<ServerDatabase, 'connect'>,
  open: () => Promise<T>,
): Promise<T> {
  const client = await database.connect();
  try {
    while (!(await tryLock(client))) await sleep(lookMs);
    return await open();
  } finally {
    // The end of the session frees the lock.
    client.release(true);
  }
}

async function tryLock(client: PoolClient): Promise<boolean> {
  const { rows } = await client.query<{ free: boolean }>(
    'SELECT pg_try_advisory_lock($1) AS free',
    [lockKeys.engine],
  );
  return rows[0]?.free === true;
}
