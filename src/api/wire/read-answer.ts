import type { HttpAnswer } from '../../model/http.ts';
import { redactTokenInData, redactTokenInText } from '../../model/text/redact.ts';
import type { ServiceDialect } from '../binding/dialect.ts';
import { operationShapes } from '../contract/shapes.ts';
import { isCertainlyRefused } from '../errors/classify-error.ts';
import {
  ForeignAnswerError,
  OutcomeUnknownError,
  type RequestDescription,
  ServiceError,
  UnusableAnswerError,
} from '../errors/errors.ts';
import {
  excerptHtmlText,
  isBeyondJsonLimit,
  looksLikeHtml,
  parseJson,
  readProblemDetails,
} from './problem.ts';

/** A successful answer of the service. */
export interface ServiceAnswer {
  /** The request that led to the answer, for messages. */
  readonly request: RequestDescription;
  readonly status: number;
  /** Parsed JSON; undefined when the answer has no body. */
  readonly body: unknown;
  /** Id that the service gave the request, to quote to its support; null when it gave none. */
  readonly requestId: string | null;
  /** When it was written, by the service's clock; undefined where it does not say. A cache keeps the time of what it gives. */
  readonly servedAt: number | undefined;
}

/** Facts about an answer that are known before its body is read. */
interface AnswerContext {
  readonly token: string;
  /** Time of the answer by the service's clock, from its `Date` header; undefined without one. */
  readonly servedAt: number | undefined;
  /** Time of the answer by this computer's clock, in milliseconds since the Unix epoch. */
  readonly now: number;
  /** Translation of the service's spelling; the contract's own spelling unless given. */
  readonly dialect?: ServiceDialect | undefined;
}

/**
 * Tells what an answer means. Anything that may have come from a proxy instead of the service leaves the outcome of a
 * request that changes something open.
 * @throws ServiceError, OutcomeUnknownError, ForeignAnswerError, UnusableAnswerError
 */
export function readServiceAnswer(
  request: RequestDescription,
  { status, headers, text }: HttpAnswer,
  { token, servedAt, now, dialect }: AnswerContext,
): ServiceAnswer {
  const contentType = headers.get('content-type');
  if (status >= 200 && status < 300) {
    const requestId = readRequestId(headers, token);
    const told = readBody(
      request,
      { status, text: redactTokenInData(text, token), contentType },
      token,
    );
    const body = dialect ? dialect.read(request.operation, told) : told;
    return { request, status, body, requestId, servedAt };
  }
  if (status < 400) {
    const target = redactTokenInText(headers.get('location') ?? 'nowhere', token);
    const seen = `a redirect (${status}) to ${excerptHtmlText(target)}`;
    // "See other" may mean "done, look there"; every other redirect means "not here".
    if (status === 303) throw lostOrNotTheService(request, status, seen);
    throw new ForeignAnswerError(request, { status, seen });
  }
  const safeText = redactTokenInText(text, token);
  // A `Retry-After` date is compared with the service's own clock, which may differ from ours.
  const nowMs = servedAt ?? now;
  throw readRefusal(request, { status, headers, safeText, contentType }, { token, nowMs, dialect });
}

interface ContentType {
  readonly contentType: string | null;
}

interface Refused extends Pick<HttpAnswer, 'status' | 'headers'>, ContentType {
  /** Body of the failed answer with the token masked, so that messages can quote it. */
  readonly safeText: string;
}

function readBody(
  request: RequestDescription,
  { status, text, contentType }: Pick<HttpAnswer, 'status' | 'text'> & ContentType,
  token: string,
): unknown {
  const isRead = request.method === 'GET';
  if (text.trim() === '') {
    // Some services answer so where a list is empty.
    if (!isRead || (status === 204 && operationShapes[request.operation].isList)) return undefined;
    throw new OutcomeUnknownError(request, { lost: 'half-answer', seen: `an empty ${status}` });
  }
  const body = parseJson(text);
  if (body !== undefined) return body;
  if (isRead && isBeyondJsonLimit(text)) {
    const seen = 'an answer of more than 5,000,000 values';
    throw new UnusableAnswerError(request, { code: 'answer-too-large', seen });
  }
  // JSON has no such character, and half of it has none either: the text is of another encoding.
  if (isRead && text.includes('\0')) {
    const seen = `${status}, a text that is not UTF-8`;
    throw new UnusableAnswerError(request, { code: 'answer-unreadable', seen });
  }
  if (!looksLikeHtml(text, contentType) && contentType?.includes('json')) {
    throw new OutcomeUnknownError(request, { lost: 'half-answer', seen: `torn JSON (${status})` });
  }
  throw lostOrNotTheService(
    request,
    status,
    describePage(redactTokenInText(text, token), contentType),
  );
}

function readRefusal(
  request: RequestDescription,
  { status, headers, safeText, contentType }: Refused,
  { token, nowMs, dialect }: { token: string; nowMs: number; dialect: ServiceDialect | undefined },
): ServiceError | OutcomeUnknownError | ForeignAnswerError {
  const { problem, isProblem } = readProblemDetails(safeText, dialect);
  const retryAfterMs = parseRetryAfter(headers.get('retry-after'), nowMs);
  const requestId = readRequestId(headers, token);
  const answered = { status, problem, retryAfterMs, requestId };
  if (request.method !== 'GET' && !isCertainlyRefused({ status, operation: request.operation })) {
    if (isProblem) {
      const said = problem.detail ?? problem.title;
      const seen = said === null ? String(status) : `${status}: ${said.replace(/[.\s]+$/, '')}`;
      return new OutcomeUnknownError(request, { lost: 'server-error', seen, answered });
    }
    const seen = `${status} from a proxy: ${describePage(safeText, contentType)}`;
    return new OutcomeUnknownError(request, { lost: 'proxy', seen, answered });
  }
  // A proxy's 404 is not the service's: taken for it, a VM would seem to be gone. Its 401, 429 and 5xx mean the same.
  const isForeign = looksLikeHtml(safeText, contentType) && status !== 401 && status !== 429;
  if (isForeign && status < 500) {
    return new ForeignAnswerError(request, {
      status,
      seen: `${status}, ${describePage(safeText, contentType)}`,
    });
  }
  return new ServiceError(request, answered);
}

function lostOrNotTheService(request: RequestDescription, status: number, seen: string) {
  return request.method === 'GET'
    ? new ForeignAnswerError(request, { status, seen })
    : new OutcomeUnknownError(request, { lost: 'proxy', seen });
}

function describePage(safeText: string, contentType: string | null): string {
  const what = looksLikeHtml(safeText, contentType) ? 'an HTML page' : 'a text';
  const words = excerptHtmlText(safeText);
  return words === '' ? `${what} without words` : `${what}: ${words}`;
}

function readRequestId(headers: HttpAnswer['headers'], token: string): string | null {
  const id = headers.get('x-request-id') ?? headers.get('x-correlation-id');
  return id === null ? null : excerptHtmlText(redactTokenInText(id, token));
}

/** The longest wait that the service can ask for at a time, in milliseconds: a day would stop everything for a day. */
const longestRetryAfterMs = 120_000;

const httpDate = /^[A-Z][a-z]{2,8},? /;

/**
 * A `Retry-After` header in milliseconds from `nowMs`: seconds, or an HTTP date (in the past: 0), two minutes at the
 * most. Null when missing or neither.
 */
export function parseRetryAfter(header: string | null, nowMs: number): number | null {
  const text = header?.trim() ?? '';
  if (/^\d+(\.\d+)?$/.test(text)) {
    return Math.min(longestRetryAfterMs, Math.ceil(Number(text) * 1000));
  }
  const time = httpDate.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(time) ? null : Math.min(longestRetryAfterMs, Math.max(0, time - nowMs));
}
