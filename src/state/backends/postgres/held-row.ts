// What the holder of a lock writes: one statement after the other, each with the next number, which the row of the lock
// keeps. So a statement that comes in once more, or long after it was given up, changes nothing.
import { InternalError } from '../../../model/errors.ts';
import type { FileName } from '../../files/files.ts';
import type { LeasedFence } from '../../lock/leased-fence.ts';
import { writePatienceMs } from '../backend-error.ts';
import { describeLoss, readLockRow, type PostgresState } from './postgres-state.ts';

/** What a write does. */
export type WriteKind = 'replace' | 'append' | 'remove';

/** The row of a lock in the hands of its holder. */
export class HeldRow {
  readonly #state: PostgresState;
  readonly #fence: LeasedFence;
  /** Of the last write that was begun. */
  #number: number;
  /** Of the last one that is known to be there. */
  #confirmed: number;
  /** The texts that grow: made under this lock. */
  readonly #made = new Set<FileName>();
  #last: Promise<unknown> = Promise.resolve();

  /** `number` is that of the last write before the lock was taken. */
  constructor(state: PostgresState, fence: LeasedFence, number: number) {
    this.#state = state;
    this.#fence = fence;
    this.#number = number;
    this.#confirmed = number;
  }

  /** The number of the last write that is known to be there. */
  get confirmed(): number {
    return this.#confirmed;
  }

  /** Changes a text, in one round trip. @throws LockLostError, BackendError */
  write(kind: WriteKind, file: FileName, text?: string): Promise<void> {
    const run = this.#last.then(async () => {
      if (kind === 'append' && !this.#made.has(file)) {
        throw new InternalError(`${file} was not made before it grew.`);
      }
      await this.#write(kind, text === undefined ? [file] : [file, text]);
      if (kind === 'replace') this.#made.add(file);
      if (kind === 'remove') this.#made.delete(file);
    });
    this.#last = run.catch(() => undefined);
    return run;
  }

  async #write(kind: WriteKind, values: readonly string[]): Promise<void> {
    const fence = this.#fence;
    fence.verify();
    this.#number += 1;
    const { database, statements, name } = this.#state;
    const at = fence.readMoment();
    const [row] = await database.ask(
      statements[kind],
      [name, fence.id, fence.epoch, this.#number, this.#confirmed, ...values],
      writePatienceMs(fence.leaseMs),
    );
    if (row?.held !== '1') await this.#requireWritten();
    this.#confirmed = this.#number;
    fence.noteWritten(at);
  }

  /** A first attempt may have come to pass without an answer. @throws LockLostError */
  async #requireWritten(): Promise<void> {
    const row = await readLockRow(this.#state);
    const loss = describeLoss(row, this.#fence, this.#confirmed);
    if (loss) throw this.#fence.lose(loss);
    if (Number(row?.writes) === this.#number) return;
    throw new InternalError('The lock is held, and the state was not written.');
  }
}
