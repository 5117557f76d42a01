// Requests from within the process, in plain values. The classes of the web would take more time than the service itself:
// a rehearsal sends thousands of requests.
import { routes, type OperationId } from '../../api/contract/routes.ts';
import { sayOversized, type Exchange as HttpExchange, type HttpAnswer } from '../../model/http.ts';
import type { Exchange, Service } from '../service.ts';
import type { Variant } from '../variants/variant.ts';
import { type Answer, renderBug, renderOutcome } from './answer.ts';
import { parseJsonBody } from './body.ts';

/** What answers, and who hears of bugs. */
export interface InProcess {
  readonly service: Service;
  readonly variant: Variant;
  readonly now: () => number;
  readonly onError: (error: unknown) => void;
}

/** Answers requests of the contract, and leaves all others to `otherwise`. */
export function answerInProcess(
  { service, variant, now, onError }: InProcess,
  otherwise: HttpExchange,
): HttpExchange {
  return async (request) => {
    const { pathname, searchParams } = new URL(request.url);
    const found = findRoute(request.method, pathname);
    if (!found) return otherwise(request);
    request.signal?.throwIfAborted();
    const path = decodeURI(pathname);
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

const prefix = '/v1';

interface Route {
  readonly operationId: OperationId;
  readonly segments: readonly string[];
}

/** By method and number of segments. Those with the fewest parameters come first. */
const byShape = new Map<string, readonly Route[]>();
for (const [operationId, { method, path }] of Object.entries(routes) as [
  OperationId,
  (typeof routes)[OperationId],
][]) {
  const segments = path.split('/').slice(1);
  const shape = `${method} ${segments.length}`;
  const all = [...(byShape.get(shape) ?? []), { operationId, segments }];
  byShape.set(
    shape,
    all.toSorted((one, other) => countParams(one) - countParams(other)),
  );
}

function countParams({ segments }: Route): number {
  return segments.filter(isParam).length;
}

function isParam(segment: string): boolean {
  return segment.startsWith('{');
}

function findRoute(
  method: string,
  pathname: string,
): Pick<Exchange, 'operationId' | 'params'> | undefined {
  if (!pathname.startsWith(`${prefix}/`)) return undefined;
  const given = pathname.slice(prefix.length + 1).split('/');
  const route = byShape
    .get(`${method} ${given.length}`)
    ?.find(({ segments }) =>
      segments.every((segment, index) =>
        isParam(segment) ? given[index] !== '' : segment === given[index],
      ),
    );
  if (!route) return undefined;
  const params = route.segments.flatMap((segment, index) =>
    isParam(segment) ? [[segment.slice(1, -1), decodeURIComponent(given[index] ?? '')]] : [],
  );
  return {
    operationId: route.operationId,
    params: Object.fromEntries(params) as Record<string, string>,
  };
}

/** The first value of each name. */
function readQuery(search: URLSearchParams): Readonly<Record<string, string>> {
  return Object.fromEntries([...search].toReversed());
}
