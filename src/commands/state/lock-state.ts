// The lock of a state in the hand of a person.
import { resolve } from 'node:path';
import type { StateRuntime } from '../../model/runtime.ts';
import { personalLockOperation, type LockInfo } from '../../state/lock/lock-info.ts';
import { forceUnlock, takePersonalLock, releasePersonalLock } from '../../state/lock/lock.ts';
import type { LockMedium } from '../../state/lock/lock-medium.ts';
import { openBackend } from '../session/state/open-backend.ts';
import { publishedHostwrightVersion } from '../../model/version.ts';

/** Options of `state lock`. */
export interface LockStateOptions {
  /** Reason for the lock, which others see who find it. */
  readonly reason: string;
  readonly lockTimeoutMs: number;
}

/**
 * Locks the state of the working directory for a person, until `state unlock`: no run can change it meanwhile.
 * @throws DiagnosticError when the lock is held already
 */
export function lockState(
  runtime: StateRuntime,
  { reason, lockTimeoutMs }: LockStateOptions,
): Promise<LockInfo> {
  const request = {
    operation: personalLockOperation,
    info: reason,
    version: publishedHostwrightVersion,
    process: runtime.process,
  };
  const wait = { clock: runtime.clock, timeoutMs: lockTimeoutMs, signal: runtime.interrupted };
  return withLock(runtime, (medium) => takePersonalLock(medium, request, wait));
}

/** Removes the lock that a person has taken by `state lock`. @throws DiagnosticError where a run or nobody has the lock */
export function unlockState(runtime: StateRuntime): Promise<LockInfo> {
  return withLock(runtime, releasePersonalLock);
}

/**
 * Removes the lock with this id, whoever holds it; resolves with the holder, as far as it is known.
 * @throws DiagnosticError when it is not held, or by another id
 */
export function unlockByForce(runtime: StateRuntime, id: string): ReturnType<typeof forceUnlock> {
  return withLock(runtime, (medium) => forceUnlock(medium, id));
}

async function withLock<T>(
  runtime: StateRuntime,
  work: (medium: LockMedium) => Promise<T>,
): Promise<T> {
  const { backend } = await openBackend(runtime, resolve(runtime.cwd));
  try {
    return await work(backend.lock);
  } finally {
    await backend.close();
  }
}
