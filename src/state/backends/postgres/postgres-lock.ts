// The lock of a state in PostgreSQL: a row that says who holds it and how often that gave a sign of life. Each change of the
// row names what it expects to find there, so of two who want the lock one finds that it came too late.
import type { LockLoss } from '../../lock/fence.ts';
import { LeasedFence } from '../../lock/leased-fence.ts';
import {
  decodeInfo,
  encodeInfo,
  type HeldLock,
  type LockInfo,
  type Taking,
} from '../../lock/lock-info.ts';
import type { Holding, IsGone, LockMedium } from '../../lock/lock-medium.ts';
import type { Database, Row } from './database.ts';
import { withTables, type Tables } from './tables.ts';

/** One state of a schema. */
export interface PostgresState {
  readonly database: Database;
  readonly tables: Tables;
  /** Its name in the schema. */
  readonly name: string;
  /** For messages. */
  readonly place: string;
}

const moment = '(extract(epoch FROM beat_at) * 1000)::text AS beat_ms';

/** The lock of a state. */
export class PostgresLock implements LockMedium {
  readonly place: string;
  readonly statePath: string;
  readonly #state: PostgresState;

  constructor(state: PostgresState) {
    this.#state = state;
    this.place = state.place;
    this.statePath = state.place;
  }

  async read(): Promise<HeldLock | undefined> {
    return describeHolder(await this.#readRow(), this.place);
  }

  take(wanted: LockInfo, isGone: IsGone): Promise<Taking> {
    const { database, tables } = this.#state;
    return withTables(database, tables, () => this.#take(wanted, isGone));
  }

  async hold(holding: Holding): Promise<{ held: LeasedFence; takenAt: number } | undefined> {
    const row = await this.#readRow();
    if (row?.lock_id !== holding.info.ID) return undefined;
    const held: LeasedFence = new LeasedFence(holding, {
      renew: () => this.#renew(held),
      release: () => this.#empty(held.id),
    });
    return { held, takenAt: Number(row.beat_ms) };
  }

  async readTime(): Promise<number> {
    const asked = 'SELECT (extract(epoch FROM clock_timestamp()) * 1000)::text AS now';
    const [row] = await this.#state.database.ask(asked, []);
    return Number(row?.now);
  }

  clear(id: string): Promise<void> {
    return this.#empty(id);
  }

  /** Why a lock that was held is held no longer; undefined while it is. */
  async findLoss({ id, epoch }: Pick<LeasedFence, 'id' | 'epoch'>): Promise<LockLoss | undefined> {
    const row = await this.#readRow();
    if (row?.lock_id === id) return undefined;
    // Who held it last stays in the row, so a successor that has ended already is named as well.
    const by = row && Number(row.epoch) > epoch ? decodeInfo(row.lock_info ?? '') : undefined;
    return by ? { kind: 'taken', by } : { kind: 'removed' };
  }

  async #take(wanted: LockInfo, isGone: IsGone): Promise<Taking> {
    const { database, tables, name } = this.#state;
    let from: HeldLock | undefined;
    for (;;) {
      const row = await this.#readRow();
      if (!row) {
        await database.ask(
          `INSERT INTO ${tables.states} (name) VALUES ($1) ON CONFLICT DO NOTHING`,
          [name],
        );
        continue;
      }
      const holder = describeHolder(row, this.place);
      // The answer to an attempt was lost, and it had come to pass.
      if (holder?.info.ID === wanted.ID) return { kind: 'taken', info: holder.info, from };
      if (holder && !isGone(holder)) return { kind: 'held', by: holder };
      from = holder;
      const info = { ...wanted, Epoch: Number(row.epoch) + 1 };
      const taken = await database.ask(
        `UPDATE ${tables.states}
          SET lock_id = $2, lock_info = $3, epoch = epoch + 1, beat = beat + 1, beat_at = clock_timestamp()
          WHERE name = $1 AND epoch = $4 AND beat = $5 AND lock_id IS NOT DISTINCT FROM $6
          RETURNING epoch::text`,
        [name, info.ID, encodeInfo(info), row.epoch ?? 0, row.beat ?? 0, row.lock_id ?? null],
      );
      if (taken.length > 0) return { kind: 'taken', info, from };
    }
  }

  async #renew(held: LeasedFence): Promise<LockLoss | undefined> {
    const { database, tables, name } = this.#state;
    const renewed = await database.ask(
      `UPDATE ${tables.states} SET beat = beat + 1, beat_at = clock_timestamp()
        WHERE name = $1 AND lock_id = $2 AND epoch = $3 RETURNING name`,
      [name, held.id, held.epoch],
      // The next heartbeat is the next attempt.
      0,
    );
    return renewed.length > 0 ? undefined : await this.findLoss(held);
  }

  async #empty(id: string): Promise<void> {
    const { database, tables, name } = this.#state;
    await database.ask(
      `UPDATE ${tables.states} SET lock_id = NULL, beat = beat + 1 WHERE name = $1 AND lock_id = $2`,
      [name, id],
    );
  }

  async #readRow(): Promise<Row | undefined> {
    const { database, tables, name } = this.#state;
    const [row] = await database.look(
      `SELECT lock_id, lock_info, epoch::text, beat::text, ${moment} FROM ${tables.states} WHERE name = $1`,
      [name],
    );
    return row;
  }
}

function describeHolder(row: Row | undefined, place: string): HeldLock | undefined {
  if (typeof row?.lock_id !== 'string') return undefined;
  const heartbeatAt = Number(row.beat_ms);
  const unknown = { Operation: 'unknown', Info: '', Who: 'unknown', Version: 'unknown' };
  const info = decodeInfo(row.lock_info ?? '') ?? {
    ...{ ID: row.lock_id, ...unknown, Pid: 0, Host: 'unknown', Realm: 'unknown' },
    ...{ Created: new Date(heartbeatAt).toISOString(), Path: place },
  };
  return { info, heartbeatAt, beat: `${row.lock_id} ${row.beat ?? ''}` };
}
