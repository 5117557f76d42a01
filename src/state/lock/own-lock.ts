// A lock while this process holds it, whatever keeps it: its signs of life, its lease, and its end. What keeps it is asked by a
// Keeper. A sign of life that fails ends nothing: the next one is the next attempt, and only what changes something is
// kept back once the lease is over.
import { isSetBack, LockLostError, type LockLoss } from './fence.ts';
import type { LockInfo } from './lock-info.ts';
import {
  defaultLeaseMs,
  heartbeatMsOf,
  passedSince,
  readMoment,
  type HeldFence,
  type Holding,
  type Moment,
} from './lock-medium.ts';

/** The one that keeps a lock, as it is asked to go on keeping it. Operations reject with its error. */
export interface Keeper {
  /** The lock as it is held by now; absent where it stays as it was taken. */
  readonly info?: LockInfo;
  /**
   * Gives a sign of life. Resolves with why the lock is lost, or undefined while it is held. Absent where the lock lasts until it
   * is released.
   */
  renew?(): Promise<LockLoss | undefined>;
  /** Under way while the lock is taken anew, undefined else: nothing may be sent then. Never rejects. */
  readonly renewal?: Promise<void> | undefined;
  /**
   * Looks for the loss of the lock within this tick. Absent where a server refuses what comes from an older holder: its answer to
   * a write says if the lock was held.
   */
  findLoss?(): LockLoss | undefined;
  /** Called once the lock is held no longer, be it released or lost: what is open for it is closed. */
  leave?(): void;
  /** Releases it, if it is still held. Resolves with why it was lost, where that has shown by then. */
  release(): Promise<LockLoss | undefined>;
}

/** Renewals that a lock gets which is overdue again after each. */
const renewals = 3;

/** A lock that this process holds. */
export class OwnLock<K extends Keeper = Keeper> implements HeldFence {
  readonly id: string;
  readonly epoch: number;
  /** For how long it may be silent; milliseconds. */
  readonly leaseMs: number;
  readonly keeper: K;
  lost: LockLostError | undefined;
  readonly #holding: Holding;
  readonly #stop: () => void;
  #beatenAt: Moment;
  #beating: Promise<void> | undefined;
  #isReleased = false;

  /** `openKeeper` is given the lock, whose keeper it makes. */
  constructor(holding: Holding, openKeeper: (held: OwnLock<K>) => K) {
    const { info, time, since } = holding;
    this.#holding = holding;
    this.id = info.ID;
    this.epoch = info.Epoch ?? 0;
    this.leaseMs = info.Lease ?? defaultLeaseMs;
    this.#beatenAt = since;
    this.keeper = openKeeper(this);
    const work = () => this.beat().catch(() => undefined);
    this.#stop = this.keeper.renew ? time.repeat(work, heartbeatMsOf(info)) : () => undefined;
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
    // A lock that somebody else has by now is not ours to release.
    if (loss && isSetBack(loss)) throw this.lose(loss);
  }

  /** A write that began at that moment was accepted: as good as a heartbeat. */
  noteWritten(since: Moment): void {
    this.#beatenAt = since;
  }

  /** This moment, for `noteWritten`. */
  readMoment(): Moment {
    return readMoment(this.#holding.time);
  }

  /** Milliseconds since the last sign of life began, or the last write that was accepted. */
  get silentMs(): number {
    return passedSince(this.#beatenAt, this.#holding.time);
  }

  /** The lock is lost: what keeps it has refused something, or a look has shown it. */
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

  /** The process was suspended, the clock was set, or what keeps the lock was out of reach. */
  async #renew(): Promise<void> {
    let tookMs = 0;
    // It may be suspended once more while it asks. What always takes longer than the lease is not waited for.
    for (let attempt = 0; attempt < renewals; attempt += 1) {
      const since = this.readMoment();
      try {
        await this.beat();
      } catch (cause) {
        this.verify();
        // Nothing goes out now; nobody is known to have taken over, so what ends may still be written down.
        throw new LockLostError({ kind: 'unrenewed', cause });
      }
      this.verify();
      if (this.#isFresh()) return;
      tookMs = passedSince(since, this.#holding.time);
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
