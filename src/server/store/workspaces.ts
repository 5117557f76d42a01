import { randomUUID } from 'node:crypto';
import { buildViewableCondition } from '../people/members.ts';
import type { EncryptedBlobStore } from './blobs.ts';
import {
  serverDatabaseSchemaName,
  type DatabaseRow,
  type ServerDatabase,
} from '../database/database.ts';
import {
  applyVariableEdits,
  type VariableEdits,
  type StoredVariables,
  type WorkspaceVariables,
} from '../variables/variables.ts';
import type { Schemas } from '../contract.ts';
import type { ApplyFreeze, ApplyWindow } from '../windows/apply-windows.ts';

/** Rule for how many approvals a plan needs before it is applied. */
export type ApprovalRule = Schemas['Workspace']['approvals'];

/** A workspace: a configuration directory of a repository's branch, with its account, its state and its settings. */
export interface Workspace {
  readonly id: string;
  readonly name: string;
  readonly repository: string;
  readonly branch: string;
  readonly directory: string;
  /** Further directories of the repository that its configuration may have read, and whose changes touch it. */
  readonly reads: readonly string[];
  /** Set to look for new commits of the branch regularly, and to plan them. */
  readonly poll: boolean;
  /** The name of the connection to its git host; undefined where it is read without one. */
  readonly connection: string | undefined;
  /** True where the plan of a merge is applied, if `decideMerge` allows it. */
  readonly applyOnMerge: boolean;
  readonly approvals: ApprovalRule;
  /** True where the last approval queues the apply. */
  readonly applyWhenApproved: boolean;
  /** Name of the account, shared by workspaces with tokens of their own; undefined: the token identifies the account. */
  readonly account: string | undefined;
  /** The names of workspaces whose outputs are variables of this one, and whose applies plan it. */
  readonly after: readonly string[];
  /** The names of the sets whose variables it has, too; of two with one variable, the later wins. */
  readonly variableSets: readonly string[];
  /** Minutes between drift checks; null to check on request only. */
  readonly driftEveryMinutes: number | null;
  /** Set to undo drift: the server plans it, and applies a plan that removes and replaces nothing. */
  readonly applyDrift: boolean;
  /** Ranges of addresses that probes may reach, beside public IPs of the account. */
  readonly allowProbes: readonly string[];
  /** Times of the week at which applies and destroys may run; at any time where there are none. */
  readonly windows: readonly ApplyWindow[];
  /** Freezes: times at which no apply may begin. */
  readonly freezes: readonly ApplyFreeze[];
  /** The commit that was planned last for being new. */
  readonly seenCommit: string | undefined;
  readonly createdAt: Date;
  /** Status of the workspace, as its runs have left it. */
  readonly status: WorkspaceStatus;
  /** Id of the run that decided the status, apart from drift. */
  readonly settledRun: string | undefined;
  /** Name of the workspace's state, which stays when the workspace is renamed. */
  readonly stateName: string;
  /** True where the server starts no run for the workspace by itself. */
  readonly paused: boolean;
  /** Lock of the workspace, under which nobody applies or destroys; undefined without one. */
  readonly lock: WorkspaceLock | undefined;
}

/** Lock of a workspace: since when, by whom and why. */
export type WorkspaceLock = Schemas['WorkspaceLock'];

/** Changed fields of a workspace; a variable without a value is removed. */
export type WorkspaceEdit = Schemas['WorkspaceEdit'];
/** Status of a workspace, as its runs have left it. */
export type WorkspaceStatus = Schemas['WorkspaceStatus'];

/** Fields of a new workspace. */
export type NewWorkspace = Pick<
  Workspace,
  'name' | 'repository' | 'branch' | 'directory' | 'poll'
> & {
  readonly reads?: readonly string[];
  readonly connection?: string | null | undefined;
  readonly account?: string | null | undefined;
  readonly applyOnMerge?: boolean;
  readonly variables: VariableEdits;
  /** Rule for approvals; none is needed when absent. */
  readonly approvals?: Partial<ApprovalRule>;
  readonly applyWhenApproved?: boolean;
  readonly after?: readonly string[];
  readonly variableSets?: readonly string[];
  readonly driftEveryMinutes?: number | null;
  readonly applyDrift?: boolean;
  readonly allowProbes?: readonly string[];
  readonly windows?: readonly ApplyWindow[];
  readonly freezes?: readonly ApplyFreeze[];
};

/** Workspaces in the server's database. */
export class WorkspaceStore {
  readonly #database: ServerDatabase;
  readonly #blobs: EncryptedBlobStore;

  constructor(database: ServerDatabase, blobs: EncryptedBlobStore) {
    this.#database = database;
    this.#blobs = blobs;
  }

  /** Adds a workspace; undefined where its name is taken. */
  async add({ variables, ...given }: NewWorkspace): Promise<Workspace | undefined> {
    if (await this.find(given.name)) return undefined;
    const { values, secrets } = applyVariableEdits(noVariables, variables);
    const blob = await this.#blobs.add(Buffer.from(JSON.stringify(values)));
    const { name, repository, branch, directory, poll } = given;
    const { connection = null, applyOnMerge = false, applyWhenApproved = false } = given;
    const { after = [], reads = [] } = given;
    const { count = 0, byAuthor = false, hostReviews = false } = given.approvals ?? {};
    const { driftEveryMinutes = null, applyDrift = false, account = null } = given;
    const { allowProbes = [], windows = [], freezes = [], variableSets = [] } = given;
    const rows = await this.#database.ask<WorkspaceRow>(
      `INSERT INTO ${serverDatabaseSchemaName}.workspaces (id, name, repository, branch, directory, poll, variables, connection,
         apply_on_merge, approvals_needed, approval_by_author, apply_when_approved, after, drift_every_minutes, apply_drift,
         account_name, secret_variables, reads, allow_probes, windows, freezes, variable_sets, approval_host_reviews)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20, $21, $22, $23) ON CONFLICT (name) DO NOTHING RETURNING *`,
      [
        ...[randomUUID(), name, repository, branch, directory, poll, blob, connection],
        ...[applyOnMerge, count, byAuthor, applyWhenApproved, after, driftEveryMinutes, applyDrift],
        ...[account, secrets, reads, allowProbes],
        ...[JSON.stringify(windows), JSON.stringify(freezes), variableSets],
        hostReviews,
      ],
    );
    return rows.map(readWorkspaceRow)[0];
  }

  /** Finds a workspace by its name. */
  async find(name: string): Promise<Workspace | undefined> {
    const rows = await this.#database.ask<WorkspaceRow>(
      `SELECT * FROM ${serverDatabaseSchemaName}.workspaces WHERE name = $1`,
      [name],
    );
    return rows.map(readWorkspaceRow)[0];
  }

  /** Lists the workspaces that a member may view, or all, sorted by name. */
  async list(viewer?: string): Promise<readonly Workspace[]> {
    const rows = await this.#database.ask<WorkspaceRow>(
      `SELECT * FROM ${serverDatabaseSchemaName}.workspaces w WHERE ${buildViewableCondition('$1', 'w.id')} ORDER BY name`,
      [viewer ?? null],
    );
    return rows.map(readWorkspaceRow);
  }

  /** Lists the workspaces of a repository of a connection. The case of a path does not matter to git hosts. */
  async listAt(connection: string, repository: string): Promise<readonly Workspace[]> {
    const rows = await this.#database.ask<WorkspaceRow>(
      `SELECT * FROM ${serverDatabaseSchemaName}.workspaces WHERE connection = $1
         AND lower(regexp_replace(repository, '(\\.git)?/?$', '')) LIKE '%/' || $2 ORDER BY name`,
      [connection, repository.toLowerCase().replaceAll(/[\\%_]/g, String.raw`\$&`)],
    );
    return rows.map(readWorkspaceRow);
  }

  /** Reads a workspace by its id. */
  async read(id: string): Promise<Workspace | undefined> {
    const rows = await this.#database.ask<WorkspaceRow>(
      `SELECT * FROM ${serverDatabaseSchemaName}.workspaces WHERE id = $1`,
      [id],
    );
    return rows.map(readWorkspaceRow)[0];
  }

  /** Reads a workspace and locks it until the transaction ends, so that nobody else changes it. Undefined where there is none. */
  async hold(name: string): Promise<Workspace | undefined> {
    const rows = await this.#database.ask<WorkspaceRow>(
      `SELECT * FROM ${serverDatabaseSchemaName}.workspaces WHERE name = $1 FOR NO KEY UPDATE`,
      [name],
    );
    return rows.map(readWorkspaceRow)[0];
  }

  /**
   * Changes a workspace that the transaction has locked. The newest commit counts as not seen any more where the repository, the
   * branch or the read directories are others.
   */
  async edit(workspace: Workspace, { variables, ...given }: WorkspaceEdit): Promise<void> {
    const { id } = workspace;
    const { repository, branch, directory, poll, connection, account, paused, ...rules } = {
      ...workspace,
      ...given,
    };
    const { count, byAuthor, hostReviews } = { ...workspace.approvals, ...given.approvals };
    await this.#database.ask(
      `UPDATE ${serverDatabaseSchemaName}.workspaces SET repository = $2, branch = $3, directory = $4, poll = $5, connection = $6,
         apply_on_merge = $7, approvals_needed = $8, approval_by_author = $9, apply_when_approved = $10, after = $11,
         drift_every_minutes = $12, apply_drift = $13, account_name = $14, paused = $15, reads = $16, allow_probes = $17,
         windows = $18, freezes = $19, variable_sets = $20, approval_host_reviews = $21,
         seen_commit = CASE WHEN repository = $2 AND branch = $3 AND directory = $4 AND reads = $16 THEN seen_commit END WHERE id = $1`,
      [
        ...[id, repository, branch, directory, poll, connection ?? null],
        ...[rules.applyOnMerge, count, byAuthor, rules.applyWhenApproved, rules.after],
        ...[rules.driftEveryMinutes, rules.applyDrift, account ?? null, paused, rules.reads],
        ...[rules.allowProbes, JSON.stringify(rules.windows), JSON.stringify(rules.freezes)],
        rules.variableSets,
        hostReviews,
      ],
    );
    if (!variables || Object.keys(variables).length === 0) return;
    const { values, secrets } = applyVariableEdits(await this.readVariables(id), variables);
    const [row] = await this.#database.ask<{ variables: string }>(
      `UPDATE ${serverDatabaseSchemaName}.workspaces SET secret_variables = $2 WHERE id = $1 RETURNING variables`,
      [id, secrets],
    );
    if (row) await this.#blobs.replace(row.variables, Buffer.from(JSON.stringify(values)));
  }

  /** Gives a workspace another name, also where others come after it. False where the name is taken. */
  async rename({ id, name }: Workspace, to: string): Promise<boolean> {
    const rows = await this.#database.ask(
      `UPDATE ${serverDatabaseSchemaName}.workspaces SET name = $2 WHERE id = $1
         AND NOT EXISTS (SELECT 1 FROM ${serverDatabaseSchemaName}.workspaces other WHERE other.name = $2) RETURNING id`,
      [id, to],
    );
    if (rows.length === 0) return false;
    await this.#database.ask(
      `UPDATE ${serverDatabaseSchemaName}.workspaces SET after = array_replace(after, $1, $2) WHERE after @> ARRAY[$1::text]`,
      [name, to],
    );
    return true;
  }

  /** Locks a workspace; false where it is locked already. */
  async lock(id: string, lock: WorkspaceLock): Promise<boolean> {
    const rows = await this.#database.ask(
      `UPDATE ${serverDatabaseSchemaName}.workspaces SET lock = $2 WHERE id = $1 AND lock IS NULL RETURNING id`,
      [id, JSON.stringify(lock)],
    );
    return rows.length > 0;
  }

  /** Unlocks a workspace. @returns the lock that it had. */
  async unlock(id: string): Promise<WorkspaceLock | undefined> {
    const [before] = await this.#database.ask<{ lock: WorkspaceLock }>(
      `UPDATE ${serverDatabaseSchemaName}.workspaces w SET lock = NULL FROM ${serverDatabaseSchemaName}.workspaces before
       WHERE w.id = $1 AND before.id = w.id AND w.lock IS NOT NULL RETURNING before.lock`,
      [id],
    );
    return before?.lock;
  }

  /** Deletes a workspace with its runs, logs and plans. Its state stays in the database, and no other workspace gets it. */
  async remove(id: string): Promise<void> {
    await this.#database.ask(
      `WITH gone AS (DELETE FROM ${serverDatabaseSchemaName}.workspaces WHERE id = $1 RETURNING variables)
       DELETE FROM ${serverDatabaseSchemaName}.blobs USING gone WHERE blobs.id = gone.variables`,
      [id],
    );
    await this.#database.ask(
      `UPDATE ${serverDatabaseSchemaName}.message_targets SET workspaces = array_remove(workspaces, $1) WHERE $1 = ANY (workspaces)`,
      [id],
    );
  }

  /**
   * Marks a commit as seen in workspaces that it does not touch, unless one has seen another commit since it was read.
   * @returns the number of marked workspaces
   */
  async noteSeen(workspaces: readonly Workspace[], commit: string): Promise<number> {
    const rows = await this.#database.ask(
      `UPDATE ${serverDatabaseSchemaName}.workspaces w SET seen_commit = $3 FROM (SELECT held.id FROM ${serverDatabaseSchemaName}.workspaces held
         JOIN unnest($1::uuid[], $2::text[]) AS given (id, seen) ON given.id = held.id
         WHERE held.seen_commit IS NOT DISTINCT FROM given.seen ORDER BY held.id FOR NO KEY UPDATE OF held) untouched
       WHERE w.id = untouched.id RETURNING w.id`,
      [workspaces.map(({ id }) => id), workspaces.map((one) => one.seenCommit ?? null), commit],
    );
    return rows.length;
  }

  /** Reads the workspace's own variables, decrypted, with the names of the secret ones at the same moment. */
  async readVariables(id: string): Promise<StoredVariables> {
    return this.#database.transact(async () => {
      const [row] = await this.#database.ask<{ variables: string; secret_variables: string[] }>(
        `SELECT variables, secret_variables FROM ${serverDatabaseSchemaName}.workspaces WHERE id = $1 FOR SHARE`,
        [id],
      );
      if (!row) return noVariables;
      const text = (await this.#blobs.read(row.variables)).toString('utf8');
      return { values: JSON.parse(text) as WorkspaceVariables, secrets: row.secret_variables };
    });
  }
}

const noVariables: StoredVariables = { values: {}, secrets: [] };

/** Columns of a query that describe a workspace. */
export interface WorkspaceRow extends DatabaseRow {
  readonly id: string;
  readonly name: string;
  readonly repository: string;
  readonly branch: string;
  readonly directory: string;
  readonly reads: readonly string[];
  readonly poll: boolean;
  readonly connection: string | null;
  readonly apply_on_merge: boolean;
  readonly approvals_needed: number;
  readonly approval_by_author: boolean;
  readonly approval_host_reviews: boolean;
  readonly apply_when_approved: boolean;
  readonly after: readonly string[];
  readonly variable_sets: readonly string[];
  readonly drift_every_minutes: number | null;
  readonly apply_drift: boolean;
  readonly allow_probes: readonly string[];
  readonly windows: readonly ApplyWindow[];
  readonly freezes: readonly ApplyFreeze[];
  readonly account_name: string | null;
  readonly seen_commit: string | null;
  readonly created_at: Date;
  readonly status: WorkspaceStatus;
  readonly settled_run: string | null;
  readonly state_name: string;
  readonly paused: boolean;
  readonly lock: WorkspaceLock | null;
}

/** Reads a workspace from its database row. */
export function readWorkspaceRow(row: WorkspaceRow): Workspace {
  return {
    id: row.id,
    name: row.name,
    repository: row.repository,
    branch: row.branch,
    directory: row.directory,
    reads: row.reads,
    poll: row.poll,
    connection: row.connection ?? undefined,
    applyOnMerge: row.apply_on_merge,
    approvals: {
      count: row.approvals_needed,
      byAuthor: row.approval_by_author,
      hostReviews: row.approval_host_reviews,
    },
    applyWhenApproved: row.apply_when_approved,
    after: row.after,
    variableSets: row.variable_sets,
    driftEveryMinutes: row.drift_every_minutes,
    applyDrift: row.apply_drift,
    allowProbes: row.allow_probes,
    windows: row.windows,
    freezes: row.freezes,
    account: row.account_name ?? undefined,
    seenCommit: row.seen_commit ?? undefined,
    createdAt: row.created_at,
    status: row.status,
    settledRun: row.settled_run ?? undefined,
    stateName: row.state_name,
    paused: row.paused,
    lock: row.lock ?? undefined,
  };
}
