// The lock of a state in PostgreSQL: a row that says who holds it and how often that gave a sign of life. Each change of the
// row names what it expects to find there, so of two who want the lock one finds that it came too late.
import { OwnLock } from '../../lock/own-lock.ts';
import {
  decodeInfo,
  encodeInfo,
  type HeldLock,
  type LockInfo,
  type Taking,
} from '../../lock/lock-info.ts';
import type { Holding, IsGone, LockMedium } from '../../lock/lock-medium.ts';
import type { Row } from './database.ts';
import { HeldRow } from './held-row.ts';
import { readLockRow, type PostgresState } from './postgres-state.ts';
import { withTables } from './tables.ts';

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
    return describeHolder(await readLockRow(this.#state), this.place);
  }

  take(wanted: LockInfo, isGone: IsGone): Promise<Taking> {
    const { database, tables } = this.#state;
    return withTables(database, tables, () => this.#take(wanted, isGone));
  }

  async hold(holding: Holding) {
    const row = await readLockRow(this.#state);
    if (row?.lock_id !== holding.info.ID) return undefined;
    const writes = Number(row.writes);
    const held = new OwnLock(holding, (lock) => new HeldRow(this.#state, lock, writes));
    return { held, takenAt: Number(row.beat_ms) };
  }

  async readTime(): Promise<number> {
    const { database, statements } = this.#state;
    const [row] = await database.ask(statements.readTime, []);
    return Number(row?.now);
  }

  async clear(id: string): Promise<void> {
    const { database, statements, name } = this.#state;
    await database.ask(statements.emptyLock, [name, id]);
  }

  async #take(wanted: LockInfo, isGone: IsGone): Promise<Taking> {
    const { database, statements, name } = this.#state;
    let from: HeldLock | undefined;
    for (;;) {
      const row = await readLockRow(this.#state);
      if (!row) {
        await database.ask(statements.makeLock, [name]);
        continue;
      }
      const holder = describeHolder(row, this.place);
      // The answer to an attempt was lost, and it had come to pass.
      if (holder?.info.ID === wanted.ID) return { kind: 'taken', info: holder.info, from };
      if (holder && !isGone(holder)) return { kind: 'held', by: holder };
      from = holder;
      const info = { ...wanted, Epoch: Number(row.epoch) + 1 };
      const found = [row.epoch ?? 0, row.beat ?? 0, row.lock_id ?? null];
      const values = [name, info.ID, encodeInfo(info), ...found];
      const taken = await database.ask(statements.takeLock, values);
      if (taken.length > 0) return { kind: 'taken', info, from };
    }
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
