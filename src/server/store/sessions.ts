// Sessions of people in a browser. The database has the hash of a session's secret alone; it ends after eight hours without
// a request, after seven days at the latest, or when its person signs out.
import { readKnownRoles } from '../people/members.ts';
import type { Role } from '../people/roles.ts';
import { formatPersonName } from '../people/name-person.ts';
import {
  serverDatabaseSchemaName,
  type DatabaseRow,
  type ServerDatabase,
} from '../database/database.ts';
import type { EncryptedBlobStore } from './blobs.ts';
import { hashSecret, makeSecret } from '../secrets/random-secret.ts';

/** A valid session of a browser. */
export interface BrowserSession {
  /** Name of the person who has signed in. */
  readonly person: string;
  /** Id of the member; undefined for the administrator. */
  readonly memberId: string | undefined;
  /** Roles that the member has in all workspaces. */
  readonly roles: readonly Role[];
  /** Token that forms of this session have to send along. It is derived from the secret, and does not lead back to it. */
  readonly formToken: string;
}

interface SessionRow extends DatabaseRow {
  readonly person: string;
  readonly member: string | null;
  readonly roles: unknown;
  readonly is_old: boolean;
}

const isValid = `seen_at > clock_timestamp() - interval '8 hours' AND created_at > clock_timestamp() - interval '7 days'`;

/** Sessions of browsers, in the server's database. */
export class BrowserSessionStore {
  readonly #database: ServerDatabase;
  readonly #blobs: EncryptedBlobStore;

  constructor(database: ServerDatabase, blobs: EncryptedBlobStore) {
    this.#database = database;
    this.#blobs = blobs;
  }

  /**
   * Begins a browser session of a member, or of the administrator.
   * @returns its secret, for a cookie
   * @param idToken ID token of the sign-in at the provider, needed to sign out there
   */
  async begin(person: string, memberId?: string, idToken?: string): Promise<string> {
    const secret = makeSecret('');
    const kept = idToken === undefined ? null : await this.#blobs.add(Buffer.from(idToken));
    await this.#database.ask(
      `DELETE FROM ${serverDatabaseSchemaName}.sessions WHERE NOT (${isValid})`,
    );
    await this.#database.ask(
      `INSERT INTO ${serverDatabaseSchemaName}.sessions (hash, person, member, id_token) VALUES ($1, $2, $3, $4)`,
      [hashSecret(secret), person, memberId ?? null, kept],
    );
    return secret;
  }

  /** The session with a secret; undefined where there is none that is valid. */
  async find(secret: string): Promise<BrowserSession | undefined> {
    const hash = hashSecret(secret);
    const [row] = await this.#database.ask<SessionRow>(
      `SELECT coalesce(m.name, person) AS person, m.id AS member, s.is_old,
         array(SELECT role FROM ${serverDatabaseSchemaName}.rights WHERE member = m.id AND workspace IS NULL) AS roles
       FROM (SELECT *, seen_at < clock_timestamp() - interval '1 minute' AS is_old FROM ${serverDatabaseSchemaName}.sessions
             WHERE hash = $1 AND ${isValid}) s LEFT JOIN ${serverDatabaseSchemaName}.members m ON m.id = s.member`,
      [hash],
    );
    if (!row) return undefined;
    // Not at each request: a page that is followed live sends many.
    if (row.is_old)
      await this.#database.ask(
        `UPDATE ${serverDatabaseSchemaName}.sessions SET seen_at = clock_timestamp() WHERE hash = $1`,
        [hash],
      );
    const formToken = hashSecret(`form ${secret}`).toString('base64url');
    return {
      person: row.member === null ? row.person : formatPersonName(row.person),
      memberId: row.member ?? undefined,
      roles: readKnownRoles(row.roles),
      formToken,
    };
  }

  /** Finds the provider's ID token of a session; undefined for a session that began without the provider. */
  async findIdToken(secret: string): Promise<string | undefined> {
    const [row] = await this.#database.ask<{ id_token: string }>(
      `SELECT id_token FROM ${serverDatabaseSchemaName}.sessions WHERE hash = $1 AND id_token IS NOT NULL`,
      [hashSecret(secret)],
    );
    return row && (await this.#blobs.read(row.id_token)).toString();
  }

  /** Ends one session, by its secret. */
  async end(secret: string): Promise<void> {
    await this.#database.ask(`DELETE FROM ${serverDatabaseSchemaName}.sessions WHERE hash = $1`, [
      hashSecret(secret),
    ]);
  }

  /** Ends all sessions of everybody. */
  async endAll(): Promise<void> {
    await this.#database.ask(`DELETE FROM ${serverDatabaseSchemaName}.sessions`);
  }

  /** Counts the valid sessions. */
  async count(): Promise<number> {
    const [row] = await this.#database.ask<{ count: string }>(
      `SELECT count(*) AS count FROM ${serverDatabaseSchemaName}.sessions WHERE ${isValid}`,
    );
    return Number(row?.count ?? 0);
  }
}
