// Who reaches the sandbox: this machine alone, by a name of its own.

import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { serveSandboxAdmin } from '../../src/sandbox/server/admin.ts';
import { openSandbox, type Sandbox } from '../../src/sandbox/sandbox.ts';
import { serveSandbox } from '../../src/sandbox/server/serve.ts';
import { runInProcess } from '../cli/run-in-process.ts';
import { expectWords } from '../support/expect-words.ts';

let sandbox: Sandbox;
let closing: (() => Promise<void> | void)[] = [];
const bugs: unknown[] = [];
const ports = { service: '', admin: '' };

beforeAll(async () => {
  sandbox = await openSandbox({
    dataFile: ':memory:',
    now: () => Date.now(),
    onError: (error) => bugs.push(error),
  });
  const server = await serveSandbox(sandbox);
  const admin = await serveSandboxAdmin(sandbox.faults, 0);
  ports.service = new URL(server.baseUrl).port;
  ports.admin = new URL(admin.adminUrl).port;
  closing = [() => server.close(), () => admin.close(), () => sandbox.close()];
});
afterAll(async () => {
  for (const close of closing) await close();
});

/** Sends these bytes, and says that no more come if it `ends`. Gives what is answered until the server closes. */
const send = (
  port: string,
  text: string | Buffer,
  ends = false,
): Promise<{ status: number; body: string }> =>
  new Promise((done) => {
    const socket = connect(Number(port), '127.0.0.1');
    let got = '';
    socket.on('data', (chunk: Buffer) => (got += chunk.toString()));
    socket.on('error', () => undefined);
    socket.on('close', () =>
      done({ status: Number(got.split(' ')[1] ?? 0), body: got.split('\r\n\r\n')[1] ?? '' }),
    );
    if (ends) socket.end(text);
    else socket.write(text);
  });

const request = (target: string, host: string, method = 'GET', more = ''): string =>
  `${method} ${target} HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n` +
  `Authorization: Bearer ${sandbox.token}\r\n${more}\r\n`;

describe('attack q: a page of another site, by a name that leads here (DNS rebinding)', () => {
  const foreign = [
    ...[
      'evil.example',
      'evil.example:PORT',
      '127.0.0.1.evil.example:PORT',
      'localhost.evil.example',
    ],
    ...['localhost:1', '127.0.0.1', '0x7f000001:PORT', '192.168.0.1:PORT', 'xn--localhost:PORT'],
    ...[
      'evil.example@127.0.0.1:PORT',
      '127.0.0.1:PORT@evil.example',
      '[::2]:PORT',
      '',
      '0.0.0.0:PORT',
    ],
  ];

  it.each(foreign)('Host: %s is refused everywhere', async (host) => {
    for (const [port, targets] of [
      [ports.service, ['/', '/account.html', '/docs', '/v1/projects', '/nothing']],
      [ports.admin, ['/faults', '/events']],
    ] as const) {
      for (const target of targets) {
        const { status, body } = await send(port, request(target, host.replace('PORT', port)));
        expect([400, 421], target).toContain(status);
        if (status === 421) expect(JSON.parse(body)).toMatchObject({ status, instance: target });
      }
    }
  });

  it.each(['127.0.0.1', 'localhost', 'LocalHost', '127.1.2.3', '[::1]'])(
    'Host: %s is its own',
    async (host) => {
      const { service } = ports;
      expect((await send(service, request('/v1/projects', `${host}:${service}`))).status).toBe(200);
      expect((await send(service, request('/', `${host}:${service}`))).status).toBe(200);
    },
  );
});

describe('attack q: requests that no client sends', () => {
  const path = '/v1/projects';
  const post = (own: string, headers: string, body: string): Buffer =>
    Buffer.from(
      request(path, own, 'POST', `Content-Type: application/json\r\n${headers}`) + body,
      'latin1',
    );
  it.each<[string, (own: string) => string | Buffer]>([
    ['no Host', () => 'GET / HTTP/1.0\r\n\r\n'],
    ['a chunk of no length', (own) => post(own, 'Transfer-Encoding: chunked\r\n', 'zz\r\n')],
    ['two lengths', (own) => post(own, 'Content-Length: 3\r\nTransfer-Encoding: chunked\r\n', '')],
    ['no UTF-8', (own) => post(own, 'Content-Length: 12\r\n', '{"name":"\xff"}')],
    [
      'gzip that is none',
      (own) => post(own, 'Content-Encoding: gzip\r\nContent-Length: 1\r\n', '\x1f'),
    ],
    ['TRACE', (own) => request(path, own, 'TRACE')],
    ['PROPFIND', (own) => request(path, own, 'PROPFIND')],
    ['OPTIONS *', (own) => request('*', own, 'OPTIONS')],
    ['another path', (own) => request('/v1/../../etc/passwd', own)],
    ['an escape that is none', (own) => request('/v1/projects/%zz', own)],
    ['a page named __proto__', (own) => request('/__proto__', own)],
    ['a header of 100 kB', (own) => request('/', own, 'GET', `X: ${'x'.repeat(1e5)}\r\n`)],
  ])('%s is answered with 4xx', async (_what, write) => {
    const { status } = await send(ports.service, write(`127.0.0.1:${ports.service}`));
    expect(Math.floor(status / 100)).toBe(4);
    expect(bugs).toEqual([]);
  });

  it('a body that breaks off is no bug', async () => {
    const own = `127.0.0.1:${ports.service}`;
    await send(ports.service, post(own, 'Content-Length: 99\r\n', '{"name"'), true);
    expect((await send(ports.service, request('/', own))).status).toBe(200);
    expect(bugs).toEqual([]);
  });

  it.each(['{"do":"__proto__"}', '{"do":"constructor"}', '{"__proto__":1}', '[[', '1'])(
    'the edit %j is refused by the admin port',
    async (body) => {
      const answer = await fetch(`http://127.0.0.1:${ports.admin}/edits`, { method: 'POST', body });
      expect(answer.status).toBe(422);
    },
  );

  it('a script of 2 MB is refused by the admin port', async () => {
    const url = `http://127.0.0.1:${ports.admin}/faults`;
    expect((await fetch(url, { method: 'PUT', body: '#'.repeat(2_000_000) })).status).toBe(413);
  });
});

describe('attack q: a sandbox for the whole network', () => {
  it.each(['0.0.0.0', '::', '203.0.113.7', 'example.com', '127.0.0.1.example.com'])(
    '--host %s is refused',
    async (host) => {
      const { code, stdout, stderr } = await runInProcess([
        'sandbox',
        '--port',
        '0',
        '--host',
        host,
      ]);
      expect([code, stdout]).toEqual([1, '']);
      expectWords(stderr, `Cannot listen on ${host}`, '[cannot-listen]');
    },
  );

  it.each(['127.0.0.2', 'localhost'])('--host %s is taken', async (host) => {
    const server = await serveSandbox(sandbox, { host });
    expect((await fetch(`${server.baseUrl}/projects`)).status).toBe(401);
    await server.close();
  });
});
