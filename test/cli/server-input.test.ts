// What people and programs can send that nobody expects: it is refused, and never a fault of the server.
import { afterAll, beforeAll, describe, expect, it, test } from 'vitest';
import { routeRoles } from '../../src/server/api/route-roles.ts';
import { openPagesRig, type PagesRig } from '../support/server/pages-rig.ts';
import { runInProcess } from './run-in-process.ts';

const nul = 'a\0b';
let rig: PagesRig;

async function ask(method: string, path: string, body?: object, headers = {}) {
  const response = await rig.send(method, path, { body, headers });
  const allow = response.headers.get('allow');
  return { status: response.status, allow, text: await response.text() };
}

beforeAll(async () => {
  rig = await openPagesRig();
  await rig.store.workspaces.add({
    ...{ name: 'shop', repository: 'file:///r', branch: 'main', directory: '.' },
    ...{ poll: false, variables: {} },
  });
});
afterAll(() => rig.close());

it.each([
  ['GET', '/api/v1/runs?workspace=%00', undefined],
  ['POST', '/api/v1/workspaces', { name: 'n1', repository: 'file:///r', branch: nul }],
  ['POST', '/api/v1/workspaces', { name: 'n2', repository: 'file:///r', after: [nul] }],
  ['POST', '/api/v1/members', { kind: 'token', name: nul, expiresInDays: 1 }],
  ['POST', '/api/v1/runs', { operation: 'plan', workspace: nul }],
])('a text with the character NUL is refused: %s %s %o', async (method, path, body) => {
  expect((await ask(method, path, body)).status).toBe(422);
  expect(rig.warnings).toEqual([]);
});

describe('a name with the character NUL', () => {
  const routes = Object.keys(routeRoles).filter((route) => /\/api\/.*\/:/.test(route));

  it.each(routes)('is that of nothing: %s', async (route) => {
    const [method = '', path = ''] = route.split(' ');
    expect((await ask(method, path.replaceAll(/:\w+/g, '%00'))).status).toBe(404);
    expect(rig.warnings).toEqual([]);
  });
});

test.each([
  'https://me:s3cr3t@git.example.com/acme/a.git',
  'https://s3cr3t@git.example.com/acme/a.git',
  'https://git.example.com/acme/a.git?private_token=s3cr3t',
  'https://git.example.com/acme/a.git#s3cr3t',
  'file://s3cr3t@/r',
])(
  'credentials in the address of a repository are neither kept nor shown: %s',
  async (repository) => {
    const made = await ask('POST', '/api/v1/workspaces', { name: 'secretive', repository });
    const changed = await ask('PATCH', '/api/v1/workspaces/shop', { repository });
    for (const { status, text } of [made, changed]) {
      expect(status).toBe(422);
      expect(text).toContain('credentials');
      expect(text).not.toContain('s3cr3t');
    }
    const [row] = await rig.ask('SELECT count(*) FROM hostwright_server.workspaces');
    expect(row).toEqual({ count: '1' });
  },
);

it.each([
  ['the character NUL', nul],
  ['more than 128 KB', 'я'.repeat(65_536)],
])('a variable that no process can have is refused: one with %s', async (_what, value) => {
  const variables = { HOSTWRIGHT_VAR_text: value };
  const made = { name: 'odd', repository: 'file:///r', variables };
  const answers = [
    await ask('POST', '/api/v1/workspaces', made),
    await ask('PATCH', '/api/v1/workspaces/shop', { variables }),
  ];
  expect(answers.map(({ status }) => status)).toEqual([422, 422]);
  for (const { text } of answers) expect(text).toContain('HOSTWRIGHT_VAR_text cannot be set');
});

it('the log of a run begins with its first line behind a line that nobody has', async () => {
  const workspace = await rig.store.workspaces.find('shop');
  const commit = 'a'.repeat(40);
  const plan = { operation: 'plan', commit, reason: 'a test' } as const;
  const { id = '' } =
    (await rig.store.runs.add({ ...plan, workspaceId: workspace?.id ?? '' })) ?? {};
  await rig.store.log.add(id, [{ stream: 'output', text: 'the first line' }]);
  await rig.store.runs.cancel(id);
  for (const last of ['Infinity', '1e30', '-1', '1.5', '9'.repeat(400), 'abc']) {
    const headers = { 'last-event-id': last };
    const { status, text } = await ask('GET', `/api/v1/runs/${id}/log`, undefined, headers);
    expect([last, status, text]).toEqual([last, 200, expect.stringContaining('the first line')]);
  }
  // More parts than are read at a time.
  const more = Array.from({ length: 23 }, (_, index) => `${index}`);
  for (const text of more) await rig.store.log.add(id, [{ stream: 'error', text }]);
  const whole = { status: 200, text: ['the first line', ...more, ''].join('\n') };
  const path = `/api/v1/runs/${id}/log`;
  expect(await ask('GET', `${path}?format=text`)).toMatchObject(whole);
  expect(await ask('GET', path, undefined, { accept: 'text/plain' })).toMatchObject(whole);
  const { headers } = await rig.send('GET', `${path}?format=text`, {});
  expect(headers.get('content-type')).toBe('text/plain; charset=utf-8');
  expect(headers.get('content-disposition')).toMatch(/^attachment; filename="shop-\d+\.log"$/);
});

describe('a method that a path does not have', () => {
  it.each([
    ['PUT', '/api/v1/workspaces', 'GET, HEAD, POST'],
    ['PUT', '/api/v1/workspaces/shop', 'DELETE, GET, HEAD, PATCH'],
    ['PUT', '/api/v1/workspaces/unknown', 'DELETE, GET, HEAD, PATCH'],
    ['DELETE', '/api/v1/workspaces/shop/state', 'GET, HEAD, LOCK, POST, UNLOCK'],
    ['GET', '/api/v1/runs/x/cancel', 'POST'],
    ['POST', '/healthz', 'GET, HEAD'],
    ['POST', '/metrics', 'GET, HEAD'],
    ['GET', '/webhooks/github', 'POST'],
    ['PUT', '/', 'GET, HEAD'],
  ])('is refused with those that it has: %s %s', async (method, path, allow) => {
    const answer = await ask(method, path);
    expect(answer).toMatchObject({ status: 405, allow });
    expect(JSON.parse(answer.text)).toMatchObject({ status: 405 });
    expect(answer.text).toContain(method);
  });

  it('is a page for a browser', async () => {
    const answer = await ask('GET', '/connections/github/secrets', undefined, {
      accept: 'text/html',
    });
    expect(answer).toMatchObject({ status: 405, allow: 'POST' });
    expect(answer.text).toContain('<!doctype html>');
  });

  it('is nothing where the path is nothing, and needs a token like any other', async () => {
    expect(await ask('PUT', '/api/v1/nothing')).toMatchObject({ status: 404, allow: null });
    expect(await ask('GET', '/nothing')).toMatchObject({ status: 404, allow: null });
    const stranger = await ask('PUT', '/api/v1/workspaces', undefined, { authorization: '' });
    expect(stranger).toMatchObject({ status: 401, allow: null });
  });
});

test.each(['0', '999ms'])(
  'a run may not take %s at most: the server does not start',
  async (text) => {
    const { code, stderr } = await runInProcess(['worker', '--run-timeout', text]);
    expect([code, stderr]).toEqual([
      1,
      expect.stringContaining('a duration of one second or more'),
    ]);
  },
);
