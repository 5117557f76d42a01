// The wait for a lock that another run holds. A holder that cannot be seen is watched: its heartbeat must stand still for
// longer than its lease while we look, by no clock but our own.
import type { Clock, ServerRunAttempt } from '../../model/runtime.ts';
import { isProcessGone } from './lock-holder.ts';
import type { ObservedLock, LockInfo } from './lock-info.ts';
import { defaultLockLeaseMs, type IsLockHolderGone } from './lock-medium.ts';

/** Options for waiting until a lock is free. */
export interface LockWaitOptions {
  readonly clock: Clock;
  /** Milliseconds to wait for a holder that is alive; 0 when absent. */
  readonly timeoutMs?: number;
  /** The run of a server that waits: locks of its own earlier attempts count as free. */
  readonly run?: ServerRunAttempt | undefined;
  /** Signal that ends the wait. */
  readonly signal?: AbortSignal;
  /** Called once, when a wait for the lock begins. */
  readonly onWait?: (holder: LockInfo) => void;
  /** Called at intervals while the wait for the lock lasts. */
  readonly onStillWaiting?: (holder: LockInfo) => Promise<void> | void;
}

const pollMs = 500;
/** Milliseconds between two calls of `onStillWaiting`. */
const sayEveryMs = 15_000;

/** Result of waiting for a lock that is still held by a run which may be alive. */
export interface StillHeldLock {
  readonly kind: 'held';
  readonly by: ObservedLock;
}

interface Found {
  readonly kind: 'locked' | 'free' | 'taken';
}

/** The look at a lock that is repeated until it is free. */
interface Waiting<T extends Found> {
  readonly look: (isGone: IsLockHolderGone) => Promise<T | StillHeldLock>;
  /** Tells the time by the clock of the lock's backend, as far as it is known. */
  readonly now: () => Promise<number>;
  readonly isSilenceBelieved?: boolean;
}

/** Looks at a lock until it is free, or the wait is over. A holder that looks silent is watched to the end of its lease. */
export async function waitWhileLockHeld<T extends Found>(
  { clock, timeoutMs = 0, run, signal, onWait, onStillWaiting }: LockWaitOptions,
  host: string,
  { look, now, isSilenceBelieved = false }: Waiting<T>,
): Promise<T | (StillHeldLock & { readonly silentForMs: number })> {
  const watch = watchHolder();
  let waitedMs = 0;
  let saidMs = 0;
  let silentBeat: string | undefined;
  const isGone: IsLockHolderGone = (holder) => {
    if (holder.info.Kept) return false;
    if (isProcessGone(holder.info, host) || isSucceeded(holder.info, run)) return true;
    return watch.isSilent(holder) || (isSilenceBelieved && holder.beat === silentBeat);
  };
  for (;;) {
    const attempt = await look(isGone);
    if (attempt.kind !== 'held') return attempt;
    const { by } = attempt;
    const leftMs = timeoutMs - waitedMs;
    if (leftMs <= 0 && by.beat !== silentBeat) {
      const silentForMs = Math.max(0, (await now()) - by.heartbeatAt);
      if (by.info.Kept || silentForMs <= findHolderLease(by.info))
        return { kind: 'held', by, silentForMs };
      silentBeat = by.beat;
      if (isSilenceBelieved) continue;
    }
    if (waitedMs === 0) onWait?.(by.info);
    if (waitedMs - saidMs >= sayEveryMs) {
      saidMs = waitedMs;
      await onStillWaiting?.(by.info);
    }
    const stepMs = leftMs > 0 ? Math.min(pollMs, leftMs) : pollMs;
    await clock.sleep(stepMs, signal);
    waitedMs += stepMs;
    watch.pass(stepMs);
  }
}

/** Tells whether a holder is an earlier attempt of the same run: its worker was known to be gone before a later attempt began. */
function isSucceeded({ Run }: LockInfo, run: ServerRunAttempt | undefined): boolean {
  return Run !== undefined && run?.id === Run.id && run.attempt > Run.attempt;
}

/** Watches from outside whether the holder of a lock is alive. */
interface HolderWatch {
  /** Adds the time that has passed between two looks at the holder. */
  pass(ms: number): void;
  /** Tells whether no heartbeat of the holder was seen for longer than its lease. Must be called at each look. */
  isSilent(holder: ObservedLock): boolean;
}

/** Watches the heartbeat of a holder that may be out of sight: on another machine, in another container. */
function watchHolder(): HolderWatch {
  let seen: string | undefined;
  let unchangedMs = 0;
  return {
    pass: (ms) => void (unchangedMs += ms),
    isSilent({ beat, info }) {
      if (beat !== seen) unchangedMs = 0;
      seen = beat;
      return unchangedMs > findHolderLease(info);
    },
  };
}

/** The lease of a holder, in milliseconds; the default where its info has none. */
export function findHolderLease({ Lease }: ObservedLock['info']): number {
  return typeof Lease === 'number' && Lease > 0 ? Lease : defaultLockLeaseMs;
}
