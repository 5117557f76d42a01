import type { DoctorCheckUp } from '../../model/account/check-up.ts';
import { DiagnosticError } from '../../model/errors.ts';
import type { Runtime } from '../../model/runtime.ts';
import { formatAge } from '../../render/format/moment.ts';
import type { ObservedLock, LockInfo } from '../../state/lock/lock-info.ts';
import { isProcessInSight, isProcessGone } from '../../state/lock/lock-holder.ts';
import { readStateLockHolder } from '../../state/lock/lock.ts';
import type { LockMedium } from '../../state/lock/lock-medium.ts';
import { makeFailedCheckUp } from './make-check-up.ts';

/** Result of examining a lock. */
export interface LockExamination {
  readonly checkUp: DoctorCheckUp;
  /** True while the run that holds the lock seems to be alive. */
  readonly isAlive: boolean;
}

const name = 'lock';

/** Finds the holder of a state's lock, if there is one. */
export async function examineLock(
  { clock, process }: Pick<Runtime, 'clock' | 'process'>,
  lock: LockMedium,
): Promise<LockExamination> {
  let holder: ObservedLock | undefined;
  try {
    holder = await readStateLockHolder(lock);
  } catch (error) {
    if (!(error instanceof DiagnosticError)) throw error;
    const [fault = { code: 'lock-failed', summary: 'The lock cannot be read' }] = error.diagnostics;
    return { checkUp: makeFailedCheckUp(name, 'failure', fault), isAlive: false };
  }
  if (!holder) {
    const summary =
      lock.isBlind === true
        ? 'The server names the holder only to a run that it refuses the lock'
        : 'Nobody holds it';
    return { checkUp: { name, outcome: 'ok', summary }, isAlive: false };
  }
  const { info, heartbeatAt } = holder;
  const now = clock.now();
  const who = `${info.Operation} by ${info.Who}, process ${info.Pid}, since ${info.Created}`;
  const beat = `Its last sign of life was ${formatAge(heartbeatAt, now)} ago.`;
  if (info.Kept) return { checkUp: describeKept(info), isAlive: false };
  if (isProcessGone(info, process.host)) {
    const summary = `Held by a process that has exited: ${who}`;
    const hint = 'Run your command: it takes the lock over.';
    return {
      checkUp: makeFailedCheckUp(name, 'warning', { code: 'lock-left', summary, hint }),
      isAlive: false,
    };
  }
  const isHere = isProcessInSight(info, process.host);
  const where = isHere
    ? 'The process runs on this machine.'
    : 'Whether it still runs cannot be seen from this machine or container.';
  const unlock = isHere
    ? ''
    : ` If you know that it no longer runs: hostwright force-unlock ${info.ID}`;
  const checkUp = makeFailedCheckUp(name, 'warning', {
    code: 'state-locked',
    summary: `Held: ${who}`,
    detail: `${where} ${beat}`,
    hint: `Wait for it to end: --lock-timeout 10m does that for you.${unlock}`,
  });
  return { checkUp, isAlive: true };
}

function describeKept({ Who, Created, Info }: LockInfo): DoctorCheckUp {
  return makeFailedCheckUp(name, 'warning', {
    code: 'state-locked',
    summary: `${Who} has locked it since ${Created}`,
    detail: Info === '' ? 'No reason is given.' : `The reason: ${Info}.`,
    hint: 'Ask them, or remove it with "hostwright state unlock".',
  });
}
