import { expect, test } from 'vitest';
import {
  ConnectionError,
  ForeignAnswerError,
  OutcomeUnknownError,
} from '../../../../src/api/errors/errors.ts';
import {
  decideRetry,
  type FailedRequestAttempt,
  retryLimits,
} from '../../../../src/api/transport/retry-policy.ts';
import { refusal, someRead, someWrite } from '../fake-service.ts';

const refused = new ConnectionError(someRead, { reason: 'ECONNREFUSED', isLasting: false });
const expired = new ConnectionError(someRead, { reason: 'CERT_HAS_EXPIRED', isLasting: true });
const reset = new OutcomeUnknownError(someWrite, { lost: 'reset', seen: 'ECONNRESET' });
const aborted = new OutcomeUnknownError(someWrite, { lost: 'aborted', seen: 'stopped' });
const page = new ForeignAnswerError(someRead, { status: 200, seen: 'an HTML page' });
const resize = { operation: 'resizeVm', method: 'POST', url: 'x' } as const;

const decide = (fields: Partial<FailedRequestAttempt>) =>
  decideRetry({
    error: refused,
    isIdempotent: true,
    attempt: 1,
    elapsedMs: 0,
    random: 0.5,
    isFirstContact: false,
    ...fields,
  });

test.each<[string, unknown, { read: boolean; write: boolean }]>([
  ['no connection', refused, { read: true, write: true }],
  ['a bad certificate', expired, { read: false, write: false }],
  ['a lost answer', reset, { read: true, write: false }],
  ['stopped by us', aborted, { read: false, write: false }],
  ['a proxy page', page, { read: true, write: false }],
  ['429', refusal(429), { read: true, write: true }],
  ['429 with Retry-After', refusal(429, { retryAfterMs: 1000 }), { read: true, write: true }],
  ['503 with Retry-After', refusal(503, { retryAfterMs: 1000 }), { read: true, write: false }],
  ['503', refusal(503), { read: true, write: false }],
  ['500', refusal(500), { read: true, write: false }],
  ['500 with Retry-After', refusal(500, { retryAfterMs: 1 }), { read: true, write: false }],
  ['502', refusal(502), { read: true, write: false }],
  ['504', refusal(504), { read: true, write: false }],
  ['501', refusal(501), { read: false, write: false }],
  ['400', refusal(400), { read: false, write: false }],
  ['401', refusal(401), { read: false, write: false }],
  ['403', refusal(403), { read: false, write: false }],
  ['404', refusal(404), { read: false, write: false }],
  ['409', refusal(409), { read: false, write: false }],
  [
    "resize's 503, even with Retry-After",
    refusal(503, { retryAfterMs: 1000, request: resize }),
    { read: false, write: false },
  ],
  ['a bug', new TypeError('x is not a function'), { read: false, write: false }],
])('what is sent again: %s', (_, error, expected) => {
  expect({
    read: decide({ error, isIdempotent: true }).kind === 'retry',
    write: decide({ error, isIdempotent: false }).kind === 'retry',
  }).toEqual(expected);
});

test.each<[string, Partial<FailedRequestAttempt>, number]>([
  ['first', { attempt: 1 }, 250],
  ['doubles', { attempt: 3 }, 1000],
  ['at once at the least', { attempt: 5, random: 0 }, 0],
  ['is capped', { attempt: 9, random: 0.999999 }, 20_000],
  ['as the service asks', { error: refusal(429, { retryAfterMs: 7000 }), random: 0 }, 7000],
  ['spread over it', { error: refusal(429, { retryAfterMs: 7000 }), random: 0.25 }, 7250],
  ['longer than our cap if asked', { error: refusal(503, { retryAfterMs: 60_000 }) }, 60_500],
  ['without Retry-After as any', { error: refusal(429), attempt: 2 }, 500],
])('when: %s', (_, fields, afterMs) => expect(decide(fields)).toEqual({ kind: 'retry', afterMs }));

test.each<[string, Partial<FailedRequestAttempt>, boolean]>([
  ['not before the last attempt', { attempt: retryLimits.attempts - 1, random: 0 }, false],
  ['after the last attempt', { attempt: retryLimits.attempts, random: 0 }, true],
  ['not at the deadline', { elapsedMs: retryLimits.deadlineMs, random: 0 }, false],
  ['past the deadline', { elapsedMs: retryLimits.deadlineMs + 1, random: 0 }, true],
  ['when the next would be past it', { elapsedMs: retryLimits.deadlineMs - 100 }, true],
  ['not when asked to wait past it', { error: refusal(429, { retryAfterMs: 121_000 }) }, false],
  [
    'when asked to wait again and again',
    { error: refusal(429, { retryAfterMs: 120_000 }), elapsedMs: 480_000 },
    true,
  ],
  ['when no time is left for it', { random: 1, leftMs: 499 }, true],
  ['not when there is just enough', { random: 1, leftMs: 500 }, false],
  ['sooner where nothing ever answered', { attempt: 3, isFirstContact: true }, true],
  ['not at once there', { attempt: 2, isFirstContact: true }, false],
  [
    'at once at a page where the service never answered',
    { error: page, isFirstContact: true },
    true,
  ],
  ['later where it answered badly', { error: reset, attempt: 3, isFirstContact: true }, false],
])('gives up: %s', (_, fields, isOver) => expect(decide(fields).kind === 'give-up').toBe(isOver));
