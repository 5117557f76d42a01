// The requests to each account, of all workers together: a token bucket in its row. Time is that of PostgreSQL. A lease that
// is not given back, since its worker died, is made up for as the bucket fills.
import { serverDatabaseSchemaName, type ServerDatabase } from '../database/database.ts';

/** Validity of a lease, in milliseconds. Requests that are not sent until then are given back. */
export const requestLeaseMs = 400;

/** The part of the burst that is kept for leases: they may be used so many seconds late. */
const reserveS = 0.5;

/** Size of a lease where the account has no limit: the lease then only tells its holder of a pause. */
const unlimited = 500;

/** Longest wait that a service may ask for, in milliseconds; a longer one is cut to it. */
const longestHoldMs = 60 * 60_000;

/** A lease of requests: permission for a run to send so many to the service. */
export interface RequestLease {
  /** Number of requests that the run may send; 0 while the account is paused. */
  readonly count: number;
  /** Time to wait first, in milliseconds: until there are requests to lease, or until the pause ends. */
  readonly waitMs: number;
}

/** Budgets of requests to each account, kept in the database as token buckets that all workers share. */
export class RequestBudgetStore {
  readonly #database: ServerDatabase;

  constructor(database: ServerDatabase) {
    this.#database = database;
  }

  /**
   * Takes up to `wanted` requests from the token bucket of an account. An empty bucket grants one in advance, with the time to
   * wait until it is earned, so that each caller gets its turn in the order of asking.
   */
  async lease(account: string, wanted: number): Promise<RequestLease> {
    const [row] = await this.#database.ask<{ count: number; wait_ms: number }>(
      `WITH seen AS (
         SELECT id, requests_per_second AS rate, greatest(1, burst - requests_per_second * ${reserveS}) AS room,
           tokens, filled_at, held_until, clock_timestamp() AS at
         FROM ${serverDatabaseSchemaName}.accounts WHERE id = $1 FOR NO KEY UPDATE),
       filled AS (
         SELECT *, least(room, tokens + rate * greatest(0, extract(epoch FROM at - filled_at)::float8)) AS level FROM seen),
       given AS (
         SELECT *, CASE WHEN held_until > at THEN 0 WHEN rate IS NULL THEN ${unlimited}
           ELSE greatest(1, least($2::int, floor(level))) END::int AS count FROM filled)
       UPDATE ${serverDatabaseSchemaName}.accounts account SET
         tokens = CASE WHEN rate IS NULL THEN 0 ELSE level - count END,
         filled_at = greatest(at, account.filled_at)
       FROM given WHERE account.id = given.id
       RETURNING count, ceil(1000 * CASE WHEN count = 0 THEN extract(epoch FROM given.held_until - at)::float8
         WHEN rate IS NULL THEN 0 ELSE greatest(0, (count - level) / rate) END)::float8 AS wait_ms`,
      [account, wanted],
    );
    // An account that was removed has no limit any more.
    return row ? { count: row.count, waitMs: row.wait_ms } : { count: unlimited, waitMs: 0 };
  }

  /** Milliseconds for which nobody may send requests to the account; 0 where everybody may. */
  async readHold(account: string): Promise<number> {
    const [row] = await this.#database.ask<{ ms: number }>(
      `SELECT ceil(1000 * greatest(0, extract(epoch FROM held_until - clock_timestamp())))::float8 AS ms
       FROM ${serverDatabaseSchemaName}.accounts WHERE id = $1 AND held_until IS NOT NULL`,
      [account],
    );
    return row?.ms ?? 0;
  }

  /** Records a wait that the service asked for, during which nobody sends requests to the account; the longest wait counts. */
  async hold(account: string, ms: number): Promise<void> {
    await this.#database.ask(
      `UPDATE ${serverDatabaseSchemaName}.accounts SET held_until =
         greatest(held_until, clock_timestamp() + $2 * interval '1 millisecond') WHERE id = $1`,
      [account, Math.min(ms, longestHoldMs)],
    );
  }

  /** Returns unused requests to the token bucket, which never holds more than the burst. */
  async giveBack(account: string, count: number): Promise<void> {
    if (count <= 0) return;
    await this.#database.ask(
      `UPDATE ${serverDatabaseSchemaName}.accounts SET tokens = tokens + $2 WHERE id = $1 AND requests_per_second IS NOT NULL`,
      [account, count],
    );
  }

  /** Adds to the statistics of an account: the requests that were sent, and those that the service refused with status 429. */
  async count(account: string, requests: number, refusals: number): Promise<void> {
    if (requests <= 0 && refusals <= 0) return;
    await this.#database.ask(
      `WITH total AS (
         UPDATE ${serverDatabaseSchemaName}.accounts SET requests = requests + $2, refusals = refusals + $3 WHERE id = $1 RETURNING id),
       old AS (
         DELETE FROM ${serverDatabaseSchemaName}.account_use WHERE account = $1 AND minute < clock_timestamp() - interval '2 hours')
       INSERT INTO ${serverDatabaseSchemaName}.account_use AS used (account, minute, requests, refusals)
         SELECT id, date_trunc('minute', clock_timestamp()), $2, $3 FROM total
       ON CONFLICT (account, minute) DO UPDATE SET requests = used.requests + $2, refusals = used.refusals + $3`,
      [account, requests, refusals],
    );
  }
}
