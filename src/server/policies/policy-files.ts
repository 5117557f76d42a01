// Policies that the server keeps: files of YAML, as they would lie in a directory of policies.
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import {
  serverDatabaseSchemaName,
  type DatabaseRow,
  type ServerDatabase,
} from '../database/database.ts';

/** A file of policies and exemptions that the server stores in its database. */
export interface StoredPolicyFile {
  readonly name: string;
  /** YAML of the policies. */
  readonly content: string;
  /** Names of the workspaces whose plans it judges; undefined for all. */
  readonly workspaces: readonly string[] | undefined;
  readonly changedAt: Date;
}

interface PolicyFileRow extends DatabaseRow {
  readonly name: string;
  readonly content: string;
  readonly is_for_all: boolean;
  readonly names: readonly string[] | null;
  readonly changed_at: Date;
}

const select = `SELECT p.name, p.content, p.changed_at, p.workspaces IS NULL AS is_for_all,
  (SELECT array_agg(w.name ORDER BY w.name) FROM ${serverDatabaseSchemaName}.workspaces w WHERE w.id = ANY (p.workspaces)) AS names
  FROM ${serverDatabaseSchemaName}.policy_files p`;

/** Files of policies in the database. */
export class PolicyFileStore {
  readonly #database: ServerDatabase;

  constructor(database: ServerDatabase) {
    this.#database = database;
  }

  /** Lists all files, sorted by name. */
  async list(): Promise<readonly StoredPolicyFile[]> {
    const rows = await this.#database.ask<PolicyFileRow>(`${select} ORDER BY p.name`);
    return rows.map(readPolicyFile);
  }

  /** Lists the files that judge the plans of a workspace, by its id. */
  async listOf(workspaceId: string): Promise<readonly StoredPolicyFile[]> {
    const rows = await this.#database.ask<PolicyFileRow>(
      `${select} WHERE p.workspaces IS NULL OR $1 = ANY (p.workspaces) ORDER BY p.name`,
      [workspaceId],
    );
    return rows.map(readPolicyFile);
  }

  /** Finds a file by name; undefined where there is none. */
  async find(name: string): Promise<StoredPolicyFile | undefined> {
    const rows = await this.#database.ask<PolicyFileRow>(`${select} WHERE p.name = $1`, [name]);
    return rows.map(readPolicyFile)[0];
  }

  /**
   * Locks the policy files against other writers until the transaction ends, so that two files cannot get a policy of the same
   * name.
   */
  async lock(): Promise<void> {
    await this.#database.ask(
      `LOCK TABLE ${serverDatabaseSchemaName}.policy_files IN EXCLUSIVE MODE`,
    );
  }

  /** Keeps a file, in place of one with its name. `workspaceIds` is undefined for all workspaces. */
  async keep(
    name: string,
    content: string,
    workspaceIds: readonly string[] | undefined,
  ): Promise<StoredPolicyFile> {
    await this.#database.ask(
      `INSERT INTO ${serverDatabaseSchemaName}.policy_files (name, content, workspaces) VALUES ($1, $2, $3)
       ON CONFLICT (name) DO UPDATE SET content = $2, workspaces = $3, changed_at = clock_timestamp()`,
      [name, content, workspaceIds ?? null],
    );
    const kept = await this.find(name);
    if (!kept) throw new Error(`The policies ${name} were not kept.`);
    return kept;
  }

  /** Removes a file; false where there is none. */
  async remove(name: string): Promise<boolean> {
    const rows = await this.#database.ask(
      `DELETE FROM ${serverDatabaseSchemaName}.policy_files WHERE name = $1 RETURNING name`,
      [name],
    );
    return rows.length > 0;
  }
}

function readPolicyFile({
  name,
  content,
  is_for_all: isForAll,
  names,
  changed_at: changedAt,
}: PolicyFileRow): StoredPolicyFile {
  return { name, content, workspaces: isForAll ? undefined : (names ?? []), changedAt };
}

/**
 * Writes stored policy files into a new directory below that of a run.
 * @returns the directory; undefined where there are no files
 */
export async function writePolicyFiles(
  scratch: string,
  files: readonly StoredPolicyFile[],
): Promise<string | undefined> {
  if (files.length === 0) return undefined;
  // Paths in plans are relative to the configuration, so that those of two runs are the same.
  const directory = join(scratch, 'policies');
  await mkdir(directory);
  for (const { name, content } of files)
    await writeFile(join(directory, `${name}.yaml`), content, { mode: 0o600 });
  return directory;
}
