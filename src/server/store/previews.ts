// Previews: what a plan of a pull request would say, while an apply of its workspace keeps that waiting.
import type { QueuedRun } from '../engine/durable-engine.ts';
import type { PullRequestCommit, StoredRun } from './run.ts';
import { serverDatabaseSchemaName, type ServerDatabase } from '../database/database.ts';

/** Preview of a pull request's plan that has to wait, with the run that it waits for. */
export interface PlanPreviewSummary {
  readonly id: string;
  readonly number: number;
  readonly pull: PullRequestCommit;
  /** Name of the run that changed the account when it was made: `apply #12`. */
  readonly change: string;
  readonly isChanging: boolean;
}

/** True in SQL for a run `change` that changes the account now. */
const isChanging = `change.status = 'running' AND change.operation IN ('apply', 'destroy')`;

/** Name in SQL of a run `change`, and the reason of the previews that are made during it. */
const changeName = `change.operation || ' #' || change.number`;
const previewReason = `${changeName} || ' is running'`;

/** Most tries to preview one plan: the reason why one fails may make the next one fail, too. */
const mostTries = 3;

/** Previews of plans in the server's database. Triggers end them, and make the reports about them due. */
export class PlanPreviewStore {
  readonly #database: ServerDatabase;

  constructor(database: ServerDatabase) {
    this.#database = database;
  }

  /**
   * Adds a preview of each plan of a pull request that waits for a running apply or destroy. A plan gets one preview, and another
   * only where that came to nothing without being cancelled. None is added while the workspace is paused, or while workers of two
   * versions run, since the older may know no previews. A plan that begins at this moment is skipped.
   */
  async add(): Promise<readonly QueuedRun[]> {
    const rows = await this.#database.ask<{ id: string; workspace: string }>(
      `WITH due AS (
         SELECT plan.*, ${previewReason} AS because, tried.times FROM ${serverDatabaseSchemaName}.runs plan
         JOIN ${serverDatabaseSchemaName}.workspaces w ON w.id = plan.workspace AND NOT w.paused
         JOIN ${serverDatabaseSchemaName}.runs change ON change.workspace = w.id AND ${isChanging}
         CROSS JOIN LATERAL (SELECT count(*) AS times, coalesce(bool_or(preview.status = 'running' OR preview.origin IS NOT NULL
             AND (preview.status <> 'failed' OR said.run IS NOT NULL)), false) AS suffice
           FROM ${serverDatabaseSchemaName}.runs preview LEFT JOIN ${serverDatabaseSchemaName}.run_comments said ON said.run = preview.id
           WHERE preview.plan_run = plan.id) tried
         WHERE plan.status = 'queued' AND plan.operation = 'plan' AND plan.pull_number IS NOT NULL
           AND tried.times < ${mostTries} AND NOT tried.suffice
           AND (SELECT count(DISTINCT version) FROM ${serverDatabaseSchemaName}.workers WHERE ended_at IS NULL) <= 1
         ORDER BY plan.number LIMIT 50 FOR NO KEY UPDATE OF plan SKIP LOCKED)
       INSERT INTO ${serverDatabaseSchemaName}.runs (id, workspace, commit, operation, reason, plan_run, pull_number, pull_head, origin)
         SELECT gen_random_uuid(), workspace, commit, 'preview', because, id, pull_number, pull_head, 'preview:' || id || ':' || times
         FROM due ON CONFLICT (origin) DO NOTHING RETURNING id, workspace`,
    );
    return rows.map(({ id, workspace: workspaceId }) => ({ id, workspaceId }));
  }

  /**
   * Finds the newest preview of a pull request, also of an older commit. Undefined where there is none, or a plan was made since.
   * A preview that ended only after the change it waited for is not shown.
   */
  async find({ workspaceId, pull }: StoredRun): Promise<PlanPreviewSummary | undefined> {
    if (!pull) return undefined;
    const [row] = await this.#database.ask<{
      id: string;
      number: string;
      pull_head: string;
      change: string;
      is_changing: boolean;
    }>(
      `SELECT preview.id, preview.number, preview.pull_head, ${changeName} AS change, ${isChanging} AS is_changing
       FROM ${serverDatabaseSchemaName}.runs preview JOIN ${serverDatabaseSchemaName}.run_comments said ON said.run = preview.id
       JOIN ${serverDatabaseSchemaName}.runs change ON change.workspace = preview.workspace AND ${previewReason} = preview.reason
       WHERE preview.workspace = $1 AND preview.pull_number = $2 AND preview.operation = 'preview'
         AND preview.status IN ('succeeded', 'failed') AND preview.cancels = 0
         AND NOT EXISTS (SELECT 1 FROM ${serverDatabaseSchemaName}.runs plan WHERE plan.workspace = $1 AND plan.pull_number = $2
           AND plan.operation = 'plan' AND plan.status IN ('succeeded', 'failed') AND plan.ended_at > preview.created_at)
       ORDER BY preview.number DESC LIMIT 1`,
      [workspaceId, pull.number],
    );
    return (
      row && {
        id: row.id,
        number: Number(row.number),
        pull: { number: pull.number, head: row.pull_head },
        change: row.change,
        isChanging: row.is_changing,
      }
    );
  }
}
