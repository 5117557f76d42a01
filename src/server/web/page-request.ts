// Request of a page: session, address, and the fields of a form.
import type { Context, Hono } from 'hono';
import { describeSession } from '../access/authenticate.ts';
import { readAddress } from '../access/read-address.ts';
import { readRequestBody } from '../access/read-body.ts';
import { isSameOrigin } from '../access/same-origin.ts';
import { isSameSecret } from '../secrets/random-secret.ts';
import { isReachedByTls, readCookie } from '../access/session-cookie.ts';
import type { BrowserSession } from '../store/sessions.ts';
import type { ApiEnvironment, ApiMeans } from '../api/api-means.ts';
import type { Actor } from '../audit/audit-entry.ts';
import { Acting } from '../api/acting.ts';
import { noteRefusal } from '../api/guard-api.ts';
import { Problem } from '../errors/problem.ts';
import { requireRouteRole } from '../api/require-role.ts';
import { includesRole } from '../people/roles.ts';
import { openPageApi, type PageApi } from './page-api.ts';
import type { Viewer } from './parts/layout.ts';

/** A page request of a person who has signed in. */
export interface PageRequest {
  readonly api: PageApi;
  readonly viewer: Viewer;
  readonly actor: Actor;
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
export class PageFault extends Error {
  override readonly name = 'PageFault';
  readonly status: number;
  readonly title: string;

  constructor(status: number, title: string, message: string) {
    super(message);
    this.status = status;
    this.title = title;
  }
}

const maxFormBytes = 256 * 1024;

/** Reads a request; undefined where nobody has signed in. @throws PageFault, Problem for a form that is not from here, and where a role is missing */
export async function readPageRequest(
  app: Hono<ApiEnvironment>,
  { store, publicUrl, now }: ApiMeans,
  context: Context<ApiEnvironment>,
): Promise<PageRequest | undefined> {
  const { raw } = context.req;
  const isForm = raw.method !== 'GET';
  if (isForm) requireSameOrigin(raw.headers, publicUrl);
  const secret = readCookie(raw.headers.get('cookie'), isReachedByTls(publicUrl));
  const session = secret === undefined ? undefined : await store.sessions.find(secret);
  if (secret === undefined || !session) return undefined;
  const form = isForm ? await readForm(raw) : new URLSearchParams();
  if (isForm) requireToken(form, session);
  const caller = describeSession(session);
  const address = readAddress(raw.headers, context.env.address, publicUrl);
  const { actor } = new Acting(store, caller, address);
  try {
    await requireRouteRole(store, caller, context);
  } catch (error) {
    if (error instanceof Problem) await noteRefusal({ store }, actor, context, error.status);
    throw error;
  }
  return {
    api: openPageApi(app, caller, address),
    actor,
    viewer: { name: caller.person, isAdmin: includesRole(caller.roles, 'admin') },
    formToken: session.formToken,
    now: now(),
    origin: publicUrl ?? `http://${raw.headers.get('host') ?? ''}`,
    param: (name) => context.req.param(name) ?? '',
    query: (name) => context.req.query(name),
    form,
    secret,
  };
}

/** @throws PageFault where another site made the browser ask */
export function requireSameOrigin(headers: Headers, publicUrl: string | undefined): void {
  if (isSameOrigin(headers, publicUrl)) return;
  throw new PageFault(
    403,
    'The form is not from this server',
    'Open the page again and repeat it. Behind a proxy with TLS, start the server with --public-url.',
  );
}

function requireToken(form: URLSearchParams, { formToken }: BrowserSession): void {
  if (isSameSecret(form.get('formToken') ?? '', formToken)) return;
  throw new PageFault(403, 'The form has expired', 'Open the page again and repeat it.');
}

/** The fields of a form. @throws PageFault for what is none, or too large */
export async function readForm(request: Request): Promise<URLSearchParams> {
  const type = request.headers.get('content-type') ?? '';
  if (!type.startsWith('application/x-www-form-urlencoded'))
    throw new PageFault(415, 'This is no form', 'Open the page again and repeat it.');
  const body = await readRequestBody(
    request,
    maxFormBytes,
    () => new PageFault(413, 'The form is too large', 'It may have 256 KB.'),
  );
  return new URLSearchParams(body.toString('utf8'));
}

/** The names that were typed into a field of a form, each once: between spaces or commas. */
export function readNames(form: URLSearchParams, field: string): readonly string[] {
  const typed = (form.get(field) ?? '').split(/[\s,]+/);
  return [...new Set(typed.filter((name) => name !== ''))];
}
