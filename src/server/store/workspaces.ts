import { randomUUID } from 'node:crypto';
import type { Blobs } from './blobs.ts';
import { schema, type Row, type ServerDatabase } from './database.ts';

/** A directory of a repository at a branch, with an account and a state. */
export interface Workspace {
  readonly id: string;
  readonly name: string;
  readonly repository: string;
  readonly branch: string;
  readonly directory: string;
  /** True: new commits of the branch are planned. */
  readonly poll: boolean;
  /** The commit that was planned last for being new. */
  readonly seenCommit: string | undefined;
  readonly createdAt: Date;
}

/** Variables of the environment of a workspace's runs, secrets among them. */
export type Variables = Readonly<Record<string, string>>;

/** What a new workspace is made of. */
export type NewWorkspace = Pick<
  Workspace,
  'name' | 'repository' | 'branch' | 'directory' | 'poll'
> & {
  readonly variables: Variables;
};

/** The workspaces in the database. */
export class Workspaces {
  readonly #database: ServerDatabase;
  readonly #blobs: Blobs;

  constructor(database: ServerDatabase, blobs: Blobs) {
    this.#database = database;
    this.#blobs = blobs;
  }

  /** Undefined where the name is taken. */
  async add({ variables, ...given }: NewWorkspace): Promise<Workspace | undefined> {
    if (await this.find(given.name)) return undefined;
    const blob = await this.#blobs.add(Buffer.from(JSON.stringify(variables)));
    const { name, repository, branch, directory, poll } = given;
    const rows = await this.#database.ask(
      `INSERT INTO ${schema}.workspaces (id, name, repository, branch, directory, poll, variables)
       VALUES ($1, $2, $3, $4, $5, $6, $7) ON CONFLICT (name) DO NOTHING RETURNING *`,
      [randomUUID(), name, repository, branch, directory, poll, blob],
    );
    return rows.map(readWorkspace)[0];
  }

  /** By its name. */
  async find(name: string): Promise<Workspace | undefined> {
    const rows = await this.#database.ask(`SELECT * FROM ${schema}.workspaces WHERE name = $1`, [
      name,
    ]);
    return rows.map(readWorkspace)[0];
  }

  /** In the order of their names. */
  async list(): Promise<readonly Workspace[]> {
    const rows = await this.#database.ask(`SELECT * FROM ${schema}.workspaces ORDER BY name`);
    return rows.map(readWorkspace);
  }

  /** Keeps which commit was seen. False where another process came first. */
  async noteSeen({ id, seenCommit }: Workspace, commit: string): Promise<boolean> {
    const rows = await this.#database.ask(
      `UPDATE ${schema}.workspaces SET seen_commit = $2 WHERE id = $1 AND seen_commit IS NOT DISTINCT FROM $3 RETURNING id`,
      [id, commit, seenCommit ?? null],
    );
    return rows.length > 0;
  }

  /** The variables of its runs, decrypted. */
  async readVariables(id: string): Promise<Variables> {
    const [row] = await this.#database.ask<{ variables: string }>(
      `SELECT variables FROM ${schema}.workspaces WHERE id = $1`,
      [id],
    );
    const text = row && (await this.#blobs.read(row.variables)).toString('utf8');
    return text === undefined ? {} : (JSON.parse(text) as Variables);
  }
}

function readWorkspace(row: Row): Workspace {
  return {
    id: row.id as string,
    name: row.name as string,
    repository: row.repository as string,
    branch: row.branch as string,
    directory: row.directory as string,
    poll: row.poll as boolean,
    seenCommit: (row.seen_commit as string | null) ?? undefined,
    createdAt: row.created_at as Date,
  };
}
