// What comes before every route of the interface: who asks, and whether they may.
import type { MiddlewareHandler } from 'hono';
import { authenticate } from '../access/authenticate.ts';
import type { ApiEnvironment, ApiMeans } from './api-means.ts';
import { Problem } from './problem.ts';
import { requireRouteRole } from './require-role.ts';

/** Lets pass whom the server knows and who has the role of the route. */
export function guardApi({ store }: ApiMeans): MiddlewareHandler<ApiEnvironment> {
  return async (context, next) => {
    const caller = context.env.caller ?? (await authenticate(store, context.req.raw));
    if (!caller) throw new Problem(401, 'The request has no valid token');
    context.set('caller', caller);
    await requireRouteRole(store, caller, context);
    await next();
  };
}
