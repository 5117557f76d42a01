// The objects below one key of a bucket, each request signed. A write may depend on the stored object. Only this condition
// keeps two runs apart, so a server that ignores it is refused (s3-lock.ts).
import { type HttpExchange, type HttpAnswer, HttpFailure } from '../../../model/http.ts';
import type { Clock } from '../../../model/runtime.ts';
import {
  BackendError,
  stateReadRetryMs,
  retryUntilReached,
  findWriteRetryMs,
  type BackendFault,
} from '../backend-error.ts';
import { cleanServerText } from '../clean-text.ts';
import type { SignS3Request } from './sign-request.ts';

/** Address of an S3 bucket, with the means to send requests to it. */
export interface S3BucketOptions {
  /** Address of the server; absolute, without a path of its own or with one. */
  readonly endpoint: string;
  readonly bucket: string;
  /** Prefix of the names of all objects, without the slash behind it. */
  readonly key: string;
  /** Set where the bucket's name is part of the path and not of the host. */
  readonly isPathStyle: boolean;
  readonly sign: SignS3Request;
  /** Secrets that no message may hold, should the server repeat them. */
  readonly secrets: readonly string[];
  readonly exchange: HttpExchange;
  readonly clock: Clock;
  /** Name of the bucket for messages. */
  readonly place: string;
}

/** An S3 object as it was read. */
export interface S3BucketObject {
  readonly text: string;
  /** ETag of the object: a version that changes whenever the content does. */
  readonly etag: string;
  /** Time of the last write, by the server's clock; milliseconds since the Unix epoch. */
  readonly writtenAt: number;
}

/** Condition of a write to a bucket: that no object exists, or that the object with this ETag does. */
export type BucketWriteCondition = 'absent' | { readonly etag: string };

interface Call {
  readonly what: string;
  readonly method: 'GET' | 'PUT' | 'DELETE';
  /** Name of the object; absent for a request to the bucket itself. */
  readonly name?: string;
  readonly query?: Readonly<Record<string, string>>;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

const largestBytes = 256 * 1024 * 1024;
const longestMs = 30_000;
const bodyMs = 120_000;

/** Reads and writes objects of an S3 bucket. Operations reject with a BackendError. */
export class S3Bucket {
  readonly place: string;
  readonly clock: Clock;
  readonly #options: S3BucketOptions;

  constructor(options: S3BucketOptions) {
    this.#options = options;
    this.place = options.place;
    this.clock = options.clock;
  }

  /** The whole key of an object in the bucket, for messages. */
  keyOf(name: string): string {
    return `${this.#options.key}/${name}`;
  }

  /** Reads an object; undefined when there is none. */
  async get(name: string, patienceMs = stateReadRetryMs): Promise<S3BucketObject | undefined> {
    const call: Call = { what: `read ${name}`, method: 'GET', name };
    const answer = await this.#ask(call, patienceMs);
    if (answer.status === 404 && s3ErrorCodeOf(answer) !== 'NoSuchBucket') return undefined;
    if (answer.status !== 200) throw this.#explain(answer, call);
    return {
      text: answer.text,
      etag: answer.headers.get('etag') ?? '',
      writtenAt: readDate(answer, 'last-modified') ?? this.clock.now(),
    };
  }

  /**
   * Writes an object. Resolves with its ETag, or with undefined where the condition is not met. An earlier attempt
   * whose answer was lost may have caused that, so the caller then reads the stored object.
   */
  async put(
    name: string,
    body: string,
    condition?: BucketWriteCondition,
    patienceMs = findWriteRetryMs(0),
  ): Promise<string | undefined> {
    const headers = describeCondition(condition);
    const call: Call = { what: `write ${name}`, method: 'PUT', name, headers, body };
    const answer = await this.#ask(call, patienceMs);
    const { status } = answer;
    if (status >= 200 && status < 300) return answer.headers.get('etag') ?? '';
    // The object that was to be replaced no longer exists.
    const isGone = status === 404 && s3ErrorCodeOf(answer) === 'NoSuchKey';
    if (condition && (status === 412 || isGone)) return undefined;
    throw this.#explain(answer, call);
  }

  /** Removes an object if it exists. */
  async delete(name: string): Promise<void> {
    const call: Call = { what: `remove ${name}`, method: 'DELETE', name };
    const answer = await this.#ask(call, 0);
    if (answer.status >= 300 && answer.status !== 404) throw this.#explain(answer, call);
  }

  /** The names that begin with a prefix, sorted; with `after`, only those behind that name. */
  async list(prefix: string, after?: string): Promise<readonly string[]> {
    const { key } = this.#options;
    const names: string[] = [];
    let token: string | undefined;
    do {
      const query = {
        'list-type': '2',
        'encoding-type': 'url',
        prefix: `${key}/${prefix}`,
        ...(after !== undefined && { 'start-after': `${key}/${after}` }),
        ...(token !== undefined && { 'continuation-token': token }),
      };
      const call: Call = { what: `list ${prefix}`, method: 'GET', query };
      const answer = await this.#ask(call, stateReadRetryMs);
      if (answer.status !== 200) throw this.#explain(answer, call);
      for (const [, name = ''] of answer.text.matchAll(/<Key>([^<]*)<\/Key>/g)) {
        names.push(decodeName(name).slice(key.length + 1));
      }
      const [, next] = /<NextContinuationToken>([^<]+)</.exec(answer.text) ?? [];
      const isCut = /<IsTruncated>true</.test(answer.text);
      token = isCut ? decodeXml(next) : undefined;
      if (isCut && token === undefined) {
        const message = `${this.place}: the server lists a part of the objects, and does not say how to go on.`;
        throw new BackendError('broken', message);
      }
    } while (token !== undefined);
    return names;
  }

  /** The server's time, to the second; milliseconds since the Unix epoch. */
  async readTime(name: string): Promise<number> {
    const answer = await this.#ask(
      { what: 'read the time', method: 'GET', name },
      stateReadRetryMs,
    );
    return readDate(answer, 'date') ?? this.clock.now();
  }

  #ask(call: Call, patienceMs: number): Promise<HttpAnswer> {
    return retryUntilReached(
      async (attemptMs) => {
        const answer = await this.#send(call, attemptMs);
        const error = answer.status >= 400 && this.#explain(answer, call);
        // Busy, or a conflict of two requests: `retryUntilReached` asks again.
        if (error && error.fault === 'unreachable') throw error;
        return answer;
      },
      { clock: this.clock, patienceMs },
    );
  }

  async #send(call: Call, attemptMs: number): Promise<HttpAnswer> {
    const { method, headers = {}, body } = call;
    const { sign, exchange } = this.#options;
    const at = this.clock.now();
    const headersMs = Math.min(longestMs, attemptMs);
    const signed = await sign({ method, url: this.#urlOf(call), headers, body, at });
    try {
      return await exchange({ method, ...signed, body, headersMs, bodyMs, largestBytes });
    } catch (error) {
      throw createBucketNetworkError(error, this.#describe(call));
    }
  }

  #urlOf({ name, query = {} }: Call): string {
    const { endpoint, bucket, key, isPathStyle } = this.#options;
    const url = new URL(endpoint);
    const folder = url.pathname.replace(/\/$/, '');
    if (!isPathStyle) url.hostname = `${bucket}.${url.hostname}`;
    const path = [
      ...(isPathStyle ? [bucket] : []),
      ...(name === undefined ? [] : `${key}/${name}`.split('/')),
    ];
    url.pathname = `${folder}/${path.map(encodeURIComponent).join('/')}`;
    // Spaces must be written as %20, as they are in the signature.
    url.search = Object.entries(query)
      .map(([parameter, value]) => `${parameter}=${encodeURIComponent(value)}`)
      .join('&');
    return url.href;
  }

  #explain(answer: HttpAnswer, call: Call) {
    return createBucketError(answer, this.#describe(call));
  }

  #describe({ what }: Call) {
    return { what, place: this.place, secrets: this.#options.secrets };
  }
}

function describeCondition(
  condition: BucketWriteCondition | undefined,
): Readonly<Record<string, string>> {
  if (condition === undefined) return {};
  return condition === 'absent' ? { 'if-none-match': '*' } : { 'if-match': condition.etag };
}

function readDate({ headers }: HttpAnswer, name: string): number | undefined {
  const time = Date.parse(headers.get(name) ?? '');
  return Number.isNaN(time) ? undefined : time;
}

function decodeName(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    return text;
  }
}

const entities: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
};

function decodeXml(text: string | undefined): string | undefined {
  return text?.replaceAll(/&(amp|lt|gt|quot|apos);/g, (_, name: string) => entities[name] ?? '');
}

// Errors of S3: a status, and a code in XML that is more precise.

/** The request in words (`read lock.json`), and its place. */
interface BucketRequest {
  readonly what: string;
  readonly place: string;
  /** Secrets that must not be shown, should the server repeat them. */
  readonly secrets: readonly string[];
}

/** Kinds of failure by the code of an answer, where the code is more precise than the status. */
const faults: Readonly<Record<string, BackendFault>> = {
  RequestTimeTooSkewed: 'denied',
  ExpiredToken: 'denied',
  InvalidToken: 'denied',
  TokenRefreshRequired: 'denied',
  AuthorizationHeaderMalformed: 'broken',
  RequestTimeout: 'unreachable',
  OperationAborted: 'unreachable',
  ConditionalRequestConflict: 'unreachable',
  SlowDown: 'unreachable',
  QuotaExceeded: 'full',
  XMinioStorageFull: 'full',
  EntityTooLarge: 'full',
  NotImplemented: 'broken',
  NoSuchBucket: 'broken',
  PermanentRedirect: 'broken',
};

/** Advice by the code of an answer. */
const advices: Readonly<Record<string, string>> = {
  RequestTimeTooSkewed: 'Set the clock of this machine.',
  ExpiredToken: 'Sign in again: the credentials have expired.',
  NoSuchBucket: 'Create the bucket, or correct `bucket`.',
  PermanentRedirect: 'Set `region` to the region of the bucket.',
  AuthorizationHeaderMalformed: 'Set `region` to the region of the bucket.',
  NotImplemented: 'The server has no conditional writes: the state cannot be kept there.',
};

/** The code of an error answer; empty where it has none. */
function s3ErrorCodeOf({ text }: HttpAnswer): string {
  return /<Code>([^<]{1,100})<\/Code>/.exec(text)?.[1] ?? '';
}

/** The error of an answer that neither confirms the request nor refuses its condition. */
function createBucketError(answer: HttpAnswer, attempt: BucketRequest): BackendError {
  const { status } = answer;
  const code = s3ErrorCodeOf(answer);
  const message = /<Message>([^<]*)<\/Message>/.exec(answer.text)?.[1] ?? '';
  const said = cleanServerText(
    [code, message].filter((one) => one !== '').join(': '),
    attempt.secrets,
  );
  const words = said === '' ? String(status) : `${status} (${said.replace(/\.$/, '')})`;
  const advice = advices[code] ?? (isRedirect(status) ? advices.PermanentRedirect : undefined);
  return new BackendError(
    faults[code] ?? faultOf(status),
    `${sayFailed(attempt)}: the server answered ${words}.${advice === undefined ? '' : ` ${advice}`}`,
  );
}

/** The error of a request without an answer, or with half of one. */
function createBucketNetworkError(cause: unknown, attempt: BucketRequest): BackendError {
  const words = cleanServerText(
    cause instanceof Error ? cause.message : String(cause),
    attempt.secrets,
  );
  const isFinal =
    cause instanceof HttpFailure && ['oversized', 'malformed'].includes(cause.fault.kind);
  const message = `${sayFailed(attempt)}: ${words === '' ? 'no answer' : words}.`;
  return new BackendError(isFinal ? 'broken' : 'unreachable', message, { cause });
}

function sayFailed({ what, place }: BucketRequest): string {
  return `${place}: could not ${what}`;
}

function isRedirect(status: number): boolean {
  return status >= 300 && status < 400;
}

function faultOf(status: number): BackendFault {
  if (status === 401 || status === 403 || status === 407) return 'denied';
  if (status === 413 || status === 507) return 'full';
  // Not implemented now means not implemented in a second: no reason to try again.
  if (status === 501 || status === 505) return 'broken';
  return status >= 500 || [408, 409, 425, 429].includes(status) ? 'unreachable' : 'broken';
}
