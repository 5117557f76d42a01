// Requests from within the process, in plain values. The classes of the web would take more time than the service itself:
// a rehearsal sends thousands of requests.
import {
  sayOversized,
  type Exchange as HttpExchange,
  type HttpAnswer,
  type HttpRequest,
} from '../../model/http.ts';
import type { Exchange, Service } from '../service.ts';
import type { Variant } from '../variants/variant.ts';
import { type Answer, renderBug, renderOutcome } from './answer.ts';
import { parseJsonBody } from './body.ts';
import { findRoute, readQuery, showPath } from './find-route.ts';

/** What answers, and who hears of bugs. */
export interface InProcess {
  readonly service: Service;
  readonly variant: Variant;
  readonly now: () => number;
  readonly onError: (error: unknown) => void;
  /** Hears of every request that was answered here; `startedAt` is by `now`. */
  readonly tell: (request: HttpRequest, status: number, startedAt: number) => void;
}

/** Answers requests of the contract, and leaves all others to `otherwise`. */
export function answerInProcess(
  { service, variant, now, onError, tell }: InProcess,
  otherwise: HttpExchange,
): HttpExchange {
  return async (request) => {
    const { pathname, searchParams } = new URL(request.url);
    const found = findRoute(request.method, pathname);
    if (!found) return otherwise(request);
    request.signal?.throwIfAborted();
    const startedAt = now();
    const path = showPath(pathname);
    const exchange: Exchange = { ...found, path, query: readQuery(searchParams) };
    const { authorization } = request.headers;
    const asked = { authorization, readBody: () => parseJsonBody(request.body ?? '') };
    const answer = await service.answer(exchange, asked).then(
      (outcome) => renderOutcome(variant(exchange, outcome, service)),
      (error: unknown) => {
        onError(error);
        return renderBug(error, path);
      },
    );
    tell(request, answer.status, startedAt);
    return toHttp(answer, now(), request.largestBytes);
  };
}

function toHttp({ status, headers, text }: Answer, now: number, largestBytes: number): HttpAnswer {
  if (text !== null && text.length > largestBytes) throw sayOversized(largestBytes);
  const byName = new Map(
    Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value] as const),
  );
  byName.set('date', new Date(now).toUTCString());
  return {
    status,
    headers: { get: (name) => byName.get(name.toLowerCase()) ?? null },
    text: text ?? '',
  };
}
