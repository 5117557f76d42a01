import { setMaxListeners } from 'node:events';
import type { Clock } from '../../model/runtime.ts';
import type { SharedRequestBudget } from '../../model/account/shared-budget.ts';
import { ClientRequestBudget, combineAbortSignals, RequestHeldBackError } from './budget.ts';
import {
  type RequestAttempt,
  attemptRequestOnce,
  type RequestAttemptEvent,
  describeRequestAttempt,
  type EndedRequestAttempt,
  isServiceOverloadError,
  getErrorRefusal,
} from './attempt.ts';
import type { WireRequest } from '../contract/types.ts';
import { ApiError, NotSentError } from '../errors/errors.ts';
import type { ServiceCall, ServiceCallOptions } from '../wire/caller.ts';
import type { ServiceAnswer } from '../wire/read-answer.ts';
import { prepareRequest } from './request.ts';
import { decideRetry, type FailedRequestAttempt } from './retry-policy.ts';
import { type OutgoingRequest, type TransportOptions } from './transport.ts';

/** Transport, clock, limits and hooks of a caller. */
export interface ServiceCallerOptions extends TransportOptions {
  readonly baseUrl: string;
  readonly clock: Clock;
  readonly random: () => number;
  readonly maxConcurrency: number;
  readonly requestsPerSecond?: number | undefined;
  readonly sharedBudget?: SharedRequestBudget | undefined;
  readonly onRequest?: (event: RequestAttemptEvent) => void;
  /**
   * Called right before each attempt of a request that changes something goes out, when all waiting for it is over.
   * Where it throws, nothing is sent, and the call ends with that error.
   */
  readonly beforeChange?: (() => void | Promise<void>) | undefined;
}

/** Sender of requests that share one limit: reads, writes and their retries together. */
export interface SharedServiceCaller {
  readonly call: ServiceCall;
  /** Waits until a request may be sent, as far as the service asked to wait. @throws NotSentError, as the call would */
  readonly awaitHold: (request: WireRequest, options: ServiceCallOptions) => Promise<void>;
  /** True while requests queue, or the service or the user wants fewer of them: looks must become rarer then. */
  readonly isHeldBack: () => boolean;
  /** Ends all waiting, and sends nothing more: a look that nobody waits for any more must not keep the process. */
  readonly close: () => void;
}

/** A caller with a limit of its own: what one service asks for holds no other back. */
export function createServiceCaller(options: ServiceCallerOptions): SharedServiceCaller {
  const closing = new AbortController();
  setMaxListeners(0, closing.signal);
  const budget = new ClientRequestBudget({ ...options, closed: closing.signal });
  const caller = { options, budget, closed: closing.signal, isFirstContact: true };
  return {
    close: () => {
      closing.abort(new Error('the client is closed'));
    },
    isHeldBack: () => budget.isHeldBack,
    call: (request, wanted = {}) => sendUntilEnd(caller, request, wanted),
    async awaitHold(request, { signal, isLeftToEnd = false, deadline }) {
      if (signal) setMaxListeners(0, signal);
      try {
        await caller.budget.awaitHold({ signal, deadline });
      } catch (why) {
        throw explainWait(why, prepareRequest(options, request), { signal, isLeftToEnd });
      }
    },
  };
}

/** State of the retry loop that all requests of one caller share. */
interface Sharing {
  readonly options: ServiceCallerOptions;
  readonly budget: ClientRequestBudget;
  readonly closed: AbortSignal;
  /** True until the service has answered any request: a first failure may be a wrong address. */
  isFirstContact: boolean;
}

/** Sends a request until it succeeds, or a further retry is unsafe or useless. */
async function sendUntilEnd(
  sharing: Sharing,
  request: WireRequest,
  {
    signal,
    isLeftToEnd = false,
    deadline,
    beforeAttempt,
    beforeRetry,
    goesFirst = false,
    dialect,
  }: ServiceCallOptions,
): Promise<ServiceAnswer> {
  const { budget, closed } = sharing;
  const options = dialect ? { ...sharing.options, dialect } : sharing.options;
  // One signal stops many requests: Node would take that for a leak, and say so on the terminal.
  if (signal) setMaxListeners(0, signal);
  const outgoing = prepareRequest(options, request);
  const patience = { signal, deadline, goesFirst: goesFirst || outgoing.method === 'GET' };
  // The deadline counts from the first attempt: waiting for a turn is not the service's fault.
  let firstStartedAt: number | undefined;
  let before: unknown;
  const giveUp = (why: unknown) => {
    throw explainWait(why, outgoing, { signal, isLeftToEnd, before });
  };
  for (let count = 1; ; count += 1) {
    const attemptInTurn = async (): Promise<EndedRequestAttempt> => {
      const leave = outgoing.method === 'GET' ? undefined : options.beforeChange?.();
      // Mostly at once: nothing is to come between the look and the request.
      if (leave) await leave;
      if (outgoing.method !== 'GET') beforeAttempt?.();
      const attempt = await attemptRequestOnce(outgoing, options, isLeftToEnd ? undefined : signal);
      firstStartedAt ??= attempt.startedAt;
      const passed = { count, elapsedMs: attempt.endedAt - firstStartedAt, deadline };
      return assessAttempt(sharing, outgoing, attempt, passed);
    };
    // Gives its turn in the budget to other requests while it waits for the next attempt.
    const attempt = await budget.run(attemptInTurn, patience).catch(giveUp);
    const { answer, error, retryAfterMs } = attempt;
    options.onRequest?.(describeRequestAttempt(outgoing, attempt, count));
    if (answer) return answer;
    if (error instanceof ApiError) error.attempts = count;
    if (retryAfterMs === null) throw error;
    before = error;
    await options.clock.sleep(retryAfterMs, combineAbortSignals(closed, signal)).catch(giveUp);
    if (outgoing.method !== 'GET') await beforeRetry?.();
  }
}

/**
 * Decides on the next attempt, and notes the service's load. Runs within the turn, so that no request goes out before a
 * hold is noted.
 */
function assessAttempt(
  sharing: Sharing,
  { method }: OutgoingRequest,
  attempt: RequestAttempt,
  {
    count,
    elapsedMs,
    deadline,
  }: { count: number; elapsedMs: number; deadline?: number | undefined },
): EndedRequestAttempt {
  const { answer, error, endedAt } = attempt;
  if (answer || getErrorRefusal(error)) sharing.isFirstContact = false;
  const retryAfterMs = answer
    ? null
    : readDelay({
        error,
        isIdempotent: method === 'GET',
        attempt: count,
        elapsedMs,
        leftMs: deadline === undefined ? undefined : deadline - endedAt,
        random: sharing.options.random(),
        isFirstContact: sharing.isFirstContact,
      });
  noteLoad(sharing.budget, attempt, retryAfterMs);
  return { ...attempt, retryAfterMs };
}

/** Error of a request whose wait ended before it could be sent. */
function explainWait(
  why: unknown,
  request: OutgoingRequest,
  { signal, isLeftToEnd, before }: ServiceCallOptions & { readonly before?: unknown },
): unknown {
  if (why instanceof RequestHeldBackError) {
    return new NotSentError(request, { why: 'deadline', heldForMs: why.forMs }, { cause: before });
  }
  const isInterrupt = isLeftToEnd === true && signal?.aborted === true && why === signal.reason;
  return isInterrupt ? new NotSentError(request, { why: 'interrupted' }, { cause: before }) : why;
}

/** Notes success or overload in the budget: the service's load concerns every request, not only the refused one. */
function noteLoad(
  budget: ClientRequestBudget,
  { answer, error }: RequestAttempt,
  retryAfterMs: number | null,
): void {
  if (answer) budget.noteSuccess();
  else if (isServiceOverloadError(error)) {
    const refusal = getErrorRefusal(error);
    budget.noteOverload(retryAfterMs ?? refusal?.retryAfterMs ?? 1_000, refusal?.status);
  }
}

/** Milliseconds to wait before the next attempt; null when the request is not sent again. */
function readDelay(failed: FailedRequestAttempt): number | null {
  const decision = decideRetry(failed);
  return decision.kind === 'retry' ? decision.afterMs : null;
}
