// How the server signs in to hosts, and what git gets to see of that.
import { createPublicKey, generateKeyPairSync, verify } from 'node:crypto';
import { expect, it } from 'vitest';
import type { HttpRequest } from '../../../../src/model/http.ts';
import { askGitHost } from '../../../../src/server/hosts/ask-host.ts';
import type {
  GitHostConnection,
  GitHostConnectionSecrets,
} from '../../../../src/server/hosts/connection.ts';
import { openGitHosts } from '../../../../src/server/hosts/open-hosts.ts';
import { silentRuntime } from '../../../support/silent-runtime.ts';

const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
const pem = privateKey.export({ type: 'pkcs1', format: 'pem' }).toString();
const connection: GitHostConnection = {
  ...{ name: 'github', kind: 'github', address: 'https://api.github.com' },
  ...{ app: undefined, createdAt: new Date(0), changedAt: new Date(0) },
};
const app: GitHostConnection = { ...connection, app: { id: '12', installation: '34' } };
const workspace = { connection: 'github', repository: 'https://github.com/acme/infra.git' };

/** Hosts of one connection, on a network that answers from a list. */
function open(
  given: GitHostConnection,
  secrets: Partial<GitHostConnectionSecrets>,
  answers: readonly object[] = [],
) {
  const requests: HttpRequest[] = [];
  const time = { nowMs: 1_000_000_000 };
  const left = [...answers];
  const runtime = {
    ...silentRuntime,
    env: { PATH: '/bin', GIT_CONFIG_COUNT: '1', GIT_CONFIG_KEY_0: 'a.b', GIT_CONFIG_VALUE_0: 'c' },
    clock: { ...silentRuntime.clock, now: () => time.nowMs },
    openNetwork: () => ({
      close: () => undefined,
      exchange: (request: HttpRequest) => {
        requests.push(request);
        const text = JSON.stringify(left.shift() ?? {});
        return Promise.resolve({ status: 200, headers: { get: () => null }, text });
      },
    }),
  };
  const connections = {
    find: () => Promise.resolve(given),
    readSecrets: () => Promise.resolve({ webhookSecret: '', ...secrets }),
  };
  return { hosts: openGitHosts(connections, runtime), requests, time };
}

it('gives git the token as a header for the site alone, beside the settings of the environment', async () => {
  const { hosts } = open(connection, { token: 'hush' });
  const { env } = await hosts.openGit(workspace);
  const basic = Buffer.from('x-access-token:hush').toString('base64');
  expect(env).toMatchObject({
    ...{ PATH: '/bin', GIT_CONFIG_COUNT: '2', GIT_CONFIG_KEY_0: 'a.b', GIT_CONFIG_VALUE_0: 'c' },
    GIT_CONFIG_KEY_1: 'http.https://github.com/.extraHeader',
    GIT_CONFIG_VALUE_1: `Authorization: Basic ${basic}`,
  });
});

it('gives git no token for a repository elsewhere', async () => {
  const { hosts } = open(connection, { token: 'hush' });
  const elsewhere = { ...workspace, repository: 'https://evil.test/acme/infra.git' };
  await expect(hosts.openGit(elsewhere)).rejects.toThrow('does not belong');
});

it('signs in as an App by a signed statement, and keeps the token until shortly before its end', async () => {
  const answer = (token: string, atMs: number) => ({
    ...{ token, expires_at: new Date(atMs).toISOString() },
  });
  const hour = 3_600_000;
  const { hosts, requests, time } = open(app, { privateKey: pem }, [
    answer('first', 1_000_000_000 + hour),
    answer('second', 1_000_000_000 + 2 * hour),
  ]);
  const read = async () => (await (await hosts.open(app)).readCredential()).password;
  expect(await Promise.all([read(), read()])).toEqual(['first', 'first']);
  time.nowMs += hour - 5 * 60_000 - 1;
  expect(await read()).toBe('first');
  time.nowMs += 1;
  expect(await read()).toBe('second');
  expect(requests.map(({ url }) => url)).toEqual(
    Array(2).fill('https://api.github.com/app/installations/34/access_tokens'),
  );
  const [head = '', claims = '', signature = ''] =
    requests[0]?.headers.authorization?.slice('Bearer '.length).split('.') ?? [];
  const key = createPublicKey(publicKey.export({ type: 'spki', format: 'pem' }));
  const signed = Buffer.from(signature, 'base64url');
  expect(verify('sha256', Buffer.from(`${head}.${claims}`), key, signed)).toBe(true);
  expect(JSON.parse(Buffer.from(claims, 'base64url').toString())).toEqual({
    ...{ iat: 1_000_000 - 60, exp: 1_000_000 + 540, iss: '12' },
  });
});

const api = (answer: { status: number; headers?: Record<string, string>; text?: string }) => ({
  ...{ root: 'https://api.github.com', label: 'GitHub', now: () => 1_000_000 },
  headers: () => Promise.resolve({ authorization: 'Bearer hush' }),
  exchange: () =>
    Promise.resolve({
      status: answer.status,
      headers: { get: (name: string) => answer.headers?.[name] ?? null },
      text: answer.text ?? '',
    }),
});
const request = { method: 'GET', path: '/user?page=2' } as const;

it.each([
  [{ status: 429, headers: { 'retry-after': '7' } }, 7_000],
  [{ status: 403, headers: { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': '1030' } }, 30_000],
  [{ status: 502, headers: { 'x-ratelimit-reset': '1030' } }, 0],
])('waits as long as the host says: %o', async (answer, retryAfterMs) => {
  await expect(askGitHost(api(answer), request)).rejects.toMatchObject({ retryAfterMs });
});

it('says what the host answered, without the query, and follows no page to another host', async () => {
  const text = JSON.stringify({ message: 'Bad\u001b[31m credentials' });
  await expect(askGitHost(api({ status: 401, text }), request)).rejects.toThrow(
    'GitHub answered 401 to GET /user: Bad credentials',
  );
  const link = (host: string) => ({ link: `<https://${host}/user?page=3>; rel="next"` });
  const ask = async (host: string) =>
    (await askGitHost(api({ status: 200, headers: link(host), text: '[]' }), request)).next;
  expect(await ask('api.github.com')).toBe('https://api.github.com/user?page=3');
  expect(await ask('api.github.com.evil.test')).toBeUndefined();
});
