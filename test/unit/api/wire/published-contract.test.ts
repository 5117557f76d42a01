import { exchangeByFetch } from '../../../../src/api/transport/exchange-by-fetch.ts';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import {
  compareServiceOpenApiFile,
  findServiceOpenApiFile,
  contractOperationCount,
} from '../../../../src/api/wire/published-contract.ts';
import { JumpingClock } from '../fake-service.ts';

const text = readFileSync(join(import.meta.dirname, '../../../../schemas/openapi.yaml'), 'utf8');
const ours = parse(text) as { paths: Record<string, Record<string, unknown>> };

describe('a published file', () => {
  test('that is ours does not differ', () => {
    expect(compareServiceOpenApiFile(ours)).toEqual({ missing: [], unknown: [] });
    expect(contractOperationCount).toBe(72);
  });

  test('may have the version in its paths, and call parameters otherwise', () => {
    const paths = Object.fromEntries(
      Object.entries(ours.paths).map(([path, item]) => [
        `/v1${path.replaceAll(/\{\w+\}/g, '{id}')}/`,
        item,
      ]),
    );
    expect(compareServiceOpenApiFile({ ...ours, paths })).toEqual({ missing: [], unknown: [] });
  });

  test('that differs is told apart', () => {
    const { '/limits': limits, ...others } = ours.paths;
    delete others['/sales'];
    const paths = { ...others, '/limits': { ...limits, post: {}, parameters: [] }, '/x': null };
    expect(compareServiceOpenApiFile({ openapi: '3.0.0', paths })).toEqual({
      missing: ['GET /sales'],
      unknown: ['POST /limits'],
    });
  });

  test.each([
    [null],
    ['text'],
    [[]],
    [{}],
    [{ openapi: '3.1.0' }],
    [{ paths: {} }],
    [{ openapi: 1, paths: [] }],
  ])('%j is none', (document) => expect(compareServiceOpenApiFile(document)).toBeUndefined());
});

describe('the file is looked for', () => {
  const base = 'https://api.example.test/v1';
  const find = (answers: Record<string, Response>, seen: Request[] = []) =>
    findServiceOpenApiFile(base, {
      clock: new JumpingClock(),
      exchange: exchangeByFetch((request) => {
        seen.push(request);
        const found = answers[request.url];
        if (!found) return Promise.reject(new TypeError('fetch failed'));
        return Promise.resolve(found);
      }, new JumpingClock()),
    });

  test('beside the address and above it, without the token', async () => {
    const seen: Request[] = [];
    const url = 'https://api.example.test/docs/openapi.json';
    const found = await find({ [url]: Response.json(ours) }, seen);
    expect(found).toEqual({ url, difference: { missing: [], unknown: [] } });
    expect(seen.map(({ url: at }) => at)).toContain(`${base}/openapi.json`);
    expect(seen.some(({ headers }) => headers.has('authorization'))).toBe(false);
  });

  test('as YAML too', async () => {
    const url = `${base}/openapi.yaml`;
    expect((await find({ [url]: new Response(text) }))?.url).toBe(url);
  });

  test.each([
    ['a refusal', new Response('{}', { status: 404 })],
    ['a page', new Response('<html>: not: yaml: {')],
    ['broken JSON', new Response('{"openapi":')],
  ])('%s is none', async (_, response) => {
    expect(await find({ [`${base}/openapi.json`]: response })).toBeUndefined();
  });

  test('no longer than is worth it', async () => {
    const found = findServiceOpenApiFile(base, {
      clock: new JumpingClock(),
      exchange: ({ signal }) =>
        new Promise((_, reject) =>
          signal?.addEventListener('abort', () => reject(signal.reason as Error)),
        ),
    });
    expect(await found).toBeUndefined();
  });

  test('not where a file never ends', async () => {
    const endless = new Response(new ReadableStream({ start: () => undefined }));
    expect(await find({ [`${base}/openapi.json`]: endless })).toBeUndefined();
  });
});
