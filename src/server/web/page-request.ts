// Request of a page: session, address, and the fields of a form.
import type { Context, Hono } from 'hono';
import { describeSignedInCaller } from '../access/authenticate.ts';
import { readSenderIpAddress } from '../access/read-address.ts';
import { readRequestBody } from '../access/read-body.ts';
import { isSameOrigin } from '../access/same-origin.ts';
import { isSameSecret } from '../secrets/random-secret.ts';
import { isServerReachedByTls, readSessionCookie } from '../access/session-cookie.ts';
import type { BrowserSession } from '../store/sessions.ts';
import type { ApiRequestContext, ApiDependencies } from '../api/api-means.ts';
import type { AuditActor } from '../audit/audit-entry.ts';
import { RequestAuditRecorder } from '../api/acting.ts';
import { auditRefusal } from '../api/guard-api.ts';
import { ApiProblemError } from '../errors/problem.ts';
import { requireRouteRole } from '../api/require-role.ts';
import { isRoleGranted } from '../people/roles.ts';
import { openWebPageApi, type WebPageApi } from './page-api.ts';
import type { PageViewer } from './parts/layout.ts';

/** A signed-in person's request for a web page. */
export interface WebPageRequest {
  readonly api: WebPageApi;
  readonly viewer: PageViewer;
  readonly actor: AuditActor;
  readonly formToken: string;
  readonly now: number;
  /** Public address of the server: as given, or by the request itself. */
  readonly origin: string;
  /** Reads a parameter of the path, by name. */
  readonly param: (name: string) => string;
  /** Reads a value of the query string. */
  readonly query: (name: string) => string | undefined;
  /** Fields of the submitted form; empty for a request without one. */
  readonly form: URLSearchParams;
  readonly secret: string;
}

/** Error by which a browser's request is refused. */
export class WebPageRequestFault extends Error {
  override readonly name = 'WebPageRequestFault';
  readonly status: number;
  readonly title: string;

  constructor(status: number, title: string, message: string) {
    super(message);
    this.status = status;
    this.title = title;
  }
}

const maxFormBytes = 256 * 1024;

/**
 * Reads a browser's request for a web page; undefined where nobody has signed in.
 * @throws WebPageRequestFault, ApiProblemError for a form of another site, and where a role is missing
 */
export async function readWebPageRequest(
  app: Hono<ApiRequestContext>,
  { store, publicUrl, now }: ApiDependencies,
  context: Context<ApiRequestContext>,
): Promise<WebPageRequest | undefined> {
  const { raw } = context.req;
  const isForm = raw.method !== 'GET';
  if (isForm) requireSameOrigin(raw.headers, publicUrl);
  const secret = readSessionCookie(raw.headers.get('cookie'), isServerReachedByTls(publicUrl));
  const session = secret === undefined ? undefined : await store.sessions.find(secret);
  if (secret === undefined || !session) return undefined;
  const form = isForm ? await readFormFields(raw) : new URLSearchParams();
  if (isForm) requireToken(form, session);
  const caller = describeSignedInCaller(session);
  const address = readSenderIpAddress(raw.headers, context.env.address, publicUrl);
  const { actor } = new RequestAuditRecorder(store, caller, address);
  try {
    await requireRouteRole(store, caller, context);
  } catch (error) {
    if (error instanceof ApiProblemError)
      await auditRefusal({ store }, actor, context, error.status);
    throw error;
  }
  return {
    api: openWebPageApi(app, caller, address),
    actor,
    viewer: { name: caller.person, isAdmin: isRoleGranted(caller.roles, 'admin') },
    formToken: session.formToken,
    now: now(),
    origin: publicUrl ?? `http://${raw.headers.get('host') ?? ''}`,
    param: (name) => context.req.param(name) ?? '',
    query: (name) => context.req.query(name),
    form,
    secret,
  };
}

/** Checks that no other site made the browser send the request. @throws WebPageRequestFault */
export function requireSameOrigin(headers: Headers, publicUrl: string | undefined): void {
  if (isSameOrigin(headers, publicUrl)) return;
  throw new WebPageRequestFault(
    403,
    'The form is not from this server',
    'Open the page again and repeat it. Behind a proxy with TLS, start the server with --public-url.',
  );
}

function requireToken(form: URLSearchParams, { formToken }: BrowserSession): void {
  if (isSameSecret(form.get('formToken') ?? '', formToken)) return;
  throw new WebPageRequestFault(403, 'The form has expired', 'Open the page again and repeat it.');
}

/** The fields of a form. @throws WebPageRequestFault for what is none, or too large */
export async function readFormFields(request: Request): Promise<URLSearchParams> {
  const type = request.headers.get('content-type') ?? '';
  if (!type.startsWith('application/x-www-form-urlencoded'))
    throw new WebPageRequestFault(415, 'This is no form', 'Open the page again and repeat it.');
  const body = await readRequestBody(
    request,
    maxFormBytes,
    () => new WebPageRequestFault(413, 'The form is too large', 'It may have 256 KB.'),
  );
  return new URLSearchParams(body.toString('utf8'));
}

/** Reads a list of names from a form field, separated by spaces or commas; each name once. */
export function readFormNames(form: URLSearchParams, field: string): readonly string[] {
  const typed = (form.get(field) ?? '').split(/[\s,]+/);
  return [...new Set(typed.filter((name) => name !== ''))];
}
