// The API for pages: its own routes, called within the process, for the person whose session was checked. A script can do
// everything that a page shows or does.
import type { Hono } from 'hono';
import type { SignedInCaller } from '../access/authenticate.ts';
import type { ApiRequestContext } from '../api/api-means.ts';
import type { Schemas } from '../contract.ts';

/** Error for a request of a page that the API refused. */
export class ApiRefusal extends Error {
  override readonly name = 'ApiRefusal';
  readonly status: number;
  readonly detail: string | undefined;
  /** Id of the run that already does what was asked for; undefined without one. */
  readonly run: string | undefined;

  constructor(status: number, title: string, detail: string | undefined, run?: string) {
    super(title);
    this.run = run;
    this.status = status;
    this.detail = detail;
  }
}

/** Why the interface refused something, in one line. Anything else is thrown on. */
export function explainApiRefusal(error: unknown): string {
  if (!(error instanceof ApiRefusal) || error.status >= 500) throw error;
  return error.detail === undefined ? `${error.message}.` : `${error.message}. ${error.detail}`;
}

/** The server's API as pages call it, with the rights of the signed-in person. */
export interface PageApi {
  /** @throws ApiRefusal */
  get<T>(path: string): Promise<T>;
  /** Undefined where there is nothing at the path. @throws ApiRefusal */
  find<T>(path: string): Promise<T | undefined>;
  /** @throws ApiRefusal */
  send<T>(method: 'POST' | 'PUT' | 'PATCH' | 'DELETE', path: string, body?: object): Promise<T>;
  /** Calls the API and returns its answer unread. */
  fetch(path: string): Promise<Response>;
}

/** Opens the interface for somebody, whose requests come from an address. */
export function openPageApi(
  app: Hono<ApiRequestContext>,
  caller: SignedInCaller,
  address: string | undefined,
): PageApi {
  const headers = address === undefined ? {} : { 'x-forwarded-for': address };
  const ask = async (path: string, init?: RequestInit) =>
    app.fetch(new Request(`http://pages.invalid${path}`, { ...init, headers }), {
      caller,
      address,
    });
  const read = async <T>(response: Response): Promise<T> => {
    const body = (response.status === 204 ? {} : await response.json()) as object;
    if (response.ok) return body as T;
    const { title, detail, run } = body as Schemas['Problem'];
    throw new ApiRefusal(response.status, title, detail, run);
  };
  return {
    get: async (path) => read(await ask(path)),
    find: async (path) => {
      const response = await ask(path);
      return response.status === 404 ? undefined : read(response);
    },
    send: async (method, path, body) =>
      read(await ask(path, { method, ...(body && { body: JSON.stringify(body) }) })),
    fetch: async (path) => ask(path),
  };
}
