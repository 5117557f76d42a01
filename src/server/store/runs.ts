import { randomUUID } from 'node:crypto';
import type { PoolClient } from 'pg';
import { buildViewableCondition } from '../people/members.ts';
import type { StoredRunProgress } from './run-step.ts';
import type {
  RunOperation,
  RunAttemptOutcome,
  PlannedChange,
  PullRequestCommit,
  StoredRun,
  RunStatus,
} from './run.ts';
import {
  serverDatabaseSchemaName,
  type DatabaseRow,
  type ServerDatabase,
} from '../database/database.ts';

/** Fields of a new run. */
export interface NewRun {
  readonly workspaceId: string;
  readonly operation: RunOperation;
  readonly commit: string;
  readonly reason: string;
  readonly planRun?: string;
  /** Pull request whose result is planned; undefined for a run of the branch. */
  readonly pull?: PullRequestCommit | undefined;
  /** Origin of the run: a second run of the same origin is not made. */
  readonly origin?: string;
  /**
   * The last commit that the workspace had seen. The run is made only if that is still so, and its own commit then counts as
   * seen.
   */
  readonly after?: { readonly commit: string | undefined };
  /** Who requested the run, as the audit log names people; undefined where the server began it by itself. */
  readonly requestedBy?: string;
}

/** A run that was added, with the queued plans that it supersedes. */
export interface AddedRun {
  readonly id: string;
  readonly number: number;
  readonly superseded: readonly string[];
}

const selectRuns = `SELECT runs.*, workspaces.name AS workspace_name
  FROM ${serverDatabaseSchemaName}.runs JOIN ${serverDatabaseSchemaName}.workspaces ON workspaces.id = runs.workspace`;

/** Runs in the server's database. */
export class RunStore {
  readonly #database: ServerDatabase;

  constructor(database: ServerDatabase) {
    this.#database = database;
  }

  /** Adds a run. Undefined where there is a run of the same origin, or the workspace has seen another commit meanwhile. */
  async add(run: NewRun): Promise<AddedRun | undefined> {
    return this.#database.transact(async (client) => {
      const values = [run.workspaceId, run.commit];
      if (run.after) {
        if (run.origin !== undefined && (await this.hasOrigin(run.origin))) return undefined;
        const { rowCount } = await client.query(
          `UPDATE ${serverDatabaseSchemaName}.workspaces SET seen_commit = $2 WHERE id = $1 AND seen_commit IS NOT DISTINCT FROM $3`,
          [...values, run.after.commit ?? null],
        );
        if (rowCount === 0) return undefined;
      }
      const id = randomUUID();
      const { number = null, head = null } = run.pull ?? {};
      if (run.operation === 'plan' && number !== null)
        await lockPreviews(client, run.workspaceId, number);
      const { rows } = await client.query<{ number: string }>(
        `INSERT INTO ${serverDatabaseSchemaName}.runs (id, workspace, commit, operation, reason, plan_run, pull_number, pull_head, origin,
           requested_by)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10) ON CONFLICT (origin) DO NOTHING RETURNING number`,
        [
          ...[id, ...values, run.operation, run.reason, run.planRun ?? null],
          ...[number, head, run.origin ?? null, run.requestedBy ?? null],
        ],
      );
      const [added] = rows;
      if (!added) return undefined;
      const superseded = run.operation === 'plan' ? await supersede(client, run, id) : [];
      return { id, number: Number(added.number), superseded };
    });
  }

  /** Tells whether a run with this origin exists, so that a request is a repeated one. */
  async hasOrigin(origin: string): Promise<boolean> {
    const rows = await this.#database.ask(
      `SELECT 1 FROM ${serverDatabaseSchemaName}.runs WHERE origin = $1`,
      [origin],
    );
    return rows.length > 0;
  }

  /** Finds a run by id; undefined where there is none. */
  async find(id: string): Promise<StoredRun | undefined> {
    const rows = await this.#database.ask<RunRow>(`${selectRuns} WHERE runs.id = $1`, [id]);
    return rows.map(readRun)[0];
  }

  /** The newest first: those before a number, and of workspaces that a member may view, where these are given. */
  async list(
    workspace: string | undefined,
    limit: number,
    before?: number,
    viewer?: string,
  ): Promise<readonly StoredRun[]> {
    const rows = await this.#database.ask<RunRow>(
      `${selectRuns} WHERE ($1::text IS NULL OR workspaces.name = $1) AND ($3::bigint IS NULL OR number < $3)
         AND ${buildViewableCondition('$4', 'workspaces.id')} ORDER BY number DESC LIMIT $2`,
      [workspace ?? null, limit, before ?? null, viewer ?? null],
    );
    return rows.map(readRun);
  }

  /** The last plan of a workspace before a run, whatever came of it since; undefined where there is none. */
  async findLastPlan(workspaceId: string, before: number): Promise<StoredRun | undefined> {
    const rows = await this.#database.ask<RunRow>(
      `${selectRuns} WHERE runs.workspace = $1 AND number < $2 AND operation = 'plan' AND runs.status = 'succeeded'
         AND plan_file IS NOT NULL AND pull_number IS NULL ORDER BY number DESC LIMIT 1`,
      [workspaceId, before],
    );
    return rows.map(readRun)[0];
  }

  /** The number of the newest plan after one, of another commit of its branch or pull request; undefined where there is none. */
  async findNewerPlan({
    workspaceId,
    number,
    commit,
    pull,
  }: StoredRun): Promise<number | undefined> {
    const [row] = await this.#database.ask<{ number: string | null }>(
      `SELECT max(number) AS number FROM ${serverDatabaseSchemaName}.runs WHERE workspace = $1 AND number > $2 AND commit <> $3
         AND operation = 'plan' AND pull_number IS NOT DISTINCT FROM $4 AND status NOT IN ('cancelled', 'superseded')`,
      [workspaceId, number, commit, pull?.number ?? null],
    );
    return row?.number == null ? undefined : Number(row.number);
  }

  /**
   * Finds the run that supersedes a plan of the branch: its apply, or the newest run after it; undefined where the plan is the
   * newest of its workspace. Drift checks, runs of pull requests, and runs that were cancelled before they began do not count.
   */
  async findSuccessor({ id, workspaceId, number }: StoredRun): Promise<StoredRun | undefined> {
    const rows = await this.#database.ask<RunRow>(
      `${selectRuns} WHERE runs.workspace = $1 AND number > $2 AND operation <> 'drift' AND pull_number IS NULL
         AND (runs.status IN ('queued', 'running', 'succeeded', 'failed')
           OR runs.status = 'cancelled' AND operation <> 'plan' AND started_at IS NOT NULL)
       ORDER BY plan_run IS NOT DISTINCT FROM $3 DESC, number DESC LIMIT 1`,
      [workspaceId, number, id],
    );
    return rows.map(readRun)[0];
  }

  /** The newest plan or apply of a commit of the branch, but for what was cancelled before it began. */
  async findOfCommit(workspaceId: string, commit: string): Promise<StoredRun | undefined> {
    const rows = await this.#database.ask<RunRow>(
      `${selectRuns} WHERE runs.workspace = $1 AND commit = $2 AND operation IN ('plan', 'apply') AND pull_number IS NULL
         AND runs.status <> 'superseded' AND (runs.status <> 'cancelled' OR started_at IS NOT NULL)
       ORDER BY number DESC LIMIT 1`,
      [workspaceId, commit],
    );
    return rows.map(readRun)[0];
  }

  /** Tells whether a plan is the newest result of its workspace, whatever was queued since. */
  async isNewest(planRun: string): Promise<boolean> {
    const rows = await this.#database.ask(
      `SELECT 1 FROM ${serverDatabaseSchemaName}.workspaces WHERE settled_run = $1`,
      [planRun],
    );
    return rows.length > 0;
  }

  /** Lists runs that may be forgotten: queued ones older than `olderThanS` seconds, and those whose worker is gone. */
  async listUnattended(olderThanS: number): Promise<readonly StoredRun[]> {
    const rows = await this.#database.ask<RunRow>(
      `${selectRuns} WHERE runs.status = 'queued' AND runs.created_at < clock_timestamp() - $1 * interval '1 second'
         OR runs.status = 'running' AND NOT EXISTS (SELECT 1 FROM ${serverDatabaseSchemaName}.workers w WHERE w.id = runs.worker AND w.ended_at IS NULL)
       ORDER BY number`,
      [olderThanS],
    );
    return rows.map(readRun);
  }

  /** The number of the oldest run of a workspace that has not ended; undefined where all have. */
  async findOpen(workspaceId: string): Promise<number | undefined> {
    const [row] = await this.#database.ask<{ number: string | null }>(
      `SELECT min(number) AS number FROM ${serverDatabaseSchemaName}.runs WHERE workspace = $1 AND status IN ('queued', 'running')`,
      [workspaceId],
    );
    return row?.number == null ? undefined : Number(row.number);
  }

  /** Finds a queued plan of this commit with nothing queued behind it: another plan would have the same result. */
  async findSamePlan(workspaceId: string, commit: string): Promise<AddedRun | undefined> {
    const [row] = await this.#database.ask<{ id: string; number: string }>(
      `SELECT id, number FROM ${serverDatabaseSchemaName}.runs WHERE workspace = $1 AND commit = $2 AND operation = 'plan' AND status = 'queued'
         AND pull_number IS NULL AND number = (SELECT max(number) FROM ${serverDatabaseSchemaName}.runs newest
           WHERE newest.workspace = $1 AND newest.pull_number IS NULL)`,
      [workspaceId, commit],
    );
    return row && { id: row.id, number: Number(row.number), superseded: [] };
  }

  /** Plans of a pull request that wait. */
  async listQueuedOfPull(workspaceId: string, pull: number): Promise<readonly StoredRun[]> {
    const rows = await this.#database.ask<RunRow>(
      `${selectRuns} WHERE runs.workspace = $1 AND pull_number = $2 AND operation = 'plan' AND runs.status = 'queued'`,
      [workspaceId, pull],
    );
    return rows.map(readRun);
  }

  /** Begins the next attempt of a run; undefined where it has ended, or was cancelled before it began. */
  async claim(id: string, worker: string): Promise<StoredRun | undefined> {
    const claimed = await this.#database.ask(
      `UPDATE ${serverDatabaseSchemaName}.runs SET status = 'running', attempt = attempt + 1, worker = $2, waits_until = NULL, is_held = false,
         started_at = coalesce(started_at, clock_timestamp())
       WHERE id = $1 AND status IN ('queued', 'running') RETURNING id`,
      [id, worker],
    );
    return claimed.length === 0 ? undefined : this.find(id);
  }

  /** Records which process carries out an attempt. The result is false where a later attempt has begun. */
  async noteChild({ id, attempt }: StoredRun, child: object): Promise<boolean> {
    const noted = await this.#database.ask(
      `UPDATE ${serverDatabaseSchemaName}.runs SET child = $3 WHERE id = $1 AND attempt = $2 RETURNING id`,
      [id, attempt, JSON.stringify(child)],
    );
    return noted.length > 0;
  }

  /** Ends a run; false where a later attempt has begun. */
  async end({ id, attempt }: StoredRun, outcome: RunAttemptOutcome): Promise<boolean> {
    const { status, hasChanges = null, planFile = null, changes } = outcome;
    const ended = await this.#database.ask(
      `UPDATE ${serverDatabaseSchemaName}.runs SET status = $3, has_changes = $4, plan_file = $5, changes = $6, ended_at = clock_timestamp(),
         progress = progress || '{ "running": 0 }'
       WHERE id = $1 AND attempt = $2 AND status = 'running' RETURNING id`,
      [id, attempt, status, hasChanges, planFile, changes ? JSON.stringify(changes) : null],
    );
    return ended.length > 0;
  }

  /** Requests the end of a run; a queued one ends at once. @returns its status before; undefined where it has ended */
  async cancel(id: string): Promise<'queued' | 'running' | undefined> {
    const queued = await this.#database.ask(
      `UPDATE ${serverDatabaseSchemaName}.runs SET status = 'cancelled', ended_at = clock_timestamp() WHERE id = $1 AND status = 'queued' RETURNING id`,
      [id],
    );
    if (queued.length > 0) return 'queued';
    const running = await this.#database.ask(
      `UPDATE ${serverDatabaseSchemaName}.runs SET cancels = cancels + 1 WHERE id = $1 AND status = 'running' RETURNING id`,
      [id],
    );
    return running.length > 0 ? 'running' : undefined;
  }
}

/**
 * Locks the open previews of a pull request, which end with the plans that are superseded. A preview that ends is locked before
 * what is written to its pull request: two transactions take their locks in one order.
 */
async function lockPreviews(client: PoolClient, workspaceId: string, pull: number): Promise<void> {
  await client.query(
    `SELECT 1 FROM ${serverDatabaseSchemaName}.runs WHERE workspace = $1 AND pull_number = $2 AND operation = 'preview'
       AND status IN ('queued', 'running') ORDER BY id FOR NO KEY UPDATE`,
    [workspaceId, pull],
  );
}

/**
 * Ends queued plans of other commits: those of the branch, or those of the same pull request. That of the newest commit that
 * was seen stays: nobody would plan it again. One that begins, or is cancelled, at this very moment is not waited for: whoever
 * does so has locked it, and waits for the lock of the workspace in turn.
 */
async function supersede(client: PoolClient, run: NewRun, id: string): Promise<readonly string[]> {
  const { rows } = await client.query<{ id: string }>(
    `UPDATE ${serverDatabaseSchemaName}.runs SET status = 'superseded', ended_at = clock_timestamp()
     WHERE id IN (SELECT id FROM ${serverDatabaseSchemaName}.runs
       WHERE workspace = $1 AND commit <> $2 AND operation = 'plan' AND status = 'queued' AND id <> $3
       AND pull_number IS NOT DISTINCT FROM $4 AND (pull_number IS NOT NULL OR commit IS DISTINCT FROM
         (SELECT seen_commit FROM ${serverDatabaseSchemaName}.workspaces WHERE workspaces.id = $1)) FOR NO KEY UPDATE SKIP LOCKED)
     RETURNING id`,
    [run.workspaceId, run.commit, id, run.pull?.number ?? null],
  );
  return rows.map((row) => row.id);
}

/** The columns that tell a run: numbers of many digits come as texts. */
interface RunRow extends DatabaseRow {
  readonly id: string;
  readonly number: string;
  readonly workspace: string;
  readonly workspace_name: string;
  readonly operation: RunOperation;
  readonly commit: string;
  readonly plan_run: string | null;
  readonly pull_number: number | null;
  readonly pull_head: string;
  readonly status: RunStatus;
  readonly reason: string;
  readonly requested_by: string | null;
  readonly attempt: number;
  readonly worker: string | null;
  readonly child: unknown;
  readonly progress: StoredRunProgress | null;
  readonly waits_until: Date | null;
  readonly cancels: number;
  readonly has_changes: boolean | null;
  readonly plan_file: string | null;
  readonly changes: readonly PlannedChange[] | null;
  readonly created_at: Date;
  readonly started_at: Date | null;
  readonly ended_at: Date | null;
  readonly details_deleted_at: Date | null;
  readonly details_kept_days: number;
}

/** Reads a run from its database row. */
function readRun(row: RunRow): StoredRun {
  return {
    id: row.id,
    number: Number(row.number),
    workspaceId: row.workspace,
    workspace: row.workspace_name,
    operation: row.operation,
    commit: row.commit,
    planRun: row.plan_run ?? undefined,
    pull: row.pull_number === null ? undefined : { number: row.pull_number, head: row.pull_head },
    status: row.status,
    reason: row.reason,
    requestedBy: row.requested_by ?? undefined,
    attempt: row.attempt,
    worker: row.worker ?? undefined,
    child: row.child,
    progress: row.progress ?? undefined,
    waitsUntil: row.waits_until ?? undefined,
    cancels: row.cancels,
    hasChanges: row.has_changes ?? undefined,
    planFile: row.plan_file ?? undefined,
    changes: row.changes ?? undefined,
    createdAt: row.created_at,
    startedAt: row.started_at ?? undefined,
    endedAt: row.ended_at ?? undefined,
    deleted:
      row.details_deleted_at === null
        ? undefined
        : { at: row.details_deleted_at, keptDays: row.details_kept_days },
  };
}
