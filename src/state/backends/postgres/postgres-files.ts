// The texts of a state in PostgreSQL. Each write is one statement, which first touches the row of the lock: where that is
// another's by now, it finds no row and writes nothing, and a takeover waits for the end of a write that came first.
import { InternalError } from '../../../model/errors.ts';
import { isFileName, type FileName, type StateFiles } from '../../files/files.ts';
import type { LeasedFence } from '../../lock/leased-fence.ts';
import { writePatienceMs } from '../backend-error.ts';
import type { PostgresLock, PostgresState } from './postgres-lock.ts';

/** The texts of a state, written under `fence`; without one, only read. */
export class PostgresFiles implements StateFiles {
  readonly #state: PostgresState;
  readonly #lock: PostgresLock;
  readonly #fence: LeasedFence | undefined;
  /** The number of the next part of what grows. */
  readonly #nextParts = new Map<FileName, number>();

  constructor(state: PostgresState, lock: PostgresLock, fence: LeasedFence | undefined) {
    this.#state = state;
    this.#lock = lock;
    this.#fence = fence;
  }

  pathOf(name: FileName): string {
    return `${this.#state.place}: ${name}`;
  }

  async list(): Promise<readonly FileName[]> {
    const { database, tables, name } = this.#state;
    const statement = `SELECT DISTINCT name FROM ${tables.texts} WHERE state = $1`;
    const rows = await database.look(statement, [name]);
    return rows.map((row) => row.name ?? '').filter(isFileName);
  }

  async read(file: FileName): Promise<string | undefined> {
    const { database, tables, name } = this.#state;
    const rows = await database.look(
      `SELECT text FROM ${tables.texts} WHERE state = $1 AND name = $2 ORDER BY part`,
      [name, file],
    );
    return rows.length === 0 ? undefined : rows.map(({ text }) => text).join('');
  }

  async replace(file: FileName, text: string): Promise<void> {
    const { texts } = this.#state.tables;
    await this.#write(
      `rest AS (DELETE FROM ${texts} USING held
        WHERE ${texts}.state = held.name AND ${texts}.name = $4 AND part > 0),
      written AS (INSERT INTO ${texts} (state, name, part, text) SELECT held.name, $4, 0, $5 FROM held
        ON CONFLICT (state, name, part) DO UPDATE SET text = excluded.text)`,
      [file, text],
    );
    this.#nextParts.set(file, 1);
  }

  async append(file: FileName, text: string): Promise<void> {
    const part = this.#nextParts.get(file);
    if (part === undefined) throw new InternalError(`${file} was not made before it grew.`);
    // The first attempt at this very part may have come to pass without an answer.
    await this.#write(
      `written AS (INSERT INTO ${this.#state.tables.texts} (state, name, part, text)
        SELECT held.name, $4, $5::bigint, $6 FROM held ON CONFLICT DO NOTHING)`,
      [file, part, text],
    );
    this.#nextParts.set(file, part + 1);
  }

  async remove(file: FileName): Promise<void> {
    const { texts } = this.#state.tables;
    await this.#write(
      `written AS (DELETE FROM ${texts} USING held
        WHERE ${texts}.state = held.name AND ${texts}.name = $4)`,
      [file],
    );
    this.#nextParts.delete(file);
  }

  close(): Promise<void> {
    return Promise.resolve();
  }

  /** Makes a change under the lock, in one round trip. @throws LockLostError, BackendError */
  async #write(change: string, values: readonly (string | number)[]): Promise<void> {
    const fence = this.#fence;
    if (!fence) throw new InternalError('The state was opened without its lock.');
    fence.verify();
    const { database, tables, name } = this.#state;
    const at = fence.readMoment();
    const [row] = await database.ask(
      `WITH held AS (UPDATE ${tables.states} SET beat = beat + 1, beat_at = clock_timestamp()
        WHERE name = $1 AND lock_id = $2 AND epoch = $3 RETURNING name),
      ${change}
      SELECT count(*)::text AS held FROM held`,
      [name, fence.id, fence.epoch, ...values],
      writePatienceMs(fence.leaseMs),
    );
    if (row?.held !== '1')
      throw fence.lose((await this.#lock.findLoss(fence)) ?? { kind: 'removed' });
    fence.noteWritten(at);
  }
}
