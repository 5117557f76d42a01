// Request of a page: session, address, and the fields of a form.
import type { Context, Hono } from 'hono';
import { describeSignedInCaller } from '../access/authenticate.ts';
import { readSenderAddress } from '../access/read-address.ts';
import { readRequestBody } from '../access/read-body.ts';
import { isSameOrigin } from '../access/same-origin.ts';
import { isSameSecret } from '../secrets/random-secret.ts';
import { isServerReachedByTls, readSessionCookie } from '../access/session-cookie.ts';
import type { BrowserSession } from '../store/sessions.ts';
import type { ApiRequestContext, ApiDependencies } from '../api/api-means.ts';
import type { AuditActor } from '../audit/audit-entry.ts';
import { AuditedRequestActs } from '../api/acting.ts';
import { auditRefusal } from '../api/guard-api.ts';
import { ApiProblemError } from '../errors/problem.ts';
import { requireRouteRole } from '../api/require-role.ts';
import { isRoleGranted } from '../people/roles.ts';
import { openPageApi, type PageApi } from './page-api.ts';
import type { PageViewer } from './parts/layout.ts';

/** A page request of a person who has signed in. */
export interface PageRequest {
  readonly api: PageApi;
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
export class PageRequestFault extends Error {
  override readonly name = 'PageRequestFault';
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
 * Reads a request; undefined where nobody has signed in. @throws PageRequestFault, ApiProblemError for a form that is
 * not from here, and where a role is missing
 */
export async function readPageRequest(
  app: Hono<ApiRequestContext>,
  { store, publicUrl, now }: ApiDependencies,
  context: Context<ApiRequestContext>,
): Promise<PageRequest | undefined> {
  const { raw } = context.req;
  const isForm = raw.method !== 'GET';
  if (isForm) requireSameOrigin(raw.headers, publicUrl);
  const secret = readSessionCookie(raw.headers.get('cookie'), isServerReachedByTls(publicUrl));
  const session = secret === undefined ? undefined : await store.sessions.find(secret);
  if (secret === undefined || !session) return undefined;
  const form = isForm ? await readFormFields(raw) : new URLSearchParams();
  if (isForm) requireToken(form, session);
  const caller = describeSignedInCaller(session);
  const address = readSenderAddress(raw.headers, context.env.address, publicUrl);
  const { actor } = new AuditedRequestActs(store, caller, address);
  try {
    await requireRouteRole(store, caller, context);
  } catch (error) {
    if (error instanceof ApiProblemError)
      await auditRefusal({ store }, actor, context, error.status);
    throw error;
  }
  return {
    api: openPageApi(app, caller, address),
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

/** @throws PageRequestFault where another site made the browser ask */
export function requireSameOrigin(headers: Headers, publicUrl: string | undefined): void {
  if (isSameOrigin(headers, publicUrl)) return;
  throw new PageRequestFault(
    403,
    'The form is not from this server',
    'Open the page again and repeat it. Behind a proxy with TLS, start the server with --public-url.',
  );
}

function requireToken(form: URLSearchParams, { formToken }: BrowserSession): void {
  if (isSameSecret(form.get('formToken') ?? '', formToken)) return;
  throw new PageRequestFault(403, 'The form has expired', 'Open the page again and repeat it.');
}

/** The fields of a form. @throws PageRequestFault for what is none, or too large */
export async function readFormFields(request: Request): Promise<URLSearchParams> {
  const type = request.headers.get('content-type') ?? '';
  if (!type.startsWith('application/x-www-form-urlencoded'))
    throw new PageRequestFault(415, 'This is no form', 'Open the page again and repeat it.');
  const body = await readRequestBody(
    request,
    maxFormBytes,
    () => new PageRequestFault(413, 'The form is too large', 'It may have 256 KB.'),
  );
  return new URLSearchParams(body.toString('utf8'));
}

/** The names that were typed into a field of a form, each once: between spaces or commas. */
export function readFormNames(form: URLSearchParams, field: string): readonly string[] {
  const typed = (form.get(field) ?? '').split(/[\s,]+/);
  return [...new Set(typed.filter((name) => name !== ''))];
}
