import { InternalError } from '../../model/errors.ts';
import type { Clock } from '../../model/runtime.ts';
import type { RequestTimeouts } from '../../model/account/service.ts';
import {
  ConnectionError,
  OutcomeUnknownError,
  type SentRequest,
  ServiceError,
  UnusableAnswerError,
} from '../errors/errors.ts';
import { readNetworkFailure } from './network-failure.ts';
import { type Answer, type Received, readAnswer } from '../wire/read-answer.ts';
import { OversizedBody, readBody } from './read-body.ts';
import { copyCause, redactText } from './redact.ts';
import { rejectOnAbort } from './reject-on-abort.ts';

/** How long the headers of an answer are waited for unless the configuration says otherwise. */
const defaultTimeouts: RequestTimeouts = { readMs: 10_000, writeMs: 60_000 };
/** How long an answer may take from its headers to its last byte. */
const bodyTimeoutMs = 30_000;

/** What one exchange needs. */
export interface TransportOptions {
  readonly token: string;
  readonly fetch: (request: Request) => Promise<Response>;
  readonly clock: Clock;
  /** Told of the time of day at the service, in milliseconds, with each of its answers that has a `Date`. */
  readonly onServiceTime?: (time: number) => void;
  /** How long the headers of an answer are waited for. */
  readonly timeouts?: Partial<RequestTimeouts> | undefined;
}

/** A request ready to go out. */
export interface OutgoingRequest extends SentRequest {
  /** JSON; undefined for none. */
  readonly body: string | undefined;
}

/** Given as a reason, since one that is made for each of many thousands of exchanges takes more time than the rest. */
const ended = new Error('the exchange has ended');

/** Why we broke off an exchange ourselves. */
interface BrokenOff {
  readonly lost: 'timeout' | 'aborted';
  readonly seen: string;
}

/**
 * Sends one request once and reads its whole answer.
 * @throws ServiceError, ConnectionError, OutcomeUnknownError, NotTheServiceError or UnusableAnswerError; the signal's
 * reason when it was aborted and nothing can have changed.
 */
export async function sendOnce(
  request: OutgoingRequest,
  options: TransportOptions,
  signal?: AbortSignal,
): Promise<Answer> {
  signal?.throwIfAborted();
  const { token, clock, onServiceTime } = options;
  const received = await exchange(request, options, signal);
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

/** The whole answer as it came; given up when it takes too long, or when nobody wants it any more. */
async function exchange(
  request: OutgoingRequest,
  { token, fetch, clock, timeouts }: TransportOptions,
  signal: AbortSignal | undefined,
): Promise<Received> {
  const controller = new AbortController();
  const outgoing = buildRequest(request, token, controller.signal);
  let brokenOff: BrokenOff | undefined;
  const breakOff = (why: BrokenOff) => {
    brokenOff ??= why;
    controller.abort();
  };
  const onAbort = () => breakOff({ lost: 'aborted', seen: 'stopped' });
  signal?.addEventListener('abort', onAbort, { once: true });
  const alarm = new AbortController();
  const { readMs, writeMs } = { ...defaultTimeouts, ...timeouts };
  let allowed = {
    awaited: 'answer',
    ms: request.method === 'GET' ? readMs : writeMs,
    since: clock.now(),
  };
  const watch = async () => {
    // One timer for both waits: two for each of many thousands of exchanges take more time than the rest.
    for (;;) {
      const leftMs = allowed.since + allowed.ms - clock.now();
      if (leftMs <= 0) break;
      await clock.sleep(Math.min(leftMs, bodyTimeoutMs), alarm.signal);
    }
    const { awaited, ms } = allowed;
    breakOff({ lost: 'timeout', seen: `no ${awaited} within ${ms / 1_000} s` });
  };
  watch().catch(() => undefined); // the answer came first
  try {
    return await Promise.race([
      receive(fetch, outgoing, () => {
        allowed = { awaited: 'whole answer', ms: bodyTimeoutMs, since: clock.now() };
      }),
      // An injected fetch or a body that hangs may not heed the signal: the race does.
      rejectOnAbort(controller.signal),
    ]);
  } catch (error) {
    if (brokenOff?.lost === 'aborted' && request.method === 'GET') signal?.throwIfAborted();
    throw explainFailure(request, error, brokenOff, token);
  } finally {
    alarm.abort(ended);
    signal?.removeEventListener('abort', onAbort);
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

async function receive(
  fetch: TransportOptions['fetch'],
  request: Request,
  onHeaders: () => void,
): Promise<Received> {
  const response = await fetch(request);
  onHeaders();
  const { status, headers } = response;
  try {
    return { status, headers, text: await readBody(response) };
  } catch (cause) {
    if (cause instanceof OversizedBody) throw cause;
    throw new HalfAnswer(`the answer ${status} broke off`, { cause });
  }
}

function explainFailure(
  request: OutgoingRequest,
  error: unknown,
  brokenOff: BrokenOff | undefined,
  token: string,
): ConnectionError | OutcomeUnknownError | UnusableAnswerError {
  const cause = copyCause(error, token);
  if (brokenOff) return new OutcomeUnknownError(request, brokenOff, { cause });
  const isRead = request.method === 'GET';
  if (error instanceof OversizedBody) {
    const seen = error.message;
    return isRead
      ? new UnusableAnswerError(request, { code: 'answer-too-large', seen }, { cause })
      : new OutcomeUnknownError(request, { lost: 'half-answer', seen }, { cause });
  }
  const failure = readNetworkFailure(error);
  const reason = redactText(failure.reason, token);
  if (failure.phase === 'answer' && isRead) {
    return new UnusableAnswerError(request, { code: 'answer-unreadable', seen: reason }, { cause });
  }
  if (error instanceof HalfAnswer || failure.phase === 'answer') {
    return new OutcomeUnknownError(request, { lost: 'half-answer', seen: reason }, { cause });
  }
  // A read that nobody answers in our protocol can be given up at once; a change may have got through before.
  if (failure.phase === 'before' || (failure.isLasting && isRead)) {
    return new ConnectionError(request, { reason, isLasting: failure.isLasting }, { cause });
  }
  const lost = /TIMEOUT|TIMEDOUT/.test(reason) ? 'timeout' : 'reset';
  return new OutcomeUnknownError(request, { lost, seen: reason }, { cause });
}
