// Errors of S3: a status, and a code in XML that is more precise.
import { HttpFailure, type HttpAnswer } from '../../../model/http.ts';
import { BackendError, type BackendFault } from '../backend-error.ts';
import { cleanServerText } from '../clean-text.ts';

/** The request in words (`read lock.json`), and its place. */
export interface BucketRequest {
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
export function s3ErrorCodeOf({ text }: HttpAnswer): string {
  return /<Code>([^<]{1,100})<\/Code>/.exec(text)?.[1] ?? '';
}

/** The error of an answer that neither confirms the request nor refuses its condition. */
export function createBucketError(answer: HttpAnswer, attempt: BucketRequest): BackendError {
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
export function createBucketNetworkError(cause: unknown, attempt: BucketRequest): BackendError {
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
