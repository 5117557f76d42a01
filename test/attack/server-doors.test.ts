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
