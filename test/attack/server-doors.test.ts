// A page of another site makes a browser ask the server, which knows the browser by a session or a password.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { routeRoles } from '../../src/server/api/route-roles.ts';
import { openPagesRig, origin, type PagesRig } from '../support/server/pages-rig.ts';

let rig: PagesRig;
beforeAll(async () => {
  rig = await openPagesRig();
});
afterAll(() => rig.close());

const routes = Object.keys(routeRoles).filter((route) => route.includes(' /api/'));

async function ask(route: string, headers: Readonly<Record<string, string>>) {
  const [method = '', path = ''] = route.split(' ');
  const request = new Request(`${origin}${path.replaceAll(/:\w+/g, 'x')}`, {
    ...{ method, headers: { ...headers } },
    ...(method !== 'GET' && method !== 'DELETE' && { body: '{}' }),
  });
  return (await rig.app.fetch(request, { address: '192.0.2.1' })).status;
}

const basic = () => `Basic ${Buffer.from(`ada:${rig.adminToken}`).toString('base64')}`;

test('no route answers to a page of another site, whatever it sends along', async () => {
  const secret = await rig.store.sessions.begin('administrator');
  expect(routes.length).toBeGreaterThan(30);
  for (const route of routes)
    for (const site of ['cross-site', 'same-site'])
      for (const known of [
        { authorization: `Bearer ${rig.adminToken}` },
        { authorization: basic() },
        { cookie: `hostwright=${secret}` },
      ])
        expect([route, await ask(route, { 'sec-fetch-site': site, ...known })]).toEqual([
          route,
          403,
        ]);
});

test('a password, which a browser remembers, is good for the routes of states alone', async () => {
  for (const route of routes) {
    const status = await ask(route, { authorization: basic() });
    const isState = route.endsWith('/workspaces/:name/state');
    expect([route, status === 401 || status === 429]).toEqual([route, !isState]);
  }
});

test('a body that breaks off is no failure of the server, and fills no log', async () => {
  const connection = { kind: 'gitlab', address: 'https://gitlab.test', app: undefined } as const;
  const secrets = { token: 'x', webhookSecret: 'known' };
  await rig.store.connections.add({ ...connection, name: 'gitlab' }, secrets);
  const form = { origin, 'content-type': 'application/x-www-form-urlencoded' };
  for (const [path, headers] of [
    ['/sign-in', { ...form, host: new URL(origin).host }],
    ['/api/v1/runs', { authorization: `Bearer ${rig.adminToken}` }],
    ['/api/v1/workspaces', { authorization: `Bearer ${rig.adminToken}` }],
    ['/webhooks/gitlab', { 'x-gitlab-token': 'known' }],
  ] as const) {
    const body = new ReadableStream({ pull: (made) => made.error(new Error('aborted')) });
    const request = new Request(`${origin}${path}`, {
      method: 'POST',
      headers,
      body,
      duplex: 'half',
    });
    const { status } = await rig.app.fetch(request, { address: '192.0.2.1' });
    expect([path, status]).toEqual([path, 400]);
  }
  expect(rig.warnings).toEqual([]);
});
