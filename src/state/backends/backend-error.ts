// How what keeps a state fails, and how long it is tried again. The messages are sentences for people; no secret is in them.
import type { Clock } from '../../model/runtime.ts';

/** Why an operation failed. */
export type BackendFault =
  /** Nobody answered, or the answer was that it is busy: another attempt may bring more. What was sent may have happened. */
  | 'unreachable'
  /** The credentials are wrong, or do not suffice. */
  | 'denied'
  /** There is no room for more. */
  | 'full'
  /** Another answer than its interface allows: it is not what we take it for. */
  | 'broken';

/** What keeps the state has failed. */
export class BackendError extends Error {
  override readonly name = 'BackendError';
  readonly fault: BackendFault;

  constructor(fault: BackendFault, message: string, options: ErrorOptions = {}) {
    super(message, options);
    this.fault = fault;
  }
}

/** As many fit into the patience though nobody answers any of them. What is tried once has the time of a read for each. */
const attempts = 3;
const firstPauseMs = 100;
const longestPauseMs = 2_000;

/**
 * Does what may be done twice again and again while nobody answers, for `patienceMs` at most. Rejects with the error of
 * the last attempt, and with any other error at once. `attempt` gets the time for which it may wait for an answer: a connection
 * may swallow all that it is given, and the next one work.
 */
export async function untilReached<T>(
  attempt: (attemptMs: number) => Promise<T>,
  { clock, patienceMs }: { readonly clock: Clock; readonly patienceMs: number },
): Promise<T> {
  const begun = clock.now();
  const attemptMs = Math.max(patienceMs, readPatienceMs) / attempts;
  for (let pauseMs = firstPauseMs; ; pauseMs = Math.min(longestPauseMs, pauseMs * 2)) {
    try {
      return await attempt(attemptMs);
    } catch (error) {
      const isOver = clock.now() - begun + pauseMs > patienceMs;
      if (!(error instanceof BackendError) || error.fault !== 'unreachable' || isOver) throw error;
      await clock.sleep(pauseMs);
    }
  }
}

/** For how long a read is tried again; milliseconds. */
export const readPatienceMs = 15_000;

/** For how long a write is tried again, by the lease under which it is made; milliseconds. */
export function writePatienceMs(leaseMs: number): number {
  return Math.max(15_000, leaseMs);
}
