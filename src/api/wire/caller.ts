// A caller of the service, as seen by those who read its answers.
import type { ServiceDialect } from '../binding/dialect.ts';
import type { OperationId } from '../contract/routes.ts';
import type { WireRequest } from '../contract/types.ts';
import type { ServiceAnswer } from './read-answer.ts';

/** Options that each call of the client takes, as its abort signal. */
export interface ServiceCallOptions {
  /** Stops waiting for a turn, for an answer, for the next attempt. */
  readonly signal?: AbortSignal | undefined;
  /**
   * The signal stops only what has not been sent, with a NotSentError; a request that is under way is left to end.
   */
  readonly isLeftToEnd?: boolean | undefined;
  /**
   * By the clock, in milliseconds since the Unix epoch. A request that must be held back for longer, since the service
   * asked for it, is given up with a NotSentError; no attempt follows after it.
   */
  readonly deadline?: number | undefined;
  /**
   * Called right before each attempt of a request that changes something goes out, after all waiting. Where it throws,
   * that attempt is not sent, and the call ends with that error: earlier ones were certainly not carried out.
   */
  readonly beforeAttempt?: (() => void) | undefined;
  /**
   * Called before each attempt but the first of a request that changes something, after the wait for it. Where it throws, the
   * call ends with that error: earlier ones were certainly not carried out.
   */
  readonly beforeRetry?: (() => Promise<void>) | undefined;
  /** Spelling for this request alone, in place of the caller's, to try out if the service has the operation there. */
  readonly dialect?: ServiceDialect | undefined;
  /** Set for a request whose answer others wait for; see `RequestQueueLimits`. */
  readonly goesFirst?: boolean | undefined;
}

/** Sends any request of the contract, with the retries that are safe. */
export type ServiceCall = <Op extends OperationId>(
  request: WireRequest<Op>,
  options?: ServiceCallOptions,
) => Promise<ServiceAnswer>;

/** The part of the client that reads need, so that tests can replace it. */
export interface ServiceCaller {
  readonly call: ServiceCall;
  /** The service's spelling of the contract; the contract's own unless given. */
  readonly dialect?: ServiceDialect | undefined;
}
