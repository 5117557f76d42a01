// The way in and out. A link is used up by a form and not by opening it: programs that preview links open them, too.
import type { Context } from 'hono';
import { administratorMemberId } from '../people/members.ts';
import { isAdminToken } from '../access/admin-token.ts';
import { readSenderIpAddress } from '../access/read-address.ts';
import {
  isServerReachedByTls,
  removeSessionCookie,
  setSessionCookie,
} from '../access/session-cookie.ts';
import type { ApiRequestContext, ApiDependencies } from '../api/api-means.ts';
import { createUnknownSenderActor, type AuditActor } from '../audit/audit-entry.ts';
import { answerWithPage, redirectToPage } from './answer-page.ts';
import { beginOidcSignIn, findProviderSignOut, finishOidcSignIn } from './oidc-sign-in.ts';
import { readFormFields, requireSameOrigin, type WebPageRequest } from './page-request.ts';
import { renderSignedOutPage, renderSignInPage } from './pages/sign-in-page.ts';

type PageContext = Context<ApiRequestContext>;

/** Requests by which people sign in and out. */
export interface SignInService {
  show(context: PageContext): Response;
  enter(context: PageContext): Promise<Response>;
  /** Sends the browser to the OpenID provider. */
  beginOidc(context: PageContext): Promise<Response>;
  /** Handles the browser's return from the OpenID provider. */
  finishOidc(context: PageContext): Promise<Response>;
  leave(request: WebPageRequest): Promise<Response>;
  leaveEverywhere(request: WebPageRequest): Promise<Response>;
}

/** Opens the handlers of signing in and out. */
export function openSignInService(means: ApiDependencies): SignInService {
  const { store, publicUrl } = means;
  const isSecure = isServerReachedByTls(publicUrl);
  const provider = means.oidc?.host;
  const leave = async ({ secret, origin }: WebPageRequest, end: () => Promise<unknown>) => {
    const idToken = await store.sessions.findIdToken(secret);
    await end();
    const headers = {
      'set-cookie': removeSessionCookie(isSecure),
      'clear-site-data': '"cache", "storage"',
    };
    const further = await findProviderSignOut(means, idToken, origin);
    return further === undefined
      ? redirectToPage('/sign-in', headers)
      : sendToProvider(further, headers);
  };
  return {
    show: (context) => {
      const code = context.req.query('code');
      const next = readNext(context.req.query('next'));
      return answer({ code, next, provider, command: nameCommand(means, context) });
    },
    enter: (context) => enter(means, isSecure, context),
    beginOidc: (context) => beginOidcSignIn(means, context, readNext(context.req.query('next'))),
    finishOidc: (context) => finishOidcSignIn(means, context),
    leave: (request) =>
      leave(request, () =>
        store.audit.record(
          request.actor,
          () => store.sessions.end(request.secret),
          () => ({ act: 'sign-out', target: 'sessions' }),
        ),
      ),
    leaveEverywhere: (request) =>
      leave(request, () => request.api.send('DELETE', '/api/v1/sessions')),
  };
}

async function enter(
  means: ApiDependencies,
  isSecure: boolean,
  context: PageContext,
): Promise<Response> {
  const { store, publicUrl, warn } = means;
  const provider = means.oidc?.host;
  const { raw } = context.req;
  requireSameOrigin(raw.headers, publicUrl);
  const form = await readFormFields(raw);
  const next = readNext(form.get('next') ?? undefined);
  const view = { code: undefined, next, provider, command: nameCommand(means, context) };
  const who = readSenderIpAddress(raw.headers, context.env.address, publicUrl);
  if (!(await store.attempts.isAllowed('sign-in', who))) {
    const fault = 'There were too many attempts. Wait 10 minutes, then try again.';
    return answer({ ...view, fault }, 429);
  }
  const [code, token] = [form.get('code'), form.get('token')];
  const isKnown =
    code === null
      ? await isAdminToken(store.settings, token?.trim() ?? '')
      : await store.signInLinks.redeem(code);
  const act = {
    act: 'sign-in',
    target: 'sessions',
    detail: { by: code === null ? 'token' : 'link' },
  };
  if (isKnown) {
    const actor: AuditActor = {
      id: administratorMemberId,
      kind: administratorMemberId,
      name: administratorMemberId,
      address: who,
    };
    const secret = await store.audit.record(
      actor,
      () => store.sessions.begin(administratorMemberId),
      () => act,
    );
    return redirectToPage(next, { 'set-cookie': setSessionCookie(secret, isSecure) });
  }
  await store.attempts.note('sign-in', who);
  await store.audit.append(createUnknownSenderActor(who), { ...act, result: 'refused' });
  warn(`A sign-in from ${who} was refused.`);
  const fault =
    code === null
      ? 'This is not the administrator token.'
      : 'The link was used before, or has expired. Sign in with the token, or make another link.';
  return answer({ ...view, fault }, 403);
}

/** A page and no redirect, which browsers refuse after a form: the policy of the pages lets forms lead to this server alone. */
function sendToProvider(address: string, headers: Record<string, string>): Response {
  const content = renderSignedOutPage(address);
  const answer = answerWithPage({ title: 'Signed out', content });
  for (const [name, value] of Object.entries(headers)) answer.headers.set(name, value);
  answer.headers.set('refresh', `0; url=${address}`);
  return answer;
}

function nameCommand({ publicUrl }: ApiDependencies, { req }: PageContext): string {
  return nameSignInCommand(publicUrl, req.raw.headers);
}

function answer(view: Parameters<typeof renderSignInPage>[0], status = 200): Response {
  return answerWithPage({ title: 'Sign in', content: renderSignInPage(view) }, status);
}

/** Reads the path to go to after the sign-in; an address of another server is ignored. */
function readNext(given: string | undefined): string {
  return given !== undefined && /^\/(?![/\\])[\w\-/?=&%.+]*$/.test(given) ? given : '/';
}

/**
 * Command line that prints a new sign-in link for this server. The host name of the request may be forged by another page, and
 * must not get into a command: without a public address, only the port is taken from the request.
 */
export function nameSignInCommand(publicUrl: string | undefined, headers: Headers): string {
  const command = 'hostwright server --sign-in-link';
  if (publicUrl !== undefined) return `${command} --public-url ${publicUrl}`;
  const host = headers.get('host') ?? '';
  const [, port] = /^(?:127\.0\.0\.1|localhost|\[::1\]):(\d{1,5})$/.exec(host) ?? [];
  return port === undefined ? `${command} --public-url URL` : `${command} --port ${port}`;
}
