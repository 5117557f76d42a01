// One attempt of a request: how it ended, and what a log of requests tells of it.
import type { Clock } from '../../model/runtime.ts';
import { classifyRefusal } from '../errors/classify-error.ts';
import type { OperationId } from '../contract/routes.ts';
import {
  OutcomeUnknownError,
  type ServiceRefusal,
  type RequestDescription,
  ServiceError,
} from '../errors/errors.ts';
import type { ServiceAnswer } from '../wire/read-answer.ts';
import { type OutgoingRequest, exchangeRequestOnce, type TransportOptions } from './transport.ts';

/** One attempt that has ended. It never holds the access token or a body. */
export interface RequestAttemptEvent {
  readonly operation: OperationId;
  readonly method: string;
  readonly url: string;
  /** Number of the attempt among those of one request, from 1. */
  readonly attempt: number;
  /** Time when the request was sent, in milliseconds since the Unix epoch. */
  readonly startedAt: number;
  readonly elapsedMs: number;
  /** HTTP status of the answer; null when no answer came. */
  readonly status: number | null;
  /** Message of the failure; null when the request succeeded. */
  readonly failure: string | null;
  /** Milliseconds until the request is sent again; null when it is not. */
  readonly retryAfterMs: number | null;
  /** Milliseconds for which the service asked to send nothing, whatever it is; null when it did not ask. */
  readonly holdMs: number | null;
}

/** End of one attempt at a request: an answer or an error, with its times by the clock. */
export interface RequestAttempt {
  readonly answer?: ServiceAnswer;
  readonly error?: unknown;
  readonly startedAt: number;
  readonly endedAt: number;
}

/** One attempt to send a request, with the decision whether to retry it. */
export interface EndedRequestAttempt extends RequestAttempt {
  /** Milliseconds until the next attempt; null when there is none. */
  readonly retryAfterMs: number | null;
}

/** Sends a request one time; retries are decided by the caller. */
export async function attemptRequestOnce(
  request: OutgoingRequest,
  options: TransportOptions & { readonly clock: Clock },
  signal: AbortSignal | undefined,
): Promise<RequestAttempt> {
  const startedAt = options.clock.now();
  try {
    const answer = await exchangeRequestOnce(request, options, signal);
    return { answer, startedAt, endedAt: options.clock.now() };
  } catch (error) {
    return { error, startedAt, endedAt: options.clock.now() };
  }
}

/** Entry of the request log about one attempt. */
export function describeRequestAttempt(
  { operation, method, url }: OutgoingRequest,
  { answer, error, startedAt, endedAt, retryAfterMs }: EndedRequestAttempt,
  attempt: number,
): RequestAttemptEvent {
  return {
    operation,
    method,
    url,
    attempt,
    startedAt,
    elapsedMs: endedAt - startedAt,
    status: answer?.status ?? getErrorRefusal(error)?.status ?? null,
    failure: answer ? null : error instanceof Error ? error.message : 'stopped',
    retryAfterMs,
    holdMs: isServiceOverloadError(error) ? (getErrorRefusal(error)?.retryAfterMs ?? null) : null,
  };
}

/** Tells whether an error is an answer by which the service asks for fewer requests, such as 429. */
export function isServiceOverloadError(
  error: unknown,
): error is ServiceError | OutcomeUnknownError {
  const refusal = getErrorRefusal(error);
  if (!refusal) return false;
  const meaning = classifyRefusal(refusal);
  return meaning === 'rateLimited' || (meaning === 'unavailable' && refusal.retryAfterMs !== null);
}

/** Failure answer behind an error; undefined when no whole answer came. */
export function getErrorRefusal(
  error: unknown,
): (ServiceRefusal & Pick<RequestDescription, 'operation'>) | undefined {
  if (error instanceof ServiceError) return error;
  if (!(error instanceof OutcomeUnknownError) || error.answered === null) return undefined;
  return { ...error.answered, operation: error.operation };
}
