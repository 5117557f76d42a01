// The lock of a state: one run at a time changes it. A LockMedium keeps the lock. It passes to another run at once where its
// process is known to have ended, and else only when its heartbeat was seen to stand still for longer than its lease: no
// clock is ever compared with another.
import { randomUUID } from 'node:crypto';
import type { Diagnostic } from '../../model/diagnostic.ts';
import { DiagnosticError } from '../../model/errors.ts';
import type { Runtime } from '../../model/runtime.ts';
import { LockLostError, type LockFence } from './fence.ts';
import {
  createUnknownHolderError,
  createLockHeldByRunError,
  createShortLeaseError,
  createLockIdMismatchError,
  createLockFailedError,
  createLockedError,
  createNotLockedError,
  createLockTakeoverNote,
  warnOfUnreleasedLock,
} from './lock-faults.ts';
import type { ObservedLock, LockInfo, LockAttempt } from './lock-info.ts';
import {
  defaultLockLeaseMs,
  findHeartbeatMs,
  measureElapsedByClocks,
  readClocks,
  type OwnLockHandle,
  type LockHolderClocks,
  type TakenLock,
  type IsLockHolderGone,
  type LockMedium,
} from './lock-medium.ts';
import { isProcessGone, identifyProcess } from './lock-holder.ts';
import {
  findHolderLease,
  waitWhileLockHeld,
  type StillHeldLock,
  type LockWaitOptions,
} from './watch-holder.ts';

/** Request for the lock of a state: the run that wants it, and its purpose. */
export interface LockRequest {
  /** Name of the command: `apply`, `destroy` and so on. */
  readonly operation: string;
  /** Further words for those who meet the lock; absent for none. */
  readonly info?: string;
  /** Version of this program. */
  readonly version: string;
  readonly process: Runtime['process'];
  /** Time for which the run may be silent before another machine takes the lock over; milliseconds, 60 s by default. */
  readonly leaseMs?: number | undefined;
}

/** Options for taking and holding a lock. */
export interface LockOptions extends LockWaitOptions {
  /** Called once, when another run took the lock over or somebody removed it while it was held. */
  readonly onLost?: (error: LockLostError) => void;
  /** Called where the lock could not be released, which then is no failure; without it, the release rejects. */
  readonly onUnreleased?: ((warning: Diagnostic) => void) | undefined;
  /** Clocks and timer while the lock is held; the machine's own unless given. */
  readonly time?: Partial<LockHolderClocks>;
}

/** Lock of a state that this run holds, with notes for the user. */
export interface StateLock {
  readonly info: LockInfo;
  /** Note to the user when the lock was taken over from another run. */
  readonly diagnostics: readonly Diagnostic[];
  /**
   * Time for which the former holder had sent nothing at least, by the clock of the medium; milliseconds. Absent when the
   * lock was free.
   */
  readonly silentForMs?: number;
  /** Info of the former holder, where the lock was taken over. */
  readonly from?: LockInfo;
  /** The lock as writers of the state check it. */
  readonly fence: LockFence;
  /** Releases the lock. A lock that was lost, or released before, is left alone. */
  release(): Promise<void>;
}

/**
 * Locks a state. The lock of a process that is known to have ended is taken over at once, that of a process out of
 * sight when its heartbeat has not changed for longer than its lease.
 * @throws DiagnosticError `state-locked` when it is still held after `timeoutMs`, `lock-failed` when the disk refuses;
 * the reason of `signal` when aborted
 */
export async function acquireLock(
  medium: LockMedium,
  request: LockRequest,
  options: LockOptions,
): Promise<StateLock> {
  const { host } = request.process;
  const info = describeRequest(medium, request, options.clock.now());
  const explain = <T>(work: () => Promise<T>) => explainFailure(medium, work);
  const found = await waitWhileLockHeld(options, host, {
    look: (isGone) => explain(() => attemptLock(medium, info, isGone, options)),
    now: () => explain(() => medium.readTime(info.ID)),
  });
  if (found.kind === 'locked') return found.lock;
  throw createLockedError(found, host, medium.isBlind);
}

/**
 * Takes the lock of a state for a person, who keeps it until somebody removes it: no process holds it, and no run takes
 * it over.
 * @throws DiagnosticError `state-locked`, `lock-failed`
 */
export async function takePersonalLock(
  medium: LockMedium,
  request: LockRequest,
  options: LockWaitOptions,
): Promise<LockInfo> {
  const { host } = request.process;
  const info = { ...describeRequest(medium, request, options.clock.now()), Kept: true };
  const explain = <T>(work: () => Promise<T>) => explainFailure(medium, work);
  const found = await waitWhileLockHeld<Extract<LockAttempt, { kind: 'taken' }>>(options, host, {
    look: (isGone) => explain(() => medium.take(info, isGone)),
    now: () => explain(() => medium.readTime(info.ID)),
  });
  if (found.kind === 'taken') return found.info;
  throw createLockedError(found, host, medium.isBlind);
}

/**
 * Removes the lock that a person keeps.
 * @throws DiagnosticError `not-locked`, `state-locked` where a run holds it, `holder-unknown` where nobody can ask for it
 */
export async function releasePersonalLock(medium: LockMedium): Promise<LockInfo> {
  if (medium.isBlind) throw createUnknownHolderError(medium.place);
  const holder = await readStateLockHolder(medium);
  if (!holder) throw createNotLockedError(medium.place);
  const { info } = holder;
  if (!info.Kept) throw createLockHeldByRunError(info);
  await explainFailure(medium, () => medium.clear(info.ID));
  return info;
}

/**
 * Finds the holder of the lock after waiting for its end, for commands that take no lock and write nothing; undefined
 * when nobody holds it, or only a run that has ended. Without `isThorough`, a silent holder counts as ended without
 * being watched.
 */
export async function findLockHolderAfterWait(
  medium: LockMedium,
  host: string,
  options: LockWaitOptions & { readonly isThorough: boolean },
): Promise<{ readonly by: ObservedLock; readonly silentForMs: number } | undefined> {
  const { clock, isThorough } = options;
  const found = await waitWhileLockHeld<{ readonly kind: 'free' }>(options, host, {
    look: async (isGone) => {
      const by = await readStateLockHolder(medium);
      return !by || isGone(by) ? { kind: 'free' } : { kind: 'held', by };
    },
    now: async () => (medium.isTimeWritten ? clock.now() : medium.readTime('')),
    isSilenceBelieved: !isThorough,
  });
  return found.kind === 'free' ? undefined : found;
}

/** Reads the holder of the lock; undefined when nobody holds it. @throws DiagnosticError `lock-failed` when it cannot be read */
export function readStateLockHolder(medium: LockMedium): Promise<ObservedLock | undefined> {
  return explainFailure(medium, () => medium.read(), 'read');
}

/** @throws DiagnosticError `lock-failed` */
async function explainFailure<T>(
  { place }: LockMedium,
  work: () => Promise<T>,
  attempt?: 'read',
): Promise<T> {
  try {
    return await work();
  } catch (cause) {
    if (cause instanceof DiagnosticError) throw cause;
    throw createLockFailedError(place, cause, attempt);
  }
}

/**
 * Removes the lock with this id. Resolves with its holder, or with the id alone where nobody can ask for more.
 * @throws DiagnosticError `not-locked`, or `lock-id-mismatch` when another lock is held by now
 */
export async function forceUnlock(
  medium: LockMedium,
  id: string,
): Promise<Partial<LockInfo> & Pick<LockInfo, 'ID'>> {
  const holder = medium.isBlind ? undefined : await readStateLockHolder(medium);
  if (!medium.isBlind && !holder) throw createNotLockedError(medium.place);
  if (holder && holder.info.ID !== id) throw createLockIdMismatchError(id, holder.info);
  await explainFailure(medium, () => medium.clear(id));
  return holder?.info ?? { ID: id };
}

async function attemptLock(
  medium: LockMedium,
  wanted: LockInfo,
  isGone: IsLockHolderGone,
  { onLost = () => undefined, onUnreleased, time: given }: LockOptions,
): Promise<StillHeldLock | { readonly kind: 'locked'; readonly lock: StateLock }> {
  const time = { ...machineTime, ...given };
  for (;;) {
    const since = readClocks(time);
    const taking = await medium.take(wanted, isGone);
    if (taking.kind === 'held') return taking;
    const { info, from } = taking;
    const holding = await medium.hold({ info, time, since, onLost });
    // Another run has taken the lock over within the moment since.
    if (!holding) continue;
    const { held, takenAt } = holding;
    const silentMs = from && Math.max(0, Math.round(takenAt - from.heartbeatAt));
    const lock: StateLock = {
      get info() {
        return held.info;
      },
      diagnostics:
        from && silentMs !== undefined
          ? [
              createLockTakeoverNote(
                from,
                silentMs,
                isProcessGone(from.info, info.Host),
                medium.isBlind,
              ),
            ]
          : [],
      fence: held,
      release: () =>
        held.release().catch((cause: unknown) => {
          // A state that went back is graver than a lock that stays: it is never a mere warning.
          if (!onUnreleased || cause instanceof LockLostError) throw cause;
          onUnreleased(warnOfUnreleasedLock(medium, held.info, cause));
        }),
      ...(from && { from: from.info }),
      ...(from &&
        silentMs !== undefined && {
          silentForMs: Math.max(
            0,
            silentMs - Math.ceil(findHeartbeatMs({ Lease: findHolderLease(from.info) })),
          ),
        }),
    };
    try {
      await requireInTime(medium, held, { info, time, since });
    } catch (error) {
      await lock.release().catch(() => undefined);
      throw error;
    }
    return { kind: 'locked', lock };
  }
}

/**
 * Requires a heartbeat within the lease. Where the lease was over before the run began, another heartbeat shows whether that
 * was a single delay. @throws DiagnosticError `lease-too-short`
 */
async function requireInTime(
  { place }: LockMedium,
  held: OwnLockHandle,
  { info: { Lease = defaultLockLeaseMs }, time, since }: Pick<TakenLock, 'info' | 'time' | 'since'>,
): Promise<void> {
  if (measureElapsedByClocks(since, time) < Lease) return;
  const at = readClocks(time);
  await held.beat();
  const tookMs = measureElapsedByClocks(at, time);
  if (tookMs >= Lease) throw createShortLeaseError(place, tookMs, Lease);
}

const machineTime: LockHolderClocks = {
  // The machine's clock, and not that of the run, which leaves out the time that a machine is suspended.
  now: () => Date.now(),
  monotonic: () => performance.now(),
  repeat(work, everyMs) {
    const timer = setInterval(() => void work(), everyMs).unref();
    return () => clearInterval(timer);
  },
};

function describeRequest({ statePath }: LockMedium, request: LockRequest, now: number): LockInfo {
  const { operation, info = '', version, process, leaseMs = defaultLockLeaseMs } = request;
  return {
    ID: randomUUID(),
    Operation: operation,
    Info: info,
    Who: `${process.user}@${process.host}`,
    Version: version,
    Created: new Date(now).toISOString(),
    Path: statePath,
    Lease: leaseMs,
    ...(process.run && { Run: process.run }),
    ...identifyProcess(process.pid, process.host),
  };
}
