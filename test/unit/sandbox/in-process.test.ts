import { expect, test } from 'vitest';
import { exchangeByFetch } from '../../../src/api/transport/exchange-by-fetch.ts';
import { routes } from '../../../src/api/contract/routes.ts';
import type { HttpExchange, HttpAnswer } from '../../../src/model/http.ts';
import { VirtualClock } from '../../../src/sandbox/clock/virtual-clock.ts';
import type { SandboxOptions } from '../../../src/sandbox/options.ts';
import { openSandbox } from '../../../src/sandbox/sandbox.ts';

interface Asked {
  readonly method: string;
  readonly path: string;
  readonly body?: unknown;
  readonly token?: string;
}

const limits = { headersMs: 10_000, bodyMs: 10_000, largestBytes: 1_000_000 };

/** Sends the same requests to two accounts that are the same: by way of the web's classes, and without them. */
async function sendBothWays(
  requests: readonly Asked[],
  more: Partial<SandboxOptions> = {},
): Promise<readonly (readonly [unknown, unknown])[]> {
  const open = async (isDirect: boolean) => {
    const clock = new VirtualClock(1_767_225_600_000);
    const sandbox = await openSandbox({
      ...{ dataFile: ':memory:', now: () => clock.now(), seed: 7, token: 'hw_secret' },
      ...more,
    });
    const byFetch = exchangeByFetch(sandbox.fetch, clock);
    const never: HttpExchange = () => Promise.reject(new Error('it went by fetch'));
    return { sandbox, exchange: isDirect ? sandbox.openExchange(never) : byFetch };
  };
  const sides = await Promise.all([open(false), open(true)]);
  const answers: (readonly [unknown, unknown])[] = [];
  for (const { method, path, body, token = 'hw_secret' } of requests) {
    const [byFetch, direct] = await Promise.all(
      sides.map(({ exchange }) =>
        exchange({
          ...{ method, url: `http://sandbox${path}`, ...limits },
          headers: {
            ...(token !== '' && { authorization: `Bearer ${token}` }),
            ...(body !== undefined && { 'content-type': 'application/json' }),
          },
          ...(body !== undefined && {
            body: typeof body === 'string' ? body : JSON.stringify(body),
          }),
        }).then(show),
      ),
    );
    answers.push([byFetch, direct]);
  }
  for (const { sandbox } of sides) sandbox.close();
  return answers;
}

const names = ['content-type', 'date', 'server', 'www-authenticate', 'allow'];
const show = ({ status, headers, text }: HttpAnswer) => ({
  status,
  headers: names.map((name) => headers.get(name)),
  // A token is random.
  text: text.replaceAll(/hw_\w+/g, 'hw_…'),
});

/** Each operation of the contract with ids that lead nowhere, after a few that make something. */
const everything: readonly Asked[] = [
  { method: 'POST', path: '/v1/projects', body: { name: 'Läden & Co' } },
  { method: 'POST', path: '/v1/tokens', body: { name: 'ci', scopes: ['read'] } },
  { method: 'GET', path: '/v1/projects?page=1&pageSize=1&page=2' },
  { method: 'GET', path: '/v1/projects?pageSize=x' },
  { method: 'GET', path: '/v1/projects', token: '' },
  { method: 'GET', path: '/v1/projects', token: 'hw_another' },
  { method: 'POST', path: '/v1/projects', body: '{' },
  { method: 'POST', path: '/v1/projects', body: '{"name":"a\\u0000"}' },
  { method: 'POST', path: '/v1/projects', body: { name: 'x'.repeat(2_000_000) } },
  { method: 'POST', path: '/v1/projects', body: Array.from({ length: 2_000 }, () => 1) },
  { method: 'POST', path: '/v1/projects', body: '"\\ud800"' },
  { method: 'GET', path: '/v1/nothing' },
  { method: 'PUT', path: '/v1/projects' },
  { method: 'HEAD', path: '/v1/limits' },
  { method: 'GET', path: '/v1/projects/a%00b' },
  { method: 'GET', path: '/v1/projects/%C3%A4%2Fb' },
  ...Object.values(routes).map(({ method, path }) => ({
    method,
    path: `/v1${path.replaceAll(/\{\w+\}/g, 'nothing-1')}`,
    ...(method !== 'GET' && method !== 'DELETE' && { body: {} }),
  })),
];

test.each([{}, { variant: 'loose' as const }])(
  'answers are the same both ways: %j',
  async (more) => {
    const answers = await sendBothWays(everything, more);
    expect(answers.map(([, direct]) => direct)).toEqual(answers.map(([byFetch]) => byFetch));
    const statuses = new Set(answers.map(([answer]) => (answer as HttpAnswer).status));
    for (const status of [200, 201, 400, 401, 404, 405, 413]) expect(statuses).toContain(status);
  },
);

test('every request while faults may strike goes the other way', async () => {
  const clock = new VirtualClock(0);
  const sandbox = await openSandbox({ dataFile: ':memory:', now: () => clock.now() });
  const byFetch: HttpExchange = () => Promise.reject(new Error('by fetch'));
  const exchange = sandbox.openExchange(byFetch);
  const ask = (path: string) =>
    exchange({
      ...{ method: 'GET', url: `http://sandbox${path}`, ...limits },
      headers: { authorization: `Bearer ${sandbox.token}` },
    });
  expect((await ask('/v1/projects')).status).toBe(200);
  sandbox.faults.restart({
    rules: [],
    edits: [{ name: 'later', atMs: 1e9, operation: 'createProject' }] as never,
  });
  await expect(ask('/v1/projects')).rejects.toThrow('by fetch');
  sandbox.close();
});

test('an answer that is too large is refused, and a request that nobody waits for is not carried out', async () => {
  const clock = new VirtualClock(0);
  const sandbox = await openSandbox({ dataFile: ':memory:', now: () => clock.now() });
  const exchange = sandbox.openExchange(exchangeByFetch(sandbox.fetch, clock));
  const request = {
    ...{ url: 'http://sandbox/v1/projects', ...limits },
    headers: { authorization: `Bearer ${sandbox.token}`, 'content-type': 'application/json' },
  };
  await expect(exchange({ ...request, method: 'GET', largestBytes: 10 })).rejects.toMatchObject({
    fault: { kind: 'oversized' },
  });
  const signal = AbortSignal.abort(new Error('interrupted'));
  const body = JSON.stringify({ name: 'shop' });
  await expect(exchange({ ...request, method: 'POST', body, signal })).rejects.toThrow(
    'interrupted',
  );
  expect(sandbox.view().projects).toEqual([]);
  sandbox.close();
});
