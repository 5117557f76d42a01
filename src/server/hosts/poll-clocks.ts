// When the hosts of polled repositories are asked again. One process at a time polls a host, however many there are.
import { serverDatabaseSchemaName, type ServerDatabase } from '../database/database.ts';

/** Seconds for which a killed process still holds a git host's polling. */
const heldS = 120;

/** Times at which each git host is polled next, in the server's database, so that one process at a time polls a host. */
export class GitHostPollingStore {
  readonly #database: ServerDatabase;

  constructor(database: ServerDatabase) {
    this.#database = database;
  }

  /**
   * Takes the polling of a host if it is due.
   * @returns how often in a row the host did not answer; undefined where it is not due
   */
  async take(host: string): Promise<number | undefined> {
    const [row] = await this.#database.ask<{ failures: number }>(
      `INSERT INTO ${serverDatabaseSchemaName}.poll_clocks AS clock (host, due_at)
       VALUES ($1, clock_timestamp() + interval '${heldS} seconds') ON CONFLICT (host) DO UPDATE
         SET due_at = EXCLUDED.due_at WHERE clock.due_at <= clock_timestamp() RETURNING failures`,
      [host],
    );
    return row?.failures;
  }

  /** Extends the time for which this process has taken the polling of a host. */
  async keep(host: string): Promise<void> {
    await this.#database.ask(
      `UPDATE ${serverDatabaseSchemaName}.poll_clocks SET due_at = clock_timestamp() + interval '${heldS} seconds' WHERE host = $1`,
      [host],
    );
  }

  /** Gives the polling of a host back; it is due again after a pause. */
  async end(host: string, failures: number, pauseMs: number): Promise<void> {
    await this.#database.ask(
      `UPDATE ${serverDatabaseSchemaName}.poll_clocks SET failures = $2, due_at = clock_timestamp() + $3 * interval '1 millisecond'
       WHERE host = $1`,
      [host, failures, pauseMs],
    );
  }
}
