import { InternalError } from '../../model/errors.ts';
import { HttpFailure, type HttpExchange, type HttpAnswer } from '../../model/http.ts';
import type { ServiceDialect } from '../binding/dialect.ts';
import type { Clock } from '../../model/runtime.ts';
import type { RequestTimeouts } from '../../model/account/service.ts';
import {
  ConnectionError,
  OutcomeUnknownError,
  type RequestDescription,
  ServiceError,
  UnusableAnswerError,
} from '../errors/errors.ts';
import { classifyFetchFailure } from '../errors/network-failure.ts';
import { type ServiceAnswer, readServiceAnswer } from '../wire/read-answer.ts';
import { copyRedactedError, redactTokenInText } from '../../model/text/redact.ts';

/** Longest wait for the headers of an answer unless the configuration says otherwise. */
const defaultTimeouts: RequestTimeouts = { readMs: 10_000, writeMs: 60_000 };
/** Milliseconds that the body of an answer may take after its headers, before the request fails. */
const bodyTimeoutMs = 30_000;
/** Largest body of an answer that is read, in bytes after decompression, so that memory is bounded. */
const largestAnswer = 64 * 1024 * 1024;

/** Token, network and timeouts of one exchange. */
export interface TransportOptions {
  readonly token: string;
  readonly exchange: HttpExchange;
  readonly clock: Clock;
  /** Told of the time of day at the service, in milliseconds, with each of its answers that has a `Date`. */
  readonly onServiceTime?: (time: number) => void;
  /** Longest wait for the headers of an answer; for reads and changes apart. */
  readonly timeouts?: Partial<RequestTimeouts> | undefined;
  /** The service's spelling of the contract; the contract's own unless given. */
  readonly dialect?: ServiceDialect | undefined;
}

/** A request ready to go out. */
export interface OutgoingRequest extends RequestDescription {
  /** Body of the request as JSON text; undefined for a request without a body. */
  readonly body: string | undefined;
}

/**
 * Sends one request once and reads its whole answer.
 * @throws ServiceError, ConnectionError, OutcomeUnknownError, ForeignAnswerError or UnusableAnswerError; the signal's
 * reason when it was aborted and nothing can have changed.
 */
export async function exchangeRequestOnce(
  request: OutgoingRequest,
  options: TransportOptions,
  signal?: AbortSignal,
): Promise<ServiceAnswer> {
  signal?.throwIfAborted();
  const { token, clock, onServiceTime, dialect } = options;
  const received = await exchangeOnce(request, options, signal);
  // Only the service's own words tell its time: a proxy that answers in its place has a clock of its own.
  const time = Date.parse(received.headers.get('date') ?? '');
  const servedAt = Number.isNaN(time) ? undefined : time;
  const noteTime = () => {
    if (servedAt !== undefined) onServiceTime?.(servedAt);
  };
  try {
    const answer = readServiceAnswer(request, received, {
      token,
      servedAt,
      now: clock.now(),
      dialect,
    });
    noteTime();
    return answer;
  } catch (error) {
    if (error instanceof ServiceError) noteTime();
    throw error;
  }
}

/** The whole answer as it came; given up when it takes too long, or when nobody wants it any more. */
async function exchangeOnce(
  request: OutgoingRequest,
  { token, exchange, timeouts }: TransportOptions,
  signal: AbortSignal | undefined,
): Promise<HttpAnswer> {
  const { readMs, writeMs } = { ...defaultTimeouts, ...timeouts };
  const isRead = request.method === 'GET';
  try {
    return await exchange({
      url: request.url,
      method: request.method,
      headers: {
        accept: 'application/json',
        authorization: `Bearer ${token}`,
        ...(request.body !== undefined && { 'content-type': 'application/json' }),
      },
      body: request.body,
      headersMs: isRead ? readMs : writeMs,
      bodyMs: bodyTimeoutMs,
      largestBytes: largestAnswer,
      signal,
    });
  } catch (error) {
    if (isRead) signal?.throwIfAborted();
    throw explainFailure(request, error, token, signal?.aborted === true);
  }
}

function explainFailure(
  request: OutgoingRequest,
  error: unknown,
  token: string,
  isStopped: boolean,
): Error {
  const cause = copyRedactedError(error, token);
  if (isStopped)
    return new OutcomeUnknownError(request, { lost: 'aborted', seen: 'stopped' }, { cause });
  const explained = error instanceof HttpFailure && explainFault(request, error, token, cause);
  if (explained) return explained;
  const isRead = request.method === 'GET';
  const failure = classifyFetchFailure(error);
  const reason = redactTokenInText(failure.reason, token);
  if (failure.phase === 'answer' && isRead) {
    return new UnusableAnswerError(request, { code: 'answer-unreadable', seen: reason }, { cause });
  }
  const isHalf = error instanceof HttpFailure && error.fault.kind === 'half';
  if (isHalf || failure.phase === 'answer') {
    return new OutcomeUnknownError(request, { lost: 'half-answer', seen: reason }, { cause });
  }
  // A read that nobody answers in our protocol can be given up at once; a change may have got through before.
  if (failure.phase === 'before' || (failure.isLasting && isRead)) {
    return new ConnectionError(request, { reason, isLasting: failure.isLasting }, { cause });
  }
  const lost = /TIMEOUT|TIMEDOUT/.test(reason) ? 'timeout' : 'reset';
  return new OutcomeUnknownError(request, { lost, seen: reason }, { cause });
}

/** Error for a fault that the exchange itself names; undefined where the causes behind it tell more. */
function explainFault(
  request: OutgoingRequest,
  error: HttpFailure,
  token: string,
  cause: Error | undefined,
): Error | undefined {
  const { fault, message } = error;
  switch (fault.kind) {
    case 'overdue':
      return new OutcomeUnknownError(request, { lost: 'timeout', seen: message }, { cause });
    case 'oversized':
      return request.method === 'GET'
        ? new UnusableAnswerError(request, { code: 'answer-too-large', seen: message }, { cause })
        : new OutcomeUnknownError(request, { lost: 'half-answer', seen: message }, { cause });
    case 'malformed':
      // Without the cause: a header that is refused may be quoted in full.
      return new InternalError(
        `${request.operation} cannot be sent: ${redactTokenInText(message, token)}`,
      );
    case 'proxy': {
      const { status, proxy: origin } = fault;
      const reason = redactTokenInText(classifyFetchFailure(error).reason, token);
      const isLasting = status !== undefined && status < 500;
      const failure = { reason, isLasting, proxy: { origin, status } };
      return new ConnectionError(request, failure, { cause });
    }
    case 'half':
      return undefined;
  }
}
