// Middleware around every route of the API: who asks, whether they may, and an audit entry for every change and every
// refusal.
import type { Context, MiddlewareHandler } from 'hono';
import { authenticateRequest, type SignedInCaller } from '../access/authenticate.ts';
import { readSenderIpAddress } from '../access/read-address.ts';
import { isCrossSiteRequest } from '../access/same-origin.ts';
import { isServerReachedByTls } from '../access/session-cookie.ts';
import { createUnknownSenderActor, type AuditActor } from '../audit/audit-entry.ts';
import { stateRoutePath } from './state-routes.ts';
import { RequestAuditRecorder } from './acting.ts';
import type { ApiRequestContext, ApiDependencies } from './api-means.ts';
import { ApiProblemError } from '../errors/problem.ts';
import { nameRequestRoute, requireRouteRole } from './require-role.ts';

const howToSignIn =
  'Send the header "Authorization: Bearer TOKEN". An administrator creates tokens on the page People, or with POST /api/v1/members. The first start of the server prints the administrator token.';

/** Makes the middleware that refuses requests of unknown senders, and of senders without the role that the route needs. */
export function guardApiRoutes(means: ApiDependencies): MiddlewareHandler<ApiRequestContext> {
  const { store, publicUrl } = means;
  return async (context, next) => {
    const { raw } = context.req;
    if (isCrossSiteRequest(raw.headers))
      throw new ApiProblemError(
        403,
        'A page of another site made this request',
        'Open the page of this server instead.',
      );
    const address = readSenderIpAddress(raw.headers, context.env.address, publicUrl);
    const caller = await findCaller(means, context);
    if (!caller) {
      // A token that is wrong: it is written down, but not without end.
      if (raw.headers.has('authorization')) {
        if (!(await store.attempts.isAllowed('token', address)))
          throw new ApiProblemError(
            429,
            'There were too many attempts',
            'Wait 10 minutes, then try again.',
          );
        await store.attempts.note('token', address);
        await auditRefusal(means, createUnknownSenderActor(address), context, 401);
      }
      throw new ApiProblemError(401, 'The request has no valid token', howToSignIn);
    }
    context.set('caller', caller);
    const acting = new RequestAuditRecorder(store, caller, address);
    context.set('acting', acting);
    try {
      await requireRouteRole(store, caller, context);
    } catch (error) {
      if (error instanceof ApiProblemError)
        await auditRefusal(means, acting.actor, context, error.status);
      throw error;
    }
    await next();
    const { status } = context.res;
    if (status >= 400) await auditRefusal(means, acting.actor, context, status);
    else if (isChange(context) && !acting.isRecorded)
      await store.audit.append(acting.actor, { ...describe(context), result: 'done' });
  };
}

/** Checks the rights of a caller again while a long answer is sent, since a role or a token may have ended meanwhile. */
export async function isCallerStillAllowed(
  means: Pick<ApiDependencies, 'store' | 'publicUrl'>,
  context: Context<ApiRequestContext>,
): Promise<boolean> {
  const caller = await findCaller(means, context);
  if (!caller) return false;
  try {
    await requireRouteRole(means.store, caller, context);
    return true;
  } catch (error) {
    if (error instanceof ApiProblemError) return false;
    throw error;
  }
}

async function findCaller(
  { store, publicUrl }: Pick<ApiDependencies, 'store' | 'publicUrl'>,
  context: Context<ApiRequestContext>,
): Promise<SignedInCaller | undefined> {
  const { caller } = context.env;
  const way = { isSecure: isServerReachedByTls(publicUrl), takesPassword: isStateRoute(context) };
  return caller ?? authenticateRequest(store, context.req.raw, way);
}

/** Writes a refused request to the audit log, if it would have changed something or had a wrong token. */
export async function auditRefusal(
  { store }: Pick<ApiDependencies, 'store'>,
  actor: AuditActor,
  context: Context<ApiRequestContext>,
  status: number,
): Promise<void> {
  if (!isChange(context) && status !== 401) return;
  await store.audit.append(actor, {
    ...describe(context),
    result: 'refused',
    detail: { status },
  });
}

function isStateRoute(context: Context): boolean {
  return nameRequestRoute(context)?.endsWith(` ${stateRoutePath}`) ?? false;
}

function isChange({ req }: Context): boolean {
  return req.method !== 'GET' && req.method !== 'HEAD';
}

function describe(context: Context) {
  return {
    act: nameRequestRoute(context) ?? `${context.req.method} of nothing`,
    target: context.req.path.slice(0, 500),
  };
}
