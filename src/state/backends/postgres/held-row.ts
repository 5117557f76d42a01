// Writes of a lock's holder: one statement after the other, each with the next number, which is stored in the row of the
// lock. So a statement that arrives twice, or long after it was given up, changes nothing.
import { InternalError } from '../../../model/errors.ts';
import type { StateFileName } from '../../files/files.ts';
import type { LockLoss } from '../../lock/fence.ts';
import type { OwnLock } from '../../lock/own-lock.ts';
import { findWriteRetryMs } from '../backend-error.ts';
import type { StateFileChange, LockedStateFileWriter } from '../server-files.ts';
import { SequentialWorkQueue } from '../turns.ts';
import {
  findPostgresLockLoss,
  PostgresStateReader,
  readLockRow,
  type PostgresState,
} from './postgres-state.ts';

/** State in PostgreSQL while this run holds its lock: reads it, writes it and renews the lock. */
export class LockedPostgresState extends PostgresStateReader implements LockedStateFileWriter {
  readonly #state: PostgresState;
  readonly #held: OwnLock;
  /** Number of the last write that was begun. */
  #number: number;
  /** Number of the last write that is known to be stored. */
  #confirmed: number;
  /** Names of growing texts that were created under this lock. */
  readonly #made = new Set<StateFileName>();
  readonly #turns = new SequentialWorkQueue();

  /** Begins to write under the held lock; `number` is that of the last write before the lock was taken. */
  constructor(state: PostgresState, held: OwnLock, number: number) {
    super(state);
    this.#state = state;
    this.#held = held;
    this.#number = number;
    this.#confirmed = number;
  }

  /** Renews the lock by one attempt; the next heartbeat makes the next one. */
  renew(): Promise<LockLoss | undefined> {
    return this.#change('renewLock', 0);
  }

  release(): Promise<LockLoss | undefined> {
    return this.#change('releaseLock');
  }

  /** Writes a change with a single round trip to the database. */
  write(change: StateFileChange): Promise<void> {
    return this.#turns.take(async () => {
      const { kind, name } = change;
      if (kind === 'append' && !this.#made.has(name)) {
        throw new InternalError(`${name} was not made before it grew.`);
      }
      await this.#write(change);
      if (kind === 'replace') this.#made.add(name);
      if (kind === 'remove') this.#made.delete(name);
    });
  }

  async #write({ kind, name: file, text }: StateFileChange): Promise<void> {
    const held = this.#held;
    held.verify();
    this.#number += 1;
    const { database, statements, name } = this.#state;
    const at = held.readMoment();
    const [row] = await database.ask(
      statements[kind],
      [
        ...[name, held.id, held.epoch, this.#number, this.#confirmed, file],
        ...(kind === 'remove' ? [] : [text]),
      ],
      findWriteRetryMs(held.leaseMs),
    );
    if (row?.held !== '1') await this.#requireWritten();
    this.#confirmed = this.#number;
    held.noteWritten(at);
  }

  /** Changes the row of the lock alone. Resolves with the reason why the lock is lost, or undefined. */
  async #change(
    change: 'renewLock' | 'releaseLock',
    patienceMs?: number,
  ): Promise<LockLoss | undefined> {
    const { database, statements, name } = this.#state;
    const { id, epoch } = this.#held;
    const confirmed = this.#confirmed;
    const values = [name, id, epoch, confirmed];
    const changed = await database.ask(statements[change], values, patienceMs);
    if (changed.length > 0) return undefined;
    return findPostgresLockLoss(await readLockRow(this.#state), this.#held, confirmed);
  }

  /** A first attempt may have been carried out without an answer. @throws LockLostError */
  async #requireWritten(): Promise<void> {
    const row = await readLockRow(this.#state);
    const loss = findPostgresLockLoss(row, this.#held, this.#confirmed);
    if (loss) throw this.#held.lose(loss);
    if (Number(row?.writes) === this.#number) return;
    throw new InternalError('The lock is held, and the state was not written.');
  }
}
