import { classifyRefusal } from '../errors/classify-error.ts';
import {
  ConnectionError,
  ForeignAnswerError,
  OutcomeUnknownError,
  ServiceError,
} from '../errors/errors.ts';

/** Bounds of the retries of one request: attempts, waits and total time. */
export const retryLimits = {
  /** The most attempts to send one request, the first one counted. */
  attempts: 10,
  /** Attempts in all while the service has never answered: a wrong address should not take minutes to be said so. */
  attemptsAtFirstContact: 3,
  /** Milliseconds from the first attempt to the start of the last one. */
  deadlineMs: 120_000,
  /** Milliseconds from the first attempt to the start of the last one, where the service asks to wait. */
  askedDeadlineMs: 600_000,
  firstBackoffMs: 500,
  /** Milliseconds of the longest pause between attempts, unless the service itself asks for a longer one. */
  longestBackoffMs: 20_000,
  /** Spread over what the service asks for, so that not everyone comes back at once. */
  retryAfterJitterMs: 1_000,
} as const;

/** A failed attempt to send a request, as the retry policy sees it. */
export interface FailedRequestAttempt {
  readonly error: unknown;
  /** Tells whether the request only reads, and so may be sent twice without harm. */
  readonly isIdempotent: boolean;
  /** Attempts made so far to send the request, at least 1. */
  readonly attempt: number;
  /** Milliseconds since the first attempt to send the request began. */
  readonly elapsedMs: number;
  /** Milliseconds to the caller's deadline; without end unless given. */
  readonly leftMs?: number | undefined;
  /** Random number in [0, 1) that spreads the retries of many clients over time. */
  readonly random: number;
  /** True until the service has answered any request: a first failure may be a wrong address. */
  readonly isFirstContact: boolean;
}

/** Decision after a failed attempt: to send the request again after a delay, or to give it up. */
export type RetryDecision =
  { readonly kind: 'retry'; readonly afterMs: number } | { readonly kind: 'give-up' };

/**
 * Decides whether a request is sent again, and when. One that changes something goes out again only when the first was
 * certainly not carried out: everything else must be looked at first, by someone who knows what to look for.
 */
export function decideRetry(failed: FailedRequestAttempt): RetryDecision {
  const { error, attempt, random } = failed;
  if (!isWorthRetrying(failed)) return { kind: 'give-up' };
  const isUnreachable = failed.isFirstContact && error instanceof ConnectionError;
  const attempts = isUnreachable ? retryLimits.attemptsAtFirstContact : retryLimits.attempts;
  const afterMs = chooseDelay(error, attempt, random);
  const deadlineMs = isAsked(error) ? retryLimits.askedDeadlineMs : retryLimits.deadlineMs;
  const isTooLate = failed.elapsedMs + afterMs > deadlineMs || afterMs > (failed.leftMs ?? afterMs);
  return attempt >= attempts || isTooLate ? { kind: 'give-up' } : { kind: 'retry', afterMs };
}

function isAsked(error: unknown): error is ServiceError & { readonly retryAfterMs: number } {
  return error instanceof ServiceError && error.retryAfterMs !== null;
}

function isWorthRetrying({ error, isIdempotent, isFirstContact }: FailedRequestAttempt): boolean {
  if (error instanceof ConnectionError) return !error.isLasting;
  // A proxy's page in place of a service that has answered before: it may be back in a moment.
  if (error instanceof ForeignAnswerError) return isIdempotent && !isFirstContact;
  if (error instanceof OutcomeUnknownError) return isIdempotent && error.lost !== 'aborted';
  if (!(error instanceof ServiceError)) return false;
  const meaning = classifyRefusal(error);
  return meaning === 'rateLimited' || (meaning === 'unavailable' && isIdempotent);
}

/**
 * Milliseconds to the next attempt: Retry-After with a little jitter, otherwise full jitter below a bound that doubles.
 */
function chooseDelay(error: unknown, attempt: number, random: number): number {
  if (isAsked(error)) {
    return error.retryAfterMs + Math.round(random * retryLimits.retryAfterJitterMs);
  }
  const bound = retryLimits.firstBackoffMs * 2 ** (attempt - 1);
  return Math.round(random * Math.min(retryLimits.longestBackoffMs, bound));
}
