// Failures of a backend, and the time for which an operation on it is tried again. The messages are sentences for people; no
// secret is in them.
import type { Clock } from '../../model/runtime.ts';

/** Kind of a failure of a state backend, which decides whether another attempt makes sense, and what a person can do. */
export type BackendFault =
  /** The backend does not answer, or is busy: another attempt may succeed, and the request may have been carried out. */
  | 'unreachable'
  /** The backend refuses the credentials, or they do not allow the operation. */
  | 'denied'
  /** The disk or the quota of the backend is full. */
  | 'full'
  /** An answer that the backend's interface does not allow: the server is of another sort than the configured one. */
  | 'broken';

/** Error of a state backend that could not be read or written. */
export class BackendError extends Error {
  override readonly name = 'BackendError';
  readonly fault: BackendFault;

  constructor(fault: BackendFault, message: string, options: ErrorOptions = {}) {
    super(message, options);
    this.fault = fault;
  }
}

/** Number of attempts that fit into the patience even if none gets an answer: each attempt has this share of the time. */
const attempts = 3;
const firstPauseMs = 100;
const longestPauseMs = 2_000;

/** Limits on repeating an operation of a backend: for how long, and after which failures. */
export interface BackendRetryOptions {
  readonly clock: Clock;
  readonly patienceMs: number;
  /** Failures after which the operation is repeated; `unreachable` alone unless given. */
  readonly passing?: readonly BackendFault[];
}

/**
 * Repeats an operation while nobody answers, for `patienceMs` at most; the operation must do no harm when it is done
 * twice. Rejects with the error of the last attempt, and with any other error at once. `attempt` gets the time for
 * which it may wait for an answer: one connection may swallow every request, and the next one work.
 */
export async function retryUntilReached<T>(
  attempt: (attemptMs: number) => Promise<T>,
  { clock, patienceMs, passing = ['unreachable'] }: BackendRetryOptions,
): Promise<T> {
  const begun = clock.now();
  const attemptMs = Math.max(patienceMs, stateReadRetryMs) / attempts;
  for (let pauseMs = firstPauseMs; ; pauseMs = Math.min(longestPauseMs, pauseMs * 2)) {
    try {
      return await attempt(attemptMs);
    } catch (error) {
      const isOver = clock.now() - begun + pauseMs > patienceMs;
      if (!(error instanceof BackendError) || !passing.includes(error.fault) || isOver) throw error;
      await clock.sleep(pauseMs);
    }
  }
}

/** Milliseconds for which a failed read of the state is repeated. */
export const stateReadRetryMs = 15_000;

/**
 * Finds the milliseconds for which a failed write of the state is repeated, from the lease of the lock under which it
 * is made.
 */
export function findWriteRetryMs(leaseMs: number): number {
  return Math.max(15_000, leaseMs);
}
