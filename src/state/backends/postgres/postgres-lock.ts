// The lock of a state in PostgreSQL: a row with the holder and the number of its heartbeats. Each change of the row names the
// values that it expects, so of two runs that want the lock one finds that it came too late.
import { OwnLock } from '../../lock/own-lock.ts';
import {
  decodeLockInfo,
  encodeLockInfo,
  type ObservedLock,
  type LockInfo,
} from '../../lock/lock-info.ts';
import type { TakenLock, IsLockHolderGone, LockMedium } from '../../lock/lock-medium.ts';
import {
  takeLockRecord,
  type FoundLockRecord,
  type TakeableLockRecord,
} from '../../lock/record-lock.ts';
import type { DatabaseResultRow } from './database.ts';
import { LockedPostgresState } from './held-row.ts';
import { readLockRow, type PostgresState } from './postgres-state.ts';
import { doWithStateTablesCreated } from './tables.ts';

interface FoundRow extends FoundLockRecord {
  readonly row: DatabaseResultRow;
}

/** Lock of a state in PostgreSQL. */
export class PostgresLock implements LockMedium, TakeableLockRecord<FoundRow> {
  readonly place: string;
  readonly statePath: string;
  readonly #state: PostgresState;

  constructor(state: PostgresState) {
    this.#state = state;
    this.place = state.place;
    this.statePath = state.place;
  }

  async read(): Promise<ObservedLock | undefined> {
    return describeHolder(await readLockRow(this.#state), this.place);
  }

  take(wanted: LockInfo, isGone: IsLockHolderGone) {
    const { database, tables } = this.#state;
    return doWithStateTablesCreated(database, tables, () => takeLockRecord(this, wanted, isGone));
  }

  /** Reads the row of the lock, and makes it where there is none. */
  async find(): Promise<FoundRow> {
    const { database, statements, name } = this.#state;
    for (;;) {
      const row = await readLockRow(this.#state);
      if (row) return { row, holder: describeHolder(row, this.place) };
      await database.ask(statements.makeLock, [name]);
    }
  }

  async pass({ row }: FoundRow, to: LockInfo): Promise<LockInfo | undefined> {
    const { database, statements, name } = this.#state;
    const info = { ...to, Epoch: Number(row.epoch) + 1 };
    const found = [row.epoch ?? 0, row.beat ?? 0, row.lock_id ?? null];
    const values = [name, info.ID, encodeLockInfo(info), ...found];
    const taken = await database.ask(statements.takeLock, values);
    return taken.length > 0 ? info : undefined;
  }

  async hold(holding: TakenLock) {
    const row = await readLockRow(this.#state);
    if (row?.lock_id !== holding.info.ID) return undefined;
    const writes = Number(row.writes);
    const held = new OwnLock(holding, (lock) => new LockedPostgresState(this.#state, lock, writes));
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
}

function describeHolder(
  row: DatabaseResultRow | undefined,
  place: string,
): ObservedLock | undefined {
  if (typeof row?.lock_id !== 'string') return undefined;
  const heartbeatAt = Number(row.beat_ms);
  const unknown = { Operation: 'unknown', Info: '', Who: 'unknown', Version: 'unknown' };
  const info = decodeLockInfo(row.lock_info ?? '') ?? {
    ID: row.lock_id,
    ...unknown,
    Pid: 0,
    Host: 'unknown',
    Realm: 'unknown',
    Created: new Date(heartbeatAt).toISOString(),
    Path: place,
  };
  return { info, heartbeatAt, beat: `${row.lock_id} ${row.beat ?? ''}` };
}
