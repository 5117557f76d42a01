// The keys that the audit log is written with: whoever has the database alone cannot write an entry, nor another one in its
// place. Each is derived from a key of the server, and is kept encrypted with the current one, so that entries of a key that was
// rotated can still be verified.
import type { ServerKeyring } from '../secrets/keyring.ts';
import { serverDatabaseSchemaName, type ServerDatabase } from '../database/database.ts';
import { advisoryLockKeys } from '../database/lock-keys.ts';

/** A key that signs entries of the audit log. */
export interface AuditKey {
  /** Fingerprint that names the key without revealing it. */
  readonly id: string;
  readonly key: Buffer;
  /** Number of the first audit entry that this key signs; entries before the first key are unsigned. */
  readonly since: number;
}

interface KeyRow extends Record<string, unknown> {
  readonly number: number;
  readonly key_id: string;
  readonly body: Buffer;
}

interface KeyText {
  readonly id: string;
  readonly key: string;
  readonly since: number;
}

/** Which text it is: nobody puts another one, or another order, in its place. */
const nameKey = (number: number) => `audit key ${number}`;

/** Keys that sign the audit log, encrypted in the database, in the order of their use. */
export class AuditKeyStore {
  readonly #database: ServerDatabase;
  readonly #keyring: ServerKeyring;

  constructor(database: ServerDatabase, keyring: ServerKeyring) {
    this.#database = database;
    this.#keyring = keyring;
  }

  /** Lists all audit keys, the oldest first. @throws DiagnosticError `server-key-wrong` where the server has another key */
  async list(): Promise<readonly AuditKey[]> {
    const rows = await this.#database.ask<KeyRow>(
      `SELECT number, key_id, body FROM ${serverDatabaseSchemaName}.audit_keys ORDER BY number`,
    );
    return rows.map((row) => {
      const { key, ...text } = this.#open(row);
      return { ...text, key: Buffer.from(key, 'hex') };
    });
  }

  /** Makes the server's current key the one that signs new entries, and encrypts all stored keys with it. */
  async confirm(): Promise<void> {
    const { keyId, auditKey } = this.#keyring;
    await this.#database.transact(async () => {
      await this.#database.ask('SELECT pg_advisory_xact_lock($1)', [advisoryLockKeys.audit]);
      const rows = await this.#database.ask<KeyRow>(
        `SELECT number, key_id, body FROM ${serverDatabaseSchemaName}.audit_keys ORDER BY number`,
      );
      const texts = rows.map((row) => this.#open(row));
      for (const [index, row] of rows.entries()) {
        const text = texts[index];
        if (text && row.key_id !== keyId) await this.#put(row.number, text);
      }
      if (texts.at(-1)?.id === auditKey.id) return;
      const [last] = await this.#database.ask<{ seq: string | null }>(
        `SELECT max(seq) AS seq FROM ${serverDatabaseSchemaName}.audit`,
      );
      await this.#put((rows.at(-1)?.number ?? 0) + 1, {
        id: auditKey.id,
        key: auditKey.key.toString('hex'),
        since: Number(last?.seq ?? 0) + 1,
      });
    });
  }

  #open({ number, key_id: keyId, body }: KeyRow): KeyText {
    return JSON.parse(this.#keyring.open(nameKey(number), { keyId, body }).toString()) as KeyText;
  }

  async #put(number: number, text: KeyText): Promise<void> {
    const { keyId, body } = this.#keyring.seal(nameKey(number), Buffer.from(JSON.stringify(text)));
    await this.#database.ask(
      `INSERT INTO ${serverDatabaseSchemaName}.audit_keys (number, key_id, body) VALUES ($1, $2, $3)
       ON CONFLICT (number) DO UPDATE SET key_id = $2, body = $3`,
      [number, keyId, body],
    );
  }
}
