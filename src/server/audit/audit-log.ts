// The audit log: who did what, when and from where. Entries are added and never changed; PostgreSQL refuses anything else.
import type { DerivedServerKey, ServerKeyring } from '../secrets/keyring.ts';
import {
  serverDatabaseSchemaName,
  type DatabaseRow,
  type ServerDatabase,
} from '../database/database.ts';
import {
  firstPreviousHash,
  hashAuditEntry,
  type AuditAct,
  type AuditActor,
  type AuditEntry,
} from './audit-entry.ts';
import { advisoryLockKeys } from '../database/lock-keys.ts';

/** Selection of audit entries to read. */
export interface AuditQuery {
  /** Number of an entry; only later entries are read. */
  readonly after?: number;
  /** Number of an entry; only earlier entries are read. */
  readonly before?: number;
  readonly limit: number;
  /** Order of the entries: newest first if set, else oldest first. */
  readonly isNewestFirst?: boolean;
}

/** Entries of the audit log in the server's database. */
export class AuditLogStore {
  readonly #database: ServerDatabase;
  readonly #key: DerivedServerKey;

  constructor(database: ServerDatabase, { auditKey }: Pick<ServerKeyring, 'auditKey'>) {
    this.#database = database;
    this.#key = auditKey;
  }

  /**
   * Makes a change and adds its audit entry in one transaction: both or neither. The entry comes last, so that the holder of the
   * log's lock waits for no other lock.
   */
  async record<T>(
    actor: AuditActor,
    work: () => Promise<T>,
    describe: (result: T) => Omit<AuditAct, 'result'>,
  ): Promise<T> {
    return this.#database.transact(async () => {
      const result = await work();
      await this.append(actor, { ...describe(result), result: 'done' });
      return result;
    });
  }

  /** Adds an entry to the audit log within the present transaction, so that both are kept or neither. */
  async append(actor: AuditActor, { act, target, result, detail = {} }: AuditAct): Promise<void> {
    await this.#database.transact(async (client) => {
      await client.query('SELECT pg_advisory_xact_lock($1)', [advisoryLockKeys.audit]);
      const { rows } = await client.query<{ at: Date; seq: string | null; hash: string | null }>(
        `SELECT date_trunc('milliseconds', clock_timestamp()) AS at, last.seq, encode(last.hash, 'hex') AS hash
         FROM (SELECT 1) one LEFT JOIN (SELECT seq, hash FROM ${serverDatabaseSchemaName}.audit ORDER BY seq DESC LIMIT 1) last ON true`,
      );
      const last = rows[0];
      const entry = {
        seq: Number(last?.seq ?? 0) + 1,
        at: (last?.at ?? new Date(0)).toISOString(),
        actor,
        act,
        target,
        result,
        detail: JSON.stringify(detail),
        key: this.#key.id,
        previous: last?.hash ?? firstPreviousHash,
      };
      const { id, kind, name, address } = actor;
      await client.query(
        `INSERT INTO ${serverDatabaseSchemaName}.audit (seq, at, actor, actor_kind, actor_name, address, act, target, result, detail, previous, hash, key_id)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, decode($11, 'hex'), decode($12, 'hex'), $13)`,
        [
          ...[entry.seq, entry.at, id, kind, name, address, act, target, result, entry.detail],
          ...[entry.previous, hashAuditEntry(entry, this.#key.key), entry.key],
        ],
      );
    });
  }

  /** Reads a selection of audit entries. */
  async list({
    after,
    before,
    limit,
    isNewestFirst = false,
  }: AuditQuery): Promise<readonly AuditEntry[]> {
    const rows = await this.#database.ask<EntryRow>(
      `SELECT *, encode(previous, 'hex') AS previous_hex, encode(hash, 'hex') AS hash_hex FROM ${serverDatabaseSchemaName}.audit
       WHERE ($1::bigint IS NULL OR seq > $1) AND ($2::bigint IS NULL OR seq < $2)
       ORDER BY seq ${isNewestFirst ? 'DESC' : 'ASC'} LIMIT $3`,
      [after ?? null, before ?? null, limit],
    );
    return rows.map(readEntry);
  }
}

const batch = 1_000;

/** Reads all entries after a number, the oldest first, in batches that fit in memory. */
export async function* readAuditEntries(
  log: Pick<AuditLogStore, 'list'>,
  after: number,
): AsyncGenerator<AuditEntry> {
  for (let last = after; ;) {
    const entries = await log.list({ after: last, limit: batch });
    yield* entries;
    const newest = entries.at(-1)?.seq;
    if (newest === undefined || entries.length < batch) return;
    last = newest;
  }
}

interface EntryRow extends DatabaseRow {
  readonly seq: string;
  readonly at: Date;
  readonly actor: string;
  readonly actor_kind: AuditActor['kind'];
  readonly actor_name: string;
  readonly address: string;
  readonly act: string;
  readonly target: string;
  readonly result: AuditEntry['result'];
  readonly key_id: string;
  readonly detail: string;
  readonly previous_hex: string;
  readonly hash_hex: string;
}

function readEntry(row: EntryRow): AuditEntry {
  return {
    seq: Number(row.seq),
    at: row.at.toISOString(),
    actor: {
      id: row.actor,
      kind: row.actor_kind,
      name: row.actor_name,
      address: row.address,
    },
    act: row.act,
    target: row.target,
    result: row.result,
    key: row.key_id,
    detail: row.detail,
    previous: row.previous_hex,
    hash: row.hash_hex,
  };
}
