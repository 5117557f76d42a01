// A trial of a backend's promises, for people who set one up (`doctor`).
import type { StateBackend } from './backend.ts';
import { stateFileNames } from '../files/files.ts';
import { LockLostError } from '../lock/fence.ts';
import type { StateLock } from '../lock/lock.ts';

/** Result of trying out a backend, for `doctor`. */
export interface BackendTrialResult {
  /** The first fault that was found; undefined where there is none. */
  readonly fault: 'not-written' | 'not-fenced' | 'takes-late' | undefined;
}

/** Distance of a backend: the time of a round trip, and the difference of the clocks. */
export interface BackendRoundTrip {
  /** Milliseconds that a round trip to the backend takes. */
  readonly latencyMs: number;
  /** Milliseconds by which the backend's clock is ahead of this computer's. */
  readonly aheadMs: number;
}

/** Measures the round trip and clock of a backend. Rejects with its error. */
export async function measureBackendRoundTrip(
  { lock }: StateBackend,
  now: () => number,
): Promise<BackendRoundTrip> {
  // A request before the measured one opens the connection, so that its time does not count.
  await lock.read();
  const sentAt = now();
  await lock.read();
  const latencyMs = now() - sentAt;
  const askedAt = now();
  const there = await lock.readTime('doctor');
  return { latencyMs, aheadMs: Math.round(there - (askedAt + now()) / 2) };
}

/**
 * Writes a text under the lock, reads it back and removes it; releases the lock, and checks that a write without a lock is
 * refused, also by the server while nobody holds one. Rejects with the errors of the backend.
 */
export async function tryBackend(
  backend: StateBackend,
  lock: StateLock,
): Promise<BackendTrialResult> {
  const files = backend.openFiles(lock.fence);
  const words = JSON.stringify({ probe: lock.info.ID });
  try {
    await files.replace(stateFileNames.probe, words);
    const isWritten = (await files.read(stateFileNames.probe)) === words;
    await files.remove(stateFileNames.probe);
    if (!isWritten) return { fault: 'not-written' };
  } finally {
    await files.close();
    await lock.release();
  }
  const late = backend.openFiles(lock.fence);
  try {
    await late.replace(stateFileNames.probe, words);
    return { fault: 'not-fenced' };
  } catch (error) {
    if (!(error instanceof LockLostError)) throw error;
    const takesLate = await backend.takesLateWrite?.(lock.fence);
    return { fault: takesLate === true ? 'takes-late' : undefined };
  } finally {
    await late.close();
  }
}
