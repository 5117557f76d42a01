// One write of the whole state, whatever becomes of its requests. A request whose answer was lost may have been carried
// out, so it is repeated only after a look at what is there. A write is known by its serial and its writer.
import type { Clock } from '../../../model/runtime.ts';
import type { LockLoss, LockLostError } from '../../lock/fence.ts';
import { BackendError, untilReached } from '../backend-error.ts';
import { AnswerError } from './answer-faults.ts';
import { readHolder } from './lock-holder-info.ts';
import { readDocument } from './read-document.ts';
import { markOf, type StateDocument } from './state-document.ts';
import type { LockIdentity } from './renew-lock.ts';
import type { StateServer } from './state-server.ts';

/** What a write is made with. */
export interface Sender {
  readonly server: StateServer;
  readonly clock: Clock;
  /** For how long it is tried; milliseconds. */
  readonly patienceMs: number;
  readonly identity: LockIdentity;
  /** Notes that the lock is lost, and says so. */
  readonly lose: (loss: LockLoss) => LockLostError;
}

/** One write. */
export interface Write {
  readonly document: StateDocument;
  /** The document encoded. */
  readonly text: string;
  /** The mark of what it is put in place of. */
  readonly before: string;
  /** True to look first whether that is still there. */
  readonly isWary: boolean;
}

/**
 * Makes a write. Resolves once it is there, with true when a request was left without an answer: that one may still
 * arrive, as long as the lock is held. @throws LockLostError, BackendError
 */
export function deliver(write: Write, sender: Sender): Promise<boolean> {
  return new Delivery(write, sender).run();
}

class Delivery {
  readonly #write: Write;
  readonly #id: string;
  readonly #sender: Sender;
  /** Why the last attempt failed; undefined before the second. */
  #failure: unknown;
  /** For how long each request of an attempt is waited for. */
  #attemptMs = Infinity;

  constructor(write: Write, sender: Sender) {
    this.#write = write;
    this.#id = write.document.writer.ID;
    this.#sender = sender;
  }

  async run(): Promise<boolean> {
    await untilReached((attemptMs) => this.#attempt(attemptMs), this.#sender);
    return this.#failure !== undefined;
  }

  async #attempt(attemptMs: number): Promise<void> {
    this.#attemptMs = attemptMs;
    const isRepeat = this.#failure !== undefined;
    if ((isRepeat || this.#write.isWary) && (await this.#hasLanded())) return;
    if (this.#failure instanceof AnswerError && this.#failure.status === 500) {
      await this.#requireLock();
    }
    try {
      await this.#post(isRepeat);
    } catch (error) {
      // The first attempt may have come in just before this one: then its serial is used up.
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

  /** True when this very write is there, false when what was there before is. @throws LockLostError for all else */
  async #hasLanded(): Promise<boolean> {
    const { server, lose, identity } = this.#sender;
    const { document, before } = this.#write;
    const found = await readDocument(server, this.#attemptMs);
    const mark = markOf(found);
    if (mark === markOf(document)) return true;
    // One of Hostwright that was on its way for long may have come in late.
    const isOlder = found && identity.had(found.writer.ID) && found.serial < document.serial;
    if (mark === before || isOlder) return false;
    throw lose(
      this.#findSetBack(found) ??
        (found ? { kind: 'taken', by: found.writer } : { kind: 'removed' }),
    );
  }

  /** Serials only rise: a lower one than that of the last write which was confirmed is of an earlier moment. */
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
   * GitLab answers 500 to a write with the ID of a lock that is gone. Who has the lock is said to those who want it: a
   * server refuses it to its own holder too.
   */
  async #requireLock(): Promise<void> {
    const { server, identity, lose } = this.#sender;
    const verdict = await server.lock(identity.text, this.#attemptMs);
    if (verdict.kind === 'done') {
      // Nobody had it. It is given back at once: what was removed is not taken again in silence.
      await server.unlock(identity.text, this.#attemptMs).catch(() => undefined);
      throw lose({ kind: 'removed' });
    }
    const holder = readHolder(verdict.text);
    if (holder && holder.ID !== this.#id) throw lose({ kind: 'taken', by: holder });
  }

  /** Who has the lock now, by the words of the refusal or, where it has none, by what is written since. */
  async #findLoss(refusal: string): Promise<LockLoss> {
    const holder = readHolder(refusal);
    const found = await readDocument(this.#sender.server).catch(() => 'unread' as const);
    const setBack = found === 'unread' ? undefined : this.#findSetBack(found);
    if (setBack) return setBack;
    if (holder && holder.ID !== this.#id) return { kind: 'taken', by: holder };
    if (found === 'unread') return { kind: 'removed' };
    const isAnother = found && found.writer.ID !== this.#id && markOf(found) !== this.#write.before;
    return isAnother ? { kind: 'taken', by: found.writer } : { kind: 'removed' };
  }
}
