import { exchangeByFetch } from '../../../src/api/transport/exchange-by-fetch.ts';
import {
  type ServiceClientOptions,
  createServiceClient,
  type ServiceClient,
} from '../../../src/api/client.ts';
import type { RequestDescription } from '../../../src/api/errors/errors.ts';
import { ServiceError } from '../../../src/api/errors/errors.ts';
import { kindRegistry } from '../../../src/kinds/registry.ts';
import type { Clock } from '../../../src/model/runtime.ts';

export const baseUrl = 'https://api.example.test/v1';
export const token = 'tok_3f9c2a7d51e84b60';

/** Whether a file is being read or written, or reaches the disk. */
const isDiskBusy = (): boolean =>
  process.getActiveResourcesInfo().some((name) => /^(?:FSReq|CloseReq)/.test(name));

/** A clock that jumps to the next timer as soon as nothing else is to be done. */
export class JumpingClock implements Clock {
  time = Date.parse('2026-11-21T10:00:00Z');
  /** Every sleep that came to its end, in milliseconds. */
  readonly slept: number[] = [];
  readonly #timers = new Set<{ at: number; wake: () => void }>();
  #isPumping = false;
  /** Turns of the event loop since somebody began to sleep, or to write to the disk. */
  #quietTurns = 0;

  now(): number {
    return Math.floor(this.time);
  }

  sleep(ms: number, signal?: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      if (signal?.aborted) {
        reject(signal.reason as Error);
        return;
      }
      const onAbort = () => {
        this.#timers.delete(timer);
        reject(signal?.reason as Error);
      };
      const wake = () => {
        signal?.removeEventListener('abort', onAbort);
        this.slept.push(ms);
        resolve();
      };
      const timer = { at: this.time + ms, wake };
      this.#timers.add(timer);
      // Who sets a time limit does something under it: it gets as many turns as anybody.
      this.#quietTurns = 0;
      signal?.addEventListener('abort', onAbort, { once: true });
      void this.#pump();
    });
  }

  async #pump(): Promise<void> {
    if (this.#isPumping) return;
    this.#isPumping = true;
    while (this.#timers.size > 0) {
      for (this.#quietTurns = 0; this.#quietTurns < 5; this.#quietTurns += 1) {
        await new Promise((done) => setImmediate(done));
        // Whoever waits for the disk, a slow one too, has something to do.
        if (isDiskBusy()) this.#quietTurns = 0;
      }
      const next = [...this.#timers].sort((a, b) => a.at - b.at)[0];
      if (!next) break;
      this.#timers.delete(next);
      this.time = Math.max(this.time, next.at);
      next.wake();
    }
    this.#isPumping = false;
  }
}

/** What a fake service saw. */
export interface Seen {
  readonly method: string;
  /** Behind the base address, with the query. */
  readonly path: string;
  readonly authorization: string | null;
  readonly body: unknown;
}

/** An answer: a response, or a failure to be thrown. */
export type Reply = Response | Error;

export const json = (body: unknown, status = 200, headers: Record<string, string> = {}): Response =>
  new Response(JSON.stringify(body), {
    status,
    headers: { 'content-type': 'application/json', ...headers },
  });

export const problem = (status: number, fields: Record<string, unknown> = {}): Response =>
  new Response(
    JSON.stringify({ type: 'about:blank', title: `Error ${status}`, status, ...fields }),
    { status, headers: { 'content-type': 'application/problem+json' } },
  );

export const html = (status: number, words = 'Bad gateway'): Response =>
  new Response(`<!doctype html><html><body><h1>${words}</h1></body></html>`, {
    status,
    headers: { 'content-type': 'text/html; charset=utf-8' },
  });

/** An error as undici throws it: `fetch failed`, with the cause that has the code. */
export function fetchFailed(code: string, fields: Record<string, unknown> = {}): TypeError {
  const cause = Object.assign(new Error(`it broke: ${code}`), { code, ...fields });
  return new TypeError('fetch failed', { cause });
}

/** A client of a service that is one function. */
export function connect(
  reply: (seen: Seen, count: number) => Reply | Promise<Reply>,
  options: Partial<ServiceClientOptions> = {},
): { client: ServiceClient; clock: JumpingClock; seen: Seen[] } {
  const clock = new JumpingClock();
  const seen: Seen[] = [];
  const client = createServiceClient({
    kinds: kindRegistry,
    baseUrl,
    token,
    clock,
    random: () => 0.5,
    maxConcurrency: 8,
    exchange: exchangeByFetch(async (request) => {
      const text = await request.text();
      const entry: Seen = {
        method: request.method,
        path: request.url.slice(baseUrl.length),
        authorization: request.headers.get('authorization'),
        body: text === '' ? undefined : JSON.parse(text),
      };
      seen.push(entry);
      const answer = await reply(entry, seen.length);
      if (answer instanceof Error) throw answer;
      return answer;
    }, clock),
    ...options,
  });
  return { client, clock, seen };
}

export const someRead: RequestDescription = {
  operation: 'getVm',
  method: 'GET',
  url: `${baseUrl}/projects/p1/vms/v1`,
};
export const someWrite: RequestDescription = {
  operation: 'stopVm',
  method: 'POST',
  url: `${baseUrl}/projects/p1/vms/v1/stop`,
};

/** A refusal of the service. */
export function refusal(
  status: number,
  fields: Partial<ServiceError['problem']> & {
    retryAfterMs?: number;
    request?: RequestDescription;
  } = {},
): ServiceError {
  const { retryAfterMs = null, request = someRead, ...problem } = fields;
  return new ServiceError(request, {
    status,
    retryAfterMs,
    requestId: null,
    problem: { title: null, detail: null, errors: {}, code: null, ...problem },
  });
}

/** The error that a promise fails with. */
export async function failureOf(work: Promise<unknown>): Promise<Error> {
  try {
    await work;
  } catch (error) {
    if (error instanceof Error) return error;
  }
  throw new Error('it did not fail');
}
