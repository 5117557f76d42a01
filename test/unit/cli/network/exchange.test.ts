import { createServer, type RequestListener, type Server } from 'node:http';
import { createServer as createRawServer, type AddressInfo, type Socket } from 'node:net';
import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from 'node:zlib';
import { afterEach, describe, expect, test } from 'vitest';
import { openLazyNetwork } from '../../../../src/cli/network/open-network.ts';
import type { HttpRequest, NetworkConnections } from '../../../../src/model/http.ts';

const network: NetworkConnections = openLazyNetwork({}, { maxConnections: 8 });
const closers: (() => void)[] = [];
afterEach(() => {
  for (const close of closers.splice(0)) close();
});

async function listen(listener: RequestListener): Promise<string> {
  const server: Server = createServer(listener);
  closers.push(() => {
    server.closeAllConnections();
    server.close();
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1/vms?page=2`;
}

/** Plain sockets: what no HTTP server would do. */
async function listenRaw(onConnection: (socket: Socket) => void): Promise<string> {
  const server = createRawServer((socket) => {
    closers.push(() => socket.destroy());
    socket.on('error', () => undefined);
    onConnection(socket);
  });
  closers.push(() => server.close());
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
}

const ask = (url: string, more: Partial<HttpRequest> = {}) =>
  network.exchange({
    ...{ url, method: 'GET', headers: { accept: 'application/json' } },
    ...{ headersMs: 5_000, bodyMs: 5_000, largestBytes: 1_000_000 },
    ...more,
  });

describe('an exchange', () => {
  test('sends what it is given, and gives the whole answer', async () => {
    const seen: unknown[] = [];
    const url = await listen((request, response) => {
      const { method, url: path, headers } = request;
      request.setEncoding('utf8');
      let body = '';
      request.on('data', (chunk: string) => (body += chunk));
      request.on('end', () => {
        const { accept, 'content-type': type, 'user-agent': agent } = headers;
        seen.push({ method, path, body, accept, type, agent });
        response.writeHead(202, { 'content-type': 'application/json', 'x-mark': ['a', 'b'] });
        response.write('{"name":"gr\u00fc');
        setTimeout(() => response.end('n \u{1f600}"}'), 5);
      });
    });
    const headers = { accept: 'application/json', 'content-type': 'application/json' };
    const answer = await ask(url, { method: 'POST', headers, body: '{"name":"\u00e4"}' });
    expect(answer).toMatchObject({ status: 202, text: '{"name":"gr\u00fcn \u{1f600}"}' });
    expect(answer.headers.get('Content-Type')).toBe('application/json');
    expect(answer.headers.get('x-mark')).toBe('a, b');
    expect(answer.headers.get('x-none')).toBeNull();
    expect(seen).toEqual([
      {
        ...{ method: 'POST', path: '/v1/vms?page=2', body: '{"name":"\u00e4"}' },
        ...{ accept: 'application/json', type: 'application/json' },
        agent: expect.stringMatching(/^hostwright\/\d+\.\d+\.\d+/) as string,
      },
    ]);
  });

  test('keeps its connection for the next one', async () => {
    const ports = new Set<number | undefined>();
    const url = await listen((request, response) => {
      ports.add(request.socket.remotePort);
      response.end('{}');
    });
    for (let count = 0; count < 5; count += 1) await ask(url);
    // The next one may begin before the last has left its connection.
    expect(ports.size).toBeLessThan(3);
  });

  test('without a body has an empty text', async () => {
    const url = await listen((_, response) => response.writeHead(204).end());
    expect(await ask(url, { method: 'DELETE' })).toMatchObject({ status: 204, text: '' });
  });

  test('a header that cannot be sent is not repeated in the error', async () => {
    const headers = { authorization: 'Bearer secret\nvalue' };
    const error = await ask('http://127.0.0.1:1/v1', { headers }).catch(
      (thrown: unknown) => thrown,
    );
    expect(error).toMatchObject({ fault: { kind: 'malformed' } });
    expect(String((error as Error).stack)).not.toContain('secret');
  });
});

describe('what was packed for its way', () => {
  const text = JSON.stringify({ name: 'a'.repeat(5_000) });
  test.each([
    ['gzip', gzipSync(text)],
    ['deflate', deflateSync(text)],
    ['deflate', deflateRawSync(text)],
    ['br', brotliCompressSync(text)],
    ['gzip, br', brotliCompressSync(gzipSync(text))],
    ['identity', Buffer.from(text)],
  ])('with %s is read', async (packing, body) => {
    const url = await listen((_, response) => {
      response.writeHead(200, { 'content-encoding': packing });
      response.end(body);
    });
    expect((await ask(url)).text).toBe(text);
  });

  test('is given up once it is too large, however small it came', async () => {
    // Packed before the request: packing takes time of the thread that also measures the answer's.
    const packed = gzipSync(Buffer.alloc(5_000_000));
    const url = await listen((_, response) => {
      response.writeHead(200, { 'content-encoding': 'gzip' });
      response.end(packed);
    });
    await expect(ask(url)).rejects.toMatchObject({ fault: { kind: 'oversized' } });
  });

  test.each([
    ['cut short', 'gzip', gzipSync(text).subarray(0, 30)],
    ['of another sort', 'gzip', Buffer.from('not packed')],
    ['packed again and again', 'gzip, gzip, gzip', gzipSync(gzipSync(gzipSync(text)))],
  ])('%s is half an answer', async (_, packing, body) => {
    const url = await listen((__, response) => {
      response.writeHead(200, { 'content-encoding': packing });
      response.end(body);
    });
    await expect(ask(url)).rejects.toMatchObject({ fault: { kind: 'half', status: 200 } });
  });
});

describe('an answer larger than it may be', () => {
  test('is not read when its length says so', async () => {
    const url = await listen((_, response) => {
      response.writeHead(200, { 'content-length': '2000000' });
      response.write('{');
    });
    await expect(ask(url)).rejects.toMatchObject({ fault: { kind: 'oversized' } });
  });

  test('is given up on the way when it does not', async () => {
    const url = await listen((_, response) => {
      const more = () => {
        while (response.write(' '.repeat(10_000)));
      };
      response.on('drain', more);
      more();
    });
    await expect(ask(url)).rejects.toMatchObject({ fault: { kind: 'oversized' } });
  });
});

describe('an answer that takes too long', () => {
  const drip = (start: string) => {
    let close: () => void = () => undefined;
    const closed = new Promise<void>((resolve) => (close = resolve));
    const url = listenRaw((socket) => {
      socket.once('data', () => {
        socket.write(start);
        // Every byte would begin the waiting anew, if each pause were watched and not the whole.
        const timer = setInterval(() => socket.write(' '), 5);
        socket.on('close', () => {
          clearInterval(timer);
          close();
        });
      });
    });
    return { url, closed };
  };

  test.each([
    ['in its headers', 'HTTP/1.1 200 OK\r\nx-slow:', 'answer'],
    ['in its body', 'HTTP/1.1 200 OK\r\ncontent-length: 100000\r\n\r\n{', 'whole answer'],
  ])('trickling in %s is given up, and its connection closed', async (_, start, awaited) => {
    const { url, closed } = drip(start);
    const request = ask(await url, { headersMs: 100, bodyMs: 100 });
    await expect(request).rejects.toMatchObject({ fault: { kind: 'overdue', awaited, ms: 100 } });
    await closed;
  });

  test('is broken off when nobody wants it any more', async () => {
    const { url, closed } = drip('HTTP/1.1 200 OK\r\nx-slow:');
    const stopping = new AbortController();
    const reason = new Error('enough');
    const request = ask(await url, { signal: stopping.signal });
    setTimeout(() => stopping.abort(reason), 30);
    await expect(request).rejects.toBe(reason);
    await closed;
  });

  test('is not asked for when nobody wants it from the start', async () => {
    const reason = new Error('enough');
    const signal = AbortSignal.abort(reason);
    await expect(ask('http://127.0.0.1:1/v1', { signal })).rejects.toBe(reason);
  });
});
