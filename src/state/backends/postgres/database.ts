// Statements to PostgreSQL, each alone: none is part of a longer transaction, and none leaves anything behind in its session,
// so that a connection pooler may give each to another session.
import type { Clock } from '../../../model/runtime.ts';
import { stateReadRetryMs, retryUntilReached } from '../backend-error.ts';
import { explainDatabaseError, isMissingTableError } from './database-errors.ts';

/** Row of a statement's result; numbers that may be large are texts, as PostgreSQL spells them. */
export type DatabaseResultRow = Readonly<Record<string, string | null>>;

/** Connections to a database. Rejects with the errors of PostgreSQL, of the system or of its own. */
export interface ConnectionPool {
  query(
    statement: string,
    values: readonly (string | number | null)[],
    /** Time for which the answer is waited for; its connection is given up with it. */
    answerMs: number,
  ): Promise<{ readonly rows: readonly DatabaseResultRow[] }>;
  end(): Promise<void>;
}

/** Connections and clock of the state's database. */
export interface PostgresDatabaseOptions {
  /** Opens the connections at the first statement, so that none is opened in vain. */
  readonly openPool: () => Promise<ConnectionPool>;
  /** Name of the database for messages. */
  readonly place: string;
  readonly clock: Clock;
}

/** Database of the state in PostgreSQL, to which a connection is made with the first statement. */
export class PostgresDatabase {
  readonly #options: PostgresDatabaseOptions;
  #pool: Promise<ConnectionPool> | undefined;

  constructor(options: PostgresDatabaseOptions) {
    this.#options = options;
  }

  /**
   * Runs a statement that does no harm when it is run twice; it is repeated while nobody answers or the disk is full,
   * for `patienceMs` at most. @throws BackendError
   */
  ask(
    statement: string,
    values: readonly (string | number | null)[],
    patienceMs = stateReadRetryMs,
  ): Promise<readonly DatabaseResultRow[]> {
    const { clock } = this.#options;
    return retryUntilReached((attemptMs) => this.#askOnce(statement, values, attemptMs), {
      clock,
      patienceMs,
      // Somebody else's work may fill a disk for a moment.
      passing: ['unreachable', 'full'],
    });
  }

  /** Runs a statement that only reads; no rows where its tables do not exist. */
  async look(statement: string, values: readonly string[]): Promise<readonly DatabaseResultRow[]> {
    try {
      return await this.ask(statement, values);
    } catch (error) {
      if (isMissingTableError(error)) return [];
      throw error;
    }
  }

  /** Closes the connections to the database. */
  async close(): Promise<void> {
    const pool = this.#pool;
    this.#pool = undefined;
    await (await pool)?.end();
  }

  async #askOnce(
    statement: string,
    values: readonly (string | number | null)[],
    attemptMs: number,
  ): Promise<readonly DatabaseResultRow[]> {
    this.#pool ??= this.#options.openPool();
    const pool = await this.#pool;
    try {
      return (await pool.query(statement, values, attemptMs)).rows;
    } catch (error) {
      throw explainDatabaseError(error, this.#options.place);
    }
  }
}
