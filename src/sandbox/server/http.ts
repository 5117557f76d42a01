import type { FaultOutcome } from '../faults/fault-outcome.ts';
import type { Exchange, Service } from '../service.ts';
import type { Variant } from '../variants/variant.ts';
import { type Answer, renderBug, renderOutcome, renderRefusal } from './answer.ts';
import { readJsonBody } from './body.ts';
import { findRoute, listMethods, readQuery, showPath } from './find-route.ts';
import { nothingAt, Refusal } from './problems.ts';

/** Turns an answer into bytes. */
function respond({ status, headers, text }: Answer): Response {
  return new Response(text, { status, headers });
}

/** A refusal of a request that came by this path. */
export const refuse = (refusal: Refusal, path: string): Response =>
  respond(renderRefusal(refusal, path));

/** A path that the contract has, by another method; or one that it has not. */
function respondUnrouted(pathname: string): Response {
  const allowed = listMethods(pathname);
  const path = showPath(pathname);
  if (allowed.length === 0) return refuse(nothingAt(path), path);
  const response = refuse(
    new Refusal(405, 'method', `This path takes ${allowed.join(', ')}.`),
    path,
  );
  response.headers.set('Allow', allowed.join(', '));
  return response;
}

/** Leads requests to the service. `onError` hears of every bug; the client only of a 500. */
export function buildApp(
  service: Service,
  variant: Variant,
  onError: (error: unknown) => void,
): (request: Request, outcome: FaultOutcome) => Promise<Response> {
  const answer = async (request: Request, method: string, outcome: FaultOutcome) => {
    const { pathname, searchParams } = new URL(request.url);
    const found = findRoute(method, pathname);
    if (!found) return respondUnrouted(pathname);
    const path = showPath(pathname);
    const exchange: Exchange = { ...found, path, query: readQuery(searchParams), outcome };
    try {
      const answered = await service.answer(exchange, {
        authorization: request.headers.get('authorization') ?? undefined,
        readBody: () => readJsonBody(request),
      });
      return respond(renderOutcome(variant(exchange, answered, service)));
    } catch (error) {
      onError(error);
      return respond(renderBug(error, path));
    }
  };
  return async (request, outcome) => {
    if (request.method !== 'HEAD') return answer(request, request.method, outcome);
    const { status, headers } = await answer(request, 'GET', outcome);
    return new Response(null, { status, headers });
  };
}
