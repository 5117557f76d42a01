import { randomUUID } from 'node:crypto';
import type { EncryptedBlobStore } from './blobs.ts';
import {
  serverDatabaseSchemaName,
  type DatabaseRow,
  type ServerDatabase,
} from '../database/database.ts';
import { buildClaimableCondition } from './deliveries.ts';
import type {
  ClaimedMessage,
  GivenUpMessage,
  MessageEvent,
  MessageTarget,
  MessageTargetKind,
  MessageTargetSecrets,
} from './message-target.ts';

/** Fields of a new message target. */
export interface NewMessageTargetFields extends Pick<
  MessageTarget,
  'name' | 'kind' | 'site' | 'events'
> {
  /** Ids of the workspaces that messages are about; undefined for all. */
  readonly workspaceIds: readonly string[] | undefined;
}

/** Retention of messages that arrived, in days, and the number of kept ones that were given up. */
const keptDays = 30;
const mostDead = 200;

const isOpen = 'sent_at IS NULL AND dead_at IS NULL';
const selectTargets = `SELECT t.*, (SELECT array_agg(w.name ORDER BY w.name) FROM ${serverDatabaseSchemaName}.workspaces w
  WHERE w.id = ANY (t.workspaces)) AS names FROM ${serverDatabaseSchemaName}.message_targets t`;

/** Messages about runs and drift, and their targets. Triggers on the tables of runs and drift add the messages. */
export class MessageStore {
  readonly #database: ServerDatabase;
  readonly #blobs: EncryptedBlobStore;

  constructor(database: ServerDatabase, blobs: EncryptedBlobStore) {
    this.#database = database;
    this.#blobs = blobs;
  }

  /**
   * Announces a plan that waits although it was to be applied without a person. One that waits for approvals was
   * announced when it was made.
   */
  async tellWaiting(planRun: string): Promise<void> {
    await this.#database.ask(
      `SELECT ${serverDatabaseSchemaName}.add_messages('plan.waiting', w.id, run.id, '{}') FROM ${serverDatabaseSchemaName}.runs run
       JOIN ${serverDatabaseSchemaName}.workspaces w ON w.id = run.workspace WHERE run.id = $1 AND w.approvals_needed = 0`,
      [planRun],
    );
  }

  /** Adds a message target; undefined where its name is taken. */
  async addTarget(
    { name, kind, site, events, workspaceIds }: NewMessageTargetFields,
    secrets: MessageTargetSecrets,
  ): Promise<MessageTarget | undefined> {
    if (await this.findTarget(name)) return undefined;
    const blob = await this.#blobs.add(Buffer.from(JSON.stringify(secrets)));
    const rows = await this.#database.ask(
      `INSERT INTO ${serverDatabaseSchemaName}.message_targets (id, name, kind, site, events, workspaces, secrets)
       VALUES ($1, $2, $3, $4, $5, $6, $7) ON CONFLICT (name) DO NOTHING RETURNING id`,
      [randomUUID(), name, kind, site, events, workspaceIds ?? null, blob],
    );
    return rows.length === 0 ? undefined : this.findTarget(name);
  }

  /** Finds a message target by name; undefined where there is none. */
  async findTarget(name: string): Promise<MessageTarget | undefined> {
    const rows = await this.#database.ask<TargetRow>(`${selectTargets} WHERE t.name = $1`, [name]);
    return rows.map(readTarget)[0];
  }

  /** Lists all message targets, sorted by name. */
  async listTargets(): Promise<readonly MessageTarget[]> {
    return (await this.#database.ask<TargetRow>(`${selectTargets} ORDER BY t.name`)).map(
      readTarget,
    );
  }

  /** Removes a message target with all messages to it. */
  async removeTarget(name: string): Promise<void> {
    await this.#database
      .ask(
        `WITH gone AS (DELETE FROM ${serverDatabaseSchemaName}.message_targets WHERE name = $1 RETURNING secrets)
       SELECT secrets FROM gone`,
        [name],
      )
      .then(async ([row]) => {
        if (row)
          await this.#database.ask(`DELETE FROM ${serverDatabaseSchemaName}.blobs WHERE id = $1`, [
            row.secrets,
          ]);
      });
  }

  /** Adds a test message, whose only purpose is to arrive. */
  async addTest({ id }: MessageTarget): Promise<void> {
    await this.#database.ask(
      `INSERT INTO ${serverDatabaseSchemaName}.messages (id, target, event, detail) VALUES ($1, $2, 'test', '{}')`,
      [randomUUID(), id],
    );
  }

  /** Reads the form and the secrets of a message's target; undefined where the target was removed. */
  async readTarget(
    id: string,
  ): Promise<({ readonly kind: MessageTargetKind } & MessageTargetSecrets) | undefined> {
    const [row] = await this.#database.ask<{ kind: MessageTargetKind; secrets: string }>(
      `SELECT kind, secrets FROM ${serverDatabaseSchemaName}.message_targets WHERE id = $1`,
      [id],
    );
    if (!row) return undefined;
    const text = (await this.#blobs.read(row.secrets)).toString('utf8');
    return { kind: row.kind, ...(JSON.parse(text) as MessageTargetSecrets) };
  }

  /** Takes the next message that is due; undefined where there is none. E-mail is among them where `hasMail` is set. */
  async claim(worker: string, hasMail: boolean): Promise<ClaimedMessage | undefined> {
    const [row] = await this.#database.ask<Omit<ClaimedMessage, 'nowS'> & { now: string }>(
      `UPDATE ${serverDatabaseSchemaName}.messages SET claimed_by = $1, claimed_at = clock_timestamp(), attempts = attempts + 1
       WHERE id = (SELECT id FROM ${serverDatabaseSchemaName}.messages m WHERE ${isOpen} AND ${buildClaimableCondition('m')}
           AND NOT EXISTS (SELECT 1 FROM ${serverDatabaseSchemaName}.messages sent WHERE sent.target = m.target AND sent.sent_at IS NULL
             AND sent.dead_at IS NULL AND sent.claimed_by IS NOT NULL AND NOT (${buildClaimableCondition('sent')}))
           AND ($2 OR target NOT IN (SELECT id FROM ${serverDatabaseSchemaName}.message_targets WHERE kind = 'email'))
         ORDER BY due_at LIMIT 1 FOR UPDATE SKIP LOCKED)
       RETURNING id, target, event, detail, at, attempts, floor(extract(epoch FROM clock_timestamp())) AS now`,
      [worker, hasMail],
    );
    return row && { ...row, nowS: Number(row.now) };
  }

  /** Marks the message as delivered, and forgets old ones. */
  async end({ id }: Pick<ClaimedMessage, 'id'>): Promise<void> {
    await this.#database.ask(
      `UPDATE ${serverDatabaseSchemaName}.messages SET sent_at = clock_timestamp(), fault = NULL WHERE id = $1 AND ${isOpen}`,
      [id],
    );
    for (const column of ['sent_at', 'dead_at'])
      await this.#database.ask(
        `DELETE FROM ${serverDatabaseSchemaName}.messages WHERE ${column} < clock_timestamp() - interval '${keptDays} days'`,
      );
  }

  /**
   * Makes a message due again after a while, with all others that wait for its target: a target out of reach holds up no other
   * target.
   */
  async retry({ id, target }: ClaimedMessage, delayMs: number, fault: string): Promise<void> {
    await this.#database.ask(
      `UPDATE ${serverDatabaseSchemaName}.messages SET due_at = greatest(due_at, clock_timestamp() + $3 * interval '1 millisecond'),
         claimed_by = CASE WHEN id = $1 THEN NULL ELSE claimed_by END, fault = CASE WHEN id = $1 THEN $4 ELSE fault END
       WHERE target = $2 AND ${isOpen} AND (id = $1 OR claimed_by IS NULL)`,
      [id, target, delayMs, fault],
    );
  }

  /** Gives up on the message until somebody sends it again. */
  async giveUp({ id }: ClaimedMessage, fault: string): Promise<void> {
    await this.#database.ask(
      `UPDATE ${serverDatabaseSchemaName}.messages SET dead_at = clock_timestamp(), claimed_by = NULL, fault = $2 WHERE id = $1 AND ${isOpen}`,
      [id, fault],
    );
  }

  /** Lists messages that were given up, the newest first. */
  async listDead(): Promise<readonly GivenUpMessage[]> {
    const rows = await this.#database.ask<DeadRow>(
      `SELECT m.*, t.name FROM ${serverDatabaseSchemaName}.messages m JOIN ${serverDatabaseSchemaName}.message_targets t ON t.id = m.target
       WHERE m.dead_at IS NOT NULL ORDER BY m.dead_at DESC LIMIT ${mostDead}`,
    );
    return rows.map((row) => ({
      id: row.id,
      target: row.name,
      event: row.event,
      workspace: row.detail.workspace,
      at: row.at,
      deadAt: row.dead_at,
      attempts: row.attempts,
      fault: row.fault ?? '',
    }));
  }

  /** Makes a message that was given up due again. The result is false where there is no such message. */
  async sendAgain(id: string): Promise<boolean> {
    const rows = await this.#database.ask(
      `UPDATE ${serverDatabaseSchemaName}.messages SET dead_at = NULL, attempts = 0, due_at = clock_timestamp()
       WHERE id = $1 AND dead_at IS NOT NULL RETURNING id`,
      [id],
    );
    return rows.length > 0;
  }
}

/** Row of a message that was given up, with the name of its target. */
interface DeadRow extends DatabaseRow {
  readonly id: string;
  readonly name: string;
  readonly event: string;
  readonly detail: ClaimedMessage['detail'];
  readonly at: Date;
  readonly dead_at: Date;
  readonly attempts: number;
  readonly fault: string | null;
}

interface TargetRow extends DatabaseRow {
  readonly id: string;
  readonly name: string;
  readonly kind: MessageTargetKind;
  readonly site: string;
  readonly events: readonly MessageEvent[];
  /** Ids of the target's workspaces; null for all of them. */
  readonly workspaces: readonly string[] | null;
  readonly names: readonly string[] | null;
  readonly created_at: Date;
}

function readTarget(row: TargetRow): MessageTarget {
  const isForAll = row.workspaces === null;
  return {
    id: row.id,
    name: row.name,
    kind: row.kind,
    site: row.site,
    events: row.events,
    workspaces: isForAll ? undefined : (row.names ?? []),
    createdAt: row.created_at,
  };
}
