import { Hono } from 'hono';

import type { OperationId } from '../../api/contract/routes.ts';
import { routes } from '../../api/contract/routes.ts';
import type { FaultOutcome } from '../faults/fault-outcome.ts';
import { type Answer, renderBug, renderOutcome, renderRefusal } from './answer.ts';
import { readJsonBody } from './body.ts';
import { nothingAt, Refusal } from './problems.ts';
import type { Exchange, Service } from '../service.ts';
import type { Variant } from '../variants/variant.ts';

const prefix = '/v1';

const routeEntries = Object.entries(routes) as [OperationId, (typeof routes)[OperationId]][];

/** `/projects/{projectId}` as hono spells it. */
const pattern = (path: string): string => prefix + path.replaceAll(/\{(\w+)\}/g, ':$1');

/** Turns an answer into bytes. */
function respond({ status, headers, text }: Answer): Response {
  return new Response(text, { status, headers });
}

/** A refusal of a request that came by this path. */
export const refuse = (refusal: Refusal, path: string): Response =>
  respond(renderRefusal(refusal, path));

/** A path that the contract has, by another method; or one that it has not. */
function respondUnrouted(path: string): Response {
  const allowed = routeEntries
    .filter(([, route]) =>
      new RegExp(`^${prefix}${route.path.replaceAll(/\{\w+\}/g, '[^/]+')}$`).test(path),
    )
    .map(([, { method }]) => method);
  const refusal =
    allowed.length > 0
      ? new Refusal(405, 'method', `This path takes ${allowed.join(', ')}.`)
      : nothingAt(path);
  const response = refuse(refusal, path);
  if (allowed.length > 0) response.headers.set('Allow', allowed.join(', '));
  return response;
}

/** Routes requests to the service. `onError` hears of every bug; the client only of a 500. */
export function buildApp(
  service: Service,
  variant: Variant,
  onError: (error: unknown) => void,
): (request: Request, outcome: FaultOutcome) => Promise<Response> {
  const app = new Hono<{ Bindings: { outcome: FaultOutcome } }>();
  for (const [operationId, { method, path }] of routeEntries) {
    app.on(method, pattern(path), async (context) => {
      const exchange: Exchange = {
        operationId,
        path: context.req.path,
        params: context.req.param(),
        query: context.req.query(),
        outcome: context.env.outcome,
      };
      const { raw } = context.req;
      const outcome = await service.answer(exchange, {
        authorization: raw.headers.get('authorization') ?? undefined,
        readBody: () => readJsonBody(raw),
      });
      return respond(renderOutcome(variant(exchange, outcome, service)));
    });
  }
  app.notFound((context) => respondUnrouted(context.req.path));
  app.onError((error, context) => {
    onError(error);
    return respond(renderBug(error, context.req.path));
  });
  return async (request, outcome) => app.fetch(request, { outcome });
}
