import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { createClient, type ServiceClient } from '../../../src/api/client.ts';
import type { Clock } from '../../../src/model/runtime.ts';
import { failureOf } from './fake-service.ts';

// The shapes of failures as Node's own fetch has them, over real sockets.

const servers: Server[] = [];

/** Real time for the request, none for the waits between attempts. */
const clock: Clock = {
  now: () => Date.now(),
  sleep: (ms, signal) =>
    ms < 30_000
      ? Promise.resolve()
      : new Promise((_, reject) => {
          signal?.addEventListener('abort', () => reject(new Error('not needed')));
        }),
};

function connectTo(baseUrl: string): ServiceClient {
  return createClient({
    baseUrl,
    token: 'tok_12345678',
    clock,
    random: () => 0,
    maxConcurrency: 4,
    fetch: (request) => fetch(request),
  });
}

async function listen(answer: Parameters<typeof createServer>[1]): Promise<string> {
  const server = createServer(answer);
  servers.push(server);
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
}

afterEach(() => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    server.close();
  }
});

const stop = { kind: 'stopVm', project: 'p', vm: 'v' } as const;

test('nobody listens', async () => {
  const address = await listen(() => undefined);
  const server = servers.pop();
  await new Promise((done) => server?.close(done));
  const error = await failureOf(connectTo(address).send(stop));
  expect(error).toMatchObject({ code: 'connection-error', reason: 'ECONNREFUSED', attempts: 3 });
});

test('no such host', async () => {
  const error = await failureOf(connectTo('http://nowhere.invalid/v1').send(stop));
  expect(error).toMatchObject({ code: 'connection-error' });
  expect(error.message).toMatch(/ENOTFOUND|EAI_AGAIN/);
});

test('https where plain http is spoken', async () => {
  const address = await listen(() => undefined);
  const error = await failureOf(connectTo(address.replace('http:', 'https:')).send(stop));
  expect(error).toMatchObject({ code: 'connection-error', isLasting: true, attempts: 1 });
});

test('a port that fetch refuses', async () => {
  const error = await failureOf(connectTo('http://127.0.0.1:6000/v1').send(stop));
  expect(error).toMatchObject({ code: 'connection-error', isLasting: true, reason: 'bad port' });
});

test('the connection is closed without an answer', async () => {
  let count = 0;
  const address = await listen((request) => {
    count += 1;
    request.socket.destroy();
  });
  const error = await failureOf(connectTo(address).send(stop));
  expect(error).toMatchObject({ code: 'outcome-unknown', lost: 'reset', attempts: 1 });
  expect(count).toBe(1);
});

test('the answer breaks off', async () => {
  const address = await listen((_, response) => {
    response.writeHead(202, { 'content-type': 'application/json', 'content-length': '100' });
    response.write('{"commandId":');
    setTimeout(() => response.destroy(), 20);
  });
  const error = await failureOf(connectTo(address).send(stop));
  expect(error).toMatchObject({ code: 'outcome-unknown', lost: 'half-answer', attempts: 1 });
});

test('a redirect is not followed', async () => {
  const paths: (string | undefined)[] = [];
  const address = await listen((request, response) => {
    paths.push(request.url);
    response.writeHead(301, { location: '/v1/elsewhere' });
    response.end();
  });
  const error = await failureOf(connectTo(address).send(stop));
  expect(error).toMatchObject({ code: 'not-the-service', status: 301 });
  expect(paths).toEqual(['/v1/projects/p/vms/v/stop']);
});

test('many requests under one signal raise no warning', async () => {
  const address = await listen((_, response) => {
    response.setHeader('content-type', 'application/json');
    setTimeout(() => response.end('{"items":[],"totalCount":0}'), 5);
  });
  const warnings: string[] = [];
  const onWarning = (warning: Error) => warnings.push(warning.name);
  process.on('warning', onWarning);
  const client = createClient({
    baseUrl: address,
    token: 'tok_12345678',
    clock,
    random: () => 0,
    maxConcurrency: 40,
    fetch: (request) => fetch(request),
  });
  const { signal } = new AbortController();
  const reads = Array.from({ length: 40 }, (_, index) =>
    client.list('vm', { projectId: `p${index}` }, { signal }),
  );
  await Promise.all(reads);
  await new Promise((done) => setTimeout(done, 20));
  process.off('warning', onWarning);
  expect(warnings).toEqual([]);
});
