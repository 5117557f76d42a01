// The lock of a state directory: one run at a time changes the state. proper-lockfile keeps it (heartbeat, noticing
// that it was lost, letting go at exit); how it is taken, and from whom, is lock-file.ts. proper-lockfile by itself
// goes by age alone: it would take the lock of a suspended laptop, and hand one dead lock to two at once.
import { randomUUID } from 'node:crypto';
import * as fs from 'node:fs';
import { join } from 'node:path';
import type { Diagnostic } from '../model/diagnostic.ts';
import type { Clock, Runtime } from '../model/runtime.ts';
import { createError } from './faults.ts';
import { fileNames, stateDirectoryName } from './files.ts';
import { createLockFailedError, createLockedError, noteTakeover } from './lock-faults.ts';
import {
  clearLock,
  decodeInfo,
  lockFileName,
  readHolder,
  takeLock,
  type HeldLock,
  type LockInfo,
  type Taking,
} from './lock-file.ts';
import { isProcessGone, markProcess } from './lock-holder.ts';
import { sweepBeside } from './replace-file.ts';

/** Who wants the lock, and for what. */
export interface LockRequest {
  /** The command: `apply`, `destroy` … */
  readonly operation: string;
  /** More for people, if there is more to say. */
  readonly info?: string;
  /** The version of Hostwright. */
  readonly version: string;
  readonly process: Runtime['process'];
}

export interface LockOptions {
  readonly clock: Clock;
  /** How long to wait for a holder that is alive; 0 unless given. */
  readonly timeoutMs?: number;
  /** Ends the wait. */
  readonly signal?: AbortSignal;
  /** Called once, when a wait begins. */
  readonly onWait?: (holder: LockInfo) => void;
  /** Called when somebody removed or took the lock while it was held: stop writing. */
  readonly onLost?: () => void;
}

/** A lock that is held. */
export interface Lock {
  readonly info: LockInfo;
  /** A note when the lock was taken over from a process that is gone. */
  readonly diagnostics: readonly Diagnostic[];
  /** Until when the process that it was taken over from may have lived, by the clock; absent when it was free. */
  readonly takenOverFrom?: number;
  /** Lets go. A lock that was lost, or let go before, is left alone. */
  release(): Promise<void>;
}

const heartbeatMs = 5_000;
const pollMs = 500;

/**
 * Locks the state in `<directory>/.hostwright`. The lock of a process that is gone is taken over at once.
 * @throws DiagnosticError `state-locked` when it is still held after `timeoutMs`, `lock-failed` when the disk refuses;
 * the reason of `signal` when aborted
 */
export async function acquireLock(
  directory: string,
  request: LockRequest,
  options: LockOptions,
): Promise<Lock> {
  const { clock, timeoutMs = 0, signal, onWait } = options;
  const folder = join(directory, stateDirectoryName);
  const info = describeRequest(folder, request, clock.now());
  const deadline = clock.now() + timeoutMs;
  let isWaiting = false;
  for (;;) {
    const attempt = await attemptLock(folder, info, options);
    if (attempt.kind === 'locked') return attempt.lock;
    const leftMs = deadline - clock.now();
    if (leftMs <= 0) throw createLockedError(attempt.holder, request.process.host, clock.now());
    if (!isWaiting) onWait?.(attempt.holder.info);
    isWaiting = true;
    await clock.sleep(Math.min(pollMs, leftMs), signal);
  }
}

/** Who holds the lock; undefined when nobody does. */
export function readLock(directory: string): Promise<HeldLock | undefined> {
  return readHolder(join(directory, stateDirectoryName));
}

/**
 * Removes the lock with this id.
 * @throws DiagnosticError `not-locked`, or `lock-id-mismatch` when another lock is held by now
 */
export async function forceUnlock(directory: string, id: string): Promise<LockInfo> {
  const folder = join(directory, stateDirectoryName);
  const holder = await readHolder(folder);
  if (!holder) {
    throw createError('not-locked', 'The state is not locked', {
      detail: `There is no lock in ${folder}.`,
      hint: 'Run your command as usual.',
    });
  }
  if (holder.info.ID !== id) {
    throw createError('lock-id-mismatch', `The state is not locked by ${id}`, {
      detail: `The lock that is held has the ID ${holder.info.ID} (${holder.info.Operation} by ${holder.info.Who}).`,
      hint: 'Make sure that its holder no longer runs before you unlock it by that ID.',
    });
  }
  await clearLock(folder);
  return holder.info;
}

type Attempt =
  | { readonly kind: 'locked'; readonly lock: Lock }
  | { readonly kind: 'held'; readonly holder: HeldLock };

async function attemptLock(folder: string, info: LockInfo, options: LockOptions): Promise<Attempt> {
  const path = join(folder, lockFileName);
  const { lock: keepLock } = await import('proper-lockfile');
  let taking: Taking | undefined;
  let isHeld = true;
  const take = async () => {
    taking = await takeLock(folder, info, ({ info: holder, heartbeatAt }) =>
      isProcessGone(holder, info.Host, options.clock.now() - heartbeatAt),
    );
    if (taking.kind === 'held') throw Object.assign(new Error('held'), { code: 'EEXIST' });
  };
  let release: () => Promise<void>;
  try {
    release = await keepLock(path, {
      lockfilePath: path,
      realpath: false,
      // Never by age.
      stale: Infinity,
      update: heartbeatMs,
      fs: createLockFs(path, info.ID, take),
      onCompromised: () => {
        // A heartbeat that was under way when the lock was let go finds it missing, too.
        if (!isHeld) return;
        isHeld = false;
        options.onLost?.();
      },
    });
  } catch (error) {
    if (taking?.kind === 'held') return { kind: 'held', holder: taking.by };
    throw createLockFailedError(path, error);
  }
  // From here on nobody else writes there.
  await sweepBeside(folder).catch(() => undefined);
  const from = taking?.kind === 'taken' ? taking.from : undefined;
  const diagnostics = from ? [noteTakeover(from, options.clock.now())] : [];
  const letGo = async () => {
    if (!isHeld) return;
    isHeld = false;
    await release();
  };
  const takenOverFrom = from && Math.min(from.heartbeatAt + heartbeatMs, options.clock.now());
  const lock: Lock = {
    info,
    diagnostics,
    release: letGo,
    ...(takenOverFrom !== undefined && { takenOverFrom }),
  };
  return { kind: 'locked', lock };
}

/**
 * The file operations that proper-lockfile makes: its directory is our file, made by `take`, removed if still ours.
 * It tells its lock by the time of change alone, which is the same for two that were taken within one second; so a
 * file with another's ID is shown to it as gone.
 */
function createLockFs(path: string, id: string, take: () => Promise<void>) {
  const readOwn = () => {
    const isOurs = decodeInfo(fs.readFileSync(path, 'utf8'))?.ID === id;
    if (!isOurs) throw Object.assign(new Error('The lock is not ours'), { code: 'ENOENT' });
  };
  const statOwn = () => {
    readOwn();
    return fs.statSync(path);
  };
  const removeOwn = () => {
    readOwn();
    fs.rmSync(path);
  };
  return {
    mkdir: (_path: string, callback: Callback<void>) => {
      take().then(() => callback(null), callback);
    },
    stat: (_path: string, callback: Callback<fs.Stats>) => answer(statOwn, callback),
    utimes: fs.utimes,
    rmdir: (_path: string, callback: Callback<void>) => answer(removeOwn, callback),
    rmdirSync: removeOwn,
  };
}

type Callback<T> = (error: unknown, value?: T) => void;

function answer<T>(run: () => T, callback: Callback<T>): void {
  let value: T;
  try {
    value = run();
  } catch (error) {
    callback(error);
    return;
  }
  callback(null, value);
}

function describeRequest(folder: string, request: LockRequest, now: number): LockInfo {
  const { operation, info = '', version, process } = request;
  return {
    ID: randomUUID(),
    Operation: operation,
    Info: info,
    Who: `${process.user}@${process.host}`,
    Version: version,
    Created: new Date(now).toISOString(),
    Path: join(folder, fileNames.snapshot),
    ...markProcess(process.pid, process.host),
  };
}
