import type { GitHostEvent } from '../hosts/host-event.ts';
import { serverDatabaseSchemaName, type ServerDatabase } from '../database/database.ts';

/** Answer to a webhook's sender about its delivery. */
export interface WebhookDeliveryAnswer {
  readonly status: 'accepted' | 'ignored';
  readonly reason?: string;
}

/** Identity of a webhook's delivery, to recognise one that is sent twice. */
export interface NewWebhookDelivery {
  readonly connection: string;
  readonly delivery: string;
  readonly digest: string | undefined;
}

/** An event of a git host that a worker has taken from the queue and is handling. */
export interface ClaimedGitHostEvent {
  readonly id: string;
  readonly connection: string;
  readonly event: GitHostEvent;
  readonly attempts: number;
}

/**
 * SQL condition that a worker may claim a row that is due: no other worker has, or that worker is gone, or has taken so long that
 * it must be. `row` is the name of the table in the query.
 */
export const buildClaimableCondition = (row: string) => `${row}.due_at <= clock_timestamp()
  AND (${row}.claimed_by IS NULL OR ${row}.claimed_at < clock_timestamp() - interval '5 minutes'
    OR EXISTS (SELECT 1 FROM ${serverDatabaseSchemaName}.workers w WHERE w.id = ${row}.claimed_by AND w.ended_at IS NOT NULL))`;

const keptDays = 30;

/** Webhook deliveries of git hosts: each is stored once, with its answer and the event that is still to be handled. */
export class WebhookDeliveryStore {
  readonly #database: ServerDatabase;

  constructor(database: ServerDatabase) {
    this.#database = database;
  }

  /** Finds the answer to a delivery; undefined where the delivery is new. */
  async findAnswer(
    connection: string,
    delivery: string,
  ): Promise<WebhookDeliveryAnswer | undefined> {
    const [row] = await this.#database.ask<{ answer: WebhookDeliveryAnswer }>(
      `SELECT answer FROM ${serverDatabaseSchemaName}.deliveries WHERE connection = $1 AND delivery = $2`,
      [connection, delivery],
    );
    return row?.answer;
  }

  /**
   * Stores a delivery, with an event where work follows. A delivery that was stored before is recognised by its id, or by the
   * digest of its body where the body is unique.
   * @returns whether it is new
   */
  async add(
    { connection, delivery, digest }: NewWebhookDelivery,
    answer: WebhookDeliveryAnswer,
    event: GitHostEvent | undefined,
  ): Promise<boolean> {
    const rows = await this.#database.ask(
      `INSERT INTO ${serverDatabaseSchemaName}.deliveries (connection, delivery, answer, event, ended_at, body_digest)
       VALUES ($1, $2, $3, $4, CASE WHEN $4::jsonb IS NULL THEN clock_timestamp() END, $5) ON CONFLICT DO NOTHING
       RETURNING id`,
      [
        ...[connection, delivery, JSON.stringify(answer), event ? JSON.stringify(event) : null],
        digest ?? null,
      ],
    );
    return rows.length > 0;
  }

  /** Takes the next event that is due; undefined where there is none. */
  async claim(worker: string): Promise<ClaimedGitHostEvent | undefined> {
    const [row] = await this.#database.ask<{
      id: string;
      connection: string;
      event: GitHostEvent;
      attempts: number;
    }>(
      `UPDATE ${serverDatabaseSchemaName}.deliveries SET claimed_by = $1, claimed_at = clock_timestamp(), attempts = attempts + 1
       WHERE id = (SELECT id FROM ${serverDatabaseSchemaName}.deliveries d WHERE ended_at IS NULL AND ${buildClaimableCondition('d')}
         ORDER BY due_at LIMIT 1 FOR UPDATE SKIP LOCKED) RETURNING id, connection, event, attempts`,
      [worker],
    );
    return row;
  }

  /** Marks the event as done, and forgets old ones. */
  async end({ id }: ClaimedGitHostEvent): Promise<void> {
    await this.#database.ask(
      `UPDATE ${serverDatabaseSchemaName}.deliveries SET ended_at = clock_timestamp(), event = NULL WHERE id = $1`,
      [id],
    );
    // A comment stays known: sent again, its command would be done again.
    await this.#database.ask(
      `DELETE FROM ${serverDatabaseSchemaName}.deliveries WHERE body_digest IS NULL AND ended_at < clock_timestamp() - interval '${keptDays} days'`,
    );
  }

  /** Makes the event due again after a delay. */
  async retry({ id }: ClaimedGitHostEvent, delayMs: number): Promise<void> {
    await this.#database.ask(
      `UPDATE ${serverDatabaseSchemaName}.deliveries SET claimed_by = NULL, due_at = clock_timestamp() + $2 * interval '1 millisecond'
       WHERE id = $1`,
      [id, delayMs],
    );
  }
}
