import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import { afterEach, describe, expect, test } from 'vitest';
import { runInProcess } from '../cli/run-in-process.ts';

// What poses as the service answers as it likes: too much, for ever, or in no language. Everything ends, and at once.

type Answer = (request: IncomingMessage, response: ServerResponse) => void;

const servers: ReturnType<typeof createServer>[] = [];

afterEach(() => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    server.close();
  }
});

/** What `hostwright ARGS` says of a service that answers so, and how often it asked. */
async function ask(args: readonly string[], answer: Answer) {
  const asked: string[] = [];
  const server = createServer((request, response) => {
    asked.push(`${request.method ?? ''} ${request.url ?? ''}`);
    response.on('error', () => undefined);
    answer(request, response);
  });
  servers.push(server);
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const { port } = server.address() as AddressInfo;
  const env = {
    HOSTWRIGHT_BASE_URL: `http://127.0.0.1:${port}/v1`,
    HOSTWRIGHT_TOKEN: 'tok_12345678',
  };
  const ended = await runInProcess(args, { env });
  // As it was before it was wrapped to the width of the terminal.
  const said = ended.stderr.replaceAll(/\s+│?\s*/g, ' ');
  return { ...ended, said, asked };
}

const json = { 'content-type': 'application/json' };
const exportAll = ['export', '--all'];

describe('attack j: an answer', () => {
  test('of 1.5 GB, packed into 1.5 MB, is given up at 64 MB', async () => {
    // Members that follow one another are one text.
    const bomb = gzipSync(Buffer.alloc(64 * 1024 * 1024, ' '));
    const before = process.resourceUsage().maxRSS;
    const { code, stderr, said, asked } = await ask(exportAll, (_, response) => {
      response.writeHead(200, { ...json, 'content-encoding': 'gzip' });
      for (let count = 0; count < 24; count += 1) response.write(bomb);
      response.end();
    });
    expect(code).toBe(1);
    expect(stderr).toContain('[answer-too-large]');
    expect(said).toContain('an answer of more than 64 MB');
    expect(asked.length).toBeLessThan(5);
    expect((process.resourceUsage().maxRSS - before) / 1024).toBeLessThan(700);
  });

  test.each<[string, Record<string, string>]>([
    ['and says so', { 'content-length': '1100000000' }],
    ['and does not say so', {}],
  ])('of 1.1 GB, %s', async (_, headers) => {
    let sent = 0;
    const { stderr, asked } = await ask(exportAll, (_request, response) => {
      response.writeHead(200, { ...json, ...headers });
      const block = Buffer.alloc(1024 * 1024, ' ');
      const send = () => {
        while (!response.destroyed && sent < 1100) {
          sent += 1;
          if (!response.write(block)) {
            response.once('drain', send);
            return;
          }
        }
      };
      send();
    });
    expect(stderr).toContain('[answer-too-large]');
    expect(sent / asked.length).toBeLessThan(200);
  });

  test('of many small values, which take a hundred times the room of their text', async () => {
    const { stderr, asked } = await ask(exportAll, (_, response) => {
      response.writeHead(200, json);
      response.end(`[${'[],'.repeat(6_000_000)}[]]`);
    });
    expect(stderr).toContain('[answer-too-large]');
    expect(asked).toHaveLength(1);
  });
});

/** A page of the list of projects; `next` names its items. */
const page = (items: readonly string[], totalCount?: number): string =>
  JSON.stringify({ items: items.map((id) => ({ id, name: id })), totalCount });

describe('attack j: a list', () => {
  test('that never ends is given up at 1,000,000 items', async () => {
    let next = 0;
    const { code, stderr, said, asked } = await ask(exportAll, (_, response) => {
      response.writeHead(200, json);
      response.end(page(Array.from({ length: 50_000 }, () => `p${(next += 1)}`)));
    });
    expect(code).toBe(1);
    expect(stderr).toContain('[list-too-long]');
    expect(said).toContain('more than 1000000 items');
    expect(asked.length).toBeLessThan(25);
  });

  test('that counts a thousand million items is given up at once', async () => {
    const { stderr, asked } = await ask(exportAll, (_, response) => {
      response.writeHead(200, json);
      response.end(page(['p1'], 1_000_000_000));
    });
    expect(stderr).toContain('[list-too-long]');
    expect(asked).toHaveLength(1);
  });

  test('of 50,000 items, of which one comes again and again, ends when nothing new comes', async () => {
    const { asked } = await ask(exportAll, ({ url = '' }, response) => {
      const isList = url.startsWith('/v1/projects?');
      response.writeHead(isList ? 200 : 404, json);
      response.end(isList ? page(['p1'], 50_000) : '{}');
    });
    expect(asked.filter((one) => one.includes('/projects?')).length).toBeLessThan(200);
  });

  test('of pages without a count, each the same, ends with the second', async () => {
    const { asked } = await ask(exportAll, ({ url = '' }, response) => {
      const isList = url.startsWith('/v1/projects?');
      response.writeHead(isList ? 200 : 404, json);
      response.end(isList ? page(['p1']) : '{}');
    });
    // The list is read twice; where the first time comes to its end, the second need not.
    const pages = asked.filter((one) => one.includes('/projects?'));
    expect(pages.length).toBeGreaterThan(2);
    expect(pages.length).toBeLessThan(5);
  });
});

describe('attack p: an answer that would be broken again is told at once', () => {
  const utf16 = Buffer.from(`\ufeff${page(['p1'])}`, 'utf16le');
  test.each<[string, Record<string, string>, Buffer]>([
    ['gzip that is none', { 'content-encoding': 'gzip' }, Buffer.from('{"items":[]}')],
    ['deflate that is none', { 'content-encoding': 'deflate' }, Buffer.from('{"items":[]}')],
    ['br that is none', { 'content-encoding': 'br' }, Buffer.alloc(40, 'x')],
    ['packed a thousand times', { 'content-encoding': 'gzip,'.repeat(1000) }, gzipSync('{}')],
    ['headers of 20 KB', { 'x-long': 'x'.repeat(20_000) }, Buffer.from('{}')],
    ['UTF-16', {}, utf16],
    ['UTF-16, big end first', { 'content-type': 'text/plain' }, Buffer.from(utf16).swap16()],
  ])('%s', async (_, headers, body) => {
    const { code, stderr, asked } = await ask(exportAll, (_request, response) => {
      response.writeHead(200, { ...json, ...headers });
      response.end(body);
    });
    expect(code).toBe(1);
    expect(stderr).toContain('[answer-unreadable]');
    expect(asked).toHaveLength(1);
  });
});
