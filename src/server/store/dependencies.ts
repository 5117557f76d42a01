// Workspaces that come after others: the outputs that an apply passes to them, and which of them are to be planned after it.
import type { EncryptedBlobStore } from './blobs.ts';
import { serverDatabaseSchemaName, type ServerDatabase } from '../database/database.ts';
import { buildClaimableCondition } from './deliveries.ts';
import type { StoredRun } from './run.ts';
import { advisoryLockKeys } from '../database/lock-keys.ts';

/** The outputs of a workspace by their names, as `hostwright output --json` has them; sensitive ones are not among them. */
export type WorkspaceOutputs = Readonly<Record<string, unknown>>;

/** A workspace that is to be planned, since another one was applied. */
export interface DueDependentWorkspace {
  readonly workspaceId: string;
  /** Id of the run that applied the workspace which this one depends on. */
  readonly run: string;
  readonly attempts: number;
}

/** Outputs of a workspace that another one depends on. */
export interface UpstreamOutputs {
  readonly workspace: string;
  readonly outputs: WorkspaceOutputs;
}

/** Dependencies between workspaces, in the server's database. */
export class WorkspaceDependencyStore {
  readonly #database: ServerDatabase;
  readonly #blobs: EncryptedBlobStore;

  constructor(database: ServerDatabase, blobs: EncryptedBlobStore) {
    this.#database = database;
    this.#blobs = blobs;
  }

  /** Locks the names of all workspaces against changes until the transaction ends. To be called before a workspace is locked. */
  async lockNames(): Promise<void> {
    await this.#database.ask('SELECT pg_advisory_xact_lock($1)', [advisoryLockKeys.dependencies]);
  }

  /** Lists the names of workspaces that depend on one. */
  async listAfter(name: string): Promise<readonly string[]> {
    const rows = await this.#database.ask<{ name: string }>(
      `SELECT name FROM ${serverDatabaseSchemaName}.workspaces WHERE after @> ARRAY[$1::text] ORDER BY name`,
      [name],
    );
    return rows.map((row) => row.name);
  }

  /** Lists the names in `after` that no workspace has. */
  async listUnknown(after: readonly string[]): Promise<readonly string[]> {
    const rows = await this.#database.ask<{ name: string }>(
      `SELECT name FROM unnest($1::text[]) name WHERE NOT EXISTS (SELECT 1 FROM ${serverDatabaseSchemaName}.workspaces w WHERE w.name = name.name)`,
      [after],
    );
    return rows.map(({ name }) => name);
  }

  /**
   * Finds a cycle that would arise if a workspace came after those in `after`: the names along it, the workspace last. Undefined
   * where there is none. To be called in the transaction that changes the workspace, so that no other edit closes a cycle
   * meanwhile.
   */
  async findCycle(name: string, after: readonly string[]): Promise<readonly string[] | undefined> {
    await this.lockNames();
    const rows = await this.#database.ask<{ name: string; after: readonly string[] }>(
      `SELECT name, after FROM ${serverDatabaseSchemaName}.workspaces WHERE after <> '{}'`,
    );
    return findWay(new Map(rows.map((one) => [one.name, one.after])), after, name);
  }

  /** Keeps the outputs of a workspace after a run, unless those of a later run are there. */
  async keepOutputs({ workspaceId, number }: StoredRun, outputs: WorkspaceOutputs): Promise<void> {
    const content = Buffer.from(JSON.stringify(outputs));
    await this.#database.transact(async (client) => {
      const { rows } = await client.query<{ outputs: string; run_number: string }>(
        `SELECT outputs, run_number FROM ${serverDatabaseSchemaName}.workspace_outputs WHERE workspace = $1 FOR UPDATE`,
        [workspaceId],
      );
      const [known] = rows;
      if (known && Number(known.run_number) > number) return;
      if (known) await this.#blobs.replace(known.outputs, content);
      const blob = known?.outputs ?? (await this.#blobs.add(content));
      await client.query(
        `INSERT INTO ${serverDatabaseSchemaName}.workspace_outputs (workspace, run_number, outputs) VALUES ($1, $2, $3)
         ON CONFLICT (workspace) DO UPDATE SET run_number = $2`,
        [workspaceId, number, blob],
      );
    });
  }

  /** The outputs of the workspaces that one depends on, in the order of its `after`. */
  async readUpstream(workspaceId: string): Promise<readonly UpstreamOutputs[]> {
    const rows = await this.#database.ask<{ name: string; outputs: string }>(
      `SELECT other.name, o.outputs FROM ${serverDatabaseSchemaName}.workspaces w
         CROSS JOIN unnest(w.after) WITH ORDINALITY AS named (name, place)
         JOIN ${serverDatabaseSchemaName}.workspaces other ON other.name = named.name
         JOIN ${serverDatabaseSchemaName}.workspace_outputs o ON o.workspace = other.id
       WHERE w.id = $1 ORDER BY named.place`,
      [workspaceId],
    );
    return Promise.all(
      rows.map(async ({ name: workspace, outputs }) => {
        const text = (await this.#blobs.read(outputs)).toString('utf8');
        return { workspace, outputs: JSON.parse(text) as WorkspaceOutputs };
      }),
    );
  }

  /**
   * Makes the workspaces that depend on this one due to be planned, since a run has changed its account. To be called in the
   * transaction that ends the run.
   */
  async noteApplied({ id, workspace }: StoredRun): Promise<void> {
    await this.#database.ask(
      `INSERT INTO ${serverDatabaseSchemaName}.due_dependents (workspace, run)
         SELECT w.id, $1 FROM ${serverDatabaseSchemaName}.workspaces w WHERE w.after @> ARRAY[$2::text]
       ON CONFLICT (workspace) DO UPDATE
         SET run = $1, attempts = 0, due_at = clock_timestamp(), claimed_by = NULL, claimed_at = NULL`,
      [id, workspace],
    );
  }

  /** Takes the next workspace that is due to be planned; undefined where there is none. */
  async claim(worker: string): Promise<DueDependentWorkspace | undefined> {
    const [row] = await this.#database.ask<{ workspace: string; run: string; attempts: number }>(
      `UPDATE ${serverDatabaseSchemaName}.due_dependents SET claimed_by = $1, claimed_at = clock_timestamp(), attempts = attempts + 1
       WHERE workspace = (SELECT workspace FROM ${serverDatabaseSchemaName}.due_dependents f WHERE ${buildClaimableCondition('f')}
         ORDER BY due_at LIMIT 1 FOR UPDATE SKIP LOCKED) RETURNING workspace, run, attempts`,
      [worker],
    );
    return row && { workspaceId: row.workspace, run: row.run, attempts: row.attempts };
  }

  /** Marks the workspace as planned, unless a later apply has made it due again. */
  async end({ workspaceId, run }: DueDependentWorkspace): Promise<void> {
    await this.#database.ask(
      `DELETE FROM ${serverDatabaseSchemaName}.due_dependents WHERE workspace = $1 AND run = $2`,
      [workspaceId, run],
    );
  }

  /** Makes the workspace due again after a delay. */
  async retry({ workspaceId, run }: DueDependentWorkspace, delayMs: number): Promise<void> {
    await this.#database.ask(
      `UPDATE ${serverDatabaseSchemaName}.due_dependents SET claimed_by = NULL, due_at = clock_timestamp() + $3 * interval '1 millisecond'
       WHERE workspace = $1 AND run = $2`,
      [workspaceId, run, delayMs],
    );
  }
}

/**
 * A shortest way from one of some names to another, both named in it. Each name is looked at once: the ways through layers of
 * workspaces are too many to follow.
 */
function findWay(
  next: ReadonlyMap<string, readonly string[]>,
  from: readonly string[],
  to: string,
): readonly string[] | undefined {
  const reachedFrom = new Map<string, string | undefined>(from.map((name) => [name, undefined]));
  for (const name of reachedFrom.keys()) {
    if (name === to) {
      const way = [name];
      for (let at = reachedFrom.get(name); at !== undefined; at = reachedFrom.get(at))
        way.unshift(at);
      return way;
    }
    // Iterating over a Map includes entries that are added meanwhile, so this loop visits all.
    for (const one of next.get(name) ?? []) if (!reachedFrom.has(one)) reachedFrom.set(one, name);
  }
  return undefined;
}
