// A lock while it is held: its heartbeat, and the looks at it that fence the state. The heartbeat is written through an
// open handle, so that it never touches the lock of a successor, and its time is that of the file server. The looks are
// synchronous: nothing comes between the last of them and what it permits.
import * as fs from 'node:fs';
import type { FileHandle } from 'node:fs/promises';
import { join } from 'node:path';
import { LockLostError, type LockLoss } from './fence.ts';
import { lockFileName, successorPath } from './lock-file.ts';
import { decodeInfo, type LockInfo } from './lock-info.ts';
import {
  defaultLeaseMs,
  heartbeatMsOf,
  passedSince,
  readMoment,
  type HeldFence,
  type Holding,
  type Moment,
} from './lock-medium.ts';
import { IrregularFileError, openRegular, readRegularSync } from '../files/regular-file.ts';

/** What a lock in a directory is held with. */
export interface DirectoryHolding extends Holding {
  /** Where the lock's files are. */
  readonly folder: string;
}

/**
 * Begins to hold the lock that was just taken, until it is released, lost, or the process ends. Undefined when it is
 * lost already; `takenAt` is when it was taken, by the clock of the file server.
 */
export async function holdLock(
  holding: DirectoryHolding,
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

interface OpenHolding extends DirectoryHolding {
  readonly text: string;
  readonly handle: FileHandle;
}

class Holder implements HeldFence {
  readonly epoch: number;
  lost: LockLostError | undefined;
  readonly #holding: OpenHolding;
  readonly #path: string;
  readonly #successorPath: string;
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
    this.#successorPath = successorPath(folder, info.ID);
    this.#leaseMs = info.Lease ?? defaultLeaseMs;
    this.#sign = Buffer.from(text).subarray(0, 1);
    this.#beatenAt = since;
    this.epoch = info.Epoch ?? 0;
    // A heartbeat that fails is tried again with the next one, and told when the lease is over.
    const work = () => this.beat().catch(() => undefined);
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
    if (passedSince(this.#beatenAt, this.#holding.time) < this.#leaseMs) return;
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

  /** Its successor's link first: it comes before the successor's name in the file, and goes after it. */
  #findLoss(): LockLoss | undefined {
    const { info, text } = this.#holding;
    const next = readLock(this.#successorPath);
    const found = next ?? readLock(this.#path);
    // Each request looks here: most find what was written, byte for byte.
    if (found === text) return undefined;
    const by = found === undefined ? undefined : (decodeInfo(found) ?? unknownHolder);
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

/** The holder that a file names which is no lock. */
const unknownHolder = {
  ID: '',
  Who: 'unknown',
  Operation: 'unknown',
  Created: 'an unknown time',
} satisfies Partial<LockInfo>;

/** The text of a lock file; empty where something else stands in its place, and undefined where nothing does. */
function readLock(path: string): string | undefined {
  try {
    return readRegularSync(path);
  } catch (error) {
    if (error instanceof IrregularFileError) return '';
    throw error;
  }
}
