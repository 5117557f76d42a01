import { setMaxListeners } from 'node:events';
import type { Clock } from '../../model/runtime.ts';
import { Budget, HeldBack } from './budget.ts';
import { classifyRefusal } from '../errors/classify-error.ts';
import { type OperationId, routes } from '../contract/routes.ts';
import type { WireRequest } from '../contract/types.ts';
import {
  ApiError,
  NotSentError,
  OutcomeUnknownError,
  type Refusal,
  type SentRequest,
  ServiceError,
} from '../errors/errors.ts';
import type { Answer } from '../wire/read-answer.ts';
import { buildUrl } from './request.ts';
import { decideRetry, type FailedAttempt } from './retry-policy.ts';
import { type OutgoingRequest, sendOnce, type TransportOptions } from './transport.ts';

/** What every method of the client takes. */
export interface CallOptions {
  /** Stops waiting for a turn, for an answer, for the next attempt. */
  readonly signal?: AbortSignal | undefined;
  /**
   * True: the signal stops only what has not been sent, with a NotSentError; a request that is under way is left to end.
   */
  readonly isLeftToEnd?: boolean | undefined;
  /**
   * By the clock, in milliseconds since the Unix epoch. A request that must be held back for longer, since the service
   * asked for it, is given up with a NotSentError; no attempt follows after it.
   */
  readonly deadline?: number | undefined;
}

/** One attempt that has ended. It never holds the access token or a body. */
export interface CallEvent {
  readonly operation: OperationId;
  readonly method: string;
  readonly url: string;
  /** From 1. */
  readonly attempt: number;
  /** Milliseconds since the Unix epoch. */
  readonly startedAt: number;
  readonly elapsedMs: number;
  /** The status of the answer; null when there was none. */
  readonly status: number | null;
  /** The message of the failure; null for a success. */
  readonly failure: string | null;
  /** Milliseconds until it is sent again; null when it is not. */
  readonly retryAfterMs: number | null;
  /** Milliseconds for which the service asked to send nothing, whatever it is; null when it did not ask. */
  readonly holdMs: number | null;
}

/** What a caller needs. */
export interface CallerOptions extends TransportOptions {
  readonly baseUrl: string;
  readonly clock: Clock;
  readonly random: () => number;
  readonly maxConcurrency: number;
  readonly requestsPerSecond?: number | undefined;
  readonly onRequest?: (event: CallEvent) => void;
  /**
   * Called right before each attempt of a request that changes something goes out, when all waiting for it is over.
   * Where it throws, nothing is sent, and the call ends with that error.
   */
  readonly beforeChange?: (() => void) | undefined;
}

/** Sends any request of the contract, with the retries that are safe. */
export type Call = <Op extends OperationId>(
  request: WireRequest<Op>,
  options?: CallOptions,
) => Promise<Answer>;

/** How one attempt ended. */
interface Attempt {
  readonly answer?: Answer;
  readonly error?: unknown;
  readonly startedAt: number;
  readonly endedAt: number;
}

/** The same, with what follows. */
interface EndedAttempt extends Attempt {
  /** Milliseconds until the next attempt; null when there is none. */
  readonly retryAfterMs: number | null;
}

/** What sends requests that share one limit: reads, writes and their retries together. */
export interface SharedCaller {
  readonly call: Call;
  /** Waits until a request may be sent, as far as the service asked to wait. @throws NotSentError, as the call would */
  readonly awaitHold: (request: WireRequest, options: CallOptions) => Promise<void>;
}

/** A caller with a limit of its own: what one service asks for holds no other back. */
export function createCaller(options: CallerOptions): SharedCaller {
  const { clock } = options;
  const budget = new Budget(options);
  let isFirstContact = true;

  const call: Call = async (request, { signal, isLeftToEnd = false, deadline } = {}) => {
    // One signal stops many requests: Node would take that for a leak, and say so on the terminal.
    if (signal) setMaxListeners(0, signal);
    const outgoing = prepareRequest(options.baseUrl, request);
    // The deadline counts from the first attempt: waiting for a turn is not the service's fault.
    let firstStartedAt: number | undefined;
    const attemptInTurn = async (count: number): Promise<EndedAttempt> => {
      if (outgoing.method !== 'GET') options.beforeChange?.();
      const attempt = await attemptOnce(outgoing, options, isLeftToEnd ? undefined : signal);
      firstStartedAt ??= attempt.startedAt;
      const { answer, error, endedAt } = attempt;
      if (answer || readRefusal(error)) isFirstContact = false;
      const retryAfterMs = answer
        ? null
        : readDelay({
            error,
            isIdempotent: outgoing.method === 'GET',
            attempt: count,
            elapsedMs: endedAt - firstStartedAt,
            leftMs: deadline === undefined ? undefined : deadline - endedAt,
            random: options.random(),
            isFirstContact,
          });
      // Before the turn goes to the next: it must not go out when the service has just asked to wait.
      noteLoad(budget, attempt, retryAfterMs);
      return { ...attempt, retryAfterMs };
    };
    let before: unknown;
    const giveUp = (why: unknown) => {
      throw explainWait(why, outgoing, { signal, isLeftToEnd, before });
    };
    for (let count = 1; ; count += 1) {
      // The turn is given back while waiting for the next attempt.
      const attempt = await budget
        .run(() => attemptInTurn(count), { signal, deadline })
        .catch(giveUp);
      const { answer, error, retryAfterMs } = attempt;
      options.onRequest?.(describeAttempt(outgoing, attempt, count));
      if (answer) return answer;
      if (error instanceof ApiError) error.attempts = count;
      if (retryAfterMs === null) throw error;
      before = error;
      await clock.sleep(retryAfterMs, signal).catch(giveUp);
    }
  };
  return {
    call,
    async awaitHold(request, { signal, isLeftToEnd = false, deadline }) {
      if (signal) setMaxListeners(0, signal);
      try {
        await budget.awaitHold({ signal, deadline });
      } catch (why) {
        throw explainWait(why, prepareRequest(options.baseUrl, request), { signal, isLeftToEnd });
      }
    },
  };
}

/** What the end of a wait means for the request that was to be sent after it. */
function explainWait(
  why: unknown,
  request: OutgoingRequest,
  { signal, isLeftToEnd, before }: CallOptions & { readonly before?: unknown },
): unknown {
  if (why instanceof HeldBack) {
    return new NotSentError(request, { why: 'deadline', heldForMs: why.forMs }, { cause: before });
  }
  const isInterrupt = isLeftToEnd === true && signal?.aborted === true && why === signal.reason;
  return isInterrupt ? new NotSentError(request, { why: 'interrupted' }, { cause: before }) : why;
}

/** What the service says of its load concerns every request, not only the one that it refused. */
function noteLoad(budget: Budget, { answer, error }: Attempt, retryAfterMs: number | null): void {
  if (answer) budget.noteSuccess();
  else if (isOverload(error)) {
    budget.noteOverload(retryAfterMs ?? readRefusal(error)?.retryAfterMs ?? 1_000);
  }
}

function isOverload(error: unknown): error is ServiceError | OutcomeUnknownError {
  const refusal = readRefusal(error);
  if (!refusal) return false;
  const meaning = classifyRefusal(refusal);
  return meaning === 'rateLimited' || (meaning === 'unavailable' && refusal.retryAfterMs !== null);
}

/** What the service answered in place of a success; undefined when it answered nothing whole. */
function readRefusal(error: unknown): (Refusal & Pick<SentRequest, 'operation'>) | undefined {
  if (error instanceof ServiceError) return error;
  if (!(error instanceof OutcomeUnknownError) || error.answered === null) return undefined;
  return { ...error.answered, operation: error.operation };
}

function prepareRequest(baseUrl: string, request: WireRequest): OutgoingRequest {
  const { operation, body } = request;
  return {
    operation,
    method: routes[operation].method,
    url: buildUrl(baseUrl, request),
    body: body === undefined ? undefined : JSON.stringify(body),
  };
}

async function attemptOnce(
  request: OutgoingRequest,
  options: CallerOptions,
  signal: AbortSignal | undefined,
): Promise<Attempt> {
  const startedAt = options.clock.now();
  try {
    const answer = await sendOnce(request, options, signal);
    return { answer, startedAt, endedAt: options.clock.now() };
  } catch (error) {
    return { error, startedAt, endedAt: options.clock.now() };
  }
}

/** Milliseconds to the next attempt; null for none. */
function readDelay(failed: FailedAttempt): number | null {
  const decision = decideRetry(failed);
  return decision.kind === 'retry' ? decision.afterMs : null;
}

function describeAttempt(
  { operation, method, url }: OutgoingRequest,
  { answer, error, startedAt, endedAt, retryAfterMs }: EndedAttempt,
  attempt: number,
): CallEvent {
  return {
    operation,
    method,
    url,
    attempt,
    startedAt,
    elapsedMs: endedAt - startedAt,
    status: answer?.status ?? readRefusal(error)?.status ?? null,
    failure: answer ? null : error instanceof Error ? error.message : 'stopped',
    retryAfterMs,
    holdMs: isOverload(error) ? (readRefusal(error)?.retryAfterMs ?? null) : null,
  };
}
