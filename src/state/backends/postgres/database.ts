// Statements to PostgreSQL, one at a time each: none is part of a longer transaction, and none leaves anything behind in its
// session, so that a pooler may hand each to another one.
import type { Pool, PoolConfig } from 'pg';
import type { Clock } from '../../../model/runtime.ts';
import { BackendError, readPatienceMs, untilReached } from '../backend-error.ts';
import { explainDatabaseError, isMissing } from './database-errors.ts';

/** How long a connection, and the answer to a statement, are waited for; milliseconds. */
const connectMs = 10_000;
const answerMs = 60_000;

/** A value of a row, as PostgreSQL spells it: numbers that may be large are texts. */
export type Row = Readonly<Record<string, string | null>>;

/** What is needed to reach a database. */
export interface DatabaseOptions {
  /** As `pg` takes it. */
  readonly connection: PoolConfig;
  /** For messages. */
  readonly place: string;
  readonly clock: Clock;
}

/** A database, connected to with the first statement. */
export class Database {
  readonly #options: DatabaseOptions;
  #pool: Promise<Pool> | undefined;

  constructor(options: DatabaseOptions) {
    this.#options = options;
  }

  /**
   * The rows of a statement that may be made twice; it is made again while nobody answers, for `patienceMs` at most.
   * @throws BackendError
   */
  ask(
    statement: string,
    values: readonly (string | number | null)[],
    patienceMs = readPatienceMs,
  ): Promise<readonly Row[]> {
    const { clock } = this.#options;
    return untilReached(() => this.#askOnce(statement, values), { clock, patienceMs });
  }

  /** The same of a statement that only reads; none where its tables are not there. */
  async look(statement: string, values: readonly string[]): Promise<readonly Row[]> {
    try {
      return await this.ask(statement, values);
    } catch (error) {
      if (isMissing(error)) return [];
      throw error;
    }
  }

  /** Gives back its connections. */
  async close(): Promise<void> {
    const pool = this.#pool;
    this.#pool = undefined;
    await (await pool)?.end();
  }

  async #askOnce(
    statement: string,
    values: readonly (string | number | null)[],
  ): Promise<readonly Row[]> {
    this.#pool ??= openPool(this.#options.connection);
    const pool = await this.#pool;
    try {
      const { rows } = await pool.query<Record<string, string | null>>(statement, [...values]);
      return rows;
    } catch (error) {
      throw explainDatabaseError(error, this.#options.place);
    }
  }
}

async function openPool(connection: PoolConfig): Promise<Pool> {
  const { default: pg } = await import('pg');
  try {
    const pool = new pg.Pool({
      ...connection,
      // One for what is written, one for the heartbeat beside it.
      max: 2,
      connectionTimeoutMillis: connectMs,
      query_timeout: answerMs,
      keepAlive: true,
      application_name: 'hostwright',
    });
    // A connection that ends while nobody uses it is made anew by the next statement.
    pool.on('error', () => undefined);
    return pool;
  } catch {
    // Without the cause: it may quote the address with its password.
    throw new BackendError('broken', 'HOSTWRIGHT_STATE_POSTGRES_URL is no address of a database.');
  }
}
