// Links that sign somebody in once, within a quarter of an hour: printed on the terminal of whoever starts the server.
import { serverDatabaseSchemaName, type ServerDatabase } from '../database/database.ts';
import { hashSecret, makeSecret } from '../secrets/random-secret.ts';

/** Links to sign in with, in the server's database by their hashes. */
export class SignInLinkStore {
  readonly #database: ServerDatabase;

  constructor(database: ServerDatabase) {
    this.#database = database;
  }

  /** Makes a link to a server. `origin` is where people reach it. */
  async issue(origin: string): Promise<string> {
    const code = makeSecret('');
    await this.#database.ask(
      `DELETE FROM ${serverDatabaseSchemaName}.sign_in_links WHERE expires_at < clock_timestamp()`,
    );
    await this.#database.ask(
      `INSERT INTO ${serverDatabaseSchemaName}.sign_in_links (hash, expires_at) VALUES ($1, clock_timestamp() + interval '15 minutes')`,
      [hashSecret(code)],
    );
    return `${origin}/sign-in?code=${code}`;
  }

  /** Uses a code up. False where it was used before, has expired, or never was one. */
  async redeem(code: string): Promise<boolean> {
    const rows = await this.#database.ask(
      `DELETE FROM ${serverDatabaseSchemaName}.sign_in_links WHERE hash = $1 AND expires_at > clock_timestamp() RETURNING hash`,
      [hashSecret(code)],
    );
    return rows.length > 0;
  }
}
