import { BackendError, retryUntilReached } from '../backend-error.ts';
import type { StateServer, StateServerOutcome } from './state-server.ts';

/**
 * Removes the HTTP lock with the ID of this lock info, and repeats the request while the server cannot be reached. A
 * refusal of a repeated request means that an earlier one was carried out, and its answer lost. Rejects with a
 * BackendError.
 */
export function unlockStateWithRetries(
  server: StateServer,
  lockText: string,
  patience: Parameters<typeof retryUntilReached>[1],
): Promise<StateServerOutcome> {
  let isRepeat = false;
  return retryUntilReached(async (attemptMs) => {
    try {
      const verdict = await server.unlock(lockText, attemptMs);
      return isRepeat ? done : verdict;
    } catch (error) {
      // Some servers answer otherwise than with 409 where there is no such lock.
      const isRefused = error instanceof BackendError && error.fault === 'broken';
      if (isRepeat && isRefused) return done;
      isRepeat = true;
      throw error;
    }
  }, patience);
}

const done: StateServerOutcome = { kind: 'done' };
