// The writer of the journal: appends records in groups, and begins anew on a later snapshot. Order is everything here: all
// operations on the file run one after the other, in the order in which they were called.
import { StateWriteError } from '../faults.ts';
import { LockLostError } from '../lock/fence.ts';
import {
  stateFileNames,
  nameJournalFile,
  type StateFileName,
  type StateFiles,
} from '../files/files.ts';
import { encodeJournalBase, encodeJournalRecord, type JournalBase } from './journal-format.ts';
import type { JournalRecord } from './records.ts';

/** Records and files that the journals of earlier epochs leave to the new journal. */
export interface JournalStart {
  /** Lines of records that no snapshot contains: the journal of this epoch begins with them. */
  readonly carried: string;
  /** Names of older journals, which nobody needs once this one has begun. */
  readonly older: readonly StateFileName[];
}

/** Next snapshot of the state, and the first line of the journal that will follow it. */
export interface JournalRebase {
  /** Saves the later snapshot durably. */
  readonly save: () => Promise<void>;
  readonly base: JournalBase;
}

/**
 * Appends records durably to the journal of one epoch. The first record makes the file, as a whole; records that arrive while
 * a write runs go out together in the next one. After the first failed write every call rejects with the same error: the
 * content of a file after a failed sync is unknown, so nothing is written on top of it.
 */
export class Journal {
  readonly #files: StateFiles;
  #base: JournalBase;
  #carried: string;
  #older: readonly StateFileName[];
  #isMade = false;
  #lines: string[] = [];
  #batch: Promise<void> | undefined;
  #last: Promise<void> = Promise.resolve();
  #failure: StateWriteError | LockLostError | undefined;

  constructor(files: StateFiles, base: JournalBase, { carried, older }: JournalStart) {
    this.#files = files;
    this.#base = base;
    this.#carried = carried;
    this.#older = older;
  }

  /** Begins the journal with the records that earlier epochs have left, and removes the journals of these epochs. */
  begin(): Promise<void> {
    return this.#enqueue(async () => {
      if (this.#carried !== '') await this.#make('');
      await this.#removeOlder();
    });
  }

  /** Resolves once the record is on disk. A record whose append rejected may be there nonetheless. */
  append(record: JournalRecord): Promise<void> {
    if (this.#failure) return Promise.reject(this.#failure);
    this.#lines.push(encodeJournalRecord(record));
    this.#batch ??= this.#enqueue(() => this.#flush());
    return this.#batch;
  }

  /**
   * Writes the records still in the queue, then a snapshot of everything up to this moment, then removes the journal.
   * `prepare` is called in the very tick in which the last record before the snapshot was taken from the queue.
   */
  rebase(prepare: () => JournalRebase | undefined): Promise<void> {
    return this.#enqueue(async () => {
      const flushed = this.#flush();
      const next = prepare();
      await flushed;
      if (next) {
        await this.#guard(stateFileNames.snapshot, next.save);
        this.#base = next.base;
      }
      this.#carried = '';
      await this.#removeOlder();
      if (!this.#isMade) return;
      this.#isMade = false;
      await this.#remove(this.#name);
    });
  }

  /** Resolves when all earlier calls are done; never rejects. */
  drain(): Promise<void> {
    return this.#last;
  }

  get #name(): StateFileName {
    return nameJournalFile(this.#base.epoch);
  }

  #enqueue(step: () => Promise<void>): Promise<void> {
    const run = this.#last.then(step);
    this.#last = run.catch(() => undefined);
    return run;
  }

  async #flush(): Promise<void> {
    const lines = this.#lines;
    this.#lines = [];
    this.#batch = undefined;
    if (this.#failure) throw this.#failure;
    if (lines.length === 0) return;
    const text = lines.join('');
    const name = this.#name;
    if (this.#isMade) {
      await this.#guard(name, () => this.#files.append(name, text));
      return;
    }
    await this.#make(text);
    await this.#removeOlder();
  }

  async #make(text: string): Promise<void> {
    const whole = encodeJournalBase(this.#base) + this.#carried + text;
    await this.#guard(this.#name, () => this.#files.replace(this.#name, whole));
    this.#isMade = true;
    this.#carried = '';
  }

  async #removeOlder(): Promise<void> {
    const older = this.#older;
    this.#older = [];
    for (const name of older) await this.#remove(name);
  }

  #remove(name: StateFileName): Promise<void> {
    return this.#guard(name, () => this.#files.remove(name));
  }

  async #guard(name: StateFileName, write: () => Promise<void>): Promise<void> {
    try {
      await write();
    } catch (error) {
      this.#failure =
        error instanceof LockLostError
          ? error
          : new StateWriteError(this.#files.pathOf(name), error);
      throw this.#failure;
    }
  }
}
