// The lock of a state on a state server. The protocol has no request for the holder: a server names the holder to those whom
// it refuses the lock. The lock never expires: it passes to another run where the holder's process is known to have ended,
// and else only by force.
import type { Diagnostic } from '../../../model/diagnostic.ts';
import type { Clock } from '../../../model/runtime.ts';
import {
  defaultLockLeaseMs,
  type OwnLockHandle,
  type TakenLock,
  type IsLockHolderGone,
  type LockMedium,
} from '../../lock/lock-medium.ts';
import { OwnLock } from '../../lock/own-lock.ts';
import { createLockIdMismatchError } from '../../lock/lock-faults.ts';
import { createUnknownLockInfo } from '../../lock/lock-file.ts';
import { isProcessGone } from '../../lock/lock-holder.ts';
import {
  encodeLockInfo,
  type ObservedLock,
  type LockInfo,
  type LockAttempt,
} from '../../lock/lock-info.ts';
import {
  BackendError,
  stateReadRetryMs,
  retryUntilReached,
  findWriteRetryMs,
} from '../backend-error.ts';
import { LockedStateDocument } from './held-document.ts';
import { parseLockHolder } from './lock-holder-info.ts';
import { readStateDocument, readStateDocumentWithRetries } from './read-document.ts';
import { HttpLockIdentity } from './renew-lock.ts';
import type { StateDocument } from './state-document.ts';
import type { StateServer } from './state-server.ts';
import { unlockStateWithRetries } from './unlock.ts';

/** Server, clock and warnings that the HTTP lock needs. */
export interface HttpLockDependencies {
  readonly server: StateServer;
  readonly clock: Clock;
  readonly warn: (diagnostic: Diagnostic) => void;
}

/** Answer of a server that has refused the lock. */
interface Refusal {
  readonly text: string;
}

/** The document that was stored when the lock was taken, and the lock info as it was sent. */
interface Taken {
  readonly document: StateDocument | undefined;
  readonly lockText: string;
}

/** Lock of a state on an HTTP state server. */
export class HttpLock implements LockMedium {
  readonly isBlind = true;
  readonly place: string;
  readonly statePath: string;
  readonly #parts: HttpLockDependencies;
  /** The locks that this run has taken and does not hold yet, by their IDs. */
  readonly #taken = new Map<string, Taken>();
  /** The last holder that was met, by the description in its own writes. */
  #writer: LockInfo | undefined;
  /** ID of the last holder whose writes were looked for. */
  #metId: string | undefined;
  /** ID of a lock that was requested without getting an answer: the server may have given it to us. */
  #doubtfulId: string | undefined;
  #looks = 0;

  constructor(parts: HttpLockDependencies) {
    const { place } = parts.server.endpoint;
    this.place = place;
    this.statePath = place;
    this.#parts = parts;
  }

  read(): Promise<undefined> {
    return Promise.resolve(undefined);
  }

  async take(wanted: LockInfo, isGone: IsLockHolderGone): Promise<LockAttempt> {
    const refusal = await this.#request(wanted);
    if (!refusal) return this.#begin(wanted, undefined);
    const holder = await this.#describe(refusal, wanted);
    // Silence means nothing without heartbeats: only a process that has ended loses its lock.
    if (!isGone(holder) || !isProcessGone(holder.info, wanted.Host)) {
      return { kind: 'held', by: holder };
    }
    // Refused where another run was faster: the second request for the lock shows that.
    await this.#parts.server.unlock(refusal.text).catch(() => undefined);
    const again = await this.#request(wanted);
    if (!again) return this.#begin(wanted, holder);
    return { kind: 'held', by: await this.#describe(again, wanted) };
  }

  hold(
    holding: TakenLock,
  ): Promise<{ readonly held: OwnLockHandle; readonly takenAt: number } | undefined> {
    const { info } = holding;
    const taken = this.#taken.get(info.ID);
    if (!taken) return Promise.resolve(undefined);
    this.#taken.delete(info.ID);
    const { document, lockText } = taken;
    const keeping = { ...this.#parts, identity: new HttpLockIdentity(info, lockText) };
    const held = new OwnLock(holding, (lock) => new LockedStateDocument(lock, document, keeping));
    return Promise.resolve({ held, takenAt: this.#parts.clock.now() });
  }

  readTime(): Promise<number> {
    return Promise.resolve(this.#parts.clock.now());
  }

  /**
   * Removes the lock with this ID. @throws DiagnosticError `lock-id-mismatch` when the server refuses, whether another
   * run holds the lock or none
   */
  async clear(ID: string): Promise<void> {
    const { server, clock } = this.#parts;
    const nobody = { Operation: '', Info: '', Who: '', Version: '', Path: this.place };
    const text = JSON.stringify({ ID, ...nobody, Created: new Date(clock.now()).toISOString() });
    const patienceMs = findWriteRetryMs(defaultLockLeaseMs);
    const verdict = await unlockStateWithRetries(server, text, { clock, patienceMs });
    if (verdict.kind === 'refused')
      throw createLockIdMismatchError(ID, parseLockHolder(verdict.text));
  }

  /** Asks the server for the lock; undefined once this run has it. */
  async #request(wanted: LockInfo): Promise<Refusal | undefined> {
    const { server, clock } = this.#parts;
    const text = encodeLockInfo(wanted);
    // Giving up early loses nothing, as this run has not begun.
    const verdict = await retryUntilReached(
      async (attemptMs) => {
        try {
          return await server.lock(text, attemptMs);
        } catch (error) {
          if (isUnreachable(error)) this.#doubtfulId = wanted.ID;
          throw error;
        }
      },
      { clock, patienceMs: stateReadRetryMs },
    );
    if (verdict.kind === 'done') return undefined;
    // A lock with this ID is this run's own: the answer to an earlier request for it was lost.
    return parseLockHolder(verdict.text)?.ID === wanted.ID ? undefined : verdict;
  }

  /** Reads the document now that nobody else can write. The lock is released again where the document cannot be used. */
  async #begin(wanted: LockInfo, from: ObservedLock | undefined): Promise<LockAttempt> {
    const { server, clock } = this.#parts;
    const lockText = encodeLockInfo(wanted);
    try {
      const document = await readStateDocumentWithRetries(server, clock);
      this.#taken.set(wanted.ID, { document, lockText });
      return { kind: 'taken', info: { ...wanted, Epoch: 1 + (document?.epoch ?? 0) }, from };
    } catch (error) {
      await server.unlock(lockText).catch(() => undefined);
      throw error;
    }
  }

  /**
   * The holder by the words of the server. Where these do not name its process, the document that it has written may. Each
   * look counts as a heartbeat: the lock of a holder that cannot be seen never looks silent.
   */
  async #describe({ text }: Refusal, wanted: LockInfo): Promise<ObservedLock> {
    this.#looks += 1;
    const named = parseLockHolder(text) ?? this.#describeUnknown(wanted);
    if (named.Pid === 0 && named.ID !== this.#metId) {
      this.#metId = named.ID;
      this.#writer = await readStateDocument(this.#parts.server).then(
        (document) => document?.writer,
        () => undefined,
      );
    }
    const info = this.#writer?.ID === named.ID ? this.#writer : named;
    return { info, heartbeatAt: this.#parts.clock.now(), beat: `${info.ID} ${this.#looks}` };
  }

  #describeUnknown({ ID }: LockInfo): LockInfo {
    const unknown = createUnknownLockInfo(this.place, this.#parts.clock.now());
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
