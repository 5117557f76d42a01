import {
  HttpFailure,
  createOverdueAnswerFailure,
  type HttpExchange,
  type HttpAnswer,
  type HttpRequest,
  createOversizedAnswerFailure,
} from '../../model/http.ts';
import type { Clock } from '../../model/runtime.ts';
import { rejectOnAbort } from '../wire/reject-on-abort.ts';

/**
 * Function with the form of `fetch` by which a service in this process answers, as the sandbox. The signal is passed beside the
 * request, since a request that carries one of its own is slow to make; the function may ignore the signal.
 */
export type FetchHandler = (request: Request, signal: AbortSignal) => Promise<Response>;

/** Reason of all aborts: to make an error for each of many thousands of exchanges takes more time than the rest. */
const ended = new Error('the exchange has ended');

/** Exchanges with what answers as `fetch` does: the sandbox of this process, on any clock. */
export function exchangeByFetch(fetch: FetchHandler, clock: Clock): HttpExchange {
  return async (request) => {
    const { headersMs, bodyMs, signal } = request;
    const controller = new AbortController();
    const outgoing = buildRequest(request);
    let overdue: HttpFailure | undefined;
    const onAbort = () => controller.abort();
    signal?.addEventListener('abort', onAbort, { once: true });
    let allowed = {
      awaited: 'answer' as 'answer' | 'whole answer',
      ms: headersMs,
      since: clock.now(),
    };
    const watch = async () => {
      // One timer for both waits: two for each of many thousands of exchanges take more time than the rest.
      for (;;) {
        const leftMs = allowed.since + allowed.ms - clock.now();
        if (leftMs <= 0) break;
        await clock.sleep(Math.min(leftMs, bodyMs), controller.signal);
      }
      overdue = createOverdueAnswerFailure(allowed.awaited, allowed.ms);
      controller.abort();
    };
    watch().catch(() => undefined); // the answer came first
    try {
      return await Promise.race([
        receive(
          () => fetch(outgoing, controller.signal),
          request.largestBytes,
          () => {
            allowed = { awaited: 'whole answer', ms: bodyMs, since: clock.now() };
          },
        ),
        // An injected fetch or a body that hangs may not heed the signal: the race does.
        rejectOnAbort(controller.signal),
      ]);
    } catch (error) {
      signal?.throwIfAborted();
      throw overdue ?? error;
    } finally {
      // Aborts the fetch, so that neither its timeout nor an unread body keeps the process waiting.
      controller.abort(ended);
      signal?.removeEventListener('abort', onAbort);
    }
  };
}

function buildRequest({ url, method, headers, body }: HttpRequest): Request {
  try {
    return new Request(url, {
      method,
      headers,
      ...(body !== undefined && { body }),
      // Followed, a redirected POST would go out again as a GET, and its page would pass for success.
      redirect: 'manual',
    });
  } catch (error) {
    // Without the cause: a header that is refused is quoted in full, and it is the token's.
    const message = error instanceof Error ? error.message : 'not a request';
    throw new HttpFailure({ kind: 'malformed' }, message);
  }
}

async function receive(
  fetch: () => Promise<Response>,
  largestBytes: number,
  onHeaders: () => void,
): Promise<HttpAnswer> {
  const response = await fetch();
  onHeaders();
  const { status, headers } = response;
  try {
    return { status, headers, text: await readBody(response, largestBytes) };
  } catch (cause) {
    if (cause instanceof HttpFailure) throw cause;
    throw new HttpFailure({ kind: 'half', status }, `the answer ${status} broke off`, cause);
  }
}

/**
 * The text of an answer, read as UTF-8. A packed body is unpacked on the way, and a small one may stand for a huge text:
 * its bytes are counted as they come, and the read ends at `atMost`.
 * @throws HttpFailure, and whatever the network stack throws
 */
async function readBody(response: Response, atMost: number): Promise<string> {
  const { body, headers } = response;
  if (!body) return '';
  const announced = Number(headers.get('content-length') ?? 0);
  const reader = body.getReader() as ReadableStreamDefaultReader<Uint8Array>;
  const refuse = () => {
    // The rest of the body is dropped without waiting for it, so that the error comes at once.
    reader.cancel().catch(() => undefined);
    return createOversizedAnswerFailure(atMost);
  };
  if (announced > atMost) throw refuse();
  const decoder = new TextDecoder();
  let text = '';
  let size = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return text + decoder.decode();
    size += value.byteLength;
    if (size > atMost) throw refuse();
    text += decoder.decode(value, { stream: true });
  }
}
