// A lock that is held on a server: its heartbeat, and what its writes learn. The server refuses what an older holder
// writes, so nothing is looked at after a write: its answer says whether the lock was held.
import { LockLostError, type LockLoss } from './fence.ts';
import {
  defaultLeaseMs,
  heartbeatMsOf,
  passedSince,
  readMoment,
  type HeldFence,
  type Holding,
  type Moment,
} from './lock-medium.ts';

/** How a server is asked to go on keeping a lock. */
export interface Keeper {
  /** Gives a sign of life. Resolves with why the lock is lost, or undefined while it is held. */
  renew(): Promise<LockLoss | undefined>;
  /** Releases it, if it is still held. */
  release(): Promise<void>;
}

/** Renewals that a lock gets which is overdue again after each. */
const renewals = 3;

/** A lock on a server. */
export class LeasedFence implements HeldFence {
  readonly id: string;
  readonly epoch: number;
  lost: LockLostError | undefined;
  readonly #holding: Holding;
  readonly #keeper: Keeper;
  readonly #leaseMs: number;
  readonly #stop: () => void;
  #beatenAt: Moment;
  #beating: Promise<void> | undefined;
  #isReleased = false;

  constructor(holding: Holding, keeper: Keeper) {
    const { info, time, since } = holding;
    this.#holding = holding;
    this.#keeper = keeper;
    this.id = info.ID;
    this.epoch = info.Epoch ?? 0;
    this.#leaseMs = info.Lease ?? defaultLeaseMs;
    this.#beatenAt = since;
    // A heartbeat that fails is tried again with the next one, and told when the lease is over.
    const work = () => this.beat().catch(() => undefined);
    this.#stop = time.repeat(work, heartbeatMsOf(info));
  }

  verify(): void {
    if (this.lost) throw this.lost;
  }

  verifyLease(): void | Promise<void> {
    this.verify();
    if (!this.#isFresh()) return this.#renew();
  }

  beat(): Promise<void> {
    if (this.lost || this.#isReleased) return Promise.resolve();
    this.#beating ??= this.#askKeeper().finally(() => (this.#beating = undefined));
    return this.#beating;
  }

  async release(): Promise<void> {
    if (this.#isReleased) return;
    this.#isReleased = true;
    this.#stop();
    await this.#beating?.catch(() => undefined);
    if (!this.lost) await this.#keeper.release();
  }

  /** A write that began at that moment was accepted: as good as a heartbeat. */
  noteWritten(since: Moment): void {
    this.#beatenAt = since;
  }

  /** This moment, for `noteWritten`. */
  readMoment(): Moment {
    return readMoment(this.#holding.time);
  }

  /** For how long it may be silent; milliseconds. */
  get leaseMs(): number {
    return this.#leaseMs;
  }

  /** The server has refused a write: the lock is lost. */
  lose(loss: LockLoss): LockLostError {
    if (this.lost) return this.lost;
    this.lost = new LockLostError(loss);
    this.#stop();
    this.#holding.onLost(this.lost);
    return this.lost;
  }

  #isFresh(): boolean {
    return passedSince(this.#beatenAt, this.#holding.time) < this.#leaseMs;
  }

  /** The process was suspended, the clock was set, or the server was out of reach. */
  async #renew(): Promise<void> {
    let tookMs = 0;
    // It may be suspended once more while it asks. A server that always takes longer than the lease is not waited for.
    for (let attempt = 0; attempt < renewals; attempt += 1) {
      const since = this.readMoment();
      try {
        await this.beat();
      } catch (cause) {
        // Nothing goes out now; nobody is known to have taken over, so what ends may still be written down.
        throw new LockLostError({ kind: 'unrenewed', cause });
      }
      this.verify();
      if (this.#isFresh()) return;
      tookMs = passedSince(since, this.#holding.time);
    }
    throw new LockLostError({ kind: 'slow', tookMs, leaseMs: this.#leaseMs });
  }

  async #askKeeper(): Promise<void> {
    const at = this.readMoment();
    const loss = await this.#keeper.renew();
    if (this.#isReleased) return;
    if (loss) throw this.lose(loss);
    this.#beatenAt = at;
  }
}
