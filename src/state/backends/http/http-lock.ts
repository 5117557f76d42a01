// The lock of a state on a state server. The protocol has no way to ask who holds it: a server names the holder to those
// whom it refuses the lock. It never expires: it passes to another run where its process is seen to have ended, and else
// only by force.
import type { Diagnostic } from '../../../model/diagnostic.ts';
import type { Clock } from '../../../model/runtime.ts';
import {
  defaultLeaseMs,
  type HeldFence,
  type Holding,
  type IsGone,
  type LockMedium,
} from '../../lock/lock-medium.ts';
import { OwnLock } from '../../lock/own-lock.ts';
import { createIdMismatchError } from '../../lock/lock-faults.ts';
import { createUnknownInfo } from '../../lock/lock-file.ts';
import { isProcessGone } from '../../lock/lock-holder.ts';
import { encodeInfo, type HeldLock, type LockInfo, type Taking } from '../../lock/lock-info.ts';
import { BackendError, readPatienceMs, untilReached, writePatienceMs } from '../backend-error.ts';
import { HeldDocument } from './held-document.ts';
import { readHolder } from './lock-holder-info.ts';
import { readDocument, readPatiently } from './read-document.ts';
import { LockIdentity } from './renew-lock.ts';
import type { StateDocument } from './state-document.ts';
import type { StateServer } from './state-server.ts';
import { unlockPatiently } from './unlock.ts';

/** What a lock is kept with. */
export interface HttpLockParts {
  readonly server: StateServer;
  readonly clock: Clock;
  readonly warn: (diagnostic: Diagnostic) => void;
}

/** The words of a server that has refused the lock. */
interface Refusal {
  readonly text: string;
}

/** What was there when a lock was taken, and the lock info as it was sent. */
interface Taken {
  readonly document: StateDocument | undefined;
  readonly lockText: string;
}

/** The lock of a state on a state server. */
export class HttpLock implements LockMedium {
  readonly isBlind = true;
  readonly place: string;
  readonly statePath: string;
  readonly #parts: HttpLockParts;
  /** The locks that were taken and are not held yet, by their IDs. */
  readonly #taken = new Map<string, Taken>();
  /** The last holder that was met, as its own writes describe it. */
  #writer: LockInfo | undefined;
  /** The last holder whose writes were looked for. */
  #metId: string | undefined;
  /** Whose request for the lock was left without an answer. */
  #doubtfulId: string | undefined;
  #looks = 0;

  constructor(parts: HttpLockParts) {
    const { place } = parts.server.endpoint;
    this.place = place;
    this.statePath = place;
    this.#parts = parts;
  }

  read(): Promise<undefined> {
    return Promise.resolve(undefined);
  }

  async take(wanted: LockInfo, isGone: IsGone): Promise<Taking> {
    const refusal = await this.#request(wanted);
    if (!refusal) return this.#begin(wanted, undefined);
    const holder = await this.#describe(refusal, wanted);
    // Silence says nothing where there is no heartbeat: only a process that has ended loses its lock.
    if (!isGone(holder) || !isProcessGone(holder.info, wanted.Host)) {
      return { kind: 'held', by: holder };
    }
    // Refused where somebody else was faster: the second request tells.
    await this.#parts.server.unlock(refusal.text).catch(() => undefined);
    const again = await this.#request(wanted);
    if (!again) return this.#begin(wanted, holder);
    return { kind: 'held', by: await this.#describe(again, wanted) };
  }

  hold(
    holding: Holding,
  ): Promise<{ readonly held: HeldFence; readonly takenAt: number } | undefined> {
    const { info } = holding;
    const taken = this.#taken.get(info.ID);
    if (!taken) return Promise.resolve(undefined);
    this.#taken.delete(info.ID);
    const { document, lockText } = taken;
    const keeping = { ...this.#parts, identity: new LockIdentity(info, lockText) };
    const held = new OwnLock(holding, (lock) => new HeldDocument(lock, document, keeping));
    return Promise.resolve({ held, takenAt: this.#parts.clock.now() });
  }

  readTime(): Promise<number> {
    return Promise.resolve(this.#parts.clock.now());
  }

  /** @throws DiagnosticError `lock-id-mismatch` when the server refuses, whether it is locked by another or by nobody */
  async clear(ID: string): Promise<void> {
    const { server, clock } = this.#parts;
    const nobody = { Operation: '', Info: '', Who: '', Version: '', Path: this.place };
    const text = JSON.stringify({ ID, ...nobody, Created: new Date(clock.now()).toISOString() });
    const patienceMs = writePatienceMs(defaultLeaseMs);
    const verdict = await unlockPatiently(server, text, { clock, patienceMs });
    if (verdict.kind === 'refused') throw createIdMismatchError(ID, readHolder(verdict.text));
  }

  /** Asks for the lock. Undefined once it is managed. */
  async #request(wanted: LockInfo): Promise<Refusal | undefined> {
    const { server, clock } = this.#parts;
    const text = encodeInfo(wanted);
    // A run that has not begun loses nothing by giving up early.
    const verdict = await untilReached(
      async (attemptMs) => {
        try {
          return await server.lock(text, attemptMs);
        } catch (error) {
          if (isUnreachable(error)) this.#doubtfulId = wanted.ID;
          throw error;
        }
      },
      { clock, patienceMs: readPatienceMs },
    );
    if (verdict.kind === 'done') return undefined;
    // The answer to an earlier request of Hostwright was lost.
    return readHolder(verdict.text)?.ID === wanted.ID ? undefined : verdict;
  }

  /** Reads what is there now that nobody else can write. A lock that leads to nothing is given back. */
  async #begin(wanted: LockInfo, from: HeldLock | undefined): Promise<Taking> {
    const { server, clock } = this.#parts;
    const lockText = encodeInfo(wanted);
    try {
      const document = await readPatiently(server, clock);
      this.#taken.set(wanted.ID, { document, lockText });
      return { kind: 'taken', info: { ...wanted, Epoch: 1 + (document?.epoch ?? 0) }, from };
    } catch (error) {
      await server.unlock(lockText).catch(() => undefined);
      throw error;
    }
  }

  /**
   * The holder by the words of the server. Where they do not say which process it is, what it has written may. Each look
   * is another heartbeat: the lock of a holder that cannot be seen never looks silent.
   */
  async #describe({ text }: Refusal, wanted: LockInfo): Promise<HeldLock> {
    this.#looks += 1;
    const named = readHolder(text) ?? this.#describeUnknown(wanted);
    if (named.Pid === 0 && named.ID !== this.#metId) {
      this.#metId = named.ID;
      this.#writer = await readDocument(this.#parts.server).then(
        (document) => document?.writer,
        () => undefined,
      );
    }
    const info = this.#writer?.ID === named.ID ? this.#writer : named;
    return { info, heartbeatAt: this.#parts.clock.now(), beat: `${info.ID} ${this.#looks}` };
  }

  #describeUnknown({ ID }: LockInfo): LockInfo {
    const unknown = createUnknownInfo(this.place, this.#parts.clock.now());
    const Created = 'unknown';
    return this.#doubtfulId === ID
      ? {
          ...unknown,
          ID,
          Created,
          Info: 'perhaps this run: the answer to its first request was lost',
        }
      : { ...unknown, Created, Info: 'the server does not say who holds it' };
  }
}

function isUnreachable(error: unknown): boolean {
  return error instanceof BackendError && error.fault === 'unreachable';
}
