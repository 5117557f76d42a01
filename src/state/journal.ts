// The journal's writer: appends in groups, and starts anew on a later snapshot. Order is everything here: all that
// touches the file runs one after the other, in the order in which it was asked for.
import { StateWriteError } from './faults.ts';
import { fileNames, type FileName, type StateFiles } from './files.ts';
import { encodeBase, encodeRecord, type JournalBase } from './journal-format.ts';
import type { JournalRecord } from './records.ts';

/** What is on disk when the writer begins. */
export interface JournalStart {
  /** Whole lines that stay, in bytes; 0 when the journal is to begin anew. */
  readonly keptBytes: number;
  /** True when something stands behind them that has to go before the next write. */
  readonly hasExcess: boolean;
}

/** What a rebase writes, and the base of the journal that follows it. */
export interface Rebase {
  /** Makes the later snapshot durable. */
  readonly save: () => Promise<void>;
  readonly base: JournalBase;
}

/**
 * Appends records durably. Records that arrive while a write runs go out together in the next one.
 * After the first failed write every call rejects with the same StateWriteError: what a file system holds after a
 * failed sync is anyone's guess, so nothing is tried again on top of it.
 */
export class Journal {
  readonly #files: StateFiles;
  #base: JournalBase;
  #keptBytes: number;
  #hasExcess: boolean;
  #lines: string[] = [];
  #batch: Promise<void> | undefined;
  #last: Promise<void> = Promise.resolve();
  #failure: StateWriteError | undefined;

  constructor(files: StateFiles, base: JournalBase, start: JournalStart) {
    this.#files = files;
    this.#base = base;
    this.#keptBytes = start.keptBytes;
    this.#hasExcess = start.hasExcess;
  }

  /** Resolves once the record is on disk. A record whose append rejected may be there nonetheless. */
  append(record: JournalRecord): Promise<void> {
    if (this.#failure) return Promise.reject(this.#failure);
    this.#lines.push(encodeRecord(record));
    this.#batch ??= this.#enqueue(() => this.#flush());
    return this.#batch;
  }

  /**
   * Writes what is still to be written, then a snapshot of everything up to this moment, then empties the journal.
   * `prepare` is called in the very tick in which the last record before the snapshot was taken from the queue.
   */
  rebase(prepare: () => Rebase | undefined): Promise<void> {
    return this.#enqueue(async () => {
      const flushed = this.#flush();
      const next = prepare();
      await flushed;
      if (next) {
        await this.#guard(fileNames.snapshot, next.save);
        this.#base = next.base;
      }
      if (this.#keptBytes === 0 && !this.#hasExcess) return;
      this.#keptBytes = 0;
      this.#hasExcess = true;
      await this.#cutExcess();
    });
  }

  /** Resolves when everything asked for so far is done; never rejects. */
  drain(): Promise<void> {
    return this.#last;
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
    await this.#cutExcess();
    const text = (this.#keptBytes === 0 ? encodeBase(this.#base) : '') + lines.join('');
    await this.#guard(fileNames.journal, () => this.#files.append(fileNames.journal, text));
    this.#keptBytes += Buffer.byteLength(text);
  }

  async #cutExcess(): Promise<void> {
    if (!this.#hasExcess) return;
    await this.#guard(fileNames.journal, () =>
      this.#files.truncate(fileNames.journal, this.#keptBytes),
    );
    this.#hasExcess = false;
  }

  async #guard(name: FileName, write: () => Promise<void>): Promise<void> {
    try {
      await write();
    } catch (error) {
      this.#failure = new StateWriteError(this.#files.pathOf(name), error);
      throw this.#failure;
    }
  }
}
