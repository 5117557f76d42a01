// The pages and the interface of the server, every route of them, by who asks and from where.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ApiProblemError } from '../../src/server/errors/problem.ts';
import {
  contractOperations,
  findAnswerFaults,
  isDescribable,
} from '../support/server/check-answer.ts';
import { findRaw, hostileText } from '../support/hostile-text.ts';
import { openPagesRig, origin, type PagesRig } from '../support/server/pages-rig.ts';

let rig: PagesRig;
let cookie: string;
let formToken: string;
let runId: string;
let memberId: string;

const commit = 'c'.repeat(40);
const own = { origin, host: new URL(origin).host, 'sec-fetch-site': 'same-origin' };
const formType = { 'content-type': 'application/x-www-form-urlencoded' };

interface Asked {
  readonly headers?: Record<string, string>;
  readonly body?: string;
}

async function ask(method: string, path: string, { headers = {}, body }: Asked = {}) {
  const request = new Request(`${origin}${path}`, {
    ...{ method, headers },
    ...(body !== undefined && { body }),
  });
  const response = await rig.app.fetch(request, { address: '192.0.2.1' });
  return { response, status: response.status, headers: response.headers };
}

const signInWith = (fields: Record<string, string>, headers: Record<string, string> = own) =>
  ask('POST', '/sign-in', {
    headers: { ...headers, ...formType },
    body: new URLSearchParams(fields).toString(),
  });

/** A form of somebody who has signed in. */
const send = (
  path: string,
  fields: Record<string, string>,
  headers: Record<string, string> = own,
) =>
  ask('POST', path, {
    headers: { ...headers, ...formType, cookie },
    body: new URLSearchParams({ formToken, ...fields }).toString(),
  });

const look = async (path: string) =>
  (await (await ask('GET', path, { headers: { cookie } })).response.text()).replaceAll(/\s+/g, ' ');

/** A host that is out of reach, another that has no such repository, and all others. */
function checkSource({ repository }: { readonly repository: string }): Promise<string | undefined> {
  if (repository.includes('wrong.example.com'))
    throw new ApiProblemError(422, 'The repository cannot be read', 'It is gone.');
  return Promise.resolve(repository.includes('far.example.com') ? 'out of reach' : undefined);
}

beforeAll(async () => {
  rig = await openPagesRig({ checkSource });
  const entered = await signInWith({ token: rig.adminToken });
  cookie = entered.headers.get('set-cookie')?.split(';')[0] ?? '';
  formToken = /name="formToken"\s+value="([^"]+)"/.exec(await look('/'))?.[1] ?? '';
  const shop = await rig.store.workspaces.add({
    ...{ name: 'shop', repository: 'https://git.example.com/acme/shop.git', branch: 'main' },
    ...{ directory: '.', poll: false, variables: { HOSTWRIGHT_TOKEN: 'a token to hide' } },
  });
  await rig.store.connections.add(
    { name: 'shop', kind: 'github', address: 'https://api.github.com', app: undefined },
    { token: 'a token to hide', webhookSecret: 'a secret to hide' },
  );
  await rig.store.messages.addTarget(
    {
      ...{ name: 'shop', kind: 'slack', site: 'https://hooks.example.com' },
      ...{ events: ['run.failed'], workspaceIds: undefined },
    },
    { address: 'https://hooks.example.com/a secret to hide' },
  );
  const workspaceId = shop?.id ?? '';
  const plan = { workspaceId, operation: 'plan' as const, commit, reason: hostileText };
  runId = (await rig.store.runs.add(plan))?.id ?? '';
  memberId = (await rig.store.members.addToken('a token', 1))?.member.id ?? '';
});

afterAll(() => rig.close());

/** Every route: who gets what. `page` sends a stranger to the sign-in, `form` needs its token, `api` a token. */
const routes: Readonly<Record<string, 'open' | 'page' | 'form' | 'read' | 'change'>> = {
  'GET /healthz': 'open',
  'GET /readyz': 'open',
  'GET /assets/:name': 'open',
  'POST /webhooks/:name': 'open',
  'GET /sign-in': 'open',
  'POST /sign-in': 'open',
  'GET /sign-in/oidc': 'open',
  'GET /sign-in/callback': 'open',
  'GET /': 'page',
  'GET /new-workspace': 'page',
  'GET /workspaces/:name': 'page',
  'GET /workspaces/:name/edit': 'page',
  'GET /runs/:id': 'page',
  'GET /runs/:id/report': 'page',
  'GET /connections': 'page',
  'GET /accounts': 'page',
  'GET /settings': 'page',
  'GET /audit': 'page',
  'GET /messages': 'page',
  'GET /policies': 'page',
  'GET /variables': 'page',
  'GET /people': 'page',
  'GET /people/:member': 'page',
  'POST /accounts/:accountId': 'form',
  'POST /groups': 'form',
  'POST /tokens': 'form',
  'POST /people': 'form',
  'POST /people/:member': 'form',
  'POST /people/:member/remove': 'form',
  'POST /workspaces': 'form',
  'POST /workspaces/:name/edit': 'form',
  'POST /workspaces/:name/runs': 'form',
  'POST /workspaces/:name/pause': 'form',
  'POST /workspaces/:name/lock': 'form',
  'POST /workspaces/:name/unlock': 'form',
  'POST /workspaces/:name/remove': 'form',
  'POST /connections': 'form',
  'POST /connections/:name/secrets': 'form',
  'POST /connections/:name/webhook-secret': 'form',
  'POST /connections/:name/remove': 'form',
  'POST /runs/:id/apply': 'form',
  'POST /runs/:id/approvals': 'form',
  'POST /runs/:id/cancel': 'form',
  'POST /runs/:id/retry': 'form',
  'POST /message-targets': 'form',
  'POST /policies': 'form',
  'POST /policies/:name/remove': 'form',
  'POST /message-targets/:name/test': 'form',
  'POST /message-targets/:name/remove': 'form',
  'POST /messages/:message/again': 'form',
  'POST /variables': 'form',
  'POST /variables/:name/remove': 'form',
  'POST /server/hold': 'form',
  'POST /server/release': 'form',
  'POST /sign-out': 'form',
  'POST /sign-out-everywhere': 'form',
  'GET /api/v1/workspaces': 'read',
  'GET /api/v1/workspaces/:name': 'read',
  'GET /api/v1/workspaces/:name/variables': 'read',
  'GET /api/v1/runs': 'read',
  'GET /api/v1/runs/:id': 'read',
  'GET /api/v1/runs/:id/log': 'read',
  'GET /api/v1/runs/:id/timeline': 'read',
  'GET /api/v1/runs/:id/report': 'read',
  'GET /api/v1/runs/:id/comparison': 'read',
  'GET /metrics': 'read',
  'GET /api/v1/workspaces/:name/state': 'read',
  'POST /api/v1/workspaces/:name/state': 'change',
  'LOCK /api/v1/workspaces/:name/state': 'change',
  'UNLOCK /api/v1/workspaces/:name/state': 'change',
  'GET /api/v1/connections': 'read',
  'GET /api/v1/connections/:name': 'read',
  'GET /api/v1/overview': 'read',
  'GET /api/v1/accounts': 'read',
  'PATCH /api/v1/accounts/:accountId': 'change',
  'GET /api/v1/server': 'read',
  'PUT /api/v1/server/hold': 'change',
  'DELETE /api/v1/server/hold': 'change',
  'POST /api/v1/workspaces': 'change',
  'PATCH /api/v1/workspaces/:name': 'change',
  'DELETE /api/v1/workspaces/:name': 'change',
  'PUT /api/v1/workspaces/:name/lock': 'change',
  'DELETE /api/v1/workspaces/:name/lock': 'change',
  'POST /api/v1/runs': 'change',
  'POST /api/v1/runs/:id/cancel': 'change',
  'POST /api/v1/runs/:id/retry': 'change',
  'POST /api/v1/connections': 'change',
  'PATCH /api/v1/connections/:name': 'change',
  'POST /api/v1/connections/:name/webhook-secret': 'change',
  'DELETE /api/v1/connections/:name': 'change',
  'DELETE /api/v1/sessions': 'change',
  'GET /api/v1/me': 'read',
  'GET /api/v1/runs/:id/approvals': 'read',
  'POST /api/v1/runs/:id/approvals': 'change',
  'GET /api/v1/audit': 'read',
  'GET /api/v1/message-targets': 'read',
  'POST /api/v1/message-targets': 'change',
  'DELETE /api/v1/message-targets/:name': 'change',
  'POST /api/v1/message-targets/:name/test': 'change',
  'GET /api/v1/policies': 'read',
  'PUT /api/v1/policies/:name': 'change',
  'DELETE /api/v1/policies/:name': 'change',
  'POST /api/v1/variable-comparisons': 'change',
  'GET /api/v1/variable-sets': 'read',
  'PUT /api/v1/variable-sets/:name': 'change',
  'PATCH /api/v1/variable-sets/:name': 'change',
  'DELETE /api/v1/variable-sets/:name': 'change',
  'GET /api/v1/messages': 'read',
  'POST /api/v1/messages/:message/send-again': 'change',
  'GET /api/v1/members': 'read',
  'GET /api/v1/members/:member': 'read',
  'POST /api/v1/members': 'change',
  'PATCH /api/v1/members/:member': 'change',
  'DELETE /api/v1/members/:member': 'change',
};

const rows = Object.entries(routes).map(([route, kind]) => {
  const [method = '', path = ''] = route.split(' ');
  return { route, kind, method, path };
});
const at = (path: string) =>
  path
    .replace(':name', path.startsWith('/assets') ? 'pages.css' : 'shop')
    .replace(':id', runId)
    .replace(':member', memberId)
    .replace(':message', memberId);

describe('every route', () => {
  it('is in the table, and the contract has those of the interface', () => {
    const known = rig.app.routes
      .filter(({ method }) => method !== 'ALL')
      .map(({ method, path }) => `${method} ${path}`);
    expect([...new Set(known)].sort()).toEqual(Object.keys(routes).sort());
    const described = contractOperations.map((one) => one.replaceAll(/\{(\w+)\}/g, ':$1'));
    const served = known
      .filter((one) => isDescribable(one.split(' ')[0] ?? ''))
      .filter((one) => /\/api\/|\/webhooks\/|\/metrics$|z$/.test(one));
    expect([...new Set(served)].sort()).toEqual([...described].sort());
  });

  it.each(rows)('$route is for $kind', async ({ kind, method, path }) => {
    const stranger = await ask(method, at(path), { headers: { ...own, ...formType } });
    expect(stranger.headers.get('x-content-type-options')).toBe('nosniff');
    expect(stranger.headers.get('referrer-policy')).toBe('same-origin');
    expect(stranger.headers.get('content-security-policy')).toContain("default-src 'none'");
    if (kind === 'page' || kind === 'form') {
      expect(stranger.status).toBe(303);
      expect(stranger.headers.get('location')).toMatch(/^\/sign-in(\?next=%2F|$)/);
    } else if (kind === 'read' || kind === 'change') {
      expect(stranger.status).toBe(401);
      const body: unknown = await stranger.response.json();
      expect(findAnswerFaults(method, at(path), { status: 401, body })).toEqual([]);
    }
    if (!path.startsWith('/assets')) {
      expect(stranger.headers.get('cache-control')).toBe('no-store');
    }
  });

  it.each(rows.filter(({ kind }) => kind === 'form'))(
    '$route takes no form without its token, or from another site',
    async ({ path }) => {
      for (const headers of [
        { ...own, 'sec-fetch-site': 'cross-site' },
        { ...own, 'sec-fetch-site': 'same-site' },
        { host: own.host, origin: 'https://evil.test' },
        { host: own.host, origin: 'null', 'sec-fetch-site': 'same-origin' },
        { host: own.host },
      ]) {
        expect((await send(at(path), {}, headers)).status).toBe(403);
      }
      expect((await send(at(path), { formToken: 'other' })).status).toBe(403);
    },
  );

  it.each(rows.filter(({ kind }) => kind === 'change'))(
    '$route is not opened by a cookie',
    async ({ method, path }) => {
      expect((await ask(method, at(path), { headers: { ...own, cookie } })).status).toBe(401);
    },
  );

  it.each(rows.filter(({ kind, path }) => kind === 'read' && !/\/(?:log|audit)$/.test(path)))(
    '$route answers as the contract says',
    async ({ method, path }) => {
      const { response, status } = await ask(method, at(path), { headers: { ...own, cookie } });
      const isJson = response.headers.get('content-type')?.includes('json') === true;
      const body: unknown = await (isJson ? response.json() : response.text());
      expect(findAnswerFaults(method, at(path), { status, body })).toEqual([]);
      const cross = { headers: { cookie, 'sec-fetch-site': 'cross-site' } };
      expect((await ask(method, at(path), cross)).status).toBe(403);
    },
  );
});

describe('signing in', () => {
  it('by a link works once, and opening the link does not use it up', async () => {
    const link = new URL(await rig.store.signInLinks.issue(origin));
    const code = link.searchParams.get('code') ?? '';
    expect((await ask('GET', `${link.pathname}${link.search}`)).status).toBe(200);
    expect((await signInWith({ code })).status).toBe(303);
    expect((await signInWith({ code })).status).toBe(403);
  });

  it('by a link ends after a quarter of an hour', async () => {
    const link = new URL(await rig.store.signInLinks.issue(origin));
    await rig.ask(`UPDATE hostwright_server.sign_in_links SET expires_at = now() - interval '1 s'`);
    expect((await signInWith({ code: link.searchParams.get('code') ?? '' })).status).toBe(403);
  });

  it('leads to pages of this server alone', async () => {
    const where = async (next: string) =>
      (await signInWith({ token: rig.adminToken, next })).headers.get('location');
    expect(await where('/runs/1?a=b')).toBe('/runs/1?a=b');
    for (const next of ['//evil.test', '/\\evil.test', 'https://evil.test', '/a\nb', '']) {
      expect(await where(next)).toBe('/');
    }
  });

  it.each(['8 hours', '7 days'])('ends after %s', async (age) => {
    const secret = await rig.store.sessions.begin('administrator');
    expect(await rig.store.sessions.find(secret)).toBeDefined();
    const column = age === '8 hours' ? 'seen_at' : 'created_at';
    await rig.ask(
      `UPDATE hostwright_server.sessions SET ${column} = now() - interval '${age}' - interval '1 s' WHERE hash = sha256($1)`,
      [Buffer.from(secret)],
    );
    expect(await rig.store.sessions.find(secret)).toBeUndefined();
  });

  it('ends with the session, on the server as well', async () => {
    const entered = await signInWith({ token: rig.adminToken });
    const pair = entered.headers.get('set-cookie')?.split(';')[0] ?? '';
    expect(entered.headers.get('set-cookie')).toMatch(
      /^hostwright=[\w-]{43}; Path=\/; HttpOnly; SameSite=Lax$/,
    );
    const page = await ask('GET', '/', { headers: { cookie: pair } });
    const [, token = ''] =
      /name="formToken"\s+value="([^"]+)"/.exec(await page.response.text()) ?? [];
    await ask('POST', '/sign-out', {
      headers: { ...own, ...formType, cookie: pair },
      body: `formToken=${token}`,
    });
    expect((await ask('GET', '/', { headers: { cookie: pair } })).status).toBe(303);
  });

  it('names the command for another link with the port of this server', async () => {
    const { response } = await ask('GET', '/sign-in', { headers: own });
    const text = await response.text();
    expect(text).toContain('<code>hostwright server --sign-in-link --port 8090</code>');
  });

  it('keeps no secret in the database, and refuses who fails too often', async () => {
    const stored = JSON.stringify(
      await rig.ask('SELECT hash::text FROM hostwright_server.sessions'),
    );
    expect(stored).not.toContain(Buffer.from(cookie.split('=')[1] ?? '').toString('hex'));
    const statuses: number[] = [];
    for (let count = 0; count < 12; count += 1)
      statuses.push((await signInWith({ token: `wrong ${count}` })).status);
    expect(statuses[0]).toBe(403);
    expect(statuses.at(-1)).toBe(429);
    expect((await signInWith({ token: rig.adminToken })).status).toBe(429);
    expect(rig.warnings.join()).not.toContain('wrong');
  });
});

describe('the pages', () => {
  it('show no text of strangers as markup, and nothing that is not to be seen', async () => {
    for (const path of ['/', '/workspaces/shop', `/runs/${runId}`]) {
      const page = await look(path);
      expect(findRaw(page)).toEqual([]);
      expect(page).not.toMatch(/<script>|<img|onerror=alert\(1\)>/);
    }
    expect(await look(`/runs/${runId}`)).toContain('&lt;script&gt;alert(1)');
  });

  it('take variables in and never show them', async () => {
    const fields = { branch: 'main', directory: '.', repository: 'https://git.example.com/a.git' };
    const made = await send('/workspaces', {
      ...fields,
      name: 'new',
      'set:HOSTWRIGHT_TOKEN': 'hush',
    });
    expect(made.headers.get('location')).toBe('/workspaces/new');
    await send('/workspaces/new/edit', { ...fields, more: 'HOSTWRIGHT_VAR_size=silent' });
    const { id = '' } = (await rig.store.workspaces.find('new')) ?? {};
    const read = () => rig.store.workspaces.readVariables(id);
    expect(await read()).toEqual({
      values: { HOSTWRIGHT_TOKEN: 'hush', HOSTWRIGHT_VAR_size: 'silent' },
      secrets: [],
    });
    const marked = { secret: 'HOSTWRIGHT_VAR_size', moreSecrets: 'HOSTWRIGHT_VAR_key=mute' };
    await send('/workspaces/new/edit', { ...fields, ...marked, remove: 'HOSTWRIGHT_TOKEN' });
    expect(await read()).toEqual({
      values: { HOSTWRIGHT_VAR_key: 'mute', HOSTWRIGHT_VAR_size: 'silent' },
      secrets: ['HOSTWRIGHT_VAR_key', 'HOSTWRIGHT_VAR_size'],
    });
    const refused = await send('/workspaces/new/edit', { ...fields, more: 'PATH=unseen-value' });
    expect(refused.status).toBe(422);
    const shown = [await refused.response.text(), await look('/workspaces/new/edit')].join();
    expect(shown).toContain('A workspace cannot set PATH.');
    expect(shown).not.toMatch(/hush|silent|unseen-value/);
  });

  it('say where the repository of a workspace was out of reach', async () => {
    const fields = { branch: 'main', directory: '.', repository: 'https://far.example.com/a.git' };
    const { response, headers } = await send('/workspaces', { ...fields, name: 'far' });
    expect([response.status, headers.get('location')]).toEqual([
      303,
      '/workspaces/far?unchecked=1',
    ]);
    expect(await look('/workspaces/far?unchecked=1')).toContain('out of reach');
    expect(await look('/workspaces/far')).not.toContain('out of reach');
    const moved = { ...fields, repository: 'https://wrong.example.com/a.git' };
    const refused = await send('/workspaces/far/edit', moved);
    expect(refused.status).toBe(422);
    expect(await refused.response.text()).toContain('The repository cannot be read. It is gone.');
    await rig.ask(`DELETE FROM hostwright_server.workspaces WHERE name = 'far'`);
  });

  it('set when a workspace is checked for drift, and show what differs', async () => {
    const fields = { branch: 'main', directory: '.', repository: 'https://git.example.com/a.git' };
    const read = () => rig.store.workspaces.find('new');
    expect(await read()).toMatchObject({ driftEveryMinutes: null, applyDrift: false });
    const edit = {
      ...fields,
      driftEveryMinutes: '90',
      applyDrift: 'yes',
      allowProbes: '10.0.0.0/8',
      windows: 'Sat 02:00-05:00 Europe/Berlin\r\nMon,Tue 22:00-01:00 UTC\r\n',
      freezes: '2026-12-20T00:00:00Z 2027-01-07T00:00:00Z All <b>are away.',
    };
    expect((await send('/workspaces/new/edit', edit)).status).toBe(303);
    expect(await read()).toMatchObject({
      ...{ driftEveryMinutes: 90, applyDrift: true, allowProbes: ['10.0.0.0/8'] },
      windows: [{ days: 'Sat' }, { days: ['Mon', 'Tue'], from: '22:00', to: '01:00', zone: 'UTC' }],
      freezes: [{ from: '2026-12-20T00:00:00Z', reason: 'All <b>are away.' }],
    });
    expect(await look('/workspaces/new')).toMatch(/Probes reach<\/dt>\s*<dd>10\.0\.0\.0\/8/);
    expect(await look('/workspaces/new')).toContain(
      'Sat 02:00-05:00 Europe/Berlin; Mon,Tue 22:00-01:00 UTC',
    );
    expect(await look('/workspaces/new/edit')).toMatch(
      /Mon,Tue 22:00-01:00 UTC<\/textarea>.*2027-01-07T00:00:00Z All &lt;b&gt;are away\.<\/textarea>/,
    );
    const mistyped = await send('/workspaces/new/edit', { ...edit, windows: 'Sat 2-5 UTC' });
    expect(mistyped.status).toBe(422);
    expect(await mistyped.response.text()).toMatch(
      /windows\[0\]\.from must be a time of day[^]*Sat 2-5 UTC<\/textarea>/,
    );
    expect(await look('/workspaces/new/edit')).toMatch(
      /<option value="90" +selected>Every 90 minutes<\/option>/,
    );
    const refused = await send('/workspaces/new/edit', { ...edit, driftEveryMinutes: '4' });
    expect(refused.status).toBe(422);

    const workspaceId = (await read())?.id ?? '';
    const drift = { workspaceId, operation: 'drift' as const, commit, reason: 'a test' };
    const { id = '' } = (await rig.store.runs.add(drift)) ?? {};
    const run = await rig.store.runs.find(id);
    const deleted = { address: '<script>alert(1)</script>', action: 'delete' };
    const more = Array.from({ length: 11 }, (_, index) => ({
      address: `vms.vm${index}`,
      action: 'update',
    }));
    const changes = [deleted, ...more];
    await rig.store.drift.settle(run!, { status: 'succeeded', changes, driftFingerprint: 'a' });
    const page = await look('/workspaces/new');
    expect(page).toContain('The account differs from the state</b> in 12 resources.');
    expect(page).toContain('and 2 more resources');
    expect(page).toContain('checked every 90 minutes, undone where nothing is lost');
    expect(findRaw(page)).toEqual([]);
    expect(page).not.toMatch(/<script>|<img|onerror=alert\(1\)>/);
    expect(await look('/?search=new')).toContain('Drift in 12 resources, found');
  });

  it('destroy nothing unless the name is typed', async () => {
    const refused = await send('/workspaces/shop/runs', { operation: 'destroy', confirm: 'sho' });
    expect(await refused.response.text()).toContain('Nothing was destroyed');
    expect(await rig.store.runs.list('shop', 10)).toHaveLength(1);
  });

  it('cancel a run that waits, and queue it again', async () => {
    const cancelled = await send(`/runs/${runId}/cancel`, {});
    expect(cancelled.headers.get('location')).toBe(`/runs/${runId}`);
    expect(await rig.store.runs.find(runId)).toMatchObject({ status: 'cancelled' });
    expect(await look(`/runs/${runId}`)).toContain('It has changed nothing.');
    const again = await send(`/runs/${runId}/cancel`, {});
    expect(again.status).toBe(409);
    expect(await again.response.text()).toContain('The run has already ended');
    const retried = (await send(`/runs/${runId}/retry`, {})).headers.get('location');
    expect(await rig.store.runs.find(retried?.slice('/runs/'.length) ?? '')).toMatchObject({
      ...{ status: 'queued', commit, reason: 'retry of #1, requested by administrator' },
    });
  });

  it('hold the server and release it: meanwhile it takes no apply, and says why', async () => {
    const waits = await rig.send('POST', '/api/v1/runs', {
      body: { operation: 'destroy', workspace: 'shop', commit },
    });
    const { id } = (await waits.json()) as { readonly id: string };
    await send('/server/hold', { reason: 'a move until 18:00' });
    for (const path of ['/', '/settings', `/runs/${id}`])
      expect(await look(path)).toMatch(/(?:releases it\.|is held:) a move until 18:00/);
    const body = { operation: 'destroy', workspace: 'shop', commit };
    const refused = await rig.send('POST', '/api/v1/runs', { body });
    const fault = { detail: 'The server is held: a move until 18:00' };
    expect([refused.status, await refused.json()]).toMatchObject([409, fault]);
    const plan = { ...body, operation: 'plan' };
    expect((await rig.send('POST', '/api/v1/runs', { body: plan })).status).toBe(201);
    expect((await send('/server/hold', { reason: 'again' })).status).toBe(422);
    const shown = await rig.send('GET', '/api/v1/server');
    const answer = { status: 200, body: (await shown.json()) as object };
    expect(findAnswerFaults('GET', '/api/v1/server', answer)).toEqual([]);
    expect(answer.body).toMatchObject({ hold: { reason: 'a move until 18:00', isCopy: false } });
    await send('/server/release', {});
    expect(await look('/')).not.toContain('18:00');
    expect((await rig.send('DELETE', '/api/v1/server/hold')).status).toBe(409);
    await rig.send('POST', `/api/v1/runs/${id}/cancel`);
  });

  it('offer a plan again as long as there is none of a newer commit', async () => {
    expect(await look(`/runs/${runId}`)).toContain(`action="/runs/${runId}/retry"`);
    const workspaceId = (await rig.store.workspaces.find('shop'))?.id ?? '';
    const newer = { workspaceId, operation: 'plan' as const, commit: 'f'.repeat(40) };
    const added = await rig.store.runs.add({ ...newer, reason: 'a test' });
    const page = await look(`/runs/${runId}`);
    expect(page).toContain(`Plan #${added?.number} is of a newer commit. Run that one again.`);
    expect(page).not.toContain('/retry');
    // One that has not ended yet can be cancelled, whatever came since.
    expect(await look(`/runs/${added?.id}`)).toContain('/cancel');
  });
});

describe('the overview', () => {
  it('asks the database as often for 10,000 workspaces as for one', async () => {
    const measure = async () => {
      const before = rig.countStatements();
      await look('/?status=inSync&search=w');
      return rig.countStatements() - before;
    };
    const few = await measure();
    await rig.ask(
      `WITH b AS (SELECT id FROM hostwright_server.blobs LIMIT 1)
       INSERT INTO hostwright_server.workspaces (id, name, repository, branch, directory, poll, variables, status)
       SELECT gen_random_uuid(), 'w-' || n, 'https://git.example.com/a.git', 'main', '.', false, b.id,
         CASE WHEN n % 10 = 0 THEN 'failed' ELSE 'inSync' END FROM generate_series(1, 10000) n, b`,
    );
    expect(await measure()).toBe(few);
    const first = await look('/');
    expect(first.match(/<tr>/g)).toHaveLength(51);
    expect(first).toContain('1 to 50 of 10,002 workspaces');
    expect(await look('/?status=failed&page=20')).toContain('951 to 1,000 of 1,000 workspaces');
    expect((await look('/?search=w-777')).match(/<tr>/g)).toHaveLength(12);
  });

  const plan = { operation: 'plan', status: 'succeeded', changes: true };
  const cases = [
    ['neverPlanned', []],
    ['running', [{ operation: 'plan', status: 'running' }]],
    ['waiting', [plan]],
    ['inSync', [{ ...plan, changes: false }]],
    ['inSync', [plan, { operation: 'apply', status: 'succeeded' }]],
    ['failed', [plan, { operation: 'apply', status: 'failed' }]],
    ['failed', [plan, { operation: 'apply', status: 'cancelled' }]],
    ['waiting', [plan, { operation: 'plan', status: 'cancelled' }]],
    [
      'drifted',
      [
        { ...plan, changes: false },
        { ...plan, operation: 'drift' },
      ],
    ],
    ['waiting', [plan, { ...plan, operation: 'drift', changes: false }]],
    [
      'inSync',
      [
        { ...plan, operation: 'drift' },
        { ...plan, changes: false },
      ],
    ],
    ['destroyed', [{ operation: 'destroy', status: 'succeeded' }]],
  ] as const;

  it.each(cases.map(([status, runs], index) => ({ status, runs, index })))(
    'says $status (case $index)',
    async ({ status, runs, index }) => {
      const added = await rig.store.workspaces.add({
        ...{ name: `case-${index}`, repository: 'https://git.example.com/a.git', branch: 'main' },
        ...{ directory: '.', poll: false, variables: {} },
      });
      for (const run of runs) {
        const changes = 'changes' in run ? run.changes : null;
        await rig.ask(
          `INSERT INTO hostwright_server.runs (id, workspace, operation, commit, status, reason, has_changes, started_at)
           VALUES (gen_random_uuid(), $1, $2, '', $3, '', $4, now())`,
          [added?.id, run.operation, run.status, changes],
        );
      }
      expect((await rig.store.workspaces.find(`case-${index}`))?.status).toBe(status);
    },
  );
});

describe('git hosts', () => {
  const api = async (method: string, path: string, body?: object) => {
    const { response, status } = await ask(method, path, {
      headers: { authorization: `Bearer ${rig.adminToken}` },
      ...(body && { body: JSON.stringify(body) }),
    });
    const shown = (status === 204 ? {} : await response.json()) as Record<string, unknown>;
    expect(findAnswerFaults(method, path, { status, body: shown })).toEqual([]);
    return { ...shown, status };
  };
  const token = { token: 'ghp_never_shown' };

  it('show a webhook secret once, and a token never', async () => {
    const page = await send('/connections', { name: 'forge', kind: 'gitlab', ...token });
    const text = await page.response.text();
    const [secret = ''] = /hww_[\w-]{43}/.exec(text) ?? [];
    expect(text).toContain(`${origin}/webhooks/forge`);
    expect((await rig.store.connections.readSecrets('forge')).webhookSecret).toBe(secret);
    const again = await send('/connections/forge/webhook-secret', {});
    expect(await again.response.text()).toMatch(/hww_[\w-]{43}/);
    expect((await rig.store.connections.readSecrets('forge')).webhookSecret).not.toBe(secret);
    await send('/connections/forge/secrets', { token: 'another_hidden' });
    expect((await rig.store.connections.readSecrets('forge')).token).toBe('another_hidden');
    const shown = [
      await look('/connections'),
      JSON.stringify(await api('GET', '/api/v1/connections')),
    ];
    expect(shown.join()).not.toMatch(/hww_|never_shown|another_hidden/);
    const [{ found } = { found: undefined }] = (await rig.ask(
      `SELECT string_agg(body::text, '') LIKE '%' || encode('another_hidden', 'hex') || '%' AS found FROM hostwright_server.blobs`,
    )) as { found?: boolean }[];
    expect(found).toBe(false);
  });

  it('are removed unless a workspace uses them', async () => {
    await api('POST', '/api/v1/connections', { name: 'gone', kind: 'gitlab', ...token });
    const workspace = { name: 'connected', repository: 'https://gitlab.com/acme/team/infra' };
    expect(
      (await api('POST', '/api/v1/workspaces', { ...workspace, connection: 'gone' })).status,
    ).toBe(201);
    expect((await api('DELETE', '/api/v1/connections/gone')).status).toBe(409);
    await api('PATCH', '/api/v1/workspaces/connected', { connection: null });
    expect((await api('DELETE', '/api/v1/connections/gone')).status).toBe(204);
    expect((await api('GET', '/api/v1/connections/gone')).status).toBe(404);
  });

  const pem = '-----BEGIN PRIVATE KEY-----\nbm90IGEga2V5\n-----END PRIVATE KEY-----\n';
  it.each([
    ['no token', { kind: 'github' }, 'needs a token'],
    [
      'the pages of GitHub in place of its API',
      { kind: 'github', address: 'https://github.example.com', ...token },
      'Write it as https://github.example.com/api/v3',
    ],
    [
      'plain http',
      { kind: 'gitlab', address: 'http://gitlab.example.com', ...token },
      'address is no',
    ],
    ['half an App', { kind: 'github', appId: '1', privateKey: pem }, 'both appId'],
    [
      'a key that is none',
      { kind: 'github', appId: '1', installationId: '2', privateKey: pem },
      'no RSA',
    ],
    [
      'an App at GitLab',
      { kind: 'gitlab', appId: '1', installationId: '2', privateKey: pem },
      'no Apps',
    ],
    ['a line in the token', { kind: 'github', token: 'a\r\nx: b' }, 'token must be a text'],
  ])('are refused with %s', async (_what, body, named) => {
    const { status, ...problem } = await api('POST', '/api/v1/connections', { name: 'x', ...body });
    expect([status, JSON.stringify(problem)]).toEqual([422, expect.stringContaining(named)]);
    expect(JSON.stringify(problem)).not.toContain('bm90IGEga2V5');
  });

  it.each([
    ['shop', 'https://github.com.evil.test/acme/infra', 'does not belong'],
    ['shop', 'file:///srv/infra', 'does not belong'],
    ['nothing', 'https://github.com/acme/infra', 'no such connection'],
    [null, 'https://github.com/acme/infra', 'Only a workspace with a connection'],
  ])('%o take no workspace of %s', async (connection, repository, named) => {
    const body = { name: 'w', repository, connection, applyOnMerge: true };
    expect(await api('POST', '/api/v1/workspaces', body)).toMatchObject({
      ...{ status: 422, detail: expect.stringContaining(named) as string },
    });
    const edit = { repository, connection, applyOnMerge: true };
    expect((await api('PATCH', '/api/v1/workspaces/shop', edit)).status).toBe(422);
  });
});

it('a queued preview has a place among the previews of its workspace, and takes none from its runs', async () => {
  const workspace = await rig.store.workspaces.add({
    ...{ name: 'previewed', repository: 'https://git.example.com/acme/shop.git', branch: 'main' },
    ...{ directory: '.', poll: false, variables: {} },
  });
  const workspaceId = workspace?.id ?? '';
  const queueRun = async (operation: 'plan' | 'preview', number: number) => {
    const head = 'c'.repeat(40);
    const run = { workspaceId, operation, commit: head, reason: 'a test', pull: { number, head } };
    const { id } = (await rig.store.runs.add(run)) ?? { id: '' };
    await rig.engine.enqueue({ id, workspaceId }, operation === 'preview' ? 'previews' : undefined);
    return id;
  };
  const runs: string[] = [];
  for (const number of [1, 2])
    runs.push(await queueRun('preview', number), await queueRun('plan', number));
  const read = async (id: string) => (await rig.send('GET', `/api/v1/runs/${id}`)).json();
  expect(await Promise.all(runs.map(read))).toMatchObject([
    { operation: 'preview', place: 0 },
    { operation: 'plan', place: 0 },
    { operation: 'preview', place: 1 },
    { operation: 'plan', place: 1 },
  ]);
});
