// Answers of requests without a route: the path does not exist, or does not have the method.
import type { Context, Hono } from 'hono';
import type { ApiRequestContext } from './api-means.ts';
import { ApiProblemError } from '../errors/problem.ts';

/** Problem for a request that no route answers: 405 with the allowed methods where the path exists, else 404. */
export function explainUnansweredRequest(
  app: Hono<ApiRequestContext>,
  { req }: Context<ApiRequestContext>,
): ApiProblemError {
  const methods = listMethods(app, req.path);
  if (methods.length === 0) return new ApiProblemError(404, 'There is nothing at this path');
  const allow = methods.join(', ');
  return new ApiProblemError(405, `This path has no method ${req.method}`, `It has ${allow}.`, {
    allow,
  });
}

/** The methods that routes answer at a path; none where nothing is there. */
function listMethods(app: Hono<ApiRequestContext>, path: string): readonly string[] {
  const methods = new Set(app.routes.map(({ method }) => method).filter((one) => one !== 'ALL'));
  const answered = [...methods].filter((method) => {
    const [handlers] = app.router.match(method, path);
    // Middleware for all methods is no answer of its own, so it does not count as a route.
    return handlers.some(([[, route]]) => route.method !== 'ALL');
  });
  return answered.flatMap((method) => (method === 'GET' ? ['GET', 'HEAD'] : [method])).sort();
}
