import { createServer, type ServerResponse } from 'node:http';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { run } from './program.ts';
import { serve, type ServedSandbox } from './run-in-process.ts';

let sandbox: ServedSandbox;
let directory: string;
/** Looks at the records of a resource, which only tell how long something took. */
let held: ServerResponse[];
let baseUrl: string;

/** Before the service: it keeps such a look waiting for as long as its connection stands. */
const gateway = createServer((request, response) => {
  const { method = '', url = '', headers } = request;
  if (method === 'GET' && url.includes('resourceId=')) {
    held.push(response);
    return;
  }
  void (async () => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const { authorization = '' } = headers;
    const answer = await fetch(`${sandbox.env.HOSTWRIGHT_BASE_URL ?? ''}${url.slice(3)}`, {
      ...{ method, headers: { authorization, 'content-type': 'application/json' } },
      ...(chunks.length > 0 && { body: Buffer.concat(chunks) }),
    });
    const kept = ['content-type', 'date', 'server'].flatMap((name) => {
      const value = answer.headers.get(name);
      return value === null ? [] : [[name, value] as const];
    });
    response.writeHead(answer.status, Object.fromEntries(kept));
    response.end(Buffer.from(await answer.arrayBuffer()));
  })();
});

beforeEach(async () => {
  held = [];
  sandbox = await serve('--speed', '200');
  directory = await mkdtemp(join(tmpdir(), 'hostwright-last-look-'));
  await new Promise<void>((done) => gateway.listen(0, '127.0.0.1', done));
  baseUrl = `http://127.0.0.1:${(gateway.address() as AddressInfo).port}/v1`;
});
afterEach(async () => {
  gateway.closeAllConnections();
  await new Promise((done) => gateway.close(done));
  await sandbox.stop();
  await rm(directory, { recursive: true });
});

test('an apply ends with its work, whatever it still asked for', async () => {
  const configuration = 'version: 1\nprojects:\n  shop: { networks: { main: } }\n';
  await writeFile(join(directory, 'main.yaml'), configuration);
  const env = { ...sandbox.env, HOSTWRIGHT_BASE_URL: baseUrl };
  const { code, stdout, stderr } = await run(['apply', '--auto-approve'], { cwd: directory, env });
  expect([code, stderr.match(/trying again/g)]).toEqual([0, null]);
  expect(stdout).toContain('Resources: 2 added');
  expect(held.length).toBeGreaterThan(0);
});
