import { InternalError } from '../model/errors.ts';
import type { Clock } from '../model/runtime.ts';
import { ConnectionError, OutcomeUnknownError, type SentRequest, ServiceError } from './errors.ts';
import { readNetworkFailure } from './network-failure.ts';
import { type Answer, type Received, readAnswer } from './read-answer.ts';
import { copyCause, redactText } from './redact.ts';

/** How long one request may take, from its start to the last byte of its answer. */
const requestTimeoutMs = 30_000;

/** What one exchange needs. */
export interface TransportOptions {
  readonly token: string;
  readonly fetch: (request: Request) => Promise<Response>;
  readonly clock: Clock;
  /** Told of the time of day at the service, in milliseconds, with each of its answers that has a `Date`. */
  readonly onServiceTime?: (time: number) => void;
}

/** A request ready to go out. */
export interface OutgoingRequest extends SentRequest {
  /** JSON; undefined for none. */
  readonly body: string | undefined;
}

/** Given as a reason, since one that is made for each of many thousands of exchanges takes more time than the rest. */
const ended = new Error('the exchange has ended');

/** Why we broke off an exchange ourselves. */
type BrokenOff = 'timeout' | 'aborted';

/**
 * Sends one request once and reads its whole answer.
 * @throws ServiceError, ConnectionError, OutcomeUnknownError or NotTheServiceError; the signal's reason when it was
 * aborted and nothing can have changed.
 */
export async function sendOnce(
  request: OutgoingRequest,
  { token, fetch, clock, onServiceTime }: TransportOptions,
  signal?: AbortSignal,
): Promise<Answer> {
  signal?.throwIfAborted();
  const exchange = new AbortController();
  const outgoing = buildRequest(request, token, exchange.signal);
  let brokenOff: BrokenOff | undefined;
  const breakOff = (why: BrokenOff) => {
    brokenOff ??= why;
    exchange.abort();
  };
  const onAbort = () => breakOff('aborted');
  signal?.addEventListener('abort', onAbort, { once: true });
  const alarm = new AbortController();
  clock.sleep(requestTimeoutMs, alarm.signal).then(
    () => breakOff('timeout'),
    () => undefined, // the exchange ended first
  );

  let received: Received;
  try {
    received = await Promise.race([
      receive(fetch, outgoing),
      // An injected fetch or a body that hangs may not heed the signal: the race does.
      rejectOnAbort(exchange.signal),
    ]);
  } catch (error) {
    if (brokenOff === 'aborted' && request.method === 'GET') signal?.throwIfAborted();
    throw explainFailure(request, error, brokenOff, token);
  } finally {
    alarm.abort(ended);
    signal?.removeEventListener('abort', onAbort);
  }
  // Only the service's own words tell its time: a proxy that answers in its place has a clock of its own.
  const time = Date.parse(received.headers.get('date') ?? '');
  const noteTime = () => {
    if (!Number.isNaN(time)) onServiceTime?.(time);
  };
  try {
    // A date to wait for is one of the same clock.
    const nowMs = Number.isNaN(time) ? clock.now() : time;
    const answer = readAnswer(request, received, { token, nowMs });
    noteTime();
    return answer;
  } catch (error) {
    if (error instanceof ServiceError) noteTime();
    throw error;
  }
}

function buildRequest(request: OutgoingRequest, token: string, signal: AbortSignal): Request {
  try {
    return new Request(request.url, {
      method: request.method,
      headers: {
        accept: 'application/json',
        authorization: `Bearer ${token}`,
        ...(request.body !== undefined && { 'content-type': 'application/json' }),
      },
      ...(request.body !== undefined && { body: request.body }),
      // Followed, a redirected POST would go out again as a GET, and its page would pass for success.
      redirect: 'manual',
      signal,
    });
  } catch (error) {
    // Without the cause: a header that is refused is quoted in full, and it is the token's.
    const message = redactText(error instanceof Error ? error.message : 'not a request', token);
    throw new InternalError(`${request.operation} cannot be sent: ${message}`);
  }
}

/** The answer began and broke off: by then the request was certainly sent. */
class HalfAnswer extends Error {}

async function receive(fetch: TransportOptions['fetch'], request: Request): Promise<Received> {
  const response = await fetch(request);
  const { status, headers } = response;
  try {
    return { status, headers, text: await response.text() };
  } catch (cause) {
    throw new HalfAnswer(`the answer ${status} broke off`, { cause });
  }
}

function rejectOnAbort(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    const onAbort = () => reject(new Error('broken off'));
    // It may have been stopped while `fetch` was being called.
    if (signal.aborted) onAbort();
    else signal.addEventListener('abort', onAbort, { once: true });
  });
}

function explainFailure(
  request: OutgoingRequest,
  error: unknown,
  brokenOff: BrokenOff | undefined,
  token: string,
): ConnectionError | OutcomeUnknownError {
  const cause = copyCause(error, token);
  if (brokenOff !== undefined) {
    const seen =
      brokenOff === 'timeout' ? `no whole answer within ${requestTimeoutMs / 1000} s` : 'stopped';
    return new OutcomeUnknownError(request, { lost: brokenOff, seen }, { cause });
  }
  const failure = readNetworkFailure(error);
  const reason = redactText(failure.reason, token);
  if (error instanceof HalfAnswer) {
    return new OutcomeUnknownError(request, { lost: 'half-answer', seen: reason }, { cause });
  }
  // A read that nobody answers in our protocol can be given up at once; a change may have got through before.
  if (failure.phase === 'before' || (failure.isLasting && request.method === 'GET')) {
    return new ConnectionError(request, { reason, isLasting: failure.isLasting }, { cause });
  }
  const lost = /TIMEOUT|TIMEDOUT/.test(reason) ? 'timeout' : 'reset';
  return new OutcomeUnknownError(request, { lost, seen: reason }, { cause });
}
