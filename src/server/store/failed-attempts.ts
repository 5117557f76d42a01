// Attempts to get in that failed. They are counted in the database, so that all processes have one limit.
import { serverDatabaseSchemaName, type ServerDatabase } from '../database/database.ts';

/** Kind of a failed attempt: a sign-in on the pages, or a request with a token. Each has a limit of its own. */
export type FailedAttemptKind = 'sign-in' | 'token';

/** Number of failed attempts within the window from which an address is refused. */
const most = 10;
const window = `interval '10 minutes'`;

/** Failed sign-ins in the server's database, kept for as long as they count. */
export class FailedAttemptStore {
  readonly #database: ServerDatabase;

  constructor(database: ServerDatabase) {
    this.#database = database;
  }

  /** False where an address has failed too often lately. */
  async isAllowed(kind: FailedAttemptKind, address: string): Promise<boolean> {
    const [row] = await this.#database.ask<{ count: number }>(
      `SELECT count(*)::int AS count FROM ${serverDatabaseSchemaName}.failed_attempts
       WHERE kind = $1 AND address = $2 AND at > clock_timestamp() - ${window}`,
      [kind, address],
    );
    return (row?.count ?? 0) < most;
  }

  /** Notes a failed attempt, and deletes those too old to count. */
  async note(kind: FailedAttemptKind, address: string): Promise<void> {
    await this.#database.ask(
      `DELETE FROM ${serverDatabaseSchemaName}.failed_attempts WHERE at <= clock_timestamp() - ${window}`,
    );
    await this.#database.ask(
      `INSERT INTO ${serverDatabaseSchemaName}.failed_attempts (kind, address) VALUES ($1, $2)`,
      [kind, address],
    );
  }
}
