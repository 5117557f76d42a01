import { parse } from 'yaml';
import { expect, test } from 'vitest';
import { describeError } from '../../../../src/api/errors/describe-error.ts';
import {
  ApiError,
  ConnectionError,
  NotSentError,
  ForeignAnswerError,
  OutcomeUnknownError,
  ServiceError,
} from '../../../../src/api/errors/errors.ts';
import { baseUrl, refusal, someRead, someWrite } from '../fake-service.ts';
import { readRows } from '../../../support/read-rows.ts';

const limits = { operation: 'getLimits', method: 'GET', url: `${baseUrl}/limits` } as const;

const unreachable = (reason: string, isLasting = false): ConnectionError =>
  new ConnectionError(someRead, { reason, isLasting });

/** What the user reads: the code, then words of the whole in their order, parted by ` … `. */
function expectWords(error: ApiError, code: string, words: string): void {
  const diagnostic = describeError(error);
  expect(diagnostic).toMatchObject({ severity: 'error', code });
  expect(diagnostic.summary).not.toMatch(/\.$/);
  const { summary, detail = '', hint = '' } = diagnostic;
  const escaped = words.split(' … ').map((one) => one.replaceAll(/[.()`/]/g, String.raw`\$&`));
  expect(`${summary} ${detail} ${hint}`).toMatch(new RegExp(escaped.join('.*')));
}

test.each(
  readRows(`
  401 | {} | unauthorized | not sent whole … expired or was revoked … another account or another base address
  403 | {} | forbidden | scopes
  404 | {} | not-found | Plan again
  409 | { detail: Locked. } | conflict | answered 409: Locked. 
  409 | { code: insufficientCapacity } | insufficient-capacity | another configuration
  403 | { title: Quota exceeded } | quota-refused | hostwright limits
  422 | { detail: Invalid., errors: { name: [too long., odd], "": [no] } } | request-refused | 422: Invalid; name: too long; odd; no.
  429 | {} | rate-limited | fewer requests
  500 | {} | service-unavailable | answered 500.
  405 | {} | request-refused | does not take GET for getVm … answered 405. That it takes GET is assumed. … contract bind
`),
)('a refusal with %i and %s', (status, fields, code, words) =>
  expectWords(refusal(Number(status), parse(fields) as object), code, words),
);

test.each(
  readRows(`
  ECONNREFUSED | the connection was refused (ECONNREFUSED) … Nothing was sent
  ENOTFOUND | no such host (ENOTFOUND)
  toString | : toString.
  SELF_SIGNED_CERT_IN_CHAIN | \`service.tls.caFile\` … NODE_EXTRA_CA_CERTS
  CERT_HAS_EXPIRED | its certificate has expired … clock of this machine
  ERR_SSL_SSL/TLS_ALERT_HANDSHAKE_FAILURE | it refused the TLS handshake … Nothing was sent … service.tls.certFile
  ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED | it asks for a client certificate … service.tls.certFile … HOSTWRIGHT_KEY_FILE
  ERR_SSL_TLSV1_ALERT_UNKNOWN_CA | it does not accept the client certificate
  ERR_SSL_WRONG_VERSION_NUMBER | does not speak TLS
  bad port | Check the network
`),
)('no connection: %s', (reason, words) => {
  const isLasting = /CERT|SSL|port/.test(reason);
  expectWords(unreachable(reason, isLasting), 'unreachable', words);
});

const { problem } = refusal(503);
const failed = { status: 503, problem, retryAfterMs: null, requestId: 'r-3' };
const late = { why: 'deadline', heldForMs: 119_400 } as const;
test.each<[ApiError, string, string]>([
  [refusal(404, { request: limits }), 'wrong-base-address', 'ends in /v1'],
  [
    new OutcomeUnknownError(someWrite, { lost: 'reset', seen: 'ECONNRESET' }),
    'outcome-unknown',
    'and its outcome is unknown … the connection broke (ECONNRESET) … it looks first',
  ],
  [
    new OutcomeUnknownError(someWrite, {
      lost: 'server-error',
      seen: '503: Busy',
      answered: failed,
    }),
    'outcome-unknown',
    'its outcome is unknown … stop: the service failed while it had the request (503: Busy). Request id: r-3.',
  ],
  [
    new NotSentError(someWrite, late, { cause: refusal(429) }),
    'not-sent',
    'longer than there was time … no request for another 120 s. Before that it was answered 429. … timeouts',
  ],
  [
    new NotSentError(someWrite, { why: 'interrupted' }),
    'not-sent',
    'not sent: it was interrupted … waiting for its turn.',
  ],
  [
    new OutcomeUnknownError(someRead, { lost: 'timeout', seen: 'no whole answer within 30 s' }),
    'no-answer',
    'no answer came in time … This request changed nothing',
  ],
  [
    new ForeignAnswerError(someRead, { status: 200, seen: 'an HTML page: Sign in' }),
    'not-the-service',
    'got an HTML page: Sign in. … A proxy … ends in /v1',
  ],
  [
    new ForeignAnswerError(someRead, {
      ...{ status: 200, seen: 'an object with data instead of a list', keys: ['data', 'meta'] },
    }),
    'not-the-service',
    'answers getVm in another shape … got an object with data instead of a list. Its keys: meta. … contract bind DOCUMENT … contract probe',
  ],
  [
    refusal(404, {
      request: { operation: 'deleteVm', method: 'DELETE', url: `${baseUrl}/projects/p1/vms/v1` },
    }),
    'not-found',
    'DELETE … answered 404. That deleteVm has this path is assumed. … contract bind',
  ],
])('another error, %#', expectWords);

test('the request, its attempts and its id are named', () => {
  const error = new ServiceError(someRead, {
    status: 500,
    retryAfterMs: null,
    requestId: 'r-7',
    problem: { title: null, detail: null, errors: {}, code: null },
  });
  error.attempts = 4;
  expect(describeError(error).detail).toBe(
    `GET ${baseUrl}/projects/p1/vms/v1 answered 500. It was tried 4 times. Request id: r-7.`,
  );
});

test('an error of a kind to come is at least said', () => {
  class Later extends ApiError {
    readonly code = 'later';
  }
  expect(describeError(new Later('hm', someRead))).toEqual({
    severity: 'error',
    code: 'later',
    summary: 'hm',
  });
});
