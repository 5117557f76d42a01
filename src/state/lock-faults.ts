// What people read about a lock.
import type { Diagnostic } from '../model/diagnostic.ts';
import type { DiagnosticError } from '../model/errors.ts';
import { createError } from './faults.ts';
import type { HeldLock, LockInfo } from './lock-file.ts';

/** Somebody else holds the lock. `host` is this machine's name, `now` in milliseconds since the Unix epoch. */
export function createLockedError(holder: HeldLock, host: string, now: number): DiagnosticError {
  const { info } = holder;
  const whereabouts =
    info.Host === host
      ? `Its process, ${info.Pid}, runs on this machine.`
      : 'Whether its process still runs cannot be seen from this machine.';
  return createError('state-locked', 'The state is locked', {
    detail:
      `${formatLockInfo(info)}\n` +
      `Its last heartbeat was ${formatAge(now - holder.heartbeatAt)} ago. ${whereabouts}`,
    hint:
      'Wait for it to end: --lock-timeout 10m does that for you. If you know that it no longer runs: ' +
      `hostwright force-unlock ${info.ID}`,
  });
}

/** The lock's file cannot be made or read. */
export function createLockFailedError(path: string, cause: unknown): DiagnosticError {
  return createError('lock-failed', `The state cannot be locked: ${path}`, {
    detail: cause instanceof Error ? cause.message : String(cause),
    hint: 'Make sure that the directory is yours to write and that the disk has room.',
    cause,
  });
}

/** Says that a dead process's lock was taken over. */
export function noteTakeover(from: HeldLock, now: number): Diagnostic {
  const { Operation, Who, Pid, Created } = from.info;
  return {
    severity: 'note',
    code: 'lock-taken-over',
    summary: 'Took over the lock of a process that is gone',
    detail:
      `${Operation} by ${Who} (process ${Pid}, since ${Created}) ended without letting go; ` +
      `its last heartbeat was ${formatAge(now - from.heartbeatAt)} ago.`,
  };
}

/** As Terraform shows it. */
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
