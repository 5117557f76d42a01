// Turns of runs: the engine keeps the order of most runs of a workspace; runs that it calls by other ways, and accounts on
// pause, are looked after here. A run that has to wait holds no place of a worker.
import { serverDatabaseSchemaName, type ServerDatabase } from '../database/database.ts';
import { serverHeldCondition } from './server-hold.ts';
import type { StoredRun } from './run.ts';

/** Reason why a run's turn has not come, and the time to wait before the next look. */
export interface RunTurnWait {
  /** Obstacle: another run of the workspace, a pause of the account, a hold of the server or a lock. */
  readonly for: 'run' | 'pause' | 'release';
  readonly ms: number;
}

/** A pause of an account that is shorter than this is waited for within the run, in milliseconds. */
const shortPauseMs = 3_000;
/** Longest wait before a turn is asked for again, as the workspace's account may have changed. */
const longestMs = 120_000;
const lookMs = 1_000;
/** Pause between questions whether a hold was released: the exact second does not matter. */
const heldMs = 15_000;

/** True in SQL for a run `r` of a workspace `w` that changes the account, while the server is held or the workspace is locked. */
const isHeldUp = `r.operation IN ('apply', 'destroy') AND (${serverHeldCondition} OR w.lock IS NOT NULL)`;

const untilMs = (moment: string) =>
  `ceil(1000 * greatest(0, extract(epoch FROM ${moment} - clock_timestamp())))::float8`;

/** Order of the runs in the database: decides whose turn it is to work on a workspace and its account. */
export class RunTurnStore {
  readonly #database: ServerDatabase;

  constructor(database: ServerDatabase) {
    this.#database = database;
  }

  /**
   * Finds what keeps a run from beginning: another run of its workspace, runs that had given up their turn before it, a pause of
   * its account, a hold of the server or a lock of the workspace. A drift check waits for all other runs of its workspace; no run
   * waits for a preview. Undefined where its turn has come.
   */
  async findWait(runId: string): Promise<RunTurnWait | undefined> {
    const [row] = await this.#database.ask<{
      behind_ms: number | null;
      pause_ms: number | null;
      is_held: boolean;
    }>(
      `SELECT ${isHeldUp} AS is_held, ${untilMs('account.held_until')} AS pause_ms, (
         SELECT max(CASE WHEN o.status = 'running' OR o.waits_until IS NULL THEN 0 ELSE ${untilMs('o.waits_until')} END)
         FROM ${serverDatabaseSchemaName}.runs o WHERE o.workspace = r.workspace AND o.id <> r.id AND o.status IN ('queued', 'running')
           AND r.status = 'queued' AND 'preview' NOT IN (r.operation, o.operation) AND (o.status = 'running' OR o.operation <> 'drift' AND NOT o.is_held
             AND (r.operation = 'drift' OR o.waits_until IS NOT NULL AND o.number < r.number))) AS behind_ms
       FROM ${serverDatabaseSchemaName}.runs r JOIN ${serverDatabaseSchemaName}.workspaces w ON w.id = r.workspace
       LEFT JOIN ${serverDatabaseSchemaName}.accounts account ON account.id = w.account
       WHERE r.id = $1 AND r.status IN ('queued', 'running')
         AND (r.cancels = 0 OR ${isHeldUp})`,
      [runId],
    );
    const { behind_ms: behindMs = null, pause_ms: pauseMs = null, is_held = false } = row ?? {};
    if (is_held) return { for: 'release', ms: heldMs };
    if (pauseMs !== null && pauseMs > shortPauseMs) {
      return { for: 'pause', ms: Math.min(pauseMs, longestMs) };
    }
    return behindMs === null
      ? undefined
      : { for: 'run', ms: Math.min(behindMs, longestMs) + lookMs };
  }

  /**
   * Marks a run as held, even if another worker has begun it, so that others may pass it. A run that is held already is not
   * written again, as each write makes a report to its pull request due.
   */
  async putBack(runId: string): Promise<void> {
    await this.#database.ask(
      `UPDATE ${serverDatabaseSchemaName}.runs SET status = 'queued', is_held = true
       WHERE id = $1 AND (status = 'running' OR status = 'queued' AND NOT is_held)`,
      [runId],
    );
  }

  /**
   * Queues a run again until its account accepts requests. A run of a later attempt, or one that was cancelled, is left as it is.
   * @returns whether it waits now
   */
  async postpone({ id, attempt }: Pick<StoredRun, 'id' | 'attempt'>, ms: number): Promise<boolean> {
    const rows = await this.#database.ask(
      `UPDATE ${serverDatabaseSchemaName}.runs SET status = 'queued', waits_until = clock_timestamp() + $3 * interval '1 millisecond'
       WHERE id = $1 AND attempt = $2 AND status IN ('queued', 'running') AND cancels = 0 RETURNING id`,
      [id, attempt, ms],
    );
    return rows.length > 0;
  }

  /** Lists the runs that a worker has begun and not ended. */
  async listBegun(workerId: string): Promise<ReadonlySet<string>> {
    const rows = await this.#database.ask<{ id: string }>(
      `SELECT id FROM ${serverDatabaseSchemaName}.runs WHERE worker = $1 AND status = 'running'`,
      [workerId],
    );
    return new Set(rows.map(({ id }) => id));
  }
}
