import { expect, test } from 'vitest';
import { describeError } from '../../../../src/api/errors/describe-error.ts';
import {
  ApiError,
  ConnectionError,
  NotSentError,
  NotTheServiceError,
  OutcomeUnknownError,
  ServiceError,
} from '../../../../src/api/errors/errors.ts';
import { baseUrl, refusal, someRead, someWrite } from '../fake-service.ts';

const limits = { operation: 'getLimits', method: 'GET', url: `${baseUrl}/limits` } as const;

const unreachable = (reason: string, isLasting = false): ConnectionError =>
  new ConnectionError(someRead, { reason, isLasting });

test.each<[string, ApiError, string, RegExp]>([
  [
    '401',
    refusal(401),
    'unauthorized',
    /not sent whole.*expired or was revoked.*another account or another base address/,
  ],
  ['403', refusal(403), 'forbidden', /scopes/],
  ['404', refusal(404), 'not-found', /Plan again/],
  [
    '404 of what always exists',
    refusal(404, { request: limits }),
    'wrong-base-address',
    /ends in \/v1/,
  ],
  ['409', refusal(409, { detail: 'Locked.' }), 'conflict', /answered 409: Locked\.(?!\.)/],
  [
    'capacity',
    refusal(409, { code: 'insufficientCapacity' }),
    'insufficient-capacity',
    /another configuration/,
  ],
  ['quota', refusal(403, { title: 'Quota exceeded' }), 'quota-refused', /hostwright limits/],
  [
    'a value',
    refusal(422, { detail: 'Invalid.', errors: { name: ['too long.', 'odd'], '': ['no'] } }),
    'request-refused',
    /422: Invalid; name: too long; odd; no\./,
  ],
  ['429', refusal(429), 'rate-limited', /fewer requests/],
  ['500', refusal(500), 'service-unavailable', /answered 500\./],
  ['405', refusal(405), 'request-refused', /refused the request/],
  [
    'refused',
    unreachable('ECONNREFUSED'),
    'unreachable',
    /the connection was refused \(ECONNREFUSED\).*Nothing was sent/,
  ],
  ['no host', unreachable('ENOTFOUND'), 'unreachable', /no such host \(ENOTFOUND\)/],
  ['another reason', unreachable('toString'), 'unreachable', /: toString\./],
  [
    'a certificate',
    unreachable('SELF_SIGNED_CERT_IN_CHAIN', true),
    'unreachable',
    /`service\.tls\.caFile`.*NODE_EXTRA_CA_CERTS/,
  ],
  [
    'a certificate that is over',
    unreachable('CERT_HAS_EXPIRED', true),
    'unreachable',
    /its certificate has expired.*clock of this machine/,
  ],
  [
    'another kind of TLS',
    unreachable('ERR_SSL_SSL/TLS_ALERT_HANDSHAKE_FAILURE', true),
    'unreachable',
    /it refused the TLS handshake.*Nothing was sent.*service\.tls\.certFile/,
  ],
  [
    'no client certificate',
    unreachable('ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED', true),
    'unreachable',
    /it asks for a client certificate.*service\.tls\.certFile.*HOSTWRIGHT_KEY_FILE/,
  ],
  [
    'a client certificate that it does not know',
    unreachable('ERR_SSL_TLSV1_ALERT_UNKNOWN_CA', true),
    'unreachable',
    /it does not accept the client certificate/,
  ],
  [
    'no TLS',
    unreachable('ERR_SSL_WRONG_VERSION_NUMBER', true),
    'unreachable',
    /does not speak TLS/,
  ],
  ['a port', unreachable('bad port', true), 'unreachable', /Check the network/],
  [
    'a lost change',
    new OutcomeUnknownError(someWrite, { lost: 'reset', seen: 'ECONNRESET' }),
    'outcome-unknown',
    /and its outcome is unknown.*the connection broke \(ECONNRESET\).*it looks first/,
  ],
  [
    'a change and a failure of the service',
    new OutcomeUnknownError(someWrite, {
      lost: 'server-error',
      seen: '503: Busy',
      answered: {
        status: 503,
        problem: refusal(503).problem,
        retryAfterMs: null,
        requestId: 'r-3',
      },
    }),
    'outcome-unknown',
    /its outcome is unknown.*stop: the service failed while it had the request \(503: Busy\)\. Request id: r-3\./,
  ],
  [
    'a change for which there was no time',
    new NotSentError(someWrite, { why: 'deadline', heldForMs: 119_400 }, { cause: refusal(429) }),
    'not-sent',
    /longer than there was time.*no request for another 120 s\. Before that it was answered 429\..*timeouts/,
  ],
  [
    'a change that was interrupted',
    new NotSentError(someWrite, { why: 'interrupted' }),
    'not-sent',
    /not sent: it was interrupted.*waiting for its turn\./,
  ],
  [
    'a lost read',
    new OutcomeUnknownError(someRead, { lost: 'timeout', seen: 'no whole answer within 30 s' }),
    'no-answer',
    /no answer came in time.*This request changed nothing/,
  ],
  [
    'a page',
    new NotTheServiceError(someRead, { status: 200, seen: 'an HTML page: Sign in' }),
    'not-the-service',
    /got an HTML page: Sign in\..*A proxy.*ends in \/v1/,
  ],
])('what the user reads: %s', (_, error, code, text) => {
  const diagnostic = describeError(error);
  expect(diagnostic.severity).toBe('error');
  expect(diagnostic.code).toBe(code);
  expect(diagnostic.summary).not.toMatch(/\.$/);
  const { summary, detail = '', hint = '' } = diagnostic;
  expect(`${summary} ${detail} ${hint}`).toMatch(text);
});

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
