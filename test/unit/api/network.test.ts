import { openLazyNetwork } from '../../../src/cli/network/open-network.ts';
import { createServer, type Server } from 'node:http';
import {
  createServer as createRawServer,
  type AddressInfo,
  type Server as RawServer,
  type Socket,
} from 'node:net';
import { createServer as createTlsServer } from 'node:tls';
import { afterEach, describe, expect, test } from 'vitest';
import { createServiceClient, type ServiceClient } from '../../../src/api/client.ts';
import { describeError } from '../../../src/api/errors/describe-error.ts';
import { ApiError } from '../../../src/api/errors/errors.ts';
import { kindRegistry } from '../../../src/kinds/registry.ts';
import type { Diagnostic } from '../../../src/model/diagnostic.ts';
import type { Clock } from '../../../src/model/runtime.ts';
import { makeSelfSigned } from '../../support/self-signed.ts';
import { failureOf } from './fake-service.ts';

// The shapes of failures as the network stack has them, over real sockets.

const servers: Server[] = [];
const rawServers: RawServer[] = [];
const sockets = new Set<Socket>();

/** Real time for the request, none for the waits between attempts. */
const clock: Clock = {
  now: () => Date.now(),
  sleep: (ms, signal) =>
    ms < 10_000
      ? Promise.resolve()
      : new Promise((_, reject) => {
          signal?.addEventListener('abort', () => reject(new Error('not needed')));
        }),
};

const connectTo = (baseUrl: string, time = clock): ServiceClient =>
  createServiceClient({
    kinds: kindRegistry,
    baseUrl,
    token: 'tok_12345678',
    clock: time,
    random: () => 0,
    maxConcurrency: 4,
    exchange: openLazyNetwork({}, { maxConnections: 40 }).exchange,
  });

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
  for (const socket of sockets) socket.destroy();
  sockets.clear();
  for (const server of rawServers.splice(0)) server.close();
});

/** What the user is told. */
function tell(error: Error): Diagnostic {
  if (!(error instanceof ApiError)) throw error;
  return describeError(error);
}

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
  const client = connectTo(address.replace('http:', 'https:'));
  const error = await failureOf(client.getLimits());
  expect(error).toMatchObject({ code: 'connection-error', isLasting: true, attempts: 1 });
  // The same bytes can come in the middle of a connection that a change went out on.
  expect(await failureOf(client.send(stop))).toMatchObject({ code: 'outcome-unknown' });
});

test('a kept connection that the service closes on a change: it may have been carried out', async () => {
  let count = 0;
  const address = await listen((request, response) => {
    count += 1;
    if (request.method === 'POST') request.socket.destroy();
    else {
      response.setHeader('content-type', 'application/json');
      response.end('{}');
    }
  });
  const client = connectTo(address);
  await client.getLimits();
  const error = await failureOf(client.send(stop));
  expect(error).toMatchObject({ code: 'outcome-unknown', lost: 'reset', attempts: 1 });
  expect(count).toBe(2);
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
  const client = createServiceClient({
    kinds: kindRegistry,
    baseUrl: address,
    token: 'tok_12345678',
    clock,
    random: () => 0,
    maxConcurrency: 40,
    exchange: openLazyNetwork({}, { maxConnections: 40 }).exchange,
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

/** Plain sockets: what no HTTP server would do. */
async function listenRaw(onConnection: (socket: Socket) => void): Promise<string> {
  const server = createRawServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined);
    onConnection(socket);
  });
  rawServers.push(server);
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
}

const header = 'HTTP/1.1 200 OK\r\ncontent-type: application/json\r\n';
/** A server that answers every request with these bytes and then does as it is told. */
const answerWith = (text: string, then: (socket: Socket) => void) =>
  listenRaw((socket) => {
    socket.once('data', () => socket.write(text, () => then(socket)));
  });

describe('a connection that breaks', () => {
  test.each<[string, string, (socket: Socket) => void, string]>([
    ['is reset before the answer', '', (socket) => socket.resetAndDestroy(), 'reset'],
    ['is reset in the headers', 'HTTP/1.1 200 O', (socket) => socket.resetAndDestroy(), 'reset'],
    [
      'is reset in the body',
      `${header}content-length: 500\r\n\r\n{"items":[`,
      (socket) => socket.resetAndDestroy(),
      'half-answer',
    ],
    [
      'ends before the length that was promised',
      `${header}content-length: 500\r\n\r\n{"items":[]}`,
      (socket) => socket.end(),
      'half-answer',
    ],
    [
      'ends within a chunk',
      `${header}transfer-encoding: chunked\r\n\r\n20\r\n{"items":[`,
      (socket) => socket.end(),
      'half-answer',
    ],
    ['ends without an answer', '', (socket) => socket.end(), 'reset'],
  ])('%s: a change is sent once, a read again', async (_, text, then, lost) => {
    let count = 0;
    const address = await answerWith(text, (socket) => {
      count += 1;
      then(socket);
    });
    const error = await failureOf(connectTo(address).send(stop));
    expect(error).toMatchObject({ code: 'outcome-unknown', lost, attempts: 1 });
    expect(count).toBe(1);
    const diagnostic = tell(error);
    expect(diagnostic.summary).toMatch(/and its outcome is unknown/);
    expect(diagnostic.hint).toMatch(/it looks first/);

    const lostRead = await failureOf(connectTo(address).getLimits());
    expect(lostRead).toMatchObject({ code: 'outcome-unknown', lost, attempts: 10 });
    expect(tell(lostRead)).toMatchObject({ code: 'no-answer' });
  });

  test('a read whose answer is cut off twice is asked a third time, and that answer counts', async () => {
    let count = 0;
    const body = '{"maxSshKeysPerProject":5}';
    const address = await listen((_, response) => {
      count += 1;
      response.writeHead(200, {
        'content-type': 'application/json',
        'content-length': body.length,
      });
      if (count === 3) response.end(body);
      else response.write(body.slice(0, 10), () => response.destroy());
    });
    expect((await connectTo(address).getLimits()).maxSshKeysPerProject).toBe(5);
    expect(count).toBe(3);
  });
});

describe('TLS', () => {
  test('a certificate that nobody vouches for', async () => {
    const server = createTlsServer(makeSelfSigned('127.0.0.1'));
    rawServers.push(server);
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
    const address = `https://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
    const error = await failureOf(connectTo(address).send(stop));
    expect(error).toMatchObject({ code: 'connection-error', isLasting: true, attempts: 1 });
    expect(tell(error)).toMatchObject({
      code: 'unreachable',
      detail: expect.stringMatching(/its certificate is self-signed.*Nothing was sent/) as string,
      hint: expect.stringContaining('NODE_EXTRA_CA_CERTS') as string,
    });
  });

  test('a handshake that breaks off is tried again: nothing was sent', async () => {
    let count = 0;
    const address = await listenRaw((socket) => {
      socket.once('data', () => {
        count += 1;
        socket.destroy();
      });
    });
    const error = await failureOf(connectTo(address.replace('http:', 'https:')).send(stop));
    expect(error).toMatchObject({ code: 'connection-error', isLasting: false, attempts: 3 });
    expect(count).toBe(3);
  });
});

test('a proxy in front of a service that is down', async () => {
  const page = '<!doctype html><html><body><h1>Bad gateway</h1></body></html>';
  let count = 0;
  const address = await listen((_, response) => {
    count += 1;
    if (count > 3) {
      response.setHeader('content-type', 'application/json');
      response.end('{"maxSshKeysPerProject":5}');
      return;
    }
    response.writeHead(count === 1 ? 502 : 503, { 'content-type': 'text/html' });
    response.end(page);
  });
  const error = await failureOf(connectTo(address).send(stop));
  expect(error).toMatchObject({ code: 'outcome-unknown', lost: 'proxy', attempts: 1 });
  expect(tell(error).detail).toMatch(/a proxy answered instead.*Bad gateway/);
  const limits = await connectTo(address).getLimits();
  expect(limits.maxSshKeysPerProject).toBe(5);
  expect(count).toBe(4);
});
