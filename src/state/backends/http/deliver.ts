// One write of the whole state, up to a known end. A request whose answer was lost may have been carried out, so it is
// repeated only after a read of the stored document. A write is recognised by its serial and its writer.
import type { Clock } from '../../../model/runtime.ts';
import type { LockLoss, LockLostError } from '../../lock/fence.ts';
import { BackendError, retryUntilReached } from '../backend-error.ts';
import { StateServerAnswerError } from './answer-faults.ts';
import { parseLockHolder } from './lock-holder-info.ts';
import { readStateDocument } from './read-document.ts';
import { computeWriteMark, type StateDocument } from './state-document.ts';
import type { HttpLockIdentity } from './renew-lock.ts';
import type { StateServer } from './state-server.ts';

/** Server, clock and lock that a write of the state needs. */
export interface HttpStateWriteDependencies {
  readonly server: StateServer;
  readonly clock: Clock;
  /** Milliseconds for which a failed write is tried again. */
  readonly patienceMs: number;
  readonly identity: HttpLockIdentity;
  /** Marks the lock as lost, and returns the error about it. */
  readonly lose: (loss: LockLoss) => LockLostError;
}

/** Write of the whole state to the HTTP state server. */
export interface HttpStateWrite {
  readonly document: StateDocument;
  /** Text of the state's document, as JSON. */
  readonly text: string;
  /** Mark of the document that the write replaces. */
  readonly before: string;
  /** Set to check first that the stored document is still the one that is replaced. */
  readonly isWary: boolean;
}

/**
 * Writes the state. Resolves once the document is stored, with true when a request was left without an answer: that
 * request may still arrive, as long as the lock is held. @throws LockLostError, BackendError
 */
export function deliverStateWrite(
  write: HttpStateWrite,
  sender: HttpStateWriteDependencies,
): Promise<boolean> {
  return new Delivery(write, sender).run();
}

class Delivery {
  readonly #write: HttpStateWrite;
  readonly #id: string;
  readonly #sender: HttpStateWriteDependencies;
  /** Error of the last attempt to write; undefined during the first one. */
  #failure: unknown;
  /** Time for which each request of an attempt may wait for its answer. */
  #attemptMs = Infinity;

  constructor(write: HttpStateWrite, sender: HttpStateWriteDependencies) {
    this.#write = write;
    this.#id = write.document.writer.ID;
    this.#sender = sender;
  }

  async run(): Promise<boolean> {
    await retryUntilReached((attemptMs) => this.#attempt(attemptMs), this.#sender);
    return this.#failure !== undefined;
  }

  async #attempt(attemptMs: number): Promise<void> {
    this.#attemptMs = attemptMs;
    const isRepeat = this.#failure !== undefined;
    if ((isRepeat || this.#write.isWary) && (await this.#hasLanded())) return;
    if (this.#failure instanceof StateServerAnswerError && this.#failure.status === 500) {
      await this.#requireLock();
    }
    try {
      await this.#post(isRepeat);
    } catch (error) {
      // The first attempt may have arrived just before this one: then its serial is used up.
      const isRefused = error instanceof BackendError && error.fault === 'broken';
      if (isRepeat && isRefused && (await this.#hasLanded())) return;
      this.#failure = error;
      throw error;
    }
  }

  async #post(isRepeat: boolean): Promise<void> {
    const { server, lose } = this.#sender;
    const verdict = await server.post(this.#write.text, this.#id, this.#attemptMs);
    if (verdict.kind === 'done') return;
    if (isRepeat && (await this.#hasLanded())) return;
    throw lose(await this.#findLoss(verdict.text));
  }

  /**
   * Tells whether this very write is stored; otherwise the document before it still is. @throws LockLostError for any
   * other document
   */
  async #hasLanded(): Promise<boolean> {
    const { server, lose, identity } = this.#sender;
    const { document, before } = this.#write;
    const found = await readStateDocument(server, this.#attemptMs);
    const mark = computeWriteMark(found);
    if (mark === computeWriteMark(document)) return true;
    // An earlier write of this same run may have arrived late.
    const isOlder = found && identity.had(found.writer.ID) && found.serial < document.serial;
    if (mark === before || isOlder) return false;
    throw lose(
      this.#findSetBack(found) ??
        (found ? { kind: 'taken', by: found.writer } : { kind: 'removed' }),
    );
  }

  /**
   * Serials only rise: a lower one than that of the last confirmed write means that the server went back to an earlier
   * moment.
   */
  #findSetBack(found: StateDocument | undefined): LockLoss | undefined {
    const { serial, epoch, lineage } = this.#write.document;
    const confirmed = serial - 1;
    const isOfAnother = found !== undefined && found.lineage !== lineage;
    if (confirmed === 0 || isOfAnother || (found?.serial ?? 0) >= confirmed) return undefined;
    const nameOf = (one: { serial: number; epoch: number }) =>
      `serial ${one.serial} of epoch ${one.epoch}`;
    return {
      kind: 'set-back',
      confirmed: nameOf({ serial: confirmed, epoch }),
      found: found ? nameOf(found) : 'no state at all',
      epoch: found?.epoch ?? 0,
    };
  }

  /**
   * GitLab answers 500 to a write with the ID of a lock that is gone. The holder is named only to those who ask for the lock:
   * a server refuses it to its own holder too.
   */
  async #requireLock(): Promise<void> {
    const { server, identity, lose } = this.#sender;
    const verdict = await server.lock(identity.text, this.#attemptMs);
    if (verdict.kind === 'done') {
      // Nobody had the lock. It is released at once: a lock that somebody has removed is not taken again in silence.
      await server.unlock(identity.text, this.#attemptMs).catch(() => undefined);
      throw lose({ kind: 'removed' });
    }
    const holder = parseLockHolder(verdict.text);
    if (holder && holder.ID !== this.#id) throw lose({ kind: 'taken', by: holder });
  }

  /**
   * The reason of the loss: the new holder by the words of the refusal or, where it names none, by the document that was
   * written since.
   */
  async #findLoss(refusal: string): Promise<LockLoss> {
    const holder = parseLockHolder(refusal);
    const found = await readStateDocument(this.#sender.server).catch(() => 'unread' as const);
    const setBack = found === 'unread' ? undefined : this.#findSetBack(found);
    if (setBack) return setBack;
    if (holder && holder.ID !== this.#id) return { kind: 'taken', by: holder };
    if (found === 'unread') return { kind: 'removed' };
    const isAnother =
      found && found.writer.ID !== this.#id && computeWriteMark(found) !== this.#write.before;
    return isAnother ? { kind: 'taken', by: found.writer } : { kind: 'removed' };
  }
}
