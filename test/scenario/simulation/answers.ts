// Answers that no service gave, and what is left of those that it did.
import type { Dice } from './dice.ts';
import { bounds, drawMs } from './spread.ts';

/** A connection that broke, as Node's fetch throws it. */
export const brokenConnection = (code: string): Error =>
  new TypeError('fetch failed', { cause: Object.assign(new Error(code), { code }) });

/** No answer, ever. */
export const hang = (): Promise<never> => new Promise(() => undefined);

/** A page of something in between, instead of the service's answer. */
export const pageOf = (status: number, headers: Record<string, string> = {}): Response =>
  new Response(`<html><body><h1>${status}</h1></body></html>`, {
    status,
    headers: { 'content-type': 'text/html', ...headers },
  });

/** An answer with this status: without a word, as a problem, or as a page. */
export function refusalOf(status: number, dice: Dice, wantsRetryAfter = false): Response {
  const headers = wantsRetryAfter ? { 'retry-after': drawRetryAfter(dice) } : {};
  switch (dice.below(3)) {
    case 0:
      return new Response('', { status, headers });
    case 1:
      return pageOf(status, headers);
    default: {
      const problem = { title: 'The service is in trouble', status };
      const contentType = { 'content-type': 'application/problem+json' };
      return Response.json(problem, { status, headers: { ...contentType, ...headers } });
    }
  }
}

/** In seconds: mostly moments, sometimes a day. */
const drawRetryAfter = (dice: Dice): string =>
  String(Math.ceil(drawMs(dice, bounds.retryAfterMs, 1_000) / 1_000));

/** What a create is told that finds no room. */
export function noRoom(): Response {
  const headers = { 'content-type': 'application/problem+json' };
  const problem = { title: 'No room', status: 409, code: 'insufficientCapacity' };
  return Response.json(problem, { status: 409, headers });
}

/** The first half of an answer; `isBroken`: the connection breaks there, otherwise it ends without a word. */
export async function halve(response: Response, isBroken: boolean): Promise<Response> {
  const { status, headers } = response;
  if (status === 204) return new Response(null, { status, headers });
  const text = await response.text();
  const half = text.slice(0, Math.floor(text.length / 2));
  if (!isBroken) return new Response(half, { status, headers });
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      controller.enqueue(new TextEncoder().encode(half));
      controller.error(brokenConnection('ECONNRESET'));
    },
  });
  return new Response(body, { status, headers });
}
