// Who may do what: every route and page by every role, what lists show, and how tokens end.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { routeRoles } from '../../src/server/api/route-roles.ts';
import type { RoleGrant, Role } from '../../src/server/people/roles.ts';
import { findAnswerFaults } from '../support/server/check-answer.ts';
import { openPagesRig, origin, type PagesRig } from '../support/server/pages-rig.ts';

const commit = 'c'.repeat(40);
const own = { origin, host: new URL(origin).host, 'sec-fetch-site': 'same-origin' };
const formType = { 'content-type': 'application/x-www-form-urlencoded' };
const nobody = '00000000-0000-4000-8000-000000000000';

let rig: PagesRig;
let runIds: Readonly<Record<string, string>>;

/** Makes a token with these roles. */
async function makeToken(name: string, grants: readonly RoleGrant[]): Promise<string> {
  const made = await rig.store.members.addToken(name, 1);
  expect(await rig.store.members.grant(made?.member.id ?? '', grants)).toEqual([]);
  return made?.token ?? '';
}

async function call(token: string, method: string, path: string, body?: object) {
  const response = await rig.send(method, path, { token, body });
  const text = await response.text();
  return { status: response.status, text };
}

const read = async (token: string, path: string) =>
  JSON.parse((await call(token, 'GET', path)).text) as Record<string, never>;

/** Asks for a page as a person with these roles, or sends a form of theirs. */
async function visit(
  grants: readonly RoleGrant[],
  method: string,
  path: string,
  fields: Readonly<Record<string, string>> = {},
) {
  const identity = { issuer: 'https://id.test', subject: JSON.stringify(grants), name: 'Ada' };
  const { id } = await rig.store.members.meet(identity, []);
  await rig.store.members.grant(id, grants);
  const secret = await rig.store.sessions.begin('Ada', id);
  const formToken = (await rig.store.sessions.find(secret))?.formToken ?? '';
  const request = new Request(`${origin}${path}`, {
    ...{ method, headers: { ...own, ...formType, cookie: `hostwright=${secret}` } },
    ...(method === 'POST' && { body: new URLSearchParams({ formToken, ...fields }).toString() }),
  });
  const response = await rig.app.fetch(request, { address: '192.0.2.1' });
  return { status: response.status, text: await response.text() };
}

async function addWorkspace(name: string) {
  const added = await rig.store.workspaces.add({
    ...{ name, repository: 'https://git.example.com/acme/a.git', branch: 'main' },
    ...{ directory: '.', poll: false, variables: {} },
  });
  const workspaceId = added?.id ?? '';
  const add = async (operation: 'plan' | 'destroy') =>
    (await rig.store.runs.add({ workspaceId, operation, commit, reason: 'a test' }))?.id ?? '';
  return { workspaceId, plan: await add('plan'), destroy: await add('destroy') };
}

beforeAll(async () => {
  rig = await openPagesRig();
  const { plan, destroy } = await addWorkspace('shop');
  const { plan: hidden } = await addWorkspace('hidden');
  runIds = { plan, destroy, hidden };
});

afterAll(() => rig.close());

const kinds = ['none', 'view', 'plan', 'approve', 'apply', 'admin'] as const;
type Kind = (typeof kinds)[number];

const grantsOf = (kind: Kind): readonly RoleGrant[] =>
  kind === 'none'
    ? []
    : kind === 'admin'
      ? [{ role: 'admin' }]
      : [{ role: kind, workspace: 'shop' }];

/** Who may, written down a second time: a slip in the table of the server is a difference here. */
const viewers: readonly Kind[] = ['view', 'plan', 'approve', 'apply', 'admin'];
const planners: readonly Kind[] = ['plan', 'apply', 'admin'];
const appliers: readonly Kind[] = ['apply', 'admin'];
const admins: readonly Kind[] = ['admin'];
const approvers: readonly Kind[] = ['approve', 'admin'];
/** A role for one workspace is not one for all. */
const viewersOfAll: readonly Kind[] = ['admin'];
const mayPass: Readonly<Record<string, readonly Kind[]>> = {
  'GET /metrics': viewersOfAll,
  'GET /api/v1/me': kinds,
  'GET /api/v1/workspaces': kinds,
  'POST /api/v1/workspaces': admins,
  'GET /api/v1/workspaces/:name': viewers,
  'PATCH /api/v1/workspaces/:name': admins,
  'DELETE /api/v1/workspaces/:name': admins,
  'PUT /api/v1/workspaces/:name/lock': appliers,
  'DELETE /api/v1/workspaces/:name/lock': appliers,
  'GET /api/v1/workspaces/:name/variables': admins,
  'GET /api/v1/workspaces/:name/state': planners,
  'POST /api/v1/workspaces/:name/state': appliers,
  'LOCK /api/v1/workspaces/:name/state': appliers,
  'UNLOCK /api/v1/workspaces/:name/state': appliers,
  'GET /api/v1/connections': admins,
  'POST /api/v1/connections': admins,
  'GET /api/v1/connections/:name': admins,
  'PATCH /api/v1/connections/:name': admins,
  'DELETE /api/v1/connections/:name': admins,
  'POST /api/v1/connections/:name/webhook-secret': admins,
  'GET /api/v1/overview': kinds,
  'GET /api/v1/accounts': kinds,
  'PATCH /api/v1/accounts/:accountId': admins,
  'GET /api/v1/server': admins,
  'PUT /api/v1/server/hold': admins,
  'DELETE /api/v1/server/hold': admins,
  'DELETE /api/v1/sessions': admins,
  'GET /api/v1/runs': kinds,
  'POST /api/v1/runs': planners,
  'GET /api/v1/runs/:id': viewers,
  'POST /api/v1/runs/:id/cancel': planners,
  'POST /api/v1/runs/:id/retry': planners,
  'GET /api/v1/runs/:id/report': viewers,
  'GET /api/v1/runs/:id/comparison': viewers,
  'GET /api/v1/runs/:id/log': viewers,
  'GET /api/v1/runs/:id/timeline': viewers,
  'GET /api/v1/runs/:id/approvals': viewers,
  'POST /api/v1/runs/:id/approvals': approvers,
  'GET /api/v1/members': admins,
  'POST /api/v1/members': admins,
  'GET /api/v1/members/:member': admins,
  'PATCH /api/v1/members/:member': admins,
  'DELETE /api/v1/members/:member': admins,
  'GET /api/v1/audit': admins,
  'GET /api/v1/message-targets': admins,
  'POST /api/v1/message-targets': admins,
  'DELETE /api/v1/message-targets/:name': admins,
  'POST /api/v1/message-targets/:name/test': admins,
  'GET /api/v1/policies': admins,
  'PUT /api/v1/policies/:name': admins,
  'DELETE /api/v1/policies/:name': admins,
  'POST /api/v1/variable-comparisons': admins,
  'GET /api/v1/variable-sets': admins,
  'PUT /api/v1/variable-sets/:name': admins,
  'PATCH /api/v1/variable-sets/:name': admins,
  'DELETE /api/v1/variable-sets/:name': admins,
  'GET /api/v1/messages': admins,
  'POST /api/v1/messages/:message/send-again': admins,
  'GET /': kinds,
  'GET /new-workspace': admins,
  'GET /workspaces/:name': viewers,
  'GET /workspaces/:name/edit': admins,
  'GET /runs/:id': viewers,
  'GET /runs/:id/report': viewers,
  'GET /connections': admins,
  'GET /accounts': kinds,
  'GET /settings': admins,
  'GET /audit': admins,
  'GET /messages': admins,
  'GET /policies': admins,
  'GET /variables': admins,
  'GET /people': admins,
  'GET /people/:member': admins,
  'POST /workspaces': admins,
  'POST /workspaces/:name/edit': admins,
  'POST /workspaces/:name/runs': viewers,
  'POST /workspaces/:name/pause': admins,
  'POST /workspaces/:name/lock': appliers,
  'POST /workspaces/:name/unlock': appliers,
  'POST /workspaces/:name/remove': admins,
  'POST /connections': admins,
  'POST /connections/:name/secrets': admins,
  'POST /connections/:name/webhook-secret': admins,
  'POST /connections/:name/remove': admins,
  'POST /runs/:id/apply': appliers,
  'POST /runs/:id/approvals': approvers,
  'POST /runs/:id/cancel': planners,
  'POST /runs/:id/retry': planners,
  'POST /accounts/:accountId': admins,
  'POST /groups': admins,
  'POST /tokens': admins,
  'POST /people': admins,
  'POST /people/:member': admins,
  'POST /people/:member/remove': admins,
  'POST /message-targets': admins,
  'POST /policies': admins,
  'POST /policies/:name/remove': admins,
  'POST /message-targets/:name/test': admins,
  'POST /message-targets/:name/remove': admins,
  'POST /messages/:message/again': admins,
  'POST /sign-out': kinds,
  'POST /variables': admins,
  'POST /variables/:name/remove': admins,
  'POST /server/hold': admins,
  'POST /server/release': admins,
  'POST /sign-out-everywhere': admins,
};
const neededRoles = new Map<readonly Kind[], Role>([
  [admins, 'admin'],
  [viewersOfAll, 'view'],
  [appliers, 'apply'],
  [approvers, 'approve'],
  [planners, 'plan'],
]);
/** What is open to everybody. */
const open = new Set([
  ...['GET /healthz', 'GET /readyz', 'GET /assets/:name', 'GET /sign-in', 'POST /sign-in'],
  ...['GET /sign-in/oidc', 'GET /sign-in/callback', 'POST /webhooks/:name'],
]);

describe('every route', () => {
  it('asks for a role in both tables', () => {
    const served = rig.app.routes
      .filter(({ method }) => method !== 'ALL')
      .map(({ method, path }) => `${method} ${path}`)
      .filter((route) => !open.has(route));
    const sorted = [...new Set(served)].sort();
    expect(Object.keys(mayPass).sort()).toEqual(sorted);
    expect(Object.keys(routeRoles).sort()).toEqual(sorted);
  });

  it('is closed where it is in no row', async () => {
    rig.app.get('/api/v1/workspaces/:name/forgotten', (context) => context.text('open'));
    const path = '/api/v1/workspaces/shop/forgotten';
    expect(await call(rig.adminToken, 'GET', path)).toMatchObject({ status: 403 });
  });

  it.each(Object.entries(mayPass))('%s lets pass who may', async (route, may) => {
    const [method = '', pattern = ''] = route.split(' ');
    const path = pattern
      .replace(':name', 'shop')
      .replace(':id', runIds.plan ?? '')
      .replace(':member', nobody)
      .replace(':message', nobody);
    const body =
      route === 'POST /api/v1/runs' ? { operation: 'plan', workspace: 'shop', commit } : {};
    // Once the run has ended, its log ends, too.
    await rig.store.runs.cancel(runIds.plan ?? '');
    for (const kind of kinds) {
      const isApi = path.startsWith('/api/') || path === '/metrics';
      const { status, text } = isApi
        ? await call(
            await makeToken(`${route} ${kind}`, grantsOf(kind)),
            method,
            path,
            method === 'GET' ? undefined : body,
          )
        : await visit(grantsOf(kind), method, path);
      const isHidden = status === 404 && /There is no such (?:workspace|run)/.test(text);
      const outcome = isHidden ? 'hidden' : status === 403 ? 'refused' : 'passes';
      const isServer = !/workspaces\/:name|:id/.test(pattern) && route !== 'POST /api/v1/runs';
      const otherwise = kind === 'none' && !isServer ? 'hidden' : 'refused';
      expect([kind, outcome]).toEqual([kind, may.includes(kind) ? 'passes' : otherwise]);
      if (isApi && outcome !== 'passes')
        expect(findAnswerFaults(method, path, { status, body: JSON.parse(text) })).toEqual([]);
      if (outcome === 'refused') {
        const role = neededRoles.get(may) ?? '';
        expect(text).toContain(`This needs the role ${role}`);
      }
    }
  });

  it.each([
    ['plan', 'plan'],
    ['drift', 'plan'],
    ['destroy', 'apply'],
    ['apply', 'apply'],
  ] as const)('POST /api/v1/runs with %s asks for %s', async (operation, role) => {
    const body =
      operation === 'apply'
        ? { operation, plan: runIds.plan }
        : { operation, workspace: 'shop', commit };
    const statuses: Record<string, number> = {};
    for (const kind of kinds) {
      const token = await makeToken(`${operation} by ${kind}`, grantsOf(kind));
      statuses[kind] = (await call(token, 'POST', '/api/v1/runs', body)).status;
    }
    // The run of the plan has no saved plan.
    const done = operation === 'apply' ? 409 : 201;
    const planned = role === 'plan' ? done : 403;
    expect(statuses).toEqual({
      ...{ none: 404, view: 403, plan: planned, approve: 403, apply: done, admin: done },
    });
  });

  it('that ends a run asks for the role that starts it', async () => {
    const token = await makeToken('planner', [{ role: 'plan' }]);
    const path = `/api/v1/runs/${runIds.destroy ?? ''}/cancel`;
    expect((await call(token, 'POST', path)).text).toContain('This needs the role apply');
  });
});

describe('a token', () => {
  const make = async (name: string, more: object = {}) =>
    call(rig.adminToken, 'POST', '/api/v1/members', {
      ...{ kind: 'token', name, expiresInDays: 30, grants: [{ role: 'view' }], ...more },
    });

  it('is shown once, kept as a hash, and ends when it is revoked', async () => {
    const { status, text } = await make('ci');
    const made = JSON.parse(text) as { id: string; token: string };
    expect(findAnswerFaults('POST', '/api/v1/members', { status, body: made })).toEqual([]);
    expect((await read(made.token, '/api/v1/me')).name).toBe('ci');
    const list = (await call(rig.adminToken, 'GET', '/api/v1/members')).text;
    expect(list).toContain('"ci"');
    const stored = JSON.stringify(await rig.ask('SELECT m::text FROM hostwright_server.members m'));
    for (const text of [list, stored, rig.warnings.join()]) expect(text).not.toContain(made.token);
    expect((await make('ci')).status).toBe(409);
    const path = `/api/v1/members/${made.id}`;
    expect((await call(rig.adminToken, 'DELETE', path)).status).toBe(204);
    expect((await call(made.token, 'GET', '/api/v1/me')).status).toBe(401);
    expect((await call(rig.adminToken, 'DELETE', path)).status).toBe(404);
  });

  it('is asked for where there is none, with the header that sends it and where one is made', async () => {
    for (const headers of [{}, { authorization: 'Bearer hwt_wrong' }]) {
      const request = new Request(`${origin}/api/v1/me`, { headers });
      const response = await rig.app.fetch(request, { address: '192.0.2.77' });
      const body = (await response.json()) as { readonly detail: string };
      expect(findAnswerFaults('GET', '/api/v1/me', { status: 401, body })).toEqual([]);
      expect(body.detail).toContain('Send the header "Authorization: Bearer TOKEN".');
      expect(body.detail).toContain('POST /api/v1/members');
    }
  });

  it('ends by itself', async () => {
    const { token } = JSON.parse((await make('short')).text) as { token: string };
    expect((await call(token, 'GET', '/api/v1/me')).status).toBe(200);
    await rig.ask(
      `UPDATE hostwright_server.members SET expires_at = now() - interval '1 s' WHERE name = 'short'`,
    );
    expect((await call(token, 'GET', '/api/v1/me')).status).toBe(401);
  });

  it.each([
    ['without an end', { expiresInDays: undefined }],
    ['for more than a year', { expiresInDays: 367 }],
    ['without a name', { name: ' ' }],
    ['with a role that is none', { grants: [{ role: 'root' }] }],
    ['with admin for one workspace', { grants: [{ role: 'admin', workspace: 'shop' }] }],
    ['for a workspace that is none', { grants: [{ role: 'view', workspace: 'none' }] }],
  ])('is refused %s, and nothing of it stays', async (what, more) => {
    expect((await make(what, more)).status).toBe(422);
    expect(
      await rig.ask('SELECT 1 FROM hostwright_server.members WHERE name = $1', [what]),
    ).toEqual([]);
  });

  it('is named by the runs that it starts', async () => {
    const token = await makeToken('nightly', [{ role: 'plan', workspace: 'shop' }]);
    const body = { operation: 'drift', workspace: 'shop', commit };
    expect((await call(token, 'POST', '/api/v1/runs', body)).text).toContain(
      '"requested by nightly"',
    );
  });
});

describe('roles', () => {
  it('change at once, and all of them or none', async () => {
    const token = await makeToken('moving', [{ role: 'view', workspace: 'shop' }]);
    const { id } = await read(token, '/api/v1/me');
    const set = (grants: readonly RoleGrant[]) =>
      call(rig.adminToken, 'PATCH', `/api/v1/members/${String(id)}`, { grants });
    const { status, text } = await set([{ role: 'plan' }, { role: 'view', workspace: 'none' }]);
    expect([status, text]).toEqual([422, expect.stringContaining('There is no workspace none.')]);
    expect((await call(token, 'GET', '/api/v1/workspaces/shop')).status).toBe(200);
    expect((await set([{ role: 'plan', workspace: 'hidden' }])).status).toBe(200);
    expect((await call(token, 'GET', '/api/v1/workspaces/shop')).status).toBe(404);
    expect((await read(token, '/api/v1/workspaces/hidden')).roles).toEqual(['view', 'plan']);
  });

  it('end with the person, and so do the sessions', async () => {
    const { id } = await rig.store.members.meet({ issuer: 'i', subject: 's', name: 'Bob' }, []);
    const secret = await rig.store.sessions.begin('Bob', id);
    expect(await rig.store.sessions.find(secret)).toMatchObject({ memberId: id, roles: [] });
    await call(rig.adminToken, 'DELETE', `/api/v1/members/${id}`);
    expect(await rig.store.sessions.find(secret)).toBeUndefined();
  });

  it('are set by the pages, which show a new token once', async () => {
    const send = (path: string, fields: Record<string, string>) =>
      visit([{ role: 'admin' }], 'POST', path, fields);
    const token = { name: 'by page', days: '30', role: 'view', places: 'shop: plan, approve' };
    const shown = (await send('/tokens', token)).text;
    const [, secret = ''] = /id="new-token"\s*>(hwt_[\w-]{43})</.exec(shown) ?? [];
    const me = await read(secret, '/api/v1/me');
    expect(me).toMatchObject({ name: 'by page', roles: ['view'] });
    expect((await visit([{ role: 'admin' }], 'GET', '/people')).text).not.toContain('hwt_');
    const person = { name: 'Grace', issuer: 'https://id.test', subject: 'grace' };
    expect((await send('/people', person)).status).toBe(303);
    expect((await send('/people', person)).text).toContain('this identity exists already');
    const path = `/people/${String(me.id)}`;
    const refused = await send(path, { places: 'shop' });
    expect([refused.status, refused.text]).toEqual([422, expect.stringContaining('Line 1 of')]);
    expect((await visit([{ role: 'admin' }], 'GET', path)).text).toContain('shop: plan, approve');
    expect((await send(path, { role: 'apply' })).status).toBe(303);
    expect((await read(secret, '/api/v1/me')).roles).toEqual(['apply']);
    expect((await send(`${path}/remove`, {})).status).toBe(303);
    expect((await call(secret, 'GET', '/api/v1/me')).status).toBe(401);
  });

  it('decide what the pages offer', async () => {
    const plain = await visit([{ role: 'view', workspace: 'shop' }], 'GET', '/workspaces/shop');
    expect(plain.text).not.toMatch(/>Plan<|>Edit<|Destroy all|href="\/people"|href="\/settings"/);
    const full = await visit([{ role: 'admin' }], 'GET', '/workspaces/shop');
    expect(full.text).toMatch(/>Plan<[^]*Destroy all/);
    expect((await visit([], 'GET', '/')).text).toContain('You have no role in any workspace.');
  });
});

it('lists of 10,000 workspaces show what one may view, with as many statements as one workspace takes', async () => {
  const token = await makeToken('narrow', [{ role: 'view', workspace: 'shop' }]);
  const paths = ['workspaces', 'overview', 'runs', 'runs?workspace=hidden', 'accounts'];
  const look = async () => {
    const before = rig.countStatements();
    const texts: string[] = [];
    for (const path of paths) texts.push((await call(token, 'GET', `/api/v1/${path}`)).text);
    return { statements: rig.countStatements() - before, texts };
  };
  const few = await look();
  await rig.ask(
    `WITH b AS (SELECT id FROM hostwright_server.blobs LIMIT 1), account AS (
         INSERT INTO hostwright_server.accounts (service, mark, quotas) VALUES ('https://secret.test', 'm', '[]') RETURNING id)
       INSERT INTO hostwright_server.workspaces (id, name, repository, branch, directory, poll, variables, status, account)
       SELECT gen_random_uuid(), 'hidden-' || n, 'https://git.example.com/a.git', 'main', '.', false, b.id, 'inSync', account.id
         FROM generate_series(1, 10000) n, b, account`,
  );
  const many = await look();
  expect(many).toEqual(few);
  expect(many.texts.join()).not.toMatch(/hidden|secret\.test/);
  expect(many.texts[1]).toContain('"total":1,');
  const wide = await makeToken('wide', [{ role: 'view' }]);
  expect((await read(wide, '/api/v1/overview')).total).toBe(10_002);
});
