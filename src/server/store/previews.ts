// Previews: what a plan of a pull request would say, while an apply of its workspace keeps that waiting.
import type { QueuedRun } from '../engine/durable-engine.ts';
import type { PullRequestCommit, StoredRun } from './run.ts';
import { serverSchemaName, type ServerDatabase } from '../database/database.ts';

/** Preview of a plan of a pull request, with the run that the plan waits for. */
export interface ShownPreview {
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

/** Previews in the server's database. Triggers end them, and mark the reports that are due. */
export class PlanPreviewStore {
  readonly #database: ServerDatabase;

  constructor(database: ServerDatabase) {
    this.#database = database;
  }

  /**
   * Adds a preview of each plan of a pull request that waits for an apply or a destroy which runs. Each has one, and another one
   * only where that came to nothing, and nobody has cancelled it. There is none while the workspace is paused, or workers of two
   * versions live: the earlier one may know no previews. A plan that begins at this very moment is left alone.
   */
  async add(): Promise<readonly QueuedRun[]> {
    const rows = await this.#database.ask<{ id: string; workspace: string }>(
      `WITH due AS (
         SELECT plan.*, ${previewReason} AS because, tried.times FROM ${serverSchemaName}.runs plan
         JOIN ${serverSchemaName}.workspaces w ON w.id = plan.workspace AND NOT w.paused
         JOIN ${serverSchemaName}.runs change ON change.workspace = w.id AND ${isChanging}
         CROSS JOIN LATERAL (SELECT count(*) AS times, coalesce(bool_or(preview.status = 'running' OR preview.origin IS NOT NULL
             AND (preview.status <> 'failed' OR said.run IS NOT NULL)), false) AS suffice
           FROM ${serverSchemaName}.runs preview LEFT JOIN ${serverSchemaName}.run_comments said ON said.run = preview.id
           WHERE preview.plan_run = plan.id) tried
         WHERE plan.status = 'queued' AND plan.operation = 'plan' AND plan.pull_number IS NOT NULL
           AND tried.times < ${mostTries} AND NOT tried.suffice
           AND (SELECT count(DISTINCT version) FROM ${serverSchemaName}.workers WHERE ended_at IS NULL) <= 1
         ORDER BY plan.number LIMIT 50 FOR NO KEY UPDATE OF plan SKIP LOCKED)
       INSERT INTO ${serverSchemaName}.runs (id, workspace, commit, operation, reason, plan_run, pull_number, pull_head, origin)
         SELECT gen_random_uuid(), workspace, commit, 'preview', because, id, pull_number, pull_head, 'preview:' || id || ':' || times
         FROM due ON CONFLICT (origin) DO NOTHING RETURNING id, workspace`,
    );
    return rows.map(({ id, workspace: workspaceId }) => ({ id, workspaceId }));
  }

  /**
   * The newest preview of a pull request, also that of an older commit. Undefined where there is none, or a plan was made since:
   * then that is shown. One that was to end, and came to its end all the same, is not shown: the change ended before it.
   */
  async find({ workspaceId, pull }: StoredRun): Promise<ShownPreview | undefined> {
    if (!pull) return undefined;
    const [row] = await this.#database.ask<{
      id: string;
      number: string;
      pull_head: string;
      change: string;
      is_changing: boolean;
    }>(
      `SELECT preview.id, preview.number, preview.pull_head, ${changeName} AS change, ${isChanging} AS is_changing
       FROM ${serverSchemaName}.runs preview JOIN ${serverSchemaName}.run_comments said ON said.run = preview.id
       JOIN ${serverSchemaName}.runs change ON change.workspace = preview.workspace AND ${previewReason} = preview.reason
       WHERE preview.workspace = $1 AND preview.pull_number = $2 AND preview.operation = 'preview'
         AND preview.status IN ('succeeded', 'failed') AND preview.cancels = 0
         AND NOT EXISTS (SELECT 1 FROM ${serverSchemaName}.runs plan WHERE plan.workspace = $1 AND plan.pull_number = $2
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
