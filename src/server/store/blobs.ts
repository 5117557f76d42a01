import { randomUUID } from 'node:crypto';
import type { ServerKeyring } from '../secrets/keyring.ts';
import { serverDatabaseSchemaName, type ServerDatabase } from '../database/database.ts';

interface BlobRow extends Record<string, unknown> {
  readonly id: string;
  readonly key_id: string;
  readonly body: Buffer;
}

/** Number of texts that are encrypted with a new key at a time. */
const batch = 100;

/** Encrypted texts and files in the server's database. */
export class EncryptedBlobStore {
  readonly #database: ServerDatabase;
  readonly #keyring: ServerKeyring;

  constructor(database: ServerDatabase, keyring: ServerKeyring) {
    this.#database = database;
    this.#keyring = keyring;
  }

  /** Encrypts and stores content. @returns the id to read it by. */
  async add(content: Buffer): Promise<string> {
    const id = randomUUID();
    const { keyId, body } = this.#keyring.seal(id, content);
    await this.#database.ask(
      `INSERT INTO ${serverDatabaseSchemaName}.blobs (id, key_id, body) VALUES ($1, $2, $3)`,
      [id, keyId, body],
    );
    return id;
  }

  /** Replaces the encrypted content with this id; the former content is deleted. */
  async replace(id: string, content: Buffer): Promise<void> {
    const { keyId, body } = this.#keyring.seal(id, content);
    await this.#database.ask(
      `UPDATE ${serverDatabaseSchemaName}.blobs SET key_id = $2, body = $3 WHERE id = $1`,
      [id, keyId, body],
    );
  }

  /** Decrypts the content with this id. @throws DiagnosticError where it needs another key */
  async read(id: string): Promise<Buffer> {
    const found = (await this.readAll([id])).get(id);
    if (!found) throw new Error(`There is no encrypted text ${id}.`);
    return found;
  }

  /** Decrypts several contents, by their ids. @throws DiagnosticError where one needs another key */
  async readAll(ids: readonly string[]): Promise<ReadonlyMap<string, Buffer>> {
    const rows = await this.#database.ask<BlobRow>(
      `SELECT id, key_id, body FROM ${serverDatabaseSchemaName}.blobs WHERE id = ANY ($1)`,
      [ids],
    );
    const open = ({ id, key_id: keyId, body }: BlobRow) => this.#keyring.open(id, { keyId, body });
    return new Map(rows.map((row) => [row.id, open(row)]));
  }

  /** Id of the key that encrypts everything new. */
  get keyId(): string {
    return this.#keyring.keyId;
  }

  /** Counts the texts that an older key has encrypted. */
  async countStale(): Promise<number> {
    const [row] = await this.#database.ask<{ count: string }>(
      `SELECT count(*) AS count FROM ${serverDatabaseSchemaName}.blobs WHERE key_id <> $1`,
      [this.#keyring.keyId],
    );
    return Number(row?.count ?? 0);
  }

  /** Encrypts all that an older key has encrypted with the current one. @returns how many there were */
  async rotate(): Promise<number> {
    for (let count = 0; ;) {
      const rows = await this.#database.ask<BlobRow>(
        `SELECT id, key_id, body FROM ${serverDatabaseSchemaName}.blobs WHERE key_id <> $1 LIMIT ${batch}`,
        [this.#keyring.keyId],
      );
      if (rows.length === 0) return count;
      for (const { id, key_id: keyId, body } of rows) {
        const sealed = this.#keyring.seal(id, this.#keyring.open(id, { keyId, body }));
        await this.#database.ask(
          `UPDATE ${serverDatabaseSchemaName}.blobs SET key_id = $2, body = $3 WHERE id = $1 AND key_id = $4`,
          [id, sealed.keyId, sealed.body, keyId],
        );
      }
      count += rows.length;
    }
  }
}
