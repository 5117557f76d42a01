import { inspect } from 'node:util';
import { describe, expect, test } from 'vitest';
import {
  ApiError,
  ConnectionError,
  ForeignAnswerError,
  OutcomeUnknownError,
  ServiceError,
} from '../../../src/api/errors/errors.ts';
import {
  connect,
  failureOf,
  fetchFailed,
  html,
  json,
  problem,
  type Reply,
  token,
} from './fake-service.ts';
import { readRows } from '../../support/read-rows.ts';

// Each failure as it reaches the client, and what it becomes on a read and on a request that changes something.

const read = (reply: () => Reply | Promise<Reply>) => {
  const { client } = connect(reply);
  return failureOf(client.call({ operation: 'getVm', params: { projectId: 'p', vmId: 'v' } }));
};
const write = (reply: () => Reply | Promise<Reply>) => {
  const { client } = connect(reply);
  return failureOf(client.send({ kind: 'stopVm', project: 'p', vm: 'v' }));
};

/** A body that breaks off. */
function torn(status: number): Response {
  const body = new ReadableStream({
    pull(controller) {
      controller.error(Object.assign(new Error('terminated'), { code: 'UND_ERR_SOCKET' }));
    },
  });
  return new Response(body, { status, headers: { 'content-type': 'application/json' } });
}

const text = (status: number, body: string, headers: Record<string, string> = {}) =>
  new Response(body, { status, headers });

const handshake = Object.assign(
  new Error('Client network socket disconnected before secure TLS connection was established'),
  { code: 'ECONNRESET' },
);
const several = new AggregateError([Object.assign(new Error('a'), { code: 'ECONNREFUSED' })]);
const failed = (cause: Error) => new TypeError('fetch failed', { cause });

function label(error: Error): string {
  if (error instanceof OutcomeUnknownError) return `unknown: ${error.lost}`;
  if (error instanceof ServiceError) return `service ${error.status}`;
  if (error instanceof ForeignAnswerError) return 'not the service';
  return error instanceof ConnectionError ? 'no connection' : error.name;
}

describe('a failure is', () => {
  test.each(
    readRows(`
    refused | ECONNREFUSED |  | no connection | no connection
    no such host | ENOTFOUND |  | no connection | no connection
    name service away | EAI_AGAIN |  | no connection | no connection
    connect timeout | UND_ERR_CONNECT_TIMEOUT |  | no connection | no connection
    timeout while connecting | ETIMEDOUT | connect | no connection | no connection
    timeout later | ETIMEDOUT |  | unknown: timeout | unknown: timeout
    no headers | UND_ERR_HEADERS_TIMEOUT |  | unknown: timeout | unknown: timeout
    certificate | CERT_HAS_EXPIRED |  | no connection | no connection
    other host | ERR_TLS_CERT_ALTNAME_INVALID |  | no connection | no connection
    plain http | ERR_SSL_WRONG_VERSION_NUMBER |  | no connection | unknown: reset
    no host on a connection that stood | EHOSTUNREACH | read | unknown: reset | unknown: reset
    no host while connecting | EHOSTUNREACH | connect | no connection | no connection
    no name | ENOTFOUND | getaddrinfo | no connection | no connection
    a kept connection that the service closed | EPIPE | write | unknown: reset | unknown: reset
    TLS broken later | ERR_SSL_BAD_RECORD_TYPE |  | unknown: reset | unknown: reset
    reset | ECONNRESET |  | unknown: reset | unknown: reset
    socket closed | UND_ERR_SOCKET |  | unknown: reset | unknown: reset
  `),
  )('of the connection: %s', async (_, code, syscall, onRead, onWrite) => {
    const reply = () => fetchFailed(code, syscall === '' ? {} : { syscall });
    expect([label(await read(reply)), label(await write(reply))]).toEqual([onRead, onWrite]);
  });

  test.each<[string, () => Reply, string, string]>([
    ['several addresses', () => failed(several), 'no connection', 'no connection'],
    ['reset in the handshake', () => failed(handshake), 'no connection', 'no connection'],
    [
      'a port that fetch refuses',
      () => failed(new Error('bad port')),
      'no connection',
      'no connection',
    ],
    ['unheard of', () => new Error('?'), 'unknown: reset', 'unknown: reset'],
    ['half an answer', () => torn(200), 'unknown: half-answer', 'unknown: half-answer'],
    [
      'torn JSON',
      () => text(200, '{"id":"v1","na', { 'content-type': 'application/json' }),
      ...(['unknown: half-answer', 'unknown: half-answer'] as const),
    ],
    [
      'redirect',
      () => text(302, '', { location: 'https://x/' }),
      'not the service',
      'not the service',
    ],
  ])('%s', async (_, reply, onRead, onWrite) => {
    expect([label(await read(reply)), label(await write(reply))]).toEqual([onRead, onWrite]);
  });

  const wait = { 'retry-after': '500' };
  const answers: Readonly<Record<string, (status: number) => Response>> = {
    ...{
      page: html,
      text: (status) => text(status, 'locked'),
      empty: (status) => text(status, ''),
    },
    ...{ problem, late: (status) => text(status, '<html>busy</html>', wait) },
  };
  test.each(
    readRows(`
    200 page | not the service | unknown: proxy
    200 text | not the service | unknown: proxy
    303 empty | not the service | unknown: proxy
    404 problem | service 404 | service 404
    404 empty | service 404 | service 404
    404 page | not the service | not the service
    403 page | not the service | not the service
    401 page | service 401 | service 401
    409 text | service 409 | service 409
    408 text | service 408 | unknown: proxy
    408 problem | service 408 | unknown: server-error
    500 problem | service 500 | unknown: server-error
    500 empty | service 500 | unknown: proxy
    501 text | service 501 | unknown: proxy
    505 problem | service 505 | unknown: server-error
    502 page | service 502 | unknown: proxy
    504 page | service 504 | unknown: proxy
    503 page | service 503 | unknown: proxy
    503 problem | service 503 | unknown: server-error
    503 late | service 503 | unknown: proxy
    429 late | service 429 | service 429
  `),
  )('%s', async (answer, onRead, onWrite) => {
    const [status, form] = answer.split(' ');
    const reply = () => answers[form!]!(Number(status));
    expect([label(await read(reply)), label(await write(reply))]).toEqual([onRead, onWrite]);
  });

  test('an empty success, on a read alone', async () => {
    expect(label(await read(() => text(200, '')))).toBe('unknown: half-answer');
    const { client } = connect(() => text(202, ''));
    await expect(client.send({ kind: 'stopVm', project: 'p', vm: 'v' })).resolves.toEqual({
      kind: 'accepted',
    });
  });

  test('no answer in time, before the headers and within the body', async () => {
    const silent = () => new Promise<Response>(() => undefined);
    const slow = () => new Response(new ReadableStream({ start: () => undefined }));
    for (const [reply, onRead, onWrite] of [
      [silent, 'no answer within 10 s', 'no answer within 60 s'],
      [slow, 'no whole answer within 30 s', 'no whole answer within 30 s'],
    ] as const) {
      const [reading, writing] = [await read(reply), await write(reply)];
      expect([label(reading), label(writing)]).toEqual(['unknown: timeout', 'unknown: timeout']);
      expect(reading.message).toContain(onRead);
      expect(writing.message).toContain(onWrite);
    }
  });
});

describe('the body of a refusal', () => {
  const problemOf = async (body: string, contentType = 'application/json') => {
    const error = await write(() => text(409, body, { 'content-type': contentType }));
    return error instanceof ServiceError ? error.problem : undefined;
  };
  const nothing = { title: null, detail: null, errors: {}, code: null };

  test.each<[string, string, object]>([
    ['empty', '', {}],
    ['blank', ' \n ', {}],
    ['plain text', 'VM is\n locked', { detail: 'VM is locked' }],
    ['a JSON text', '"locked"', { detail: 'locked' }],
    ['a JSON number', '7', {}],
    ['a list', '[1]', {}],
    ['null', 'null', {}],
    [
      'problem details',
      '{"title":"Conflict","detail":"Locked","code":"c"}',
      { title: 'Conflict', detail: 'Locked', code: 'c' },
    ],
    [
      'OAuth',
      '{"error":"invalid_token","error_description":"Expired"}',
      { title: 'invalid_token', detail: 'Expired' },
    ],
    ['a message', '{"message":"Locked"}', { detail: 'Locked' }],
    [
      'fields',
      '{"errors":{"name":["too long"],"x":[],"y":"bad","z":[3]}}',
      { errors: { name: ['too long'], y: ['bad'] } },
    ],
    ['a list of messages', '{"errors":["a","b"]}', { errors: { '': ['a', 'b'] } }],
    ['nonsense members', '{"title":5,"detail":{},"errors":7,"code":null}', {}],
  ])('%s', async (_, body, expected) => {
    expect(await problemOf(body)).toEqual({ ...nothing, ...expected });
  });

  test('a page is cut to its first words', async () => {
    const words = 'Blocked by the firewall. '.repeat(40);
    const page = `<html><head><style>p{}</style><script>alert(1)</script></head><p>${words}\u001b[31m</p>`;
    const error = await read(() => text(403, page, { 'content-type': 'text/html' }));
    const seen = error instanceof ForeignAnswerError ? error.seen : '';
    expect(seen).toMatch(/^403, an HTML page: Blocked by the firewall\. Blocked/);
    expect(seen).not.toMatch(/alert|p\{\}|<|\p{Cc}/u);
    expect(seen.length).toBeLessThan(230);
    expect(seen.endsWith('…')).toBe(true);
  });

  test('JSON of the service under the name of HTML is JSON', async () => {
    const html = { 'content-type': 'text/html; charset=utf-8' };
    const body = '{"title":"Not Found","status":404,"detail":"No such VM."}';
    expect(await read(() => text(404, body, html))).toMatchObject({
      ...{ name: 'ServiceError', status: 404, problem: { detail: 'No such VM.' } },
    });
    expect(await read(() => text(404, '{"title":"Not F', html))).toBeInstanceOf(ForeignAnswerError);
    expect(await read(() => text(404, 'not found', html))).toBeInstanceOf(ForeignAnswerError);
  });

  test('a page without words says so', async () => {
    const error = await read(() => text(403, '<html></html>', { 'content-type': 'text/html' }));
    expect(error).toMatchObject({
      code: 'not-the-service',
      seen: '403, an HTML page without words',
    });
  });

  test('the request id and what the service asks to wait are kept', async () => {
    const error = await write(() =>
      json({ title: 'Busy' }, 503, { 'retry-after': '50', 'x-request-id': 'r-1' }),
    );
    expect(error).toMatchObject({
      lost: 'server-error',
      answered: { status: 503, requestId: 'r-1', retryAfterMs: 50_000, problem: { title: 'Busy' } },
    });
  });

  test('a date to wait for is one of the clock that the answer tells', async () => {
    const error = await read(() =>
      json({ title: 'Busy' }, 409, {
        'retry-after': 'Thu, 01 Jan 2026 00:00:30 GMT',
        date: 'Thu, 01 Jan 2026 00:00:10 GMT',
      }),
    );
    expect(error).toMatchObject({ retryAfterMs: 20_000 });
  });
});

describe('the access token', () => {
  const replies: [string, () => Reply][] = [
    ['a problem', () => problem(409, { title: token, detail: `no: Bearer ${token}`, code: token })],
    ['messages on fields', () => problem(422, { errors: { [token]: [`${token}!`] } })],
    [
      'a page',
      () => text(403, `<html>Bearer <b>${token}</b></html>`, { 'content-type': 'text/html' }),
    ],
    ['a success that is none', () => text(200, `<html>${token}</html>`)],
    ['a redirect', () => text(302, '', { location: `https://x/?t=${token}` })],
    ['a request id', () => json({ title: 'x' }, 409, { 'x-request-id': token })],
    ['the network stack', () => fetchFailed(token, { headers: [`Bearer ${token}`] })],
    ['an error of its own', () => new Error(`header ${token} is bad`, { cause: token })],
  ];
  test.each(replies)('is never in an error, echoed in %s', async (_, reply) => {
    for (const error of [await read(reply), await write(reply)]) {
      expect(error).toBeInstanceOf(ApiError);
      expect(inspect(error, { depth: 9, showHidden: true })).not.toContain(token);
      expect(JSON.stringify(error)).not.toContain(token);
    }
  });

  test('is not quoted when it cannot be a header', async () => {
    const bad = `${token}\nx`;
    const { client } = connect(() => json({}), { token: bad });
    const error = await failureOf(client.getLimits());
    expect(error.name).toBe('InternalError');
    expect(inspect(error)).not.toContain(token);
  });

  test('goes out as a bearer, with JSON', async () => {
    const { client, seen } = connect(() => json({ commandId: 'c' }, 202));
    await client.send({ kind: 'createNetwork', project: 'p', name: 'n' });
    expect(seen).toEqual([
      {
        method: 'POST',
        path: '/projects/p/networks',
        authorization: `Bearer ${token}`,
        body: { name: 'n' },
      },
    ]);
  });
});

test('the token that a success repeats is taken out of it, also where it is escaped', async () => {
  const escaped = Array.from(token, (one) => `\\u00${one.charCodeAt(0).toString(16)}`).join('');
  for (const repeated of [token, escaped]) {
    const { client } = connect(() => text(200, `{"id":"v","name":"a ${repeated}"}`));
    const vm = await client.get('vm', { projectId: 'p' }, 'v');
    expect(vm?.name).toBe('a [token]');
  }
});
