import { serverDatabaseSchemaName, type ServerDatabase } from '../database/database.ts';

/** A worker process that is connected to the database now. */
export interface LiveWorker {
  readonly id: string;
  readonly host: string;
  readonly version: string;
  readonly startedAt: Date;
  /** Number of runs that the worker is carrying out. */
  readonly runCount: number;
}

/** Lists the workers that hold their lock, the newest first. */
export async function listWorkers(database: ServerDatabase): Promise<readonly LiveWorker[]> {
  const rows = await database.ask<{
    id: string;
    host: string;
    version: string;
    started_at: Date;
    count: string;
  }>(
    `SELECT w.id, w.host, w.version, w.started_at,
       (SELECT count(*) FROM ${serverDatabaseSchemaName}.runs WHERE status = 'running' AND worker = w.id) AS count
     FROM ${serverDatabaseSchemaName}.workers w JOIN pg_locks ON locktype = 'advisory' AND objsubid = 1 AND granted
       AND classid = (lock_key >> 32)::bigint::oid AND objid = (lock_key & 4294967295)::bigint::oid
     WHERE w.ended_at IS NULL AND database = (SELECT oid FROM pg_database WHERE datname = current_database())
     ORDER BY w.started_at DESC`,
  );
  return rows.map(({ id, host, version, started_at: startedAt, count }) => ({
    id,
    host,
    version,
    startedAt,
    runCount: Number(count),
  }));
}
