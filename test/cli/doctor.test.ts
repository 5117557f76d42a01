import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { createServer as createTlsServer } from 'node:https';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { makeSelfSigned } from '../support/self-signed.ts';
import { copyExample } from './program.ts';
import { runInProcess as run, serve, type ServedSandbox } from './run-in-process.ts';

let served: ServedSandbox;
let example: Awaited<ReturnType<typeof copyExample>>;

beforeAll(async () => {
  served = await serve('--speed', '100000');
  example = await copyExample('quickstart');
}, 60_000);
afterAll(async () => {
  await served.stop();
  await example.remove();
});

/** The first two columns of each line. */
const outcomesOf = (stdout: string) =>
  stdout
    .split('\n')
    .filter((line) => /^(ok|warning|failure|skipped) /.test(line))
    .map((line) => line.split(/ +/).slice(0, 2).join(' '));

test('all is well with a service that publishes its interface', async () => {
  const before = await run(['doctor', example.path], { env: served.env });
  expect(before).toMatchObject({ code: 0, stderr: '' });
  expect(outcomesOf(before.stdout)).toEqual([
    ...['ok configuration', 'ok address', 'ok token', 'ok scopes'],
    ...['ok clock', 'ok contract', 'ok state', 'ok lock'],
  ]);
  expect(before.stdout).toContain('All 72 operations are in its /docs/openapi.json');
  expect(before.stdout).not.toContain(served.env.HOSTWRIGHT_TOKEN);
  await run(['apply', '--auto-approve', example.path], { env: served.env });
  const after = await run(['doctor', example.path], { env: served.env });
  expect(after.stdout).toContain('7 resources, serial 1');
  expect(after.stdout).toMatch(/No problems found\.\n$/);
}, 30_000);

test('every fault is told at once', async () => {
  const broken = await copyExample('quickstart');
  onTestFinished(() => broken.remove());
  await writeFile(join(broken.path, 'main.yaml'), 'version: 2\nprojects: [');
  await writeFile(join(broken.path, 'more.yaml'), 'x: 1');
  const env = { HOSTWRIGHT_BASE_URL: 'nonsense', HOSTWRIGHT_TOKEN_FILE: '/nowhere/token' };
  const told = await run(['doctor', broken.path], { env });
  expect(told).toMatchObject({ code: 1, stderr: '' });
  expect(outcomesOf(told.stdout)).toEqual([
    ...['failure configuration', 'failure address', 'failure token', 'skipped scopes'],
    ...['skipped clock', 'skipped contract', 'ok state', 'ok lock'],
  ]);
  expect(told.stdout).toMatch(/3 failures\.\n$/);
  const json = await run(['doctor', broken.path, '--json'], { env });
  expect(JSON.parse(json.stdout)).toMatchObject({ healthy: false });
});

test('an address with a certificate that nobody signed', async () => {
  const env = { HOSTWRIGHT_TOKEN: 'secret-token', HOSTWRIGHT_ALLOW_OTHER_SERVICE: '1' };
  const doctor = (baseUrl: string) =>
    run(['doctor', example.path], { env: { ...env, HOSTWRIGHT_BASE_URL: baseUrl } });

  const tls = createTlsServer(makeSelfSigned('127.0.0.1'));
  tls.listen(0, '127.0.0.1');
  await once(tls, 'listening');
  const untrusted = await doctor(`https://127.0.0.1:${(tls.address() as AddressInfo).port}/v1`);
  tls.close();
  expect(untrusted.code).toBe(1);
  expect(untrusted.stdout).toContain('certificate');
  expect(untrusted.stdout).not.toContain('secret-token');
});

test('a directory that is not there', async () => {
  const told = await run(['doctor', 'nowhere'], { env: served.env });
  expect(told.code).toBe(1);
  expect(told.stdout).toContain('There is no directory nowhere');
  expect(outcomesOf(told.stdout)).toContain('ok token');
});
