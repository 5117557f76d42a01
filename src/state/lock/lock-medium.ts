// What keeps a lock: a directory, a database, a bucket. How it is waited for is watch-holder.ts, whatever keeps it.
import type { Fence, LockLostError } from './fence.ts';
import type { HeldLock, LockInfo, Taking } from './lock-info.ts';

/** For how long a run may be silent before others may take its lock over, unless it says otherwise; milliseconds. */
export const defaultLeaseMs = 60_000;

/** How often a holder gives a sign of life; milliseconds. */
export function heartbeatMsOf({ Lease = defaultLeaseMs }: Pick<LockInfo, 'Lease'>): number {
  return Lease / 4;
}

/** True for a holder whose lock may be taken. */
export type IsGone = (holder: HeldLock) => boolean;

/** What tells the time to a holder; tests give their own. */
export interface HolderTime {
  /** The clock of the machine; milliseconds since the Unix epoch. May jump, and goes on while it is suspended. */
  now(): number;
  /** Milliseconds since any moment. Never jumps, and may stand still while the machine is suspended. */
  monotonic(): number;
  /** Calls `work`, which never rejects, again and again; returns what ends that. Keeps no process alive. */
  repeat(work: () => Promise<void>, everyMs: number): () => void;
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

/** How long ago that was, by the clock that says more: one of them may have jumped back, the other stood still. */
export function passedSince({ wall, monotonic }: Moment, time: HolderTime): number {
  const now = readMoment(time);
  return Math.max(now.wall - wall, now.monotonic - monotonic);
}

/** What a lock is held with. */
export interface Holding {
  readonly info: LockInfo;
  readonly time: HolderTime;
  /** A moment before the lock was taken: its lease is counted from there. */
  readonly since: Moment;
  /** Called once. */
  readonly onLost: (error: LockLostError) => void;
}

/** A lock that is held. */
export interface HeldFence extends Fence {
  /** The lock as it is held by now. */
  readonly info: LockInfo;
  /** Gives a sign of life now; rejects with the system's error. */
  beat(): Promise<void>;
  /** Releases the lock. One that was lost, or released before, is left alone. */
  release(): Promise<void>;
}

/** What keeps the lock of one state. Operations reject with the error of what keeps it. */
export interface LockMedium {
  /** Where the lock is, for messages. */
  readonly place: string;
  /** Where the state is, for the lock itself. */
  readonly statePath: string;
  /**
   * True where nobody can ask who holds it, and its holder gives no signs of life: `read` finds nobody then, no silence
   * ends the lock, and `clear` learns from what keeps the lock whether it has that id.
   */
  readonly isBlind?: boolean;
  /** Who holds it; undefined when nobody does. */
  read(): Promise<HeldLock | undefined>;
  /** Takes it unless a holder has it that is not gone. Its epoch is higher than all that came before. */
  take(wanted: LockInfo, isGone: IsGone): Promise<Taking>;
  /**
   * Begins to hold the lock that was just taken, until it is released, lost, or the process ends. Undefined when it is
   * lost already; `takenAt` is when it was taken, by the clock of what keeps it.
   */
  hold(
    holding: Holding,
  ): Promise<{ readonly held: HeldFence; readonly takenAt: number } | undefined>;
  /** What time it is by that clock. `id` is that of who asks. */
  readTime(id: string): Promise<number>;
  /** True where asking for the time writes something, as to a directory: who only looks does not ask. */
  readonly isTimeWritten?: boolean;
  /** Removes the lock of the holder with this id. Where it is blind: @throws DiagnosticError `lock-id-mismatch` */
  clear(id: string): Promise<void>;
}
