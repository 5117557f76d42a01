import type { EncryptedBlobStore } from './blobs.ts';
import { buildClaimableCondition } from './deliveries.ts';
import { serverDatabaseSchemaName, type ServerDatabase } from '../database/database.ts';

/** A report on one workspace that is due to be written to a pull request. */
export interface DuePullReport {
  readonly workspaceId: string;
  readonly number: number;
  /** The newest run of the pull request; undefined for a fork that nobody has allowed to be planned. */
  readonly run: string | undefined;
  readonly forkHead: string | undefined;
  /** The head that touches the workspace no longer; undefined where the newest one touches it. */
  readonly droppedHead: string | undefined;
  readonly commentId: string | undefined;
  /** Number that grows with each change of what the report has to say. */
  readonly revision: string;
  readonly attempts: number;
}

/** A merge whose plan waits to be applied. */
export interface DueMerge {
  readonly workspaceId: string;
  readonly number: number;
  readonly head: string;
  /** Id of the run that planned the merge's commit. */
  readonly plan: string;
  /** Who asked for the apply; undefined where the workspace applies merges by itself. */
  readonly asked: RequestedMergeApply | undefined;
}

/** An apply of a merge that somebody asked for in a comment. It is kept until the plan of the merge is there. */
export interface RequestedMergeApply {
  readonly connection: string;
  /** Name of the person at the git host. */
  readonly person: string;
  /** Origin of the apply, by which a repeated request is recognised, see `NewRun`. */
  readonly origin: string;
}

/** A requested apply of a merge that was neither started nor refused yet. */
export interface UndecidedMergeApply extends Pick<DueMerge, 'workspaceId' | 'number'> {
  readonly commit: string;
  /** True where the apply was asked for so long ago that nobody waits for it. */
  readonly isOld: boolean;
}

/** Facts about a merge that the report to its pull request shows. */
export interface ReportedMerge {
  readonly commit: string;
  readonly isDecided: boolean;
  /** Reason why the plan of the merge was not applied; undefined where it was, or is not decided yet. */
  readonly heldBack: string | undefined;
}

/** The newest plan of a pull request. */
export interface NewestPullPlan {
  readonly number: number;
  readonly head: string;
  readonly commit: string;
  /** Not set where the run was cancelled, or another one took its place. */
  readonly isWanted: boolean;
}

const keptDays = 7;
/** Minutes that a requested apply waits for the plan of its merge. */
const keptMinutes = 60;

/**
 * True in SQL for a plan that waits to be applied, where `plan` is the settled run of `w`: nothing but drift checks and pull
 * requests is at work. Drift that was found since does not close it.
 */
const isWaiting = `plan.operation = 'plan' AND plan.status = 'succeeded' AND plan.has_changes
  AND NOT EXISTS (SELECT 1 FROM ${serverDatabaseSchemaName}.runs other WHERE other.workspace = w.id AND other.status IN ('queued', 'running')
    AND other.operation <> 'drift' AND other.pull_number IS NULL)`;

/** Reports to pull requests and merges, in the server's database. A trigger on the runs makes reports due. */
export class PullRequestStore {
  readonly #database: ServerDatabase;
  readonly #blobs: EncryptedBlobStore;

  constructor(database: ServerDatabase, blobs: EncryptedBlobStore) {
    this.#database = database;
    this.#blobs = blobs;
  }

  /** Makes a report due for a pull request from a fork: it says that somebody has to allow its plan. */
  async askForFork(workspaceId: string, number: number, head: string): Promise<void> {
    await this.#database.ask(
      `INSERT INTO ${serverDatabaseSchemaName}.pull_reports AS report (workspace, pull_number, fork_head) VALUES ($1, $2, $3)
       ON CONFLICT (workspace, pull_number) DO UPDATE SET run = NULL, fork_head = $3, revision = report.revision + 1,
         attempts = 0, due_at = clock_timestamp()
       WHERE report.fork_head IS DISTINCT FROM $3
         AND NOT EXISTS (SELECT 1 FROM ${serverDatabaseSchemaName}.runs WHERE runs.id = report.run AND runs.pull_head = $3)`,
      [workspaceId, number, head],
    );
  }

  /** Makes reports due on workspaces that the newest commit of a pull request no longer touches. */
  async drop(number: number, head: string, workspaceIds: readonly string[]): Promise<void> {
    await this.#database.ask(
      `UPDATE ${serverDatabaseSchemaName}.pull_reports SET dropped_head = $2, revision = revision + 1, attempts = 0, due_at = clock_timestamp()
       WHERE pull_number = $1 AND workspace = ANY ($3::uuid[]) AND dropped_head IS DISTINCT FROM $2`,
      [number, head, workspaceIds],
    );
  }

  /** Makes reports due on workspaces that the newest commit of a pull request touches again. */
  async takeBack(number: number, workspaceIds: readonly string[]): Promise<void> {
    await this.#database.ask(
      `UPDATE ${serverDatabaseSchemaName}.pull_reports SET dropped_head = NULL, revision = revision + 1, attempts = 0, due_at = clock_timestamp()
       WHERE pull_number = $1 AND workspace = ANY ($2::uuid[]) AND dropped_head IS NOT NULL`,
      [number, workspaceIds],
    );
  }

  /** Takes the next report that is due; undefined where there is none. */
  async claim(worker: string): Promise<DuePullReport | undefined> {
    const [row] = await this.#database.ask<{
      workspace: string;
      pull_number: number;
      run: string | null;
      fork_head: string | null;
      dropped_head: string | null;
      comment_id: string | null;
      revision: string;
      attempts: number;
    }>(
      `UPDATE ${serverDatabaseSchemaName}.pull_reports SET claimed_by = $1, claimed_at = clock_timestamp(), attempts = attempts + 1
       WHERE (workspace, pull_number) = (SELECT workspace, pull_number FROM ${serverDatabaseSchemaName}.pull_reports r
         WHERE delivered < revision AND ${buildClaimableCondition('r')} ORDER BY due_at LIMIT 1 FOR UPDATE SKIP LOCKED) RETURNING *`,
      [worker],
    );
    return (
      row && {
        workspaceId: row.workspace,
        number: row.pull_number,
        run: row.run ?? undefined,
        forkHead: row.fork_head ?? undefined,
        droppedHead: row.dropped_head ?? undefined,
        commentId: row.comment_id ?? undefined,
        revision: row.revision,
        attempts: row.attempts,
      }
    );
  }

  /** Marks the report as written; what has changed since makes it due again. */
  async end({ workspaceId, number, revision }: DuePullReport): Promise<void> {
    await this.#database.ask(
      `UPDATE ${serverDatabaseSchemaName}.pull_reports SET claimed_by = NULL, delivered = $3 WHERE workspace = $1 AND pull_number = $2`,
      [workspaceId, number, revision],
    );
  }

  /** Makes a report due again after a while, or at once where it has changed since. */
  async retry({ workspaceId, number, revision }: DuePullReport, delayMs: number): Promise<void> {
    await this.#database.ask(
      `UPDATE ${serverDatabaseSchemaName}.pull_reports SET claimed_by = NULL,
         due_at = CASE WHEN revision = $3 THEN clock_timestamp() + $4 * interval '1 millisecond' ELSE due_at END
       WHERE workspace = $1 AND pull_number = $2`,
      [workspaceId, number, revision, delayMs],
    );
  }

  /** Stores the id of the report's comment at the git host. */
  async noteComment({ workspaceId, number }: DuePullReport, commentId: string): Promise<void> {
    await this.#database.ask(
      `UPDATE ${serverDatabaseSchemaName}.pull_reports SET comment_id = $3 WHERE workspace = $1 AND pull_number = $2`,
      [workspaceId, number, commentId],
    );
  }

  /** Keeps what a run has to say in a comment: it quotes the configuration, so it is encrypted. */
  async keepBody(runId: string, markdown: string): Promise<void> {
    const content = Buffer.from(markdown);
    // An earlier attempt may have stored another text for the same run.
    const known = await this.#findBody(runId);
    if (known !== undefined) return this.#blobs.replace(known, content);
    await this.#database.ask(
      `INSERT INTO ${serverDatabaseSchemaName}.run_comments (run, body) VALUES ($1, $2)`,
      [runId, await this.#blobs.add(content)],
    );
  }

  /** Reads the text of a run for its comment; undefined where the run came to nothing. */
  async readBody(runId: string): Promise<string | undefined> {
    const blob = await this.#findBody(runId);
    return blob === undefined ? undefined : (await this.#blobs.read(blob)).toString('utf8');
  }

  async #findBody(runId: string): Promise<string | undefined> {
    const [row] = await this.#database.ask<{ body: string }>(
      `SELECT body FROM ${serverDatabaseSchemaName}.run_comments WHERE run = $1`,
      [runId],
    );
    return row?.body;
  }

  /**
   * Finds the newest successful plan of a pull request at a commit; undefined where there is none.
   * @param before time by which the plan had ended, if that matters
   */
  async findPlan(
    workspaceId: string,
    number: number,
    head: string,
    before?: string,
  ): Promise<string | undefined> {
    const [row] = await this.#database.ask<{ id: string }>(
      `SELECT id FROM ${serverDatabaseSchemaName}.runs WHERE workspace = $1 AND pull_number = $2 AND pull_head = $3 AND status = 'succeeded'
         AND operation = 'plan' AND ($4::timestamptz IS NULL OR ended_at < $4) ORDER BY number DESC LIMIT 1`,
      [workspaceId, number, head, before ?? null],
    );
    return row?.id;
  }

  /** The plan of a workspace that waits to be applied; undefined where none does. */
  async findWaiting(workspaceId: string): Promise<string | undefined> {
    const [row] = await this.#database.ask<{ id: string }>(
      `SELECT plan.id FROM ${serverDatabaseSchemaName}.workspaces w JOIN ${serverDatabaseSchemaName}.runs plan ON plan.id = w.settled_run
       WHERE w.id = $1 AND ${isWaiting}`,
      [workspaceId],
    );
    return row?.id;
  }

  /** The newest plan of a pull request in each of some workspaces, by their ids. */
  async listNewest(
    number: number,
    workspaceIds: readonly string[],
  ): Promise<ReadonlyMap<string, NewestPullPlan>> {
    const rows = await this.#database.ask<{
      workspace: string;
      number: number;
      pull_head: string;
      commit: string;
      is_wanted: boolean;
    }>(
      `SELECT DISTINCT ON (workspace) workspace, number::int, pull_head, commit,
         status NOT IN ('cancelled', 'superseded') AS is_wanted
       FROM ${serverDatabaseSchemaName}.runs WHERE workspace = ANY($2::uuid[]) AND pull_number = $1 AND operation = 'plan'
       ORDER BY workspace, number DESC`,
      [number, workspaceIds],
    );
    return new Map(
      rows.map(({ workspace, pull_head: head, is_wanted: isWanted, ...row }) => [
        workspace,
        { number: row.number, head, commit: row.commit, isWanted },
      ]),
    );
  }

  /** Keeps that a pull request was merged. `isApplied`: the workspace applies merges by itself. */
  async noteMerge(
    workspaceId: string,
    number: number,
    merge: { readonly commit: string; readonly head: string; readonly isApplied: boolean },
  ): Promise<void> {
    const { commit, head, isApplied } = merge;
    await this.#database.ask(
      `INSERT INTO ${serverDatabaseSchemaName}.merged_pulls (workspace, pull_number, commit, head, decided_at)
       VALUES ($1, $2, $3, $4, CASE WHEN NOT $5 THEN clock_timestamp() END) ON CONFLICT DO NOTHING`,
      [workspaceId, number, commit, head, isApplied],
    );
    await this.#database.ask(
      `DELETE FROM ${serverDatabaseSchemaName}.merged_pulls WHERE merged_at < clock_timestamp() - interval '${keptDays} days'`,
    );
  }

  /** Records that somebody has asked for the apply of a merge; a repetition of the same comment changes nothing. */
  async askApply(workspaceId: string, number: number, asked: RequestedMergeApply): Promise<void> {
    const rows = await this.#database.ask(
      `UPDATE ${serverDatabaseSchemaName}.merged_pulls SET asked = $3, asked_at = clock_timestamp(), decided_at = NULL, held_back = NULL
       WHERE workspace = $1 AND pull_number = $2 AND asked->>'origin' IS DISTINCT FROM $4 RETURNING commit`,
      [workspaceId, number, JSON.stringify(asked), asked.origin],
    );
    if (rows.length === 0) return;
    await this.#database.ask(
      `INSERT INTO ${serverDatabaseSchemaName}.pull_reports (workspace, pull_number) VALUES ($1, $2) ON CONFLICT DO NOTHING`,
      [workspaceId, number],
    );
  }

  /** Applies that were asked for, and wait for the plan of their merge. */
  async listKept(): Promise<readonly UndecidedMergeApply[]> {
    const rows = await this.#database.ask<{
      workspace: string;
      pull_number: number;
      commit: string;
      is_old: boolean;
    }>(
      `SELECT workspace, pull_number, commit, asked_at < clock_timestamp() - interval '${keptMinutes} minutes' AS is_old
       FROM ${serverDatabaseSchemaName}.merged_pulls WHERE asked IS NOT NULL AND decided_at IS NULL LIMIT 50`,
    );
    return rows.map(({ workspace: workspaceId, pull_number: number, commit, is_old: isOld }) => ({
      workspaceId,
      number,
      commit,
      isOld,
    }));
  }

  /** The merge of a pull request; undefined where it is not merged, or was so long ago. */
  async findMerge(workspaceId: string, number: number): Promise<ReportedMerge | undefined> {
    const [row] = await this.#database.ask<{
      commit: string;
      decided_at: Date | null;
      held_back: string | null;
    }>(
      `SELECT commit, decided_at, held_back FROM ${serverDatabaseSchemaName}.merged_pulls WHERE workspace = $1 AND pull_number = $2`,
      [workspaceId, number],
    );
    return (
      row && {
        commit: row.commit,
        isDecided: row.decided_at !== null,
        heldBack: row.held_back ?? undefined,
      }
    );
  }

  /** Lists the merges that are to be decided: the plan of each is the one that waits in its workspace. */
  async listDueMerges(): Promise<readonly DueMerge[]> {
    const rows = await this.#database.ask<{
      workspace: string;
      pull_number: number;
      head: string;
      plan: string;
      asked: RequestedMergeApply | null;
    }>(
      `SELECT merged.workspace, merged.pull_number, merged.head, merged.asked, plan.id AS plan FROM ${serverDatabaseSchemaName}.merged_pulls merged
       JOIN ${serverDatabaseSchemaName}.workspaces w ON w.id = merged.workspace
       JOIN ${serverDatabaseSchemaName}.runs plan ON plan.id = w.settled_run
       WHERE merged.decided_at IS NULL AND (w.apply_on_merge AND NOT w.paused OR merged.asked IS NOT NULL)
         AND plan.commit = merged.commit AND ${isWaiting} LIMIT 50`,
    );
    return rows.map(({ workspace: workspaceId, pull_number: number, head, plan, asked }) => ({
      workspaceId,
      number,
      head,
      plan,
      asked: asked ?? undefined,
    }));
  }

  /**
   * Records that a merge is decided, and why it is not applied. The result is false where another process has decided it before.
   */
  async decideMerge(
    { workspaceId, number }: Pick<DueMerge, 'workspaceId' | 'number'>,
    heldBack: string | undefined,
  ): Promise<boolean> {
    const rows = await this.#database.ask(
      `UPDATE ${serverDatabaseSchemaName}.merged_pulls SET decided_at = clock_timestamp(), held_back = $3
       WHERE workspace = $1 AND pull_number = $2 AND decided_at IS NULL RETURNING commit`,
      [workspaceId, number, heldBack ?? null],
    );
    return rows.length > 0;
  }
}
