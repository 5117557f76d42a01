// Sign-in through an OpenID provider: the way there and back.
import type { Context } from 'hono';
import { readErrorCode } from '../../model/errors.ts';
import { readSenderIpAddress } from '../access/read-address.ts';
import {
  isServerReachedByTls,
  readSignInFlowCookie,
  removeSignInFlowCookie,
  setSessionCookie,
  setSignInFlowCookie,
} from '../access/session-cookie.ts';
import { createUnknownSenderActor } from '../audit/audit-entry.ts';
import type { ApiRequestContext, ApiDependencies } from '../api/api-means.ts';
import {
  signInFlowSeconds,
  OidcOutageError,
  type FinishedSignIn,
  type OidcProvider,
} from '../oidc/open-oidc.ts';
import { redirectToPage } from './answer-page.ts';
import { WebPageRequestFault } from './page-request.ts';

type PageContext = Context<ApiRequestContext>;

/**
 * Redirects a browser to the OpenID provider to sign in.
 * @throws WebPageRequestFault where there is no provider, or it cannot be reached
 */
export async function beginOidcSignIn(
  means: ApiDependencies,
  context: PageContext,
  next: string,
): Promise<Response> {
  const oidc = requireOidc(means);
  try {
    const { location, flow } = await oidc.begin(callbackOf(means, context).href, next);
    const cookie = setSignInFlowCookie(flow, isSecure(means), signInFlowSeconds);
    return redirectToPage(location, { 'set-cookie': cookie });
  } catch (error) {
    throw explainOutage(means, oidc, error);
  }
}

function explainOutage(
  { warn }: Pick<ApiDependencies, 'warn'>,
  { host }: OidcProvider,
  error: unknown,
): WebPageRequestFault {
  warn(`The provider ${host} cannot be asked: ${describe(error)}`);
  return new WebPageRequestFault(502, 'The provider does not answer', 'Try again later.');
}

/**
 * Signs in the person whose browser comes back from the OpenID provider.
 * @throws WebPageRequestFault where the provider did not confirm who it is
 */
export async function finishOidcSignIn(
  means: ApiDependencies,
  context: PageContext,
): Promise<Response> {
  const { store, publicUrl } = means;
  const oidc = requireOidc(means);
  const { headers } = context.req.raw;
  const flow = readSignInFlowCookie(headers.get('cookie'), isSecure(means));
  // Anybody can send a browser here, any number of times. What comes of a sign-in that it began counts alone.
  if (flow === undefined) throw refusal();
  const address = readSenderIpAddress(headers, context.env.address, publicUrl);
  if (!(await store.attempts.isAllowed('sign-in', address)))
    throw new WebPageRequestFault(
      429,
      'There were too many attempts',
      'Wait 10 minutes, then try again.',
    );
  const current = callbackOf(means, context);
  current.search = new URL(context.req.url).search;
  const act = { act: 'sign-in', target: 'sessions', detail: { by: 'openid' } };
  let found;
  try {
    found = await oidc.finish(current, flow);
  } catch (error) {
    if (error instanceof OidcOutageError) throw explainOutage(means, oidc, error);
    await store.attempts.note('sign-in', address);
    await store.audit.append(createUnknownSenderActor(address), { ...act, result: 'refused' });
    means.warn(`A sign-in from ${address} by ${oidc.host} was refused: ${describe(error)}`);
    throw refusal();
  }
  const secret = await enter(means, found, address);
  const response = redirectToPage(found.next, {
    'set-cookie': setSessionCookie(secret, isSecure(means)),
  });
  response.headers.append('set-cookie', removeSignInFlowCookie(isSecure(means)));
  return response;
}

function refusal(): WebPageRequestFault {
  return new WebPageRequestFault(
    403,
    'The sign-in was refused',
    'Go to the sign-in page and begin again.',
  );
}

/** Starts the session of a person, who is added at the first sign-in. */
function enter(
  { store }: ApiDependencies,
  { identity, groups: given, idToken }: FinishedSignIn,
  address: string,
): Promise<string> {
  return store.transact(async () => {
    const { id, kind, name, groups } = await store.members.meet(identity, given);
    const secret = await store.sessions.begin(name, id, idToken);
    await store.audit.append(
      { id, kind, name, address },
      { act: 'sign-in', target: 'sessions', detail: { by: 'openid', groups }, result: 'done' },
    );
    return secret;
  });
}

/**
 * Address that ends the session of a person at the provider; undefined where there is none, or the provider is away: who signs
 * out is out of this server all the same.
 */
export async function findProviderSignOut(
  means: ApiDependencies,
  idToken: string | undefined,
  origin: string,
): Promise<string | undefined> {
  const { oidc } = means;
  if (!oidc || idToken === undefined) return undefined;
  try {
    return await oidc.findSignOut(idToken, new URL('/sign-in', origin).href);
  } catch (error) {
    explainOutage(means, oidc, error);
    return undefined;
  }
}

function requireOidc({ oidc }: ApiDependencies): OidcProvider {
  if (oidc) return oidc;
  throw new WebPageRequestFault(
    404,
    'No such page',
    'This server has no provider of OpenID Connect.',
  );
}

/** Address that the provider sends the browser back to: it is registered there. */
function callbackOf({ publicUrl }: ApiDependencies, { req }: PageContext): URL {
  return new URL('/sign-in/callback', publicUrl ?? new URL(req.url).origin);
}

function isSecure({ publicUrl }: ApiDependencies): boolean {
  return isServerReachedByTls(publicUrl);
}

/** Error message without the text from the provider, which nobody has checked. */
function describe(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown';
  const code = readErrorCode(error);
  return code !== undefined ? `${error.message} (${code})` : error.message;
}
