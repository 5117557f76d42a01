import type { FaultOutcome } from '../faults/fault-outcome.ts';
import type { Exchange, Service } from '../service.ts';
import type { Variant } from '../variants/variant.ts';
import {
  type Answer,
  type AskedRequest,
  renderBug,
  renderOutcome,
  renderRefusal,
} from '../contract/answer.ts';
import { findRoute, listMethods, readQuery, showPath } from '../contract/find-route.ts';
import { nothingAt, Refusal } from '../contract/problems.ts';

/** Leads requests to the service. `onError` hears of every bug; the client only of a 500. */
export function answerRequests(
  service: Service,
  variant: Variant,
  onError: (error: unknown) => void,
): (request: AskedRequest, outcome: FaultOutcome) => Promise<Answer> {
  const answer = async (request: AskedRequest, method: string, outcome: FaultOutcome) => {
    const { pathname, searchParams } = request.url;
    const found = findRoute(method, pathname);
    if (!found) return refuseUnrouted(pathname);
    const path = showPath(pathname);
    const exchange: Exchange = { ...found, path, query: readQuery(searchParams), outcome };
    try {
      return renderOutcome(variant(exchange, await service.answer(exchange, request), service));
    } catch (error) {
      onError(error);
      return renderBug(error, path);
    }
  };
  return async (request, outcome) => {
    if (request.method !== 'HEAD') return answer(request, request.method, outcome);
    return { ...(await answer(request, 'GET', outcome)), text: null };
  };
}

/** A path that the contract has, by another method; or one that it has not. */
function refuseUnrouted(pathname: string): Answer {
  const allowed = listMethods(pathname);
  const path = showPath(pathname);
  if (allowed.length === 0) return renderRefusal(nothingAt(path), path);
  const refusal = new Refusal(405, 'method', `This path takes ${allowed.join(', ')}.`);
  const answer = renderRefusal(refusal, path);
  return { ...answer, headers: { ...answer.headers, Allow: allowed.join(', ') } };
}
