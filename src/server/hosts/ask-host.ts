// One request to the API of a git host: JSON in and out, bounded, and never redirected with its token.
import type { HttpExchange, HttpAnswer } from '../../model/http.ts';
import { cleanGitText } from '../../state/backends/git/git-faults.ts';
import { GitHostFault } from './host-fault.ts';
import { parseJsonObject } from '../../model/json-object.ts';

/** A request to the API of a git host. */
export interface GitHostRequest {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'PUT';
  /** Below the root of the API, or a whole address that the host gave for the next page. */
  readonly path: string;
  readonly body?: object;
}

/** Access to the API of a git host. */
export interface GitHostApi {
  readonly exchange: HttpExchange;
  /** Tells the time, in milliseconds since the Unix epoch. */
  readonly now: () => number;
  /** Base address of the host's API, without a slash at the end. */
  readonly root: string;
  /** Name of the host's product: `GitHub` or `GitLab`. */
  readonly label: string;
  /** Makes the headers that authorise a request, by lower-case name. */
  readonly headers: () => Promise<Readonly<Record<string, string>>>;
}

/** An answer of a git host: its JSON and the address of the next page. */
export interface GitHostAnswer<T> {
  readonly data: T;
  readonly next: string | undefined;
}

const limits = { headersMs: 15_000, bodyMs: 30_000, largestBytes: 16 * 1024 * 1024 };
const mostPages = 30;

/** Sends one request to a git host. @throws GitHostFault for any answer but a success. */
export async function askGitHost<T>(
  api: GitHostApi,
  request: GitHostRequest,
): Promise<GitHostAnswer<T>> {
  const { method, path, body } = request;
  const url = path.startsWith('/') ? `${api.root}${path}` : path;
  const what = `${method} ${new URL(url).pathname}`;
  const headers = {
    ...(await api.headers()),
    'user-agent': 'hostwright-server',
    ...(body && { 'content-type': 'application/json' }),
  };
  const sent = { method, url, headers, ...(body && { body: JSON.stringify(body) }), ...limits };
  const answer = await api.exchange(sent).catch((error: unknown) => {
    const reason = error instanceof Error ? error.message : String(error);
    throw new GitHostFault(`${api.label} gave no answer to ${what}: ${cleanGitText(reason)}`);
  });
  if (answer.status < 200 || answer.status > 299) throw explain(api, what, answer);
  const next = /<([^>]+)>;\s*rel="next"/.exec(answer.headers.get('link') ?? '')?.[1];
  // A next page at another address is not followed, as it would get the token.
  const isOwn = next?.startsWith(`${api.root}/`) === true;
  return { data: readJson(api, what, answer) as T, next: isOwn ? next : undefined };
}

/**
 * Sends a request about something that may not exist: undefined where the answer has one of these statuses.
 * @throws GitHostFault for any other
 */
export async function askGitHostIfPresent<T>(
  api: GitHostApi,
  request: GitHostRequest,
  missing: readonly number[] = [404],
): Promise<T | undefined> {
  try {
    return (await askGitHost<T>(api, request)).data;
  } catch (error) {
    if (error instanceof GitHostFault && missing.includes(error.status ?? 0)) return undefined;
    throw error;
  }
}

/** The pages of a list, one after the other. Undefined in place of a page says that there are too many. */
export async function* askGitHostPages<T>(
  api: GitHostApi,
  path: string,
  most = mostPages,
): AsyncGenerator<readonly T[] | undefined> {
  let page: string | undefined = path;
  for (let count = 0; page !== undefined; count += 1) {
    if (count === most) {
      yield undefined;
      return;
    }
    const answer: GitHostAnswer<readonly T[]> = await askGitHost(api, {
      method: 'GET',
      path: page,
    });
    yield answer.data;
    page = answer.next;
  }
}

function readJson({ label }: GitHostApi, what: string, { status, text }: HttpAnswer): unknown {
  try {
    return text === '' ? {} : JSON.parse(text);
  } catch {
    throw new GitHostFault(`${label} answered ${what} with ${status} and no JSON`);
  }
}

function explain({ label, now }: GitHostApi, what: string, answer: HttpAnswer): GitHostFault {
  const { status, headers, text } = answer;
  const said = cleanGitText(readMessage(text)).slice(0, 200);
  const isLimited = headers.get('x-ratelimit-remaining') === '0' || status === 429;
  const resetMs = Number(headers.get('x-ratelimit-reset') ?? 0) * 1_000 - now();
  const waitMs = Number(headers.get('retry-after') ?? 0) * 1_000;
  const retryAfterMs = Math.max(0, waitMs || (isLimited ? resetMs : 0)) || 0;
  const words = said === '' ? '' : `: ${said}`;
  return new GitHostFault(`${label} answered ${status} to ${what}${words}`, {
    status,
    retryAfterMs,
  });
}

function readMessage(text: string): string {
  const { message, error } = parseJsonObject(text) ?? {};
  const said = message ?? error ?? '';
  return typeof said === 'string' ? said : JSON.stringify(said);
}
