import type { FaultOutcome } from '../faults/fault-outcome.ts';
import type { ContractRequest, SandboxService } from '../service.ts';
import type { Variant } from '../variants/variant.ts';
import {
  type SandboxAnswer,
  type AskedRequest,
  answerBug,
  answerOutcome,
  answerRefusal,
} from '../contract/answer.ts';
import { findRoute, listMethods, readQuery, showPath } from '../contract/find-route.ts';
import { nothingAtPathRefusal, RequestRefusal } from '../contract/problems.ts';

/** Leads requests to the service. `onError` hears of every bug; the client only of a 500. */
export function answerRequests(
  service: SandboxService,
  variant: Variant,
  onError: (error: unknown) => void,
): (request: AskedRequest, outcome: FaultOutcome) => Promise<SandboxAnswer> {
  const answer = async (request: AskedRequest, method: string, outcome: FaultOutcome) => {
    const { pathname, searchParams } = request.url;
    const found = findRoute(method, pathname);
    if (!found) return refuseUnrouted(pathname);
    const path = showPath(pathname);
    const exchange: ContractRequest = { ...found, path, query: readQuery(searchParams), outcome };
    try {
      return answerOutcome(variant(exchange, await service.answer(exchange, request), service));
    } catch (error) {
      onError(error);
      return answerBug(error, path);
    }
  };
  return async (request, outcome) => {
    if (request.method !== 'HEAD') return answer(request, request.method, outcome);
    return { ...(await answer(request, 'GET', outcome)), text: null };
  };
}

/** A path that the contract has, by another method; or one that it has not. */
function refuseUnrouted(pathname: string): SandboxAnswer {
  const allowed = listMethods(pathname);
  const path = showPath(pathname);
  if (allowed.length === 0) return answerRefusal(nothingAtPathRefusal(path), path);
  const refusal = new RequestRefusal(405, 'method', `This path takes ${allowed.join(', ')}.`);
  const answer = answerRefusal(refusal, path);
  return { ...answer, headers: { ...answer.headers, Allow: allowed.join(', ') } };
}
