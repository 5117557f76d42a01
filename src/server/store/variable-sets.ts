// Sets of variables that workspaces share.
import {
  serverDatabaseSchemaName,
  type DatabaseRow,
  type ServerDatabase,
} from '../database/database.ts';
import type { EncryptedBlobStore } from './blobs.ts';
import type { StoredVariables, WorkspaceVariables } from '../variables/variables.ts';

/** A set of variables, with its values. */
export interface VariableSet extends StoredVariables {
  readonly name: string;
}

/** A set of variables as people see it: without values. */
export interface VariableSetSummary {
  readonly name: string;
  /** Names of its variables, sorted. */
  readonly names: readonly string[];
  readonly secrets: readonly string[];
  /** Names of the workspaces that use it, sorted. */
  readonly workspaces: readonly string[];
  readonly changedAt: Date;
}

interface VariableSetRow extends DatabaseRow {
  readonly name: string;
  readonly variables: string;
  readonly secret_variables: readonly string[];
  readonly changed_at: Date;
}

const users = `ARRAY(SELECT w.name FROM ${serverDatabaseSchemaName}.workspaces w WHERE s.name = ANY (w.variable_sets) ORDER BY w.name)`;

/** Sets of variables in the database. */
export class VariableSetStore {
  readonly #database: ServerDatabase;
  readonly #blobs: EncryptedBlobStore;

  constructor(database: ServerDatabase, blobs: EncryptedBlobStore) {
    this.#database = database;
    this.#blobs = blobs;
  }

  /** Lists all sets, sorted by name, or the one of a name. */
  async list(name?: string): Promise<readonly VariableSetSummary[]> {
    return this.#database.transact(async () => {
      const rows = await this.#database.ask<VariableSetRow & { workspaces: readonly string[] }>(
        `SELECT s.*, ${users} AS workspaces FROM ${serverDatabaseSchemaName}.variable_sets s
         WHERE $1::text IS NULL OR s.name = $1 ORDER BY s.name FOR SHARE OF s`,
        [name ?? null],
      );
      const open = await this.#readTexts(rows);
      return rows.map((row) => {
        const { name, values, secrets } = open(row);
        const { workspaces, changed_at: changedAt } = row;
        return { name, names: Object.keys(values).sort(), secrets, workspaces, changedAt };
      });
    });
  }

  /** Lists the sets of a workspace, by its id, in its order. */
  async listOf(workspaceId: string): Promise<readonly VariableSet[]> {
    return this.#database.transact(async () => {
      const rows = await this.#database.ask<VariableSetRow>(
        `SELECT s.* FROM ${serverDatabaseSchemaName}.workspaces w
         CROSS JOIN unnest(w.variable_sets) WITH ORDINALITY AS listed (name, place)
         JOIN ${serverDatabaseSchemaName}.variable_sets s ON s.name = listed.name
         WHERE w.id = $1 ORDER BY listed.place FOR SHARE OF s`,
        [workspaceId],
      );
      return rows.map(await this.#readTexts(rows));
    });
  }

  /** Reads a variable set and locks it until the transaction ends. Undefined where there is none. */
  async hold(name: string): Promise<VariableSet | undefined> {
    const rows = await this.#database.ask<VariableSetRow>(
      `SELECT s.* FROM ${serverDatabaseSchemaName}.variable_sets s WHERE s.name = $1 FOR UPDATE`,
      [name],
    );
    return rows.map(await this.#readTexts(rows))[0];
  }

  /** Reads a set in a short transaction of its own. Undefined where there is none. */
  async find(name: string): Promise<VariableSet | undefined> {
    return this.#database.transact(async () => {
      const rows = await this.#database.ask<VariableSetRow>(
        `SELECT s.* FROM ${serverDatabaseSchemaName}.variable_sets s WHERE s.name = $1 FOR SHARE`,
        [name],
      );
      return rows.map(await this.#readTexts(rows))[0];
    });
  }

  /** Locks these variable sets until the transaction ends. @returns the names of which there is no set */
  async holdAll(names: readonly string[]): Promise<readonly string[]> {
    const rows = await this.#database.ask<{ name: string }>(
      `SELECT name FROM ${serverDatabaseSchemaName}.variable_sets WHERE name = ANY ($1) ORDER BY name FOR KEY SHARE`,
      [names],
    );
    return names.filter((name) => !rows.some((row) => row.name === name));
  }

  /** Lets nobody else keep or remove a set until the transaction ends. Runs go on reading them. */
  async lock(): Promise<void> {
    await this.#database.ask(
      `LOCK TABLE ${serverDatabaseSchemaName}.variable_sets IN SHARE ROW EXCLUSIVE MODE`,
    );
  }

  /** Stores a variable set, in place of one with its name that the transaction has locked. */
  async keep(name: string, { values, secrets }: StoredVariables): Promise<void> {
    const content = Buffer.from(JSON.stringify(values));
    const [row] = await this.#database.ask<{ variables: string }>(
      `UPDATE ${serverDatabaseSchemaName}.variable_sets SET secret_variables = $2, changed_at = clock_timestamp()
       WHERE name = $1 RETURNING variables`,
      [name, secrets],
    );
    if (row) return this.#blobs.replace(row.variables, content);
    await this.#database.ask(
      `INSERT INTO ${serverDatabaseSchemaName}.variable_sets (name, variables, secret_variables) VALUES ($1, $2, $3)`,
      [name, await this.#blobs.add(content), secrets],
    );
  }

  /** Lists the names of the workspaces that use a set. */
  async listUsers(name: string): Promise<readonly string[]> {
    const rows = await this.#database.ask<{ name: string }>(
      `SELECT name FROM ${serverDatabaseSchemaName}.workspaces WHERE $1 = ANY (variable_sets) ORDER BY name`,
      [name],
    );
    return rows.map((row) => row.name);
  }

  /** Removes a set with its values. */
  async remove(name: string): Promise<void> {
    await this.#database.ask(
      `WITH gone AS (DELETE FROM ${serverDatabaseSchemaName}.variable_sets WHERE name = $1 RETURNING variables)
       DELETE FROM ${serverDatabaseSchemaName}.blobs USING gone WHERE blobs.id = gone.variables`,
      [name],
    );
  }

  /** Decrypts the values of sets. @returns what reads one of these rows */
  async #readTexts(rows: readonly VariableSetRow[]): Promise<(row: VariableSetRow) => VariableSet> {
    const texts = await this.#blobs.readAll(rows.map(({ variables }) => variables));
    return ({ name, variables, secret_variables: secrets }) => {
      const text = texts.get(variables)?.toString('utf8') ?? '{}';
      return { name, values: JSON.parse(text) as WorkspaceVariables, secrets };
    };
  }
}
