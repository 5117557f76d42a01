import type { MiddlewareHandler } from 'hono';
import type { ApiRequestContext } from './api-means.ts';
import { nameRequestRoute } from './require-role.ts';
import type { TraceSpan, Tracing } from '../traces/tracing.ts';

/** Makes the middleware that traces each request by its route. Path and query are left out, since they may hold a secret. */
export function traceRequests(tracing: Tracing): MiddlewareHandler<ApiRequestContext> {
  return (context, next) => {
    const { method } = context.req;
    const route = nameRequestRoute(context);
    const facts = {
      'http.request.method': method,
      ...(route !== undefined && { 'http.route': route.slice(route.indexOf(' ') + 1) }),
    };
    // A request that a page makes within this process belongs to the trace of the page.
    const place = context.env.caller
      ? {}
      : { kind: 'server' as const, traceparent: context.req.header('traceparent') };
    const answer = async (span: TraceSpan) => {
      await next();
      const { status } = context.res;
      span.add({ 'http.response.status_code': status });
      if (status >= 500) span.fail(String(status));
    };
    return tracing.span(route ?? method, facts, answer, place);
  };
}
