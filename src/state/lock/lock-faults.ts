// Diagnostics about locks: held, lost, taken over, not released.
import type { Diagnostic } from '../../model/diagnostic.ts';
import type { DiagnosticError } from '../../model/errors.ts';
import {
  adviseOnBackend,
  createDiagnosticError,
  explainFileError,
  isBackendFault,
} from '../faults.ts';
import { personalLockOperation, type ObservedLock, type LockInfo } from './lock-info.ts';
import { adviseLongerLease, formatSeconds } from './fence.ts';
import { isProcessInSight } from './lock-holder.ts';
import type { LockMedium } from './lock-medium.ts';
import { IrregularFileError } from '../files/regular-file.ts';
import { findHolderLease } from './watch-holder.ts';

/**
 * Creates the error for a lock that another run holds. `silentForMs` is the age of its last heartbeat, `host` the name
 * of this machine. `isBlind`: there are no heartbeats.
 */
export function createLockedError(
  { by: { info }, silentForMs }: { readonly by: ObservedLock; readonly silentForMs: number },
  host: string,
  isBlind = false,
): DiagnosticError {
  if (isKeptByPerson(info)) return createKeptError(info, isBlind);
  const isSilent = isBlind || info.Kept === true;
  const whereabouts = isProcessInSight(info, host)
    ? `Its process, ${info.Pid}, runs on this machine.`
    : isSilent
      ? 'Whether its process still runs cannot be seen from this machine or container. The lock never expires by itself.'
      : 'Whether its process still runs cannot be seen from this machine or container: the next run takes the lock ' +
        `over when it stays silent for longer than its lease of ${formatAge(findHolderLease(info))}.`;
  const beat = isSilent ? '' : `Its last heartbeat was ${formatAge(silentForMs)} ago. `;
  return createDiagnosticError('state-locked', 'The state is locked', {
    detail: `${formatLockInfo(info)}\n${beat}${whereabouts}`,
    hint:
      'Wait for it to end: --lock-timeout 10m does that for you. If you know that it no longer runs: ' +
      `hostwright force-unlock ${info.ID}`,
  });
}

/** A run that locks a state through a server keeps the lock, too: it sends no signs of life. */
function isKeptByPerson({ Kept: isKept, Operation }: LockInfo): boolean {
  return isKept === true && Operation === personalLockOperation;
}

/** Makes the error of unlocking a state that is not locked. */
export function createNotLockedError(place: string): DiagnosticError {
  return createDiagnosticError('not-locked', 'The state is not locked', {
    detail: `There is no lock: ${place}.`,
    hint: 'Run your command as usual.',
  });
}

/** Creates the error of `unlock` for a lock that a run holds, and no person. */
export function createLockHeldByRunError({ ID, Who, Operation }: LockInfo): DiagnosticError {
  return createDiagnosticError('state-locked', `The lock is held by a run: ${Who} (${Operation})`, {
    detail: 'A run releases its lock when it ends.',
    hint: `Wait for it. If you know that it no longer runs: hostwright force-unlock ${ID}`,
  });
}

/** Creates the error for a lock whose holder the server cannot name, so that it can only be removed by its ID. */
export function createUnknownHolderError(place: string): DiagnosticError {
  return createDiagnosticError(
    'holder-unknown',
    `The server does not say who holds the lock: ${place}`,
    {
      detail: 'It names the holder only to a run that it refuses the lock.',
      hint: 'Remove the lock by its ID: hostwright force-unlock ID. An apply that is refused shows it.',
    },
  );
}

/**
 * Creates the error for an id that is not that of the held lock, or where no lock is held; `holder` is the present
 * holder, where it is known.
 */
export function createLockIdMismatchError(
  id: string,
  holder: LockInfo | undefined,
): DiagnosticError {
  return createDiagnosticError('lock-id-mismatch', `The state is not locked by ${id}`, {
    detail: holder
      ? `The lock that is held has the ID ${holder.ID} (${holder.Operation} by ${holder.Who}).`
      : 'It is locked by somebody else, or not locked at all: the server does not say which.',
    hint: 'Make sure that its holder no longer runs before you unlock it by that ID.',
  });
}

/** Warns, for a plan, which needs no lock, that another run holds the lock. */
export function warnOfLockHolder(info: LockInfo): Diagnostic {
  if (isKeptByPerson(info)) {
    return {
      severity: 'warning',
      code: 'state-in-use',
      summary: `${info.Who} has locked the state`,
      detail: formatLockInfo(info),
      hint: 'Ask them, or remove the lock with "hostwright state unlock".',
    };
  }
  return {
    severity: 'warning',
    code: 'state-in-use',
    summary: `Another run is changing the account: ${info.Who} (${info.Operation})`,
    detail: 'The plan shows the state and the account as they are at this moment.',
    hint: 'Plan again when that run has ended; --lock-timeout 10m waits for it.',
  };
}

/** Makes the error about a lock that a person keeps by `state lock`. */
function createKeptError(info: LockInfo, isBlind: boolean): DiagnosticError {
  const command = isBlind ? `force-unlock ${info.ID}` : 'state unlock';
  return createDiagnosticError('state-locked', `${info.Who} has locked the state`, {
    detail: formatLockInfo(info),
    hint: `Ask them, or remove the lock with "hostwright ${command}".`,
  });
}

/** Creates the error for a heartbeat that takes longer than others wait for one before they take the lock over. */
export function createShortLeaseError(
  place: string,
  tookMs: number,
  leaseMs: number,
): DiagnosticError {
  return createDiagnosticError('lease-too-short', `The lease of the lock is too short: ${place}`, {
    detail:
      `One sign of life takes ${formatSeconds(tookMs)} there, and the lease is ${formatSeconds(leaseMs)}: another run could ` +
      'take the lock of a run that lives. Nothing was changed, neither here nor in the account.',
    hint: adviseLongerLease(tookMs),
  });
}

/** Makes the error of a lock that cannot be written or read. */
export function createLockFailedError(
  path: string,
  cause: unknown,
  attempt: 'take' | 'read' = 'take',
): DiagnosticError {
  const what =
    attempt === 'take' ? 'The state cannot be locked' : 'The lock of the state cannot be read';
  return createDiagnosticError('lock-failed', `${what}: ${path}`, {
    detail: cause instanceof Error ? cause.message : String(cause),
    hint: isBackendFault(cause)
      ? adviseOnBackend(cause)
      : cause instanceof IrregularFileError
        ? 'Remove it: the lock is a file that Hostwright makes itself.'
        : 'Make sure that you may write to the directory and that the disk has room.',
    cause,
  });
}

/** Warns, at the end of a run, that its lock could not be released. The run's changes are not affected. */
export function warnOfUnreleasedLock(
  { place, isBlind = false }: Pick<LockMedium, 'place' | 'isBlind'>,
  info: LockInfo,
  cause: unknown,
): Diagnostic {
  const unlock = `hostwright force-unlock ${info.ID}`;
  return {
    severity: 'warning',
    code: 'lock-not-released',
    summary: `The lock of the state could not be released: ${place}`,
    detail: `${explainFileError(cause)} What was recorded before is safe. The lock may still be held.`,
    hint: isBlind
      ? `Remove it with "${unlock}": it never expires. The next run on this machine takes it over by itself.`
      : `Remove it with "${unlock}". Or wait: the next run takes it over, on this machine at once, elsewhere after its lease of ${formatAge(findHolderLease(info))}.`,
  };
}

/**
 * Creates the note that a lock was taken over. `isGone`: the former holder's process is known to have ended; otherwise
 * it was silent. `isBlind`: there are no heartbeats.
 */
export function createLockTakeoverNote(
  { info }: ObservedLock,
  silentForMs: number,
  isGone: boolean,
  isBlind = false,
): Diagnostic {
  const { Operation, Who, Pid, Created } = info;
  const holder = `${Operation} by ${Who} (process ${Pid}, since ${Created})`;
  const age = formatAge(silentForMs);
  const beat = isBlind ? '' : `; its last heartbeat was ${age} ago`;
  return {
    severity: 'note',
    code: 'lock-taken-over',
    summary: isGone
      ? 'Took over the lock of a process that has exited'
      : 'Took over the lock of a run that was silent for longer than its lease',
    detail: isGone
      ? `${holder} exited without releasing the lock${beat}.`
      : `${holder} gave its last heartbeat ${age} ago. If it comes back, it can no longer write or send anything.`,
  };
}

/** Formats the info of a lock in the way of Terraform. */
function formatLockInfo(info: LockInfo): string {
  const { ID, Path, Operation, Who, Version, Created, Info } = info;
  const lines = Object.entries({ ID, Path, Operation, Who, Version, Created, Info });
  return ['Lock Info:', ...lines.map(([key, value]) => `  ${`${key}:`.padEnd(11)}${value}`)]
    .map((line) => line.trimEnd())
    .join('\n');
}

function formatAge(ms: number): string {
  const seconds = Math.max(0, Math.round(ms / 1000));
  if (seconds < 120) return `${seconds} s`;
  const minutes = Math.round(seconds / 60);
  return minutes < 120 ? `${minutes} min` : `${Math.round(minutes / 60)} h`;
}
