// Row o: an answer that repeats the token, however it is encoded, is shown without it.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { DayTwoWorld } from '../support/day-two.ts';

let world: DayTwoWorld;
beforeAll(async () => {
  world = await DayTwoWorld.open();
});
afterAll(() => world.close());

const bytesOf = (text: string) => [...Buffer.from(text)];
const hexOf = (byte: number) => byte.toString(16).padStart(2, '0');

/** Ways to write a secret, by name. */
const encodings: Readonly<Record<string, (secret: string) => string>> = {
  plain: (secret) => secret,
  base64: (secret) => Buffer.from(secret).toString('base64'),
  'base64 of the header': (secret) => Buffer.from(`Bearer ${secret}`).toString('base64'),
  'base64 of a pair': (secret) => Buffer.from(`me:${secret}\n`).toString('base64'),
  'base64 in lines': (secret) =>
    Buffer.from(`authorization: Bearer ${secret}`).toString('base64').replace(/.{10}/g, '$&\n'),
  base64url: (secret) => Buffer.from(`?${secret}`).toString('base64url'),
  'URL encoding': (secret) => bytesOf(secret).reduce((all, byte) => `${all}%${hexOf(byte)}`, ''),
  hexadecimal: (secret) => Buffer.from(secret).toString('hex').toUpperCase(),
  'JSON escapes': (secret) =>
    bytesOf(secret).reduce((all, byte) => `${all}\\u00${hexOf(byte)}`, ''),
  'HTML entities': (secret) => bytesOf(secret).reduce((all, byte) => `${all}&#${byte};`, ''),
};

/** Answers that show a text, by name. */
const answers: Readonly<Record<string, (text: string) => Response>> = {
  'a 401 page': (text) => page(401, text),
  'a 403 page': (text) => page(403, text),
  'a 404 page': (text) => page(404, text),
  'a 401 problem': (text) => problem(401, text),
  'a 422 problem': (text) => problem(422, text),
  'a page in place of an answer': (text) => page(200, text),
  'a redirect': (text) =>
    new Response(null, { status: 302, headers: { location: `/x?t=${encodeURI(text)}` } }),
};

function page(status: number, text: string): Response {
  const headers = { 'content-type': 'text/html' };
  return new Response(`<html><body><p>You sent ${text}</p></body></html>`, { status, headers });
}

function problem(status: number, text: string): Response {
  const headers = { 'content-type': 'application/problem+json' };
  // As it is: a text with backslashes is one of JSON already.
  const detail = text.replaceAll('\n', '\\n');
  return new Response(`{"title":"No","detail":"You sent ${detail}"}`, { status, headers });
}

describe.each(Object.entries(encodings))('attack o: the token in %s', (_name, encode) => {
  test.each(Object.entries(answers))('in %s is not shown', async (_answer, respond) => {
    const { token } = world.sandbox;
    const written = encode(token);
    for (const argv of [['limits'], ['doctor', '--json']]) {
      const { stdout, stderr } = await world.run(argv, {
        meddle: () => Promise.resolve(respond(written)),
      });
      expectNone(stdout + stderr, token, written);
    }
  });

  test('in the name of a project is not shown', async () => {
    const { token } = world.sandbox;
    const written = encode(token);
    const { stdout, stderr } = await world.run(['export', '--all'], {
      meddle: async (request, pass) => {
        const response = await pass();
        if (new URL(request.url).pathname !== '/v1/projects') return response;
        const text = (await response.text()).replaceAll(
          '"shop"',
          `"${written.replaceAll('\n', '')}"`,
        );
        return new Response(text, response);
      },
    });
    expect(stdout).toContain('[token]');
    expectNone(stdout + stderr, token, written);
  });
});

/** Neither the token is in the text, nor what it was written as, nor what a reader of JSON would see of that. */
function expectNone(output: string, token: string, written: string): void {
  expect(output).not.toBe('');
  expect(output).not.toContain(token);
  for (const line of [...written.split('\n'), written.replaceAll('\\', '\\\\')]) {
    // Of a long one, an excerpt may show the beginning alone.
    const core = line.slice(4, -4).slice(0, 40);
    if (core.length >= 6) expect(output).not.toContain(core);
  }
}
