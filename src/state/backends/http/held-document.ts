// The state while its lock is held: a copy in memory that every change alters and that is written as a whole. Changes
// that arrive while a write is under way share the next one.
import { randomUUID } from 'node:crypto';
import type { Diagnostic } from '../../../model/diagnostic.ts';
import type { FileName } from '../../files/files.ts';
import {
  defaultLeaseMs,
  passedSince,
  readMoment,
  type Holding,
  type Moment,
} from '../../lock/lock-medium.ts';
import { deliver, type Sender } from './deliver.ts';
import { readDocument, readPatiently } from './read-document.ts';
import { renewLock } from './renew-lock.ts';
import { encodeDocument, markOf, type StateDocument } from './state-document.ts';

/** What a copy is kept with, and the lock under which it is written. */
export interface Keeping extends Sender, Holding {
  readonly warn: (diagnostic: Diagnostic) => void;
}

/** Changes the texts of a copy. */
export type Alteration = (files: Map<FileName, string>) => void;

/** The copy of one lock; nobody else writes to the server as long as that is held. */
export class HeldDocument {
  readonly #keeping: Keeping;
  readonly #files: Map<FileName, string>;
  readonly #lineage: string;
  #serial: number;
  /** The mark of the last write that is known to be there. */
  #mark: string;
  /** A moment before that write, or before the lock was taken. */
  #heldAt: Moment;
  #last: Promise<void> = Promise.resolve();
  #next: Promise<void> | undefined;
  #failure: Error | undefined;
  #isWritten = false;
  /** Under way while the lock is taken anew; never rejects. */
  #renewal: Promise<void> | undefined;
  #isWarned = false;

  /** `loaded` is what was there once the lock was taken. */
  constructor(loaded: StateDocument | undefined, keeping: Keeping) {
    this.#keeping = keeping;
    this.#files = new Map(loaded?.files);
    this.#lineage = loaded?.lineage ?? randomUUID();
    this.#serial = loaded?.serial ?? 0;
    this.#mark = markOf(loaded);
    this.#heldAt = keeping.since;
  }

  /** Resolves once the lock is held again; undefined while it is held. */
  get renewal(): Promise<void> | undefined {
    return this.#renewal;
  }

  /** All texts, those that are being written included. */
  get files(): ReadonlyMap<FileName, string> {
    return this.#files;
  }

  /**
   * Resolves once the server has what `alter` made of the texts. After the first failure every call rejects with it: what
   * the server has then is not known, and no serial may stand for two contents.
   */
  async change(alter: Alteration): Promise<void> {
    if (this.#failure) throw this.#failure;
    alter(this.#files);
    this.#next ??= this.#enqueue();
    await this.#next;
  }

  /**
   * Waits for what is being written, and makes sure that nothing older is there, be it since that came in late or since the
   * server went back to an earlier moment. Call it before the lock is released.
   */
  async settle(): Promise<void> {
    await this.#last;
    if (!this.#isWritten || this.#failure) return;
    const found = await readDocument(this.#keeping.server);
    const isOlder = (found?.serial ?? 0) < this.#serial;
    const isOurs = found && this.#keeping.identity.had(found.writer.ID);
    if (markOf(found) !== this.#mark && (isOurs === true || isOlder)) {
      await this.change(() => undefined);
    }
  }

  #enqueue(): Promise<void> {
    const run = this.#last.then(() => {
      this.#next = undefined;
      return this.#write();
    });
    this.#last = run.catch(() => undefined);
    return run;
  }

  async #write(): Promise<void> {
    if (this.#failure) throw this.#failure;
    const { identity, info, time } = this.#keeping;
    const document: StateDocument = {
      serial: this.#serial + 1,
      lineage: this.#lineage,
      epoch: info.Epoch ?? 0,
      writer: identity.info,
      files: this.#files,
    };
    const text = encodeDocument(document);
    this.#warnOfSize(text);
    const at = readMoment(time);
    // It may have been suspended, and others may have come and gone: a server that looks at no serial would not tell.
    const isWary = passedSince(this.#heldAt, time) > (info.Lease ?? defaultLeaseMs);
    const write = { document, text, before: this.#mark, isWary };
    try {
      const isDoubtful = await deliver(write, this.#keeping);
      this.#serial = document.serial;
      this.#isWritten = true;
      this.#mark = markOf(document);
      this.#heldAt = at;
      if (isDoubtful) await this.#shutOut();
    } catch (error) {
      this.#failure = error as Error;
      throw error;
    }
  }

  /**
   * A request without an answer may arrive at any time, and the process may be killed after that: it must not put an older
   * state in place of a newer one. @throws LockLostError, BackendError
   */
  async #shutOut(): Promise<void> {
    const { server, identity, lose } = this.#keeping;
    if (server.endpoint.refusesOldSerials) return;
    const renewing = renewLock(identity, this.#keeping);
    this.#renewal = renewing.catch(() => undefined);
    try {
      await renewing;
    } finally {
      this.#renewal = undefined;
    }
    // From here on only what names the new ID can arrive.
    const found = await readPatiently(server, this.#keeping.clock);
    if (markOf(found) === this.#mark) return;
    if (found && identity.had(found.writer.ID)) return this.#write();
    throw lose(found ? { kind: 'taken', by: found.writer } : { kind: 'removed' });
  }

  #warnOfSize(text: string): void {
    const bytes = Buffer.byteLength(text);
    if (bytes <= largeBytes || this.#isWarned) return;
    this.#isWarned = true;
    const { server, warn } = this.#keeping;
    warn({
      severity: 'warning',
      code: 'state-large',
      summary: `The state is large for an HTTP backend: ${(bytes / megabyte).toFixed(1)} MB`,
      detail: `Each write sends the whole state to ${server.endpoint.place}: the larger it is, the slower the run.`,
      hint: 'Split the configuration into several states, or use the PostgreSQL or S3 backend.',
    });
  }
}

const megabyte = 1024 * 1024;
/** From here on, a user should know what each write costs. */
const largeBytes = 2 * megabyte;
