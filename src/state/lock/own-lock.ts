// A lock while this process holds it, in any medium: its heartbeats, its lease, and its end. A Keeper asks the medium. A
// failed heartbeat ends nothing: the next one is the next attempt, and only requests that change something are kept back once
// the lease is over.
import { isLossByBackendSetBack, LockLostError, type LockLoss } from './fence.ts';
import type { LockInfo } from './lock-info.ts';
import {
  defaultLockLeaseMs,
  findHeartbeatMs,
  measureElapsedByClocks,
  readClocks,
  type OwnLockHandle,
  type TakenLock,
  type LockClockReading,
} from './lock-medium.ts';

/** Backend-specific part of a held lock: renews and releases it. Operations reject with the medium's error. */
export interface LockKeeper {
  /** The info of the lock as it is held now; absent where it stays as it was taken. */
  readonly info?: LockInfo;
  /**
   * Sends a heartbeat. Resolves with the reason why the lock is lost, or undefined while it is held. Absent where the lock
   * lasts until it is released.
   */
  renew?(): Promise<LockLoss | undefined>;
  /** Renewal under way, while the lock is taken anew: nothing may be sent then. Undefined at any other time. Never rejects. */
  readonly renewal?: Promise<void> | undefined;
  /**
   * Looks for the loss of the lock within this tick. Absent where a server refuses the write of an older holder: its answer
   * to a write then shows whether the lock was held.
   */
  findLoss?(): LockLoss | undefined;
  /** Called once the lock is no longer held, whether released or lost: closes its open files. */
  leave?(): void;
  /** Releases the lock, if it is still held. Resolves with the reason of its loss, where that has shown by then. */
  release(): Promise<LockLoss | undefined>;
}

/** Renewals at most for a lock whose lease is over again after each. */
const renewals = 3;

/** Lock that this process holds and renews by heartbeats, in any medium. */
export class OwnLock<K extends LockKeeper = LockKeeper> implements OwnLockHandle {
  readonly id: string;
  readonly epoch: number;
  /** Milliseconds without a heartbeat after which others may take the lock. */
  readonly leaseMs: number;
  readonly keeper: K;
  lost: LockLostError | undefined;
  readonly #holding: TakenLock;
  readonly #stop: () => void;
  #beatenAt: LockClockReading;
  #beating: Promise<void> | undefined;
  #isReleased = false;

  /**
   * Begins to hold the lock.
   * @param openKeeper makes the backend-specific part that renews this lock
   */
  constructor(holding: TakenLock, openKeeper: (held: OwnLock<K>) => K) {
    const { info, time, since } = holding;
    this.#holding = holding;
    this.id = info.ID;
    this.epoch = info.Epoch ?? 0;
    this.leaseMs = info.Lease ?? defaultLockLeaseMs;
    this.#beatenAt = since;
    this.keeper = openKeeper(this);
    const work = () => this.beat().catch(() => undefined);
    this.#stop = this.keeper.renew ? time.repeat(work, findHeartbeatMs(info)) : () => undefined;
  }

  get info(): LockInfo {
    return this.keeper.info ?? this.#holding.info;
  }

  verify(): void {
    if (this.lost) throw this.lost;
    const loss = this.keeper.findLoss?.();
    if (loss) throw this.lose(loss);
  }

  verifyLease(): void | Promise<void> {
    this.verify();
    const { renewal } = this.keeper;
    if (renewal) return renewal.then(() => this.verifyLease());
    if (this.keeper.renew && !this.#isFresh()) return this.#renew();
  }

  beat(): Promise<void> {
    if (this.lost || this.#isReleased) return Promise.resolve();
    this.#beating ??= this.#askKeeper().finally(() => (this.#beating = undefined));
    return this.#beating;
  }

  async release(): Promise<void> {
    if (this.#isReleased) return;
    this.#isReleased = true;
    if (!this.lost) this.#leave();
    await this.#beating?.catch(() => undefined);
    if (this.lost) return;
    const loss = await this.keeper.release();
    // Other losses are no error here: a lock that another run holds by now is not this run's to release.
    if (loss && isLossByBackendSetBack(loss)) throw this.lose(loss);
  }

  /** Counts an accepted write that began at `since` as a heartbeat. */
  noteWritten(since: LockClockReading): void {
    this.#beatenAt = since;
  }

  /** Reads the clocks for a later call of `noteWritten`. */
  readMoment(): LockClockReading {
    return readClocks(this.#holding.time);
  }

  /** Milliseconds since the last heartbeat began, or the last write that was accepted. */
  get silentMs(): number {
    return measureElapsedByClocks(this.#beatenAt, this.#holding.time);
  }

  /** Marks the lock as lost: the medium has refused a write, or a look has shown it. */
  lose(loss: LockLoss): LockLostError {
    if (this.lost) return this.lost;
    this.lost = new LockLostError(loss);
    if (!this.#isReleased) this.#leave();
    this.#holding.onLost(this.lost);
    return this.lost;
  }

  #isFresh(): boolean {
    return this.silentMs < this.leaseMs;
  }

  /** Called when the lease is over: the process was suspended, the clock was set, or the medium was out of reach. */
  async #renew(): Promise<void> {
    let tookMs = 0;
    // The process may be suspended again during a heartbeat. A medium that always takes longer than the lease is given up.
    for (let attempt = 0; attempt < renewals; attempt += 1) {
      const since = this.readMoment();
      try {
        await this.beat();
      } catch (cause) {
        this.verify();
        // Nothing is sent from here on; nobody is known to have taken over, so ends of commands may still be recorded.
        throw new LockLostError({ kind: 'unrenewed', cause });
      }
      this.verify();
      if (this.#isFresh()) return;
      tookMs = measureElapsedByClocks(since, this.#holding.time);
    }
    throw new LockLostError({ kind: 'slow', tookMs, leaseMs: this.leaseMs });
  }

  async #askKeeper(): Promise<void> {
    const at = this.readMoment();
    const loss = await this.keeper.renew?.();
    if (this.#isReleased) return;
    if (loss) throw this.lose(loss);
    this.#beatenAt = at;
  }

  #leave(): void {
    this.#stop();
    this.keeper.leave?.();
  }
}
