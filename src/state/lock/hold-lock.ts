// A lock while it is held: its heartbeat, and the looks at it that fence the state. The heartbeat is written through an
// open handle, so that it never touches the lock of a successor, and its time is that of the file server. The looks are
// synchronous: nothing comes between the last of them and what it permits.
import * as fs from 'node:fs';
import type { FileHandle } from 'node:fs/promises';
import { join } from 'node:path';
import { LockLostError, type Fence, type LockLoss } from './fence.ts';
import { decodeInfo, lockFileName, successorPath, type LockInfo } from './lock-file.ts';
import { IrregularFileError, openRegular, readRegularSync } from '../files/regular-file.ts';

/** For how long a run may be silent before others may take its lock over, unless it says otherwise; milliseconds. */
export const defaultLeaseMs = 60_000;

/** How often a holder gives a sign of life; milliseconds. */
export function heartbeatMsOf({ Lease = defaultLeaseMs }: Pick<LockInfo, 'Lease'>): number {
  return Lease / 4;
}

/** What tells the time to a holder; tests give their own. */
export interface HolderTime {
  /** The clock of the machine; milliseconds since the Unix epoch. May jump, and goes on while it is suspended. */
  now(): number;
  /** Milliseconds since any moment. Never jumps, and may stand still while the machine is suspended. */
  monotonic(): number;
  /** Calls `work` again and again; returns what ends that. Keeps no process alive. */
  repeat(work: () => void, everyMs: number): () => void;
}

/** A lock that is held. */
export interface HeldFence extends Fence {
  /** Gives a sign of life now; rejects with the system's error. */
  beat(): Promise<void>;
  /** Releases the lock. One that was lost, or released before, is left alone. */
  release(): Promise<void>;
}

/** One moment by both clocks of the machine. */
export interface Moment {
  readonly wall: number;
  readonly monotonic: number;
}

/** Reads both clocks. */
export function readMoment(time: HolderTime): Moment {
  return { wall: time.now(), monotonic: time.monotonic() };
}

/** What a lock is held with. */
export interface Holding {
  /** Where the lock's files are. */
  readonly folder: string;
  readonly info: LockInfo;
  readonly time: HolderTime;
  /** A moment before the lock was taken: its lease is counted from there. */
  readonly since: Moment;
  /** Called once. */
  readonly onLost: (error: LockLostError) => void;
}

/**
 * Begins to hold the lock that was just taken, until it is released, lost, or the process ends. Undefined when it is
 * lost already; `takenAt` is when it was taken, by the clock of the file server.
 */
export async function holdLock(
  holding: Holding,
): Promise<{ readonly held: HeldFence; readonly takenAt: number } | undefined> {
  const { folder, info } = holding;
  const path = join(folder, lockFileName);
  const handle = await openRegular(path, fs.constants.O_RDWR).catch((error: unknown) => {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  });
  if (!handle) return undefined;
  try {
    const text = await handle.readFile('utf8');
    const { mtimeMs } = await handle.stat();
    if (decodeInfo(text)?.ID === info.ID) {
      return { held: new Holder({ ...holding, text, handle }), takenAt: mtimeMs };
    }
  } catch (error) {
    await handle.close();
    throw error;
  }
  await handle.close();
  return undefined;
}

interface OpenHolding extends Holding {
  readonly text: string;
  readonly handle: FileHandle;
}

class Holder implements HeldFence {
  readonly epoch: number;
  lost: LockLostError | undefined;
  readonly #holding: OpenHolding;
  readonly #path: string;
  readonly #leaseMs: number;
  /** The first byte of the file: written over itself, it changes nothing but the time. */
  readonly #sign: Buffer;
  readonly #stop: () => void;
  #beatenAt: Moment;
  #beating: Promise<void> | undefined;
  #isReleased = false;
  readonly #onExit = () => this.#removeOwn();

  constructor(holding: OpenHolding) {
    const { folder, info, text, time, since } = holding;
    this.#holding = holding;
    this.#path = join(folder, lockFileName);
    this.#leaseMs = info.Lease ?? defaultLeaseMs;
    this.#sign = Buffer.from(text).subarray(0, 1);
    this.#beatenAt = since;
    this.epoch = info.Epoch ?? 0;
    // A heartbeat that fails is tried again with the next one, and told when the lease is over.
    const work = () => void this.beat().catch(() => undefined);
    this.#stop = time.repeat(work, heartbeatMsOf(info));
    process.once('exit', this.#onExit);
  }

  verify(): void {
    if (this.lost) throw this.lost;
    const loss = this.#findLoss();
    if (loss) throw this.#lose(loss);
  }

  verifyLease(): void {
    this.verify();
    if (this.#isFresh()) return;
    // The process was suspended, or the clock was set. Nobody has taken over, so the lease begins anew.
    const at = readMoment(this.#holding.time);
    const { fd } = this.#holding.handle;
    try {
      fs.writeSync(fd, this.#sign, 0, 1, 0);
      fs.fdatasyncSync(fd);
    } catch (cause) {
      throw this.#lose(this.#findLoss() ?? { kind: 'unrenewed', cause });
    }
    this.#beatenAt = at;
    this.verify();
  }

  beat(): Promise<void> {
    if (this.lost || this.#isReleased) return Promise.resolve();
    this.#beating ??= this.#writeBeat().finally(() => (this.#beating = undefined));
    return this.#beating;
  }

  async release(): Promise<void> {
    if (this.#isReleased) return;
    this.#isReleased = true;
    this.#leave();
    await this.#beating?.catch(() => undefined);
    await this.#holding.handle.close();
    if (!this.lost) this.#removeOwn();
  }

  async #writeBeat(): Promise<void> {
    const at = readMoment(this.#holding.time);
    const { handle } = this.#holding;
    await handle.write(this.#sign, 0, 1, 0);
    await handle.datasync();
    this.#beatenAt = at;
    if (!this.#isReleased) this.verify();
  }

  /** By each of two clocks: one of them may have jumped back, the other may have stood still. */
  #isFresh(): boolean {
    const now = readMoment(this.#holding.time);
    const { wall, monotonic } = this.#beatenAt;
    return Math.max(now.wall - wall, now.monotonic - monotonic) < this.#leaseMs;
  }

  /** Its successor's link first: it comes before the successor's name in the file, and goes after it. */
  #findLoss(): LockLoss | undefined {
    const { folder, info } = this.#holding;
    const by = readInfo(successorPath(folder, info.ID)) ?? readInfo(this.#path);
    if (by?.ID === info.ID) return undefined;
    return by ? { kind: 'taken', by } : { kind: 'removed' };
  }

  #lose(loss: LockLoss): LockLostError {
    this.lost ??= new LockLostError(loss);
    this.#leave();
    this.#holding.onLost(this.lost);
    return this.lost;
  }

  #leave(): void {
    this.#stop();
    process.off('exit', this.#onExit);
  }

  #removeOwn(): void {
    if (!this.lost && !this.#findLoss()) fs.rmSync(this.#path, { force: true });
  }
}

/** What a lock file says, be it nothing that can be read; undefined where there is none. */
function readInfo(
  path: string,
): Pick<LockInfo, 'ID' | 'Who' | 'Operation' | 'Created'> | undefined {
  const unknown = { ID: '', Who: 'unknown', Operation: 'unknown', Created: 'an unknown time' };
  try {
    const text = readRegularSync(path);
    return text === undefined ? undefined : (decodeInfo(text) ?? unknown);
  } catch (error) {
    if (error instanceof IrregularFileError) return unknown;
    throw error;
  }
}
