// A lock in a directory while it is held: its heartbeat, and the checks of it that fence the state. The heartbeat is written
// through an open handle, so that it never touches the lock of a successor, and its time is that of the file server. The
// checks are synchronous: nothing comes between the last check and the write that it permits.
import * as fs from 'node:fs';
import type { FileHandle } from 'node:fs/promises';
import { join } from 'node:path';
import { readErrorCode } from '../../model/errors.ts';
import type { LockLoss } from './fence.ts';
import { OwnLock, type LockKeeper } from './own-lock.ts';
import { stateLockFileName, nameSuccessorLinkPath } from './lock-file.ts';
import { decodeLockInfo, type LockInfo } from './lock-info.ts';
import type { OwnLockHandle, TakenLock } from './lock-medium.ts';
import { IrregularFileError, openRegularFile, readRegularFileSync } from '../files/regular-file.ts';

/** A lock of a directory while it is held, with its place. */
export interface HeldDirectoryLock extends TakenLock {
  /** Directory with the files of the lock. */
  readonly folder: string;
}

/**
 * Begins to hold the lock of a directory that was just taken, until it is released, lost, or the process ends.
 * Undefined when it is already lost; `takenAt` is the time of taking it, by the clock of the file server.
 */
export async function holdDirectoryLock(
  holding: HeldDirectoryLock,
): Promise<{ readonly held: OwnLockHandle; readonly takenAt: number } | undefined> {
  const { folder, info } = holding;
  const path = join(folder, stateLockFileName);
  const handle = await openRegularFile(path, fs.constants.O_RDWR).catch((error: unknown) => {
    if (readErrorCode(error) === 'ENOENT') return undefined;
    throw error;
  });
  if (!handle) return undefined;
  try {
    const text = await handle.readFile('utf8');
    const { mtimeMs } = await handle.stat();
    if (decodeLockInfo(text)?.ID === info.ID) {
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

interface OpenHolding extends HeldDirectoryLock {
  readonly text: string;
  readonly handle: FileHandle;
}

/** Keeps a lock by renewing its file. */
class FileKeeper implements LockKeeper {
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
    this.#path = join(folder, stateLockFileName);
    this.#successorPath = nameSuccessorLinkPath(folder, info.ID);
    this.#sign = Buffer.from(text).subarray(0, 1);
    process.once('exit', this.#onExit);
  }

  async renew(): Promise<LockLoss | undefined> {
    const { handle } = this.#holding;
    await handle.write(this.#sign, 0, 1, 0);
    await handle.datasync();
    return this.findLoss();
  }

  /**
   * The successor's link is looked for first: it is made before the successor's name is in the lock file, and removed after
   * that.
   */
  findLoss(): LockLoss | undefined {
    const { info, text } = this.#holding;
    const next = readLock(this.#successorPath);
    const found = next ?? readLock(this.#path);
    // Every request is checked here: mostly the file is as it was written, byte for byte.
    if (found === text) return undefined;
    const by = found === undefined ? undefined : (decodeLockInfo(found) ?? unknownHolder);
    if (by?.ID === info.ID) return undefined;
    return by ? { kind: 'taken', by } : { kind: 'removed' };
  }

  leave(): void {
    process.off('exit', this.#onExit);
    this.#closing = this.#holding.handle.close();
    // A failure to close is reported by `release`, if anybody has to know of it.
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

/** Stands for the holder when the lock's file cannot be decoded. */
const unknownHolder = {
  ID: '',
  Who: 'unknown',
  Operation: 'unknown',
  Created: 'an unknown time',
} satisfies Partial<LockInfo>;

/** The text of a lock file; empty for anything but a regular file, and undefined where there is nothing. */
function readLock(path: string): string | undefined {
  try {
    return readRegularFileSync(path);
  } catch (error) {
    if (error instanceof IrregularFileError) return '';
    throw error;
  }
}
