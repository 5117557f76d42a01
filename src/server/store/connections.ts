import type {
  GitHostConnection,
  GitHostConnectionSecrets,
  GitHostKind,
} from '../hosts/connection.ts';
import type { EncryptedBlobStore } from './blobs.ts';
import {
  serverDatabaseSchemaName,
  type DatabaseRow,
  type ServerDatabase,
} from '../database/database.ts';

/** Fields of a new connection to a git host. */
export type NewHostConnection = Pick<GitHostConnection, 'name' | 'kind' | 'address' | 'app'>;

/** The connections to git hosts. Their secrets are encrypted, and nothing shows them again. */
export class HostConnectionStore {
  readonly #database: ServerDatabase;
  readonly #blobs: EncryptedBlobStore;

  constructor(database: ServerDatabase, blobs: EncryptedBlobStore) {
    this.#database = database;
    this.#blobs = blobs;
  }

  /** Adds a connection; undefined where its name is taken. */
  async add(
    given: NewHostConnection,
    secrets: GitHostConnectionSecrets,
  ): Promise<GitHostConnection | undefined> {
    const { name, kind, address, app } = given;
    if (await this.find(name)) return undefined;
    const blob = await this.#blobs.add(Buffer.from(JSON.stringify(secrets)));
    const rows = await this.#database.ask<ConnectionRow>(
      `INSERT INTO ${serverDatabaseSchemaName}.connections (name, kind, address, app_id, installation_id, secrets)
       VALUES ($1, $2, $3, $4, $5, $6) ON CONFLICT (name) DO NOTHING RETURNING *`,
      [name, kind, address, app?.id ?? null, app?.installation ?? null, blob],
    );
    return rows.map(readConnection)[0];
  }

  /** Finds a connection by name; undefined where there is none. */
  async find(name: string): Promise<GitHostConnection | undefined> {
    const rows = await this.#database.ask<ConnectionRow>(
      `SELECT * FROM ${serverDatabaseSchemaName}.connections WHERE name = $1`,
      [name],
    );
    return rows.map(readConnection)[0];
  }

  /** Lists all connections, sorted by name. */
  async list(): Promise<readonly GitHostConnection[]> {
    const rows = await this.#database.ask<ConnectionRow>(
      `SELECT * FROM ${serverDatabaseSchemaName}.connections ORDER BY name`,
    );
    return rows.map(readConnection);
  }

  /** @throws Error where there is no such connection */
  async readSecrets(name: string): Promise<GitHostConnectionSecrets> {
    const content = await this.#blobs.read(await this.#findBlob(name));
    return JSON.parse(content.toString('utf8')) as GitHostConnectionSecrets;
  }

  /** Replaces secrets of a connection; those that are left out stay. The result is false where there is no such connection. */
  async changeSecrets(name: string, changed: Partial<GitHostConnectionSecrets>): Promise<boolean> {
    return this.#database.transact(async () => {
      // Two edits at once come one after the other: the second one reads what the first one has written.
      const [row] = await this.#database.ask<{ secrets: string }>(
        `SELECT secrets FROM ${serverDatabaseSchemaName}.connections WHERE name = $1 FOR NO KEY UPDATE`,
        [name],
      );
      if (!row) return false;
      const secrets = { ...(await this.readSecrets(name)), ...changed };
      await this.#blobs.replace(row.secrets, Buffer.from(JSON.stringify(secrets)));
      await this.#database.ask(
        `UPDATE ${serverDatabaseSchemaName}.connections SET changed_at = clock_timestamp() WHERE name = $1`,
        [name],
      );
      return true;
    });
  }

  /** Removes a connection; false where a workspace uses it. */
  async remove(name: string): Promise<boolean> {
    const [row] = await this.#database.ask<{ secrets: string }>(
      `WITH gone AS (
         DELETE FROM ${serverDatabaseSchemaName}.connections WHERE name = $1
           AND NOT EXISTS (SELECT 1 FROM ${serverDatabaseSchemaName}.workspaces WHERE connection = $1) RETURNING secrets)
       SELECT secrets FROM gone`,
      [name],
    );
    if (!row) return false;
    await this.#database.ask(`DELETE FROM ${serverDatabaseSchemaName}.blobs WHERE id = $1`, [
      row.secrets,
    ]);
    return true;
  }

  async #findBlob(name: string): Promise<string> {
    const [row] = await this.#database.ask<{ secrets: string }>(
      `SELECT secrets FROM ${serverDatabaseSchemaName}.connections WHERE name = $1`,
      [name],
    );
    if (!row) throw new Error(`There is no connection ${name}.`);
    return row.secrets;
  }
}

interface ConnectionRow extends DatabaseRow {
  readonly name: string;
  readonly kind: GitHostKind;
  readonly address: string;
  /** Id of the GitHub App and of its installation; both null for a connection with a token. */
  readonly app_id: string | null;
  readonly installation_id: string;
  readonly created_at: Date;
  readonly changed_at: Date;
}

function readConnection(row: ConnectionRow): GitHostConnection {
  const { app_id: id, installation_id: installation } = row;
  return {
    name: row.name,
    kind: row.kind,
    address: row.address,
    app: id === null ? undefined : { id, installation },
    createdAt: row.created_at,
    changedAt: row.changed_at,
  };
}
