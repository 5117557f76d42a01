// The state while its lock is held: a copy in memory that every change alters and that is written as a whole. Changes that
// arrive while a write is under way share the next one. The protocol knows no lease and no heartbeats: the lock lasts until
// it is released or removed by force. Each write carries the ID of its lock, and the server refuses a write whose lock is
// gone.
import { randomUUID } from 'node:crypto';
import type { Diagnostic } from '../../../model/diagnostic.ts';
import { InternalError, toError } from '../../../model/errors.ts';
import { stateFileNames, type StateFileName } from '../../files/files.ts';
import type { LockLoss } from '../../lock/fence.ts';
import type { OwnLock } from '../../lock/own-lock.ts';
import type { LockInfo } from '../../lock/lock-info.ts';
import { findWriteRetryMs } from '../backend-error.ts';
import type { StateFileChange, LockedStateFileWriter } from '../server-files.ts';
import { SequentialWorkQueue } from '../turns.ts';
import { deliverStateWrite, type HttpStateWriteDependencies } from './deliver.ts';
import { readStateDocument, readStateDocumentWithRetries } from './read-document.ts';
import { renewLock } from './renew-lock.ts';
import {
  StateDocumentReader,
  encodeStateDocument,
  computeWriteMark,
  type StateDocument,
} from './state-document.ts';
import { unlockStateWithRetries } from './unlock.ts';

/** Server, clock and lock that the document of a locked state needs. */
export interface LockedDocumentDependencies extends Pick<
  HttpStateWriteDependencies,
  'server' | 'clock' | 'identity'
> {
  readonly warn: (diagnostic: Diagnostic) => void;
}

/** State on an HTTP state server while this run holds its lock; nobody else writes to it meanwhile. */
export class LockedStateDocument extends StateDocumentReader implements LockedStateFileWriter {
  readonly #held: OwnLock;
  readonly #keeping: LockedDocumentDependencies;
  readonly #sender: HttpStateWriteDependencies;
  readonly #files: Map<StateFileName, string>;
  readonly #lineage: string;
  readonly #turns = new SequentialWorkQueue();
  #serial: number;
  /** Mark of the last document that is known to be stored. */
  #mark: string;
  #next: Promise<void> | undefined;
  #failure: Error | undefined;
  #isWritten = false;
  #isReleased = false;
  /** Under way while the lock is taken anew under another ID; never rejects. */
  #renewal: Promise<void> | undefined;
  #isWarned = false;

  /** Begins with the document `loaded`, which was stored when the lock was taken. */
  constructor(
    held: OwnLock,
    loaded: StateDocument | undefined,
    keeping: LockedDocumentDependencies,
  ) {
    const files = new Map(loaded?.files);
    super(files);
    this.#files = files;
    this.#held = held;
    this.#keeping = keeping;
    const { server, clock, identity } = keeping;
    const patienceMs = findWriteRetryMs(held.leaseMs);
    const lose = (loss: LockLoss) => held.lose(loss);
    this.#sender = { server, clock, identity, patienceMs, lose };
    this.#lineage = loaded?.lineage ?? randomUUID();
    this.#serial = loaded?.serial ?? 0;
    this.#mark = computeWriteMark(loaded);
  }

  get info(): LockInfo {
    return this.#keeping.identity.info;
  }

  get renewal(): Promise<void> | undefined {
    return this.#renewal;
  }

  /**
   * Finds the reason why the lock is lost, without asking the server: some servers accept a write with an old ID while
   * nobody has the lock, so their answer proves nothing.
   */
  findLoss(): LockLoss | undefined {
    return this.#isReleased ? { kind: 'removed' } : undefined;
  }

  async write({ kind, name, text }: StateFileChange): Promise<void> {
    this.#held.verify();
    // The backup would double the size of each write; servers that keep versions have it anyway.
    if (kind === 'replace' && name === stateFileNames.backup) return;
    const before = this.#files.get(name);
    if (kind === 'append' && before === undefined) {
      throw new InternalError(`There is no ${name} to append to.`);
    }
    if (this.#failure) throw this.#failure;
    if (kind === 'remove') this.#files.delete(name);
    else this.#files.set(name, kind === 'append' ? `${before}${text}` : text);
    await this.#save();
  }

  async release(): Promise<LockLoss | undefined> {
    this.#isReleased = true;
    await this.#makeGood().catch(() => undefined);
    const { lost } = this.#held;
    if (lost) return lost.loss;
    // Refused where somebody has removed the lock, and perhaps another run has taken it: it is no longer ours.
    await unlockStateWithRetries(this.#sender.server, this.#keeping.identity.text, this.#sender);
    return undefined;
  }

  /**
   * Waits for the write under way, and makes sure that no older document is stored, whether by a late request or because the
   * server went back to an earlier moment.
   */
  async #makeGood(): Promise<void> {
    await this.#turns.settle();
    if (!this.#isWritten || this.#failure) return;
    const found = await readStateDocument(this.#keeping.server);
    const isOlder = (found?.serial ?? 0) < this.#serial;
    const isOurs = found && this.#keeping.identity.had(found.writer.ID);
    if (computeWriteMark(found) !== this.#mark && (isOurs === true || isOlder)) await this.#save();
  }

  /**
   * Resolves once the server has all texts. After the first failure every call rejects with it: the stored document is then
   * unknown, and no serial may stand for two contents.
   */
  #save(): Promise<void> {
    this.#next ??= this.#turns.take(() => {
      this.#next = undefined;
      return this.#deliver();
    });
    return this.#next;
  }

  async #deliver(): Promise<void> {
    if (this.#failure) throw this.#failure;
    const document: StateDocument = {
      serial: this.#serial + 1,
      lineage: this.#lineage,
      epoch: this.#held.epoch,
      writer: this.info,
      files: this.#files,
    };
    const text = encodeStateDocument(document);
    this.#warnOfSize(text);
    const at = this.#held.readMoment();
    // The process may have been suspended, and other runs may have come and gone: a server that ignores serials would not
    // report them.
    const isWary = this.#held.silentMs > this.#held.leaseMs;
    const write = { document, text, before: this.#mark, isWary };
    try {
      const isDoubtful = await deliverStateWrite(write, this.#sender);
      this.#serial = document.serial;
      this.#isWritten = true;
      this.#mark = computeWriteMark(document);
      this.#held.noteWritten(at);
      if (isDoubtful) await this.#shutOut();
    } catch (error) {
      this.#failure = toError(error);
      throw error;
    }
  }

  /**
   * A request without an answer may arrive at any time, and the process may be killed after that: it must not replace a newer
   * state by an older one. @throws LockLostError, BackendError
   */
  async #shutOut(): Promise<void> {
    const { server, identity, clock } = this.#keeping;
    if (server.endpoint.refusesOldSerials) return;
    const renewing = renewLock(identity, this.#sender);
    this.#renewal = renewing.catch(() => undefined);
    try {
      await renewing;
    } finally {
      this.#renewal = undefined;
    }
    // From here on the server accepts only requests with the new lock ID.
    const found = await readStateDocumentWithRetries(server, clock);
    if (computeWriteMark(found) === this.#mark) return;
    if (found && identity.had(found.writer.ID)) return this.#deliver();
    throw this.#held.lose(found ? { kind: 'taken', by: found.writer } : { kind: 'removed' });
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
/** Size of a state from which users are warned of the cost of each write, in characters. */
const largeBytes = 2 * megabyte;
