import type { LockFence, LockLostError } from '../../../src/state/lock/fence.ts';
import type { StateFileName } from '../../../src/state/files/files.ts';
import type { ProcessClock } from '../virtual-time.ts';
import { createLockLoss, nextEpochOf } from './engine-seams.ts';

/** For how long a holder may be silent. */
const leaseMs = 60_000;
const heartbeatMs = leaseMs / 4;

/** What others see of a holder. */
interface Holder {
  readonly name: string;
  readonly epoch: number;
  /** By the clock of the disk. */
  beatAt: number;
  beats: number;
}

/** A lock that is held. */
export interface ObservedLock {
  readonly fence: LockFence;
  /** How long at least the run was silent that it was taken over from; undefined where it was free. */
  readonly silentForMs: number | undefined;
  /** True as long as nobody else has it. */
  readonly isHeld: () => boolean;
  readonly release: () => void;
}

/**
 * The lock of a state on a disk in memory, on virtual time: a lease with heartbeats and a rising epoch, as lock.ts and
 * hold-lock.ts keep it in files. Nobody sees whether the process of another lives: all are in realms of their own.
 */
export class MemoryLock {
  readonly #disk: ReadonlyMap<StateFileName, string>;
  readonly #now: () => number;
  #holder: Holder | undefined;
  #epoch = 0;
  /** How often it was taken from a silent holder. */
  takeovers = 0;

  constructor(disk: ReadonlyMap<StateFileName, string>, now: () => number) {
    this.#disk = disk;
    this.#now = now;
  }

  /** When the holder was last heard of; undefined where there is none. */
  get heardOfAt(): number | undefined {
    return this.#holder?.beatAt;
  }

  /** `force-unlock`: false when nobody held it. */
  clear(): boolean {
    const wasHeld = this.#holder !== undefined;
    this.#holder = undefined;
    return wasHeld;
  }

  /** Waits for it as long as `patienceMs`; undefined when it is held for longer by one that is not silent. */
  async acquire(
    name: string,
    process: ProcessClock,
    patienceMs: number,
  ): Promise<ObservedLock | undefined> {
    let seen: string | undefined;
    let unchangedMs = 0;
    for (let waitedMs = 0; ; waitedMs += pollMs) {
      const holder = this.#holder;
      if (!holder || unchangedMs > leaseMs) return this.#take(name, process);
      const beat = `${holder.name} ${holder.beats}`;
      if (beat !== seen) unchangedMs = 0;
      seen = beat;
      const isSilent = this.#now() - holder.beatAt > leaseMs;
      if (waitedMs >= patienceMs && !isSilent) return undefined;
      await process.sleep(pollMs);
      unchangedMs += pollMs;
    }
  }

  #take(name: string, process: ProcessClock): ObservedLock {
    const from = this.#holder;
    if (from) this.takeovers += 1;
    this.#epoch = Math.max(this.#epoch + 1, nextEpochOf(this.#disk));
    const holder: Holder = { name, epoch: this.#epoch, beatAt: this.#now(), beats: 0 };
    this.#holder = holder;
    let lost: LockLostError | undefined;
    let isReleased = false;
    const isHeld = () => this.#holder === holder;
    const beat = () => {
      if (!isHeld()) return;
      holder.beatAt = this.#now();
      holder.beats += 1;
    };
    const verify = () => {
      if (!lost && !isReleased && !isHeld()) lost = createLockLoss(this.#holder?.name);
      if (lost) throw lost;
    };
    void (async () => {
      while (isHeld()) {
        await process.sleep(heartbeatMs);
        beat();
      }
    })();
    return {
      fence: {
        epoch: holder.epoch,
        get lost() {
          return lost;
        },
        verify,
        verifyLease: () => {
          verify();
          // It stood still, and nobody has taken over: the lease begins anew.
          if (this.#now() - holder.beatAt >= leaseMs) beat();
        },
      },
      silentForMs: from && Math.max(0, this.#now() - from.beatAt - heartbeatMs),
      isHeld,
      release: () => {
        isReleased = true;
        if (isHeld()) this.#holder = undefined;
      },
    };
  }
}

const pollMs = 2_500;
