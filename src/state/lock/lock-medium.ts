// The medium of a lock: a directory, a database, a bucket. The wait for a held lock is the same for all of them
// (watch-holder.ts).
import type { LockFence, LockLostError } from './fence.ts';
import type { ObservedLock, LockInfo, LockAttempt } from './lock-info.ts';

/** Time for which a run may be silent before others may take its lock over, by default; milliseconds. */
export const defaultLockLeaseMs = 60_000;

/** Finds the milliseconds between two heartbeats, by which a holder shows that it is alive. */
export function findHeartbeatMs({ Lease = defaultLockLeaseMs }: Pick<LockInfo, 'Lease'>): number {
  return Lease / 4;
}

/** Tells whether the lock of a holder may be taken: it has ended, or was silent for longer than its lease. */
export type IsLockHolderGone = (holder: ObservedLock) => boolean;

/** Clocks and timer for holding a lock; tests give their own. */
export interface LockHolderClocks {
  /** The clock of the machine; milliseconds since the Unix epoch. May jump, and goes on while the machine is suspended. */
  now(): number;
  /** Milliseconds since any moment. Never jumps, and may stop while the machine is suspended. */
  monotonic(): number;
  /** Calls `work`, which never rejects, at intervals; returns a function that stops that. Keeps no process alive. */
  repeat(work: () => Promise<void>, everyMs: number): () => void;
}

/** One moment by the wall clock and the monotonic clock. */
export interface LockClockReading {
  readonly wall: number;
  readonly monotonic: number;
}

/** Reads the wall clock and the monotonic clock together. */
export function readClocks(time: LockHolderClocks): LockClockReading {
  return { wall: time.now(), monotonic: time.monotonic() };
}

/** Time since a moment, by the clock that shows more of it: one of them may have jumped back, the other stood still. */
export function measureElapsedByClocks(
  { wall, monotonic }: LockClockReading,
  time: LockHolderClocks,
): number {
  const now = readClocks(time);
  return Math.max(now.wall - wall, now.monotonic - monotonic);
}

/** A lock that was just taken, with the means to keep it. */
export interface TakenLock {
  readonly info: LockInfo;
  readonly time: LockHolderClocks;
  /** A moment before the lock was taken: its lease is counted from there. */
  readonly since: LockClockReading;
  /** Called once, when the lock is lost. */
  readonly onLost: (error: LockLostError) => void;
}

/** Lock that this process holds, as the writers of the state see it. */
export interface OwnLockHandle extends LockFence {
  /** Info of the lock as it is held now. */
  readonly info: LockInfo;
  /** Sends a heartbeat now; rejects with the system's error. */
  beat(): Promise<void>;
  /** Releases the lock. A lock that was lost, or released before, is left alone. */
  release(): Promise<void>;
}

/**
 * Access to the lock of one state in its medium: a directory, a database, a bucket, a git branch or an HTTP server.
 * Operations reject with the medium's error.
 */
export interface LockMedium {
  /** Place of the lock, for messages. */
  readonly place: string;
  /** Place of the state that the lock's info names. */
  readonly statePath: string;
  /**
   * Set where the medium cannot name the holder and has no heartbeats: `read` then finds nobody, no silence ends the
   * lock, and `clear` learns from the medium whether the lock has that id.
   */
  readonly isBlind?: boolean;
  /** Reads the holder of the lock; undefined when nobody holds it. */
  read(): Promise<ObservedLock | undefined>;
  /** Takes the lock unless its holder may still be alive. Its epoch is higher than all before. */
  take(wanted: LockInfo, isGone: IsLockHolderGone): Promise<LockAttempt>;
  /**
   * Begins to hold a lock that was just taken, until it is released, lost, or the process ends. Undefined when it is already
   * lost; `takenAt` is the time of taking it, by the clock of the medium.
   */
  hold(
    holding: TakenLock,
  ): Promise<{ readonly held: OwnLockHandle; readonly takenAt: number } | undefined>;
  /** Time by the clock of the medium. `id` is the ID of the asking run. */
  readTime(id: string): Promise<number>;
  /** Set where reading the time writes something, as in a directory, so that a mere reader does not do it. */
  readonly isTimeWritten?: boolean;
  /** Removes the lock of the holder with this id. In a blind medium: @throws DiagnosticError `lock-id-mismatch` */
  clear(id: string): Promise<void>;
}
