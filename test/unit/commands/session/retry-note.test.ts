import { expect, test } from 'vitest';
import type { RequestAttemptEvent } from '../../../../src/api/transport/attempt.ts';
import { createRetryNotifier } from '../../../../src/commands/session/connect.ts';
import { readList, readRows } from '../../../support/read-rows.ts';

/** What is told of attempts: when each ended, in seconds, and how long until the next; `null` for one that worked. */
function toldOf(...attempts: readonly (readonly [number, number | null])[]): string[] {
  const told: string[] = [];
  const note = createRetryNotifier(({ code, detail }) => told.push(`${code}: ${detail ?? ''}`));
  for (const [index, [second, pause]] of attempts.entries()) {
    const event: RequestAttemptEvent = {
      ...{ operation: 'getLimits', method: 'GET', url: 'https://api.test/v1/limits' },
      ...{ attempt: index + 1, startedAt: second * 1_000, elapsedMs: 0 },
      status: pause === null ? 200 : 503,
      failure: pause === null ? null : 'getLimits answered 503',
      retryAfterMs: pause === null ? null : pause * 1_000,
      holdMs: null,
    };
    note(event);
  }
  return told;
}

/** Pairs of numbers: `0 20, 20 -`; a dash is none. */
const readPairs = (cell: string) =>
  readList(cell).map((pair) => {
    const [first, second] = pair.split(' ');
    return [Number(first), second === '-' ? null : Number(second)] as const;
  });

test.each(
  readRows(`
  what works | 0 -, 1 - | 0
  what is soon over | 0 1, 1 2, 3 - | 0
  several that are soon over | 0 3, 3 -, 10 3, 13 - | 0
  what takes long | 0 1, 1 2, 3 4, 7 8 | 1
  a long pause, at once | 0 20 | 1
  what goes on and on, now and then | 0 20, 20 20, 40 20, 60 20 | 2
  trouble that has come back | 0 20, 20 -, 40 20 | 2
`),
)('tells of %s: %s, %i times', (_what, attempts, times) => {
  expect(toldOf(...readPairs(attempts))).toHaveLength(Number(times));
});

test('says which request, why, and when it goes on', () => {
  expect(toldOf([0, 19.5])).toEqual([
    'service-retried: GET https://api.test/v1/limits: getLimits answered 503. Attempt 2 follows in 20 s.',
  ]);
});

/** What is told of refusals that ask for a wait: when each came, and for how many seconds it asks. */
function toldOfHolds(...holds: readonly (readonly [number, number | null])[]): string[] {
  const told: string[] = [];
  const note = createRetryNotifier(({ summary, detail }) =>
    told.push(`${summary}. ${detail ?? ''}`),
  );
  for (const [second, hold] of holds) {
    note({
      ...{ operation: 'stopVm', method: 'POST', url: 'https://api.test/v1/stop', attempt: 1 },
      ...{ startedAt: second * 1_000, elapsedMs: 0, status: 503, failure: 'stopVm answered 503' },
      ...{ retryAfterMs: null, holdMs: (hold ?? 0) * 1_000 },
    });
  }
  return told;
}

test('says at once that the service asked to wait, and for how long', () => {
  expect(toldOfHolds([0, 119.5])).toEqual([
    'The service asked to wait 120 s before the next request. POST https://api.test/v1/stop answered 503. ' +
      'Nothing is sent to the service until then.',
  ]);
});

test.each(
  readRows(`
  a short one | 0 3 | 0
  several at the same time | 0 120, 0.01 120, 0.02 100 | 1
  one after the other | 0 10, 10 10, 20.5 10 | 3
`),
)('tells of %s: %s, %i times', (_what, holds, times) => {
  expect(toldOfHolds(...readPairs(holds))).toHaveLength(Number(times));
});
