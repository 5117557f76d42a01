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

/** Explains in one line why the API refused the request of a page. @throws any other error */
export function explainApiRefusal(error: unknown): string {
  if (!(error instanceof ApiRefusal) || error.status >= 500) throw error;
  return error.detail === undefined ? `${error.message}.` : `${error.message}. ${error.detail}`;
}

/** The server's API as pages call it, with the rights of the signed-in person. */
export interface WebPageApi {
  /** Reads the JSON at a path of the API. @throws ApiRefusal */
  get<T>(path: string): Promise<T>;
  /** Reads the JSON at a path of the API; undefined where there is nothing. @throws ApiRefusal */
  find<T>(path: string): Promise<T | undefined>;
  /** Sends a change to a path of the API. @throws ApiRefusal */
  send<T>(method: 'POST' | 'PUT' | 'PATCH' | 'DELETE', path: string, body?: object): Promise<T>;
  /** Calls the API and returns its answer unread. */
  fetch(path: string): Promise<Response>;
}

/**
 * Opens the server's API for pages, with the rights of a signed-in person; requests count as coming from the browser's IP
 * address.
 */
export function openWebPageApi(
  app: Hono<ApiRequestContext>,
  caller: SignedInCaller,
  address: string | undefined,
): WebPageApi {
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
