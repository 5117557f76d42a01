import type { DoctorCheckUp } from '../../model/account/check-up.ts';
import { DiagnosticError } from '../../model/errors.ts';
import type { Runtime } from '../../model/runtime.ts';
import type { StateBackend } from '../../state/backends/backend.ts';
import { BackendError } from '../../state/backends/backend-error.ts';
import {
  measureBackendRoundTrip,
  tryBackend,
  type BackendRoundTrip,
  type BackendTrialResult,
} from '../../state/backends/try-backend.ts';
import { adviseOnBackend, explainFileError } from '../../state/faults.ts';
import { acquireLock } from '../../state/lock/lock.ts';
import { publishedHostwrightVersion } from '../../model/version.ts';
import { makeFailedCheckUp, makeSkippedCheckUp } from './make-check-up.ts';

const name = 'backend';

/** Largest difference of clocks without a warning: a larger one makes times in messages misleading. Milliseconds. */
const largestDifferenceMs = 30_000;

/** True for a backend whose state is kept on another computer, so that the network is needed. */
export function isRemoteBackend({ kind }: StateBackend): boolean {
  return kind !== 'local';
}

/**
 * Checks the backend: that it can be reached and written to, that it refuses writes of a run without the lock, its latency,
 * and its clock. Nothing is written while a run holds the lock.
 */
export async function examineBackend(
  runtime: Pick<Runtime, 'clock' | 'process'>,
  backend: StateBackend,
  isHeld: boolean,
): Promise<readonly DoctorCheckUp[]> {
  const { place } = backend;
  try {
    const distance = await measureBackendRoundTrip(backend, () => runtime.clock.now());
    const found = describeDistance(place, distance);
    if (isHeld) {
      return [
        ...found,
        makeSkippedCheckUp(name, 'Somebody holds the lock, so the write test is skipped'),
      ];
    }
    const request = {
      operation: 'doctor',
      version: publishedHostwrightVersion,
      process: runtime.process,
    };
    const lock = await acquireLock(backend.lock, request, { clock: runtime.clock });
    const { fault } = await tryBackend(backend, lock);
    return fault === undefined ? found : [...found, explainFault(fault, place)];
  } catch (error) {
    return explainFailure(error, place);
  }
}

function describeDistance(
  place: string,
  { latencyMs, aheadMs }: BackendRoundTrip,
): DoctorCheckUp[] {
  const checkUp: DoctorCheckUp = {
    name,
    outcome: 'ok',
    summary: `${place}: answers within ${latencyMs} ms`,
  };
  if (Math.abs(aheadMs) <= largestDifferenceMs) return [checkUp];
  const summary = `Its clock is ${Math.round(Math.abs(aheadMs) / 1_000)} s ${aheadMs > 0 ? 'ahead of' : 'behind'} this machine's`;
  const detail = 'No lock depends on it. The times in messages do.';
  const hint = 'Set the clock of this machine, or of that one.';
  return [
    checkUp,
    makeFailedCheckUp(name, 'warning', { code: 'state-clock', summary, detail, hint }),
  ];
}

function explainFault(
  fault: NonNullable<BackendTrialResult['fault']>,
  place: string,
): DoctorCheckUp {
  if (fault === 'takes-late') {
    return makeFailedCheckUp(name, 'warning', {
      code: 'state-takes-late',
      summary: `The server takes a write with the ID of a released lock while nobody holds one: ${place}`,
      detail:
        'While a run holds the lock, nobody else can write. But a write that is on its way for long can put an older state back ' +
        'after its run has ended, and a run that goes on after "hostwright force-unlock" is not stopped until another one has written.',
      hint: 'Run "hostwright force-unlock" only when its run has ended. Or choose a server that compares the ID, such as GitLab, or another backend.',
    });
  }
  return fault === 'not-written'
    ? makeFailedCheckUp(name, 'failure', {
        code: 'state-not-written',
        summary: `What was written cannot be read back: ${place}`,
        hint: 'Choose another backend: this one loses data.',
      })
    : makeFailedCheckUp(name, 'failure', {
        code: 'state-not-fenced',
        summary: `It accepts writes of a run that has lost its lock: ${place}`,
        detail: 'Two runs could overwrite what the other has written.',
        hint: 'Choose another backend, or a server that supports conditional writes.',
      });
}

function explainFailure(error: unknown, place: string): DoctorCheckUp[] {
  if (error instanceof DiagnosticError) {
    return error.diagnostics.map((one) => makeFailedCheckUp(name, 'failure', one));
  }
  if (!(error instanceof BackendError)) throw error;
  const detail = explainFileError(error);
  const summary = `The backend cannot keep the state: ${place}`;
  return [
    makeFailedCheckUp(name, 'failure', {
      code: 'state-backend',
      summary,
      detail,
      hint: adviseOnBackend(error),
    }),
  ];
}
