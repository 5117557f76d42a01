// What stands between us and the service: certificates and proxies, as they are in earnest, on this machine.
import { rmSync } from 'node:fs';
import { mkdtemp, writeFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { connect as connectSocket, type AddressInfo, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { createServiceClient } from '../../../../src/api/client.ts';
import { describeError } from '../../../../src/api/errors/describe-error.ts';
import { ApiError } from '../../../../src/api/errors/errors.ts';
import { openDispatcher } from '../../../../src/cli/network/dispatcher.ts';
import { openLazyNetwork } from '../../../../src/cli/network/open-network.ts';
import { kindRegistry } from '../../../../src/kinds/registry.ts';
import type { Diagnostic } from '../../../../src/model/diagnostic.ts';
import type { NetworkSettings } from '../../../../src/model/http.ts';
import type { Runtime } from '../../../../src/model/runtime.ts';
import { makeSelfSigned } from '../../../support/self-signed.ts';

const closers: (() => void)[] = [];
afterEach(() => {
  for (const close of closers.splice(0)) close();
});

async function open(server: Pick<Server, 'listen' | 'address' | 'close'>): Promise<number> {
  const sockets = new Set<Socket>();
  (server as Server).on('connection', (socket: Socket) => sockets.add(socket));
  closers.push(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  return (server.address() as AddressInfo).port;
}

const limits = '{"maxSshKeysPerProject":5}';
const openService = () =>
  open(
    createServer((_, response) => {
      response.setHeader('content-type', 'application/json');
      response.end(limits);
    }),
  );
const openTlsService = (pair: { key: string; cert: string }, more: object = {}) =>
  open(
    createTlsServer({ ...pair, ...more }, (_, response) => {
      response.setHeader('content-type', 'application/json');
      response.end(limits);
    }),
  );

/** Asks for the limits of the account. @returns how it ended, in the words of the user */
async function ask(
  baseUrl: string,
  env: Runtime['env'] = {},
  settings: Partial<NetworkSettings> = {},
): Promise<Diagnostic | 'answered'> {
  const network = openLazyNetwork(env, { maxConnections: 4, ...settings });
  const client = createServiceClient({
    ...{
      kinds: kindRegistry,
      baseUrl,
      token: 'tok_12345678',
      maxConcurrency: 4,
      exchange: network.exchange,
    },
    clock: { now: () => Date.now(), sleep: () => Promise.resolve() },
    random: () => 0,
  });
  try {
    await client.getLimits();
    return 'answered';
  } catch (error) {
    if (error instanceof ApiError) return describeError(error);
    throw error;
  } finally {
    network.close();
  }
}

describe('TLS', () => {
  test('an authority that is given is trusted beside the known ones', async () => {
    const pair = makeSelfSigned('localhost');
    const baseUrl = `https://localhost:${await openTlsService(pair)}/v1`;
    expect(await ask(baseUrl)).toMatchObject({
      code: 'unreachable',
      detail: expect.stringContaining('its certificate is self-signed') as string,
    });
    expect(await ask(baseUrl, {}, { tls: { ca: pair.cert } })).toBe('answered');
  });

  test('so are the authorities of NODE_EXTRA_CA_CERTS, which Node leaves out as soon as others are given', async () => {
    const [ours, extra] = [makeSelfSigned('localhost'), makeSelfSigned('localhost')];
    const file = join(await mkdtemp(join(tmpdir(), 'hostwright-extra-')), 'extra.pem');
    closers.push(() => rmSync(dirname(file), { recursive: true }));
    await writeFile(file, `# of the company\n${extra.cert}`);
    const settings = { tls: { ca: ours.cert } };
    for (const pair of [ours, extra]) {
      const baseUrl = `https://localhost:${await openTlsService(pair)}/v1`;
      expect(await ask(baseUrl, { NODE_EXTRA_CA_CERTS: file }, settings)).toBe('answered');
    }
    const baseUrl = `https://localhost:${await openTlsService(ours)}/v1`;
    // Node warns of it at its start.
    const missing = { NODE_EXTRA_CA_CERTS: `${file}.none` };
    expect(await ask(baseUrl, missing, settings)).toBe('answered');
  });

  test('what tells of a wrong authority names both places for the right one', async () => {
    const baseUrl = `https://localhost:${await openTlsService(makeSelfSigned('localhost'))}/v1`;
    const told = await ask(baseUrl, {}, { tls: { ca: makeSelfSigned('localhost').cert } });
    expect(told).toMatchObject({
      code: 'unreachable',
      detail: expect.stringMatching(/its certificate is .*self-signed/) as string,
      hint: expect.stringMatching(/`service\.tls\.caFile`.*NODE_EXTRA_CA_CERTS/) as string,
    });
  });

  test('a certificate that has expired', async () => {
    const pair = makeSelfSigned('localhost', '210101000000Z');
    const baseUrl = `https://localhost:${await openTlsService(pair)}/v1`;
    expect(await ask(baseUrl, {}, { tls: { ca: pair.cert } })).toMatchObject({
      code: 'unreachable',
      detail: expect.stringContaining('its certificate has expired') as string,
      hint: expect.stringContaining('clock of this machine') as string,
    });
  });

  test('a certificate for another host', async () => {
    const pair = makeSelfSigned('api.example.com');
    const baseUrl = `https://localhost:${await openTlsService(pair)}/v1`;
    expect(await ask(baseUrl, {}, { tls: { ca: pair.cert } })).toMatchObject({
      code: 'unreachable',
      detail: expect.stringContaining('its certificate is for another host') as string,
      hint: expect.stringContaining('host name') as string,
    });
  });

  test.each([
    ['TLSv1.3', /it asks for a client certificate \(ERR_SSL_\w+CERTIFICATE_REQUIRED\)/],
    // OpenSSL 3.5 has another name for it than 3.0.
    ['TLSv1.2', /it refused the TLS handshake \(ERR_SSL_\S+_ALERT_HANDSHAKE_FAILURE\)/],
  ])('a service that wants to know who asks, by %s', async (maxVersion, why) => {
    const ours = makeSelfSigned('us');
    const more = { requestCert: true, rejectUnauthorized: true, ca: ours.cert, maxVersion };
    const { url } = await openProxy();
    const ways: [string, Runtime['env']][] = [
      ['localhost', {}],
      ['service.invalid', { HTTPS_PROXY: url }],
    ];
    for (const [host, env] of ways) {
      const pair = makeSelfSigned(host);
      const baseUrl = `https://${host}:${await openTlsService(pair, more)}/v1`;
      expect(await ask(baseUrl, env, { tls: { ca: pair.cert } })).toMatchObject({
        code: 'unreachable',
        detail: expect.stringMatching(why) as string,
        hint: expect.stringContaining('`service.tls.certFile`') as string,
      });
      const tls = { ca: pair.cert, cert: ours.cert, key: ours.key };
      expect(await ask(baseUrl, env, { tls })).toBe('answered');
    }
  });
});

/** A proxy that opens every way it is asked for, to this machine, unless it answers something else. */
async function openProxy(refusal?: {
  status: number;
  when?: (request: IncomingMessage) => boolean;
}) {
  const asked: { target: string | undefined; authorization: string | undefined }[] = [];
  const server = createServer();
  server.on('connect', (request: IncomingMessage, socket: Socket) => {
    const { url: target, headers } = request;
    asked.push({ target, authorization: headers['proxy-authorization'] });
    socket.on('error', () => undefined);
    if (refusal && (refusal.when?.(request) ?? true)) {
      socket.end(`HTTP/1.1 ${refusal.status} No\r\ncontent-length: 0\r\n\r\n`);
      return;
    }
    const port = Number(target?.split(':').at(-1));
    const onward = connectSocket(port, '127.0.0.1', () => {
      socket.write('HTTP/1.1 200 Connection established\r\n\r\n');
      onward.pipe(socket).pipe(onward);
    });
    onward.on('error', () => socket.end('HTTP/1.1 502 Bad gateway\r\ncontent-length: 0\r\n\r\n'));
    closers.push(() => onward.destroy());
  });
  const port = await open(server);
  return { asked, port, url: `http://127.0.0.1:${port}` };
}

describe('a proxy', () => {
  test('opens the way to a service that only it can reach', async () => {
    const { asked, url } = await openProxy();
    const port = await openService();
    expect(await ask(`http://service.invalid:${port}/v1`, { HTTP_PROXY: url })).toBe('answered');
    expect(asked).toEqual([{ target: `service.invalid:${port}`, authorization: undefined }]);
  });

  test('needs no http:// before it, as for curl, git and Go', async () => {
    const { asked, url } = await openProxy();
    const port = await openService();
    const env = { http_proxy: url.replace('http://', '') };
    expect(await ask(`http://service.invalid:${port}/v1`, env)).toBe('answered');
    expect(asked).toHaveLength(1);
  });

  test.each(['socks5://proxy.example:1080', 'proxy.example:port'])(
    'that is no address is refused by the name of its variable: %s',
    (given) => {
      const settings = { maxConnections: 1 };
      expect(() => openDispatcher({ https_proxy: given }, settings)).toThrow(
        'https_proxy is not the address of a proxy',
      );
    },
  );

  test('carries what it cannot read to a service that speaks TLS', async () => {
    const { asked, url } = await openProxy();
    const pair = makeSelfSigned('service.invalid');
    const port = await openTlsService(pair);
    const tls = { ca: pair.cert };
    const baseUrl = `https://service.invalid:${port}/v1`;
    expect(await ask(baseUrl, { https_proxy: url }, { tls })).toBe('answered');
    expect(asked).toHaveLength(1);
    expect(await ask(baseUrl, { https_proxy: url })).toMatchObject({ code: 'unreachable' });
  });

  test('that speaks TLS is named by the environment, and so is what vouches for it', async () => {
    const pair = makeSelfSigned('localhost');
    const port = await open(createTlsServer(pair));
    const env = { HTTPS_PROXY: `https://localhost:${port}` };
    const tls = { ca: pair.cert };
    expect(await ask('https://service.invalid/v1', env, { tls })).toMatchObject({
      code: 'proxy-unreachable',
      detail: expect.stringContaining('its certificate is self-signed') as string,
      hint: expect.stringContaining('NODE_EXTRA_CA_CERTS') as string,
    });
  });

  test.each(['service.invalid', '.invalid', '*', 'a.example, SERVICE.invalid'])(
    'is left out with NO_PROXY=%s',
    async (noProxy) => {
      const { asked, url } = await openProxy();
      const env = { HTTP_PROXY: url, NO_PROXY: noProxy };
      expect(await ask('http://service.invalid:9/v1', env)).toMatchObject({ code: 'unreachable' });
      expect(asked).toEqual([]);
    },
  );

  test('is not asked for this machine', async () => {
    const { asked, url } = await openProxy();
    const port = await openService();
    for (const host of ['127.0.0.1', 'localhost']) {
      expect(await ask(`http://${host}:${port}/v1`, { HTTP_PROXY: url })).toBe('answered');
    }
    expect(asked).toEqual([]);
  });

  test('that cannot be reached is told from a service that cannot', async () => {
    const { port } = await openProxy();
    for (const close of closers.splice(0)) close();
    const told = await ask('http://service.invalid/v1', { HTTP_PROXY: `http://127.0.0.1:${port}` });
    expect(told).toMatchObject({
      code: 'proxy-unreachable',
      summary: `The proxy http://127.0.0.1:${port} cannot be reached`,
      detail: expect.stringMatching(/the connection was refused \(ECONNREFUSED\)/) as string,
    });
  });

  test('that wants to know who asks is told, and its password never', async () => {
    const isStranger = ({ headers }: IncomingMessage) =>
      headers['proxy-authorization'] !== `Basic ${Buffer.from('me:pass word').toString('base64')}`;
    const { url, asked } = await openProxy({ status: 407, when: isStranger });
    const port = await openService();
    const baseUrl = `http://service.invalid:${port}/v1`;
    const told = await ask(baseUrl, { HTTP_PROXY: url.replace('//', '//me:wrong-secret@') });
    expect(told).toMatchObject({ code: 'proxy-authentication' });
    expect(asked).toHaveLength(1);
    expect(JSON.stringify(told)).not.toContain('wrong-secret');
    const env = { HTTP_PROXY: url.replace('//', '//me:pass%20word@') };
    expect(await ask(baseUrl, env)).toBe('answered');
  });

  test.each([
    [403, 1],
    [502, 3],
  ])('that answers %d is told; it is asked %d times', async (status, times) => {
    const { url, asked } = await openProxy({ status });
    const told = await ask('http://service.invalid/v1', { HTTP_PROXY: url });
    expect(told).toMatchObject({
      code: 'proxy-refused',
      summary: 'The proxy refuses to connect to http://service.invalid',
      detail: expect.stringContaining(`it answered ${status}`) as string,
    });
    expect(asked).toHaveLength(times);
  });

  test('that never answers is given up', async () => {
    const silent = createServer();
    silent.on('connect', () => undefined);
    const env = { HTTP_PROXY: `http://127.0.0.1:${await open(silent)}` };
    const network = openLazyNetwork(env, { maxConnections: 1 });
    const request = network.exchange({
      ...{ url: 'http://service.invalid/v1', method: 'GET', headers: {} },
      ...{ headersMs: 100, bodyMs: 100, largestBytes: 1_000 },
    });
    await expect(request).rejects.toMatchObject({ code: 'UND_ERR_CONNECT_TIMEOUT' });
    network.close();
  });
});
