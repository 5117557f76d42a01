// A lock in a directory while it is held: its heartbeat, and the looks at it that fence the state. The heartbeat is written
// through an open handle, so that it never touches the lock of a successor, and its time is that of the file server. The
// looks are synchronous: nothing comes between the last of them and what it permits.
import * as fs from 'node:fs';
import type { FileHandle } from 'node:fs/promises';
import { join } from 'node:path';
import type { LockLoss } from './fence.ts';
import { OwnLock, type Keeper } from './own-lock.ts';
import { lockFileName, successorPath } from './lock-file.ts';
import { decodeInfo, type LockInfo } from './lock-info.ts';
import type { HeldFence, Holding } from './lock-medium.ts';
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
      const keeper = new FileKeeper({ ...holding, text, handle });
      return { held: new OwnLock(holding, () => keeper), takenAt: mtimeMs };
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

/** Keeps a lock by its file. */
class FileKeeper implements Keeper {
  readonly #holding: OpenHolding;
  readonly #path: string;
  readonly #successorPath: string;
  /** The first byte of the file: written over itself, it changes nothing but the time. */
  readonly #sign: Buffer;
  #closing: Promise<void> | undefined;
  readonly #onExit = () => this.#removeOwn();

  constructor(holding: OpenHolding) {
    const { folder, info, text } = holding;
    this.#holding = holding;
    this.#path = join(folder, lockFileName);
    this.#successorPath = successorPath(folder, info.ID);
    this.#sign = Buffer.from(text).subarray(0, 1);
    process.once('exit', this.#onExit);
  }

  async renew(): Promise<LockLoss | undefined> {
    const { handle } = this.#holding;
    await handle.write(this.#sign, 0, 1, 0);
    await handle.datasync();
    return this.findLoss();
  }

  /** Its successor's link first: it comes before the successor's name in the file, and goes after it. */
  findLoss(): LockLoss | undefined {
    const { info, text } = this.#holding;
    const next = readLock(this.#successorPath);
    const found = next ?? readLock(this.#path);
    // Each request looks here: most find what was written, byte for byte.
    if (found === text) return undefined;
    const by = found === undefined ? undefined : (decodeInfo(found) ?? unknownHolder);
    if (by?.ID === info.ID) return undefined;
    return by ? { kind: 'taken', by } : { kind: 'removed' };
  }

  leave(): void {
    process.off('exit', this.#onExit);
    this.#closing = this.#holding.handle.close();
    // Told by `release`, if anybody has to know.
    this.#closing.catch(() => undefined);
  }

  async release(): Promise<undefined> {
    await this.#closing;
    this.#removeOwn();
  }

  #removeOwn(): void {
    if (!this.findLoss()) fs.rmSync(this.#path, { force: true });
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
