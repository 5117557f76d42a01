import type { HttpRequest } from '../../../../src/model/http.ts';
import { expect, test } from 'vitest';
import { logRequests } from '../../../../src/commands/session/log-requests.ts';
import type { Runtime } from '../../../../src/model/runtime.ts';
import { silentRuntime } from '../../../support/silent-runtime.ts';

function runtimeWith(level: string | undefined): { runtime: Runtime; lines: string[] } {
  const lines: string[] = [];
  let now = Date.UTC(2026, 0, 2);
  const runtime: Runtime = {
    ...silentRuntime,
    env: { HOSTWRIGHT_LOG: level },
    stderr: { ...silentRuntime.stderr, write: (text) => void lines.push(text) },
    clock: { ...silentRuntime.clock, now: () => (now += 7) },
  };
  return { runtime, lines };
}

const request: HttpRequest = {
  url: 'http://sandbox/v1/projects?page=2',
  method: 'GET',
  headers: { authorization: 'Bearer secret-token' },
  ...{ headersMs: 1_000, bodyMs: 1_000, largestBytes: 1_000 },
};
const answerWith = (status: number) => () =>
  Promise.resolve({ status, headers: { get: () => null }, text: '' });

test.each([undefined, '', 'off', '0'])('nothing is logged with HOSTWRIGHT_LOG=%s', (level) => {
  const { runtime } = runtimeWith(level);
  const exchange = answerWith(200);
  expect(logRequests(runtime, exchange)).toBe(exchange);
});

test('every request is a line with its answer, and without its token', async () => {
  const { runtime, lines } = runtimeWith('debug');
  const answer = logRequests(runtime, answerWith(503));
  expect((await answer(request)).status).toBe(503);
  const lost = logRequests(runtime, () => Promise.reject(new TypeError('reset')));
  await expect(lost(request)).rejects.toThrow('reset');
  expect(lines.map((line) => line.replace(/^\S+ /, ''))).toEqual([
    '[DEBUG] GET /v1/projects?page=2: 503, 7 ms\n',
    '[DEBUG] GET /v1/projects?page=2: TypeError, 7 ms\n',
  ]);
  expect(lines.join('')).not.toContain('secret');
});
