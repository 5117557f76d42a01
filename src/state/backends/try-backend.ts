// Whether a backend does what it promises, by trying it: for people who set one up.
import type { StateBackend } from './backend.ts';
import { fileNames } from '../files/files.ts';
import { LockLostError } from '../lock/fence.ts';
import type { Lock } from '../lock/lock.ts';

/** What a trial has shown. */
export interface Trial {
  /** What was wrong, the first of it; undefined where all of it went well. */
  readonly fault: 'not-written' | 'not-fenced' | 'takes-late' | undefined;
}

/** How far away it is, and what time it is there. */
export interface Distance {
  /** Of a round trip, in milliseconds. */
  readonly latencyMs: number;
  /** How far its clock is ahead of Hostwright, in milliseconds. */
  readonly aheadMs: number;
}

/** Asks a backend for its time. Rejects with its error. */
export async function measureDistance(
  { lock }: StateBackend,
  now: () => number,
): Promise<Distance> {
  // The first time, a connection is made.
  await lock.read();
  const sentAt = now();
  await lock.read();
  const latencyMs = now() - sentAt;
  const askedAt = now();
  const there = await lock.readTime('doctor');
  return { latencyMs, aheadMs: Math.round(there - (askedAt + now()) / 2) };
}

/**
 * Writes a text under the lock, reads it back and removes it; releases the lock, and sees that what is written without
 * it is refused, also by what keeps the state while nobody holds a lock. Rejects with the errors of the backend.
 */
export async function tryBackend(backend: StateBackend, lock: Lock): Promise<Trial> {
  const files = backend.openFiles(lock.fence);
  const words = JSON.stringify({ probe: lock.info.ID });
  try {
    await files.replace(fileNames.probe, words);
    const isWritten = (await files.read(fileNames.probe)) === words;
    await files.remove(fileNames.probe);
    if (!isWritten) return { fault: 'not-written' };
  } finally {
    await files.close();
    await lock.release();
  }
  const late = backend.openFiles(lock.fence);
  try {
    await late.replace(fileNames.probe, words);
    return { fault: 'not-fenced' };
  } catch (error) {
    if (!(error instanceof LockLostError)) throw error;
    const takesLate = await backend.takesLateWrite?.(lock.fence);
    return { fault: takesLate === true ? 'takes-late' : undefined };
  } finally {
    await late.close();
  }
}
