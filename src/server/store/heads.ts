// Heads of pull requests and merge groups: the workspaces that each touches, until its summary status is written.
import { buildClaimableCondition } from './deliveries.ts';
import type { RunStatus } from './run.ts';
import { serverDatabaseSchemaName, type ServerDatabase } from '../database/database.ts';

/** Newest commit of a pull request, which gets a status that sums up its workspaces. */
export interface SummaryStatusHead {
  readonly connection: string;
  /** Path of the repository at its host, as `acme/infra`. */
  readonly repository: string;
  readonly commit: string;
}

/** A commit whose summary status is due to be written. */
export interface DueSummaryStatus extends SummaryStatusHead {
  readonly workspaceIds: readonly string[];
  readonly revision: string;
  readonly attempts: number;
}

/** Newest plan of a workspace for the head commit of a pull request. */
export interface HeadPlan {
  readonly workspace: string;
  readonly isPaused: boolean;
  /** Id of the plan's run; undefined where the workspace is not planned for this commit. */
  readonly run: string | undefined;
  readonly status: RunStatus | undefined;
}

const keptDays = 30;

/** Commit statuses that sum up a pull request's workspaces, in the database. A trigger on the runs makes them due. */
export class SummaryStatusStore {
  readonly #database: ServerDatabase;

  constructor(database: ServerDatabase) {
    this.#database = database;
  }

  /** Stores which workspaces a commit touches, and makes its summary status due. */
  async note(
    { connection, repository, commit }: SummaryStatusHead,
    workspaceIds: readonly string[],
  ): Promise<void> {
    await this.#database.ask(
      `INSERT INTO ${serverDatabaseSchemaName}.heads AS head (connection, repository, commit, workspaces) VALUES ($1, $2, $3, $4)
       ON CONFLICT (connection, repository, commit) DO UPDATE SET workspaces = $4, revision = head.revision + 1,
         attempts = 0, noted_at = clock_timestamp(), due_at = clock_timestamp()`,
      [connection, repository, commit, workspaceIds],
    );
    await this.#database.ask(
      `DELETE FROM ${serverDatabaseSchemaName}.heads WHERE noted_at < clock_timestamp() - interval '${keptDays} days'`,
    );
  }

  /** Takes the next summary status that is due; undefined where there is none. */
  async claim(worker: string): Promise<DueSummaryStatus | undefined> {
    const [row] = await this.#database.ask<
      SummaryStatusHead & {
        workspaces: readonly string[];
        revision: string;
        attempts: number;
      } & Record<string, unknown>
    >(
      `UPDATE ${serverDatabaseSchemaName}.heads SET claimed_by = $1, claimed_at = clock_timestamp(), attempts = attempts + 1
       WHERE (connection, repository, commit) = (SELECT connection, repository, commit FROM ${serverDatabaseSchemaName}.heads h
         WHERE delivered < revision AND ${buildClaimableCondition('h')} ORDER BY due_at LIMIT 1 FOR UPDATE SKIP LOCKED)
       RETURNING connection, repository, commit, workspaces, revision, attempts`,
      [worker],
    );
    if (!row) return undefined;
    const { workspaces: workspaceIds, ...head } = row;
    return { ...head, workspaceIds };
  }

  /** Marks the status as written; what has changed since makes it due again. */
  async end({ connection, repository, commit, revision }: DueSummaryStatus): Promise<void> {
    await this.#database.ask(
      `UPDATE ${serverDatabaseSchemaName}.heads SET claimed_by = NULL, delivered = $4
       WHERE connection = $1 AND repository = $2 AND commit = $3`,
      [connection, repository, commit, revision],
    );
  }

  /** Makes a status due again after a while, or at once where it has changed since. */
  async retry(
    { connection, repository, commit, revision }: DueSummaryStatus,
    delayMs: number,
  ): Promise<void> {
    await this.#database.ask(
      `UPDATE ${serverDatabaseSchemaName}.heads SET claimed_by = NULL,
         due_at = CASE WHEN revision = $4 THEN clock_timestamp() + $5 * interval '1 millisecond' ELSE due_at END
       WHERE connection = $1 AND repository = $2 AND commit = $3`,
      [connection, repository, commit, revision, delayMs],
    );
  }

  /** The newest plans of the workspaces that a head touches, by their names. */
  async listPlans({ commit, workspaceIds }: DueSummaryStatus): Promise<readonly HeadPlan[]> {
    const rows = await this.#database.ask<{
      name: string;
      paused: boolean;
      id: string | null;
      status: RunStatus | null;
    }>(
      `SELECT w.name, w.paused, plan.id, plan.status FROM ${serverDatabaseSchemaName}.workspaces w
       LEFT JOIN LATERAL (SELECT id, status FROM ${serverDatabaseSchemaName}.runs WHERE workspace = w.id AND pull_head = $2
         AND pull_number IS NOT NULL AND operation = 'plan' ORDER BY number DESC LIMIT 1) plan ON true
       WHERE w.id = ANY ($1::uuid[]) ORDER BY w.name`,
      [workspaceIds, commit],
    );
    return rows.map(({ name, paused, id, status }) => ({
      workspace: name,
      isPaused: paused,
      run: id ?? undefined,
      status: status ?? undefined,
    }));
  }
}
