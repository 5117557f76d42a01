// Sign-in through an OpenID provider: the way there and back.
import type { Context } from 'hono';
import { errorCode } from '../../model/errors.ts';
import { readAddress } from '../access/read-address.ts';
import {
  isReachedByTls,
  readFlowCookie,
  removeFlowCookie,
  setCookie,
  setFlowCookie,
} from '../access/session-cookie.ts';
import { strangerFrom } from '../audit/audit-entry.ts';
import type { ApiEnvironment, ApiMeans } from '../api/api-means.ts';
import { flowSeconds, OidcOutage, type Oidc } from '../oidc/open-oidc.ts';
import type { Identity } from '../people/members.ts';
import { redirect } from './answer-page.ts';
import { PageFault } from './page-request.ts';

type PageContext = Context<ApiEnvironment>;

/** Sends a browser to the provider. @throws PageFault where there is none, or where it cannot be reached */
export async function beginOidc(
  means: ApiMeans,
  context: PageContext,
  next: string,
): Promise<Response> {
  const oidc = requireOidc(means);
  try {
    const { location, flow } = await oidc.begin(callbackOf(means, context).href, next);
    const cookie = setFlowCookie(flow, isSecure(means), flowSeconds);
    return redirect(location, { 'set-cookie': cookie });
  } catch (error) {
    throw explainOutage(means, oidc, error);
  }
}

function explainOutage(
  { warn }: Pick<ApiMeans, 'warn'>,
  { host }: Oidc,
  error: unknown,
): PageFault {
  warn(`The provider ${host} cannot be asked: ${describe(error)}`);
  return new PageFault(502, 'The provider does not answer', 'Try again later.');
}

/** Signs in whoever comes back from the provider. @throws PageFault where it did not say who it is */
export async function finishOidc(means: ApiMeans, context: PageContext): Promise<Response> {
  const { store, publicUrl } = means;
  const oidc = requireOidc(means);
  const { headers } = context.req.raw;
  const flow = readFlowCookie(headers.get('cookie'), isSecure(means));
  // Anybody can send a browser here, any number of times. What comes of a sign-in that it began counts alone.
  if (flow === undefined) throw refusal();
  const address = readAddress(headers, context.env.address, publicUrl);
  if (!(await store.attempts.isAllowed('sign-in', address)))
    throw new PageFault(429, 'There were too many attempts', 'Wait 10 minutes, then try again.');
  const current = callbackOf(means, context);
  current.search = new URL(context.req.url).search;
  const act = { act: 'sign-in', target: 'sessions', detail: { by: 'openid' } };
  let found;
  try {
    found = await oidc.finish(current, flow);
  } catch (error) {
    if (error instanceof OidcOutage) throw explainOutage(means, oidc, error);
    await store.attempts.note('sign-in', address);
    await store.audit.append(strangerFrom(address), { ...act, result: 'refused' });
    means.warn(`A sign-in from ${address} by ${oidc.host} was refused: ${describe(error)}`);
    throw refusal();
  }
  const { identity, next } = found;
  const secret = await enter(means, identity, address);
  const response = redirect(next, { 'set-cookie': setCookie(secret, isSecure(means)) });
  response.headers.append('set-cookie', removeFlowCookie(isSecure(means)));
  return response;
}

function refusal(): PageFault {
  return new PageFault(403, 'The sign-in was refused', 'Go to the sign-in page and begin again.');
}

/** Starts the session of a person, who is added at the first sign-in. */
function enter({ store }: ApiMeans, identity: Identity, address: string): Promise<string> {
  return store.transact(async () => {
    const { id, kind, name } = await store.members.meet(identity);
    const secret = await store.sessions.begin(name, id);
    await store.audit.append(
      { id, kind, name, address },
      { act: 'sign-in', target: 'sessions', detail: { by: 'openid' }, result: 'done' },
    );
    return secret;
  });
}

function requireOidc({ oidc }: ApiMeans): Oidc {
  if (oidc) return oidc;
  throw new PageFault(404, 'No such page', 'This server has no provider of OpenID Connect.');
}

/** Address that the provider sends the browser back to: it is registered there. */
function callbackOf({ publicUrl }: ApiMeans, { req }: PageContext): URL {
  return new URL('/sign-in/callback', publicUrl ?? new URL(req.url).origin);
}

function isSecure({ publicUrl }: ApiMeans): boolean {
  return isReachedByTls(publicUrl);
}

/** Error message without the text from the provider, which nobody has checked. */
function describe(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown';
  const code = errorCode(error);
  return code !== undefined ? `${error.message} (${code})` : error.message;
}
