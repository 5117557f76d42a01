import { createServer, type Server } from 'node:http';
import { createServer as listen, type AddressInfo, type Server as Listener } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openProber } from '../../../../src/cli/network/open-prober.ts';
import type { EvaluatedProbe } from '../../../../src/model/plan/readiness.ts';

const signal = new AbortController().signal;
const names: Readonly<Record<string, readonly string[]>> = {
  'local.test': ['127.0.0.1'],
  'mapped.test': ['::ffff:127.0.0.1'],
  'both.test': ['10.0.0.1', '127.0.0.1'],
  'empty.test': [],
};
let seen: string[] = [];
let web: Server;
let deaf: Listener;
const resolved: string[] = [];

const portOf = (server: Server | Listener) => (server.address() as AddressInfo).port;
const open = (server: Server | Listener) =>
  new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });

function ask(
  probe: EvaluatedProbe,
  ranges: readonly string[] = ['127.0.0.0/8'],
  end = signal,
  publicIps?: readonly string[],
) {
  const env = { HOSTWRIGHT_TOKEN: 'hw_secret', PATH: process.env.PATH };
  const resolve = (host: string) => {
    resolved.push(host);
    return Promise.resolve(
      (names[host] ?? []).map((address) => ({ address, family: address.includes(':') ? 6 : 4 })),
    );
  };
  const prober = openProber(
    env,
    { ranges, directory: import.meta.dirname, isOnServer: publicIps !== undefined },
    { resolve },
  );
  return prober(probe, { address: 'a', since: 0, publicIps }, end);
}

const get = (path: string, more: Partial<Extract<EvaluatedProbe, { kind: 'http' }>> = {}) =>
  ({
    kind: 'http',
    url: `http://local.test:${portOf(web)}${path}`,
    statuses: [200],
    ...more,
  }) as const;
const tcp = (host: string, port = portOf(web)) => ({ kind: 'tcp', host, port }) as const;

beforeAll(async () => {
  web = createServer((request, response) => {
    const { url = '', headers } = request;
    seen.push(`${url} ${headers.host?.replace(/:\d+$/, '') ?? ''} ${headers.authorization ?? '-'}`);
    if (url === '/moved') response.writeHead(302, { location: '/ok' }).end();
    else if (url === '/large') response.end(`${'x'.repeat(64 * 1024)}ok`);
    else if (url === '/endless') response.write('x');
    else response.end('all is ok');
  });
  deaf = listen(() => undefined);
  await Promise.all([open(web), open(deaf)]);
});

afterAll(() => {
  web.closeAllConnections();
  web.close();
  deaf.close();
});

describe('a probe', () => {
  it('holds where a connection is accepted, or an answer is as wanted', async () => {
    seen = [];
    expect(await ask(tcp('local.test'))).toEqual({ kind: 'holds' });
    expect(await ask(get('/ok', { contains: 'is ok' }))).toEqual({ kind: 'holds' });
    expect(await ask(get('/moved', { statuses: [200, 302] }))).toEqual({ kind: 'holds' });
    // The name is that of the probe, the redirect is not followed, and nothing secret goes along.
    expect(seen).toEqual(['/ok local.test -', '/moved local.test -']);
  });

  it.each<[string, () => EvaluatedProbe, string]>([
    ['of a redirect', () => get('/moved'), 'status 302'],
    [
      'of another text',
      () => get('/ok', { contains: 'ready' }),
      'status 200, without the text in its first 64 KB',
    ],
    [
      'of a text beyond the bound',
      () => get('/large', { contains: 'ok' }),
      'status 200, without the text in its first 64 KB',
    ],
    ['of a closed port', () => tcp('127.0.0.1', 1), 'ECONNREFUSED'],
    ['of a name without an address', () => tcp('empty.test'), 'the name has no address'],
    [
      'of a program that fails',
      () => ({ kind: 'command', words: ['sh', '-c', 'exit 3'] }),
      'exit code 3',
    ],
    ['of a program that is not there', () => ({ kind: 'command', words: ['./none.sh'] }), 'ENOENT'],
  ])('fails %s', async (_, probe, why) => {
    expect(await ask(probe())).toEqual({ kind: 'failing', seen: why });
  });

  it.each(['/endless', 'hang'])('ends with the run, whatever the server does: %s', async (path) => {
    const url = path === 'hang' ? `http://127.0.0.1:${portOf(deaf)}/` : get(path).url;
    const controller = new AbortController();
    const probe = ask({ ...get('/'), url, contains: 'ok' }, undefined, controller.signal);
    controller.abort();
    expect(await probe).toMatchObject({ kind: 'failing' });
  });

  it.each([
    'localhost.test 127.0.0.1',
    '10.1.2.3',
    '172.16.0.1',
    '192.168.1.1',
    '100.64.0.1',
    '169.254.169.254',
    '0.0.0.0',
    '224.0.0.1',
    '::1',
    '::',
    'fe80::1',
    'fd00:ec2::254',
    '::ffff:127.0.0.1',
    '::ffff:a9fe:a9fe',
    '64:ff9b::7f00:1',
    '2002:7f00:1::',
    '::127.0.0.1',
  ])('never reaches %s unless it is listed', async (given) => {
    const host = given.split(' ').at(-1)!;
    expect(await ask(tcp(host), [])).toEqual({
      kind: 'refused',
      why: `${host} is an address that no probe may reach.`,
    });
  });

  it.each<[string, readonly string[], readonly string[], string]>([
    ['any other', ['203.0.113.7'], [], 'refused'],
    ['no private one, although it is said to be of the account', ['127.0.0.1'], [], 'refused'],
    ['what is listed', [], ['127.0.0.0/8'], 'failing'],
  ])('from a server reaches public IPs of the account: %s', async (_, publicIps, ranges, kind) => {
    expect(await ask(tcp('127.0.0.1', 1), ranges, signal, publicIps)).toMatchObject({ kind });
    expect(await ask(tcp('198.51.100.1'), [], signal, publicIps)).toMatchObject({
      kind: 'refused',
      why: '198.51.100.1 is no public IP of the account.',
    });
  });

  it('from a server reaches a public IP of the account', async () => {
    const end = AbortSignal.abort();
    for (const own of ['198.51.100.1', '2001:db8::1'])
      expect(await ask(tcp(own), [], end, [own])).toMatchObject({ kind: 'failing' });
  });

  it('goes by the address of a name, looked up once', async () => {
    resolved.length = 0;
    expect(await ask(get('/ok'), [])).toEqual({
      kind: 'refused',
      why: 'local.test is 127.0.0.1, an address that no probe may reach.',
    });
    expect(await ask(tcp('mapped.test'), [])).toMatchObject({ kind: 'refused' });
    expect(await ask(tcp('both.test'))).toEqual({ kind: 'holds' });
    expect(resolved).toEqual(['local.test', 'mapped.test', 'both.test']);
  });

  it('runs a program without a shell and without what is meant for Hostwright', async () => {
    const script =
      '[ "$1" = "\\$HOME;x" ] && [ -z "$HOSTWRIGHT_TOKEN" ] && [ -f open-prober.test.ts ]';
    const words = ['sh', '-c', script, 'sh', '$HOME;x'];
    expect(await ask({ kind: 'command', words })).toEqual({ kind: 'holds' });
  });
});
