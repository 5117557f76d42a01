// Edits of workspaces: each changes what it names and nothing else, and none closes a cycle.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openPagesRig, type PagesRig } from '../support/server/pages-rig.ts';

let rig: PagesRig;

async function call(method: string, path: string, body?: object) {
  const response = await rig.send(method, path, { body });
  return { status: response.status, body: (await response.json()) as Record<string, unknown> };
}

/** How many transactions wait for another one. */
const countWaiting = async () => {
  const [row] = (await rig.ask(
    'SELECT count(*)::int AS count FROM pg_locks WHERE NOT granted',
  )) as { count: number }[];
  return row?.count;
};

beforeAll(async () => {
  rig = await openPagesRig();
});
afterAll(() => rig.close());

it('two edits of a workspace at once both hold: of fields, of a rule, and of variables', async () => {
  const made = { name: 'shop', repository: 'file:///r', variables: { HOSTWRIGHT_VAR_a: '1' } };
  expect((await call('POST', '/api/v1/workspaces', made)).status).toBe(201);
  const edits = [
    { approvals: { count: 2 }, variables: { HOSTWRIGHT_VAR_b: '2' } },
    { approvals: { byAuthor: true }, variables: { HOSTWRIGHT_VAR_c: '3' } },
    { directory: 'shop', variables: { HOSTWRIGHT_VAR_a: null } },
  ];
  // Somebody holds the workspace until all of them have come so far.
  await rig.ask('BEGIN');
  await rig.ask('SELECT 1 FROM hostwright_server.workspaces FOR UPDATE');
  const answers = edits.map((edit) => call('PATCH', '/api/v1/workspaces/shop', edit));
  await expect.poll(countWaiting, { timeout: 20_000 }).toBe(edits.length);
  await rig.ask('COMMIT');
  expect((await Promise.all(answers)).map(({ status }) => status)).toEqual([200, 200, 200]);
  const { body } = await call('GET', '/api/v1/workspaces/shop');
  expect(body).toMatchObject({ approvals: { count: 2, byAuthor: true }, directory: 'shop' });
  const { body: variables } = await call('GET', '/api/v1/workspaces/shop/variables');
  expect(variables).toEqual({
    ...{ names: ['HOSTWRIGHT_VAR_b', 'HOSTWRIGHT_VAR_c'], secrets: [], inherited: [] },
  });
});

it('reviews of a host count where a workspace has one that tells of them', async () => {
  const given = { name: 'reviewed', repository: 'https://github.com/acme/infra' };
  const approvals = { hostReviews: true };
  const place = '/api/v1/workspaces/reviewed';
  const refusal = {
    status: 422,
    body: { detail: expect.stringContaining('Name a connection.') as string },
  };
  expect(await call('POST', '/api/v1/workspaces', { ...given, approvals })).toMatchObject(refusal);
  expect(await call('POST', '/api/v1/workspaces', given)).toMatchObject({
    ...{ status: 201, body: { approvals: { hostReviews: false } } },
  });
  expect(await call('PATCH', place, { approvals })).toMatchObject(refusal);
  await call('POST', '/api/v1/connections', { name: 'forge', kind: 'github', token: 't' });
  expect(await call('PATCH', place, { approvals, connection: 'forge' })).toMatchObject({
    ...{ status: 200, body: { approvals: { count: 0, byAuthor: false, hostReviews: true } } },
  });
  // Parts of the rule that the edit leaves out stay.
  const unconnected = { approvals: { count: 1 }, connection: null };
  expect(await call('PATCH', place, unconnected)).toMatchObject(refusal);
});

it('ranges that probes may reach are kept as they are listed, and refused where they are none', async () => {
  const given = { repository: 'file:///r', allowProbes: ['10.0.0.0/8'] };
  const made = await call('POST', '/api/v1/workspaces', { ...given, name: 'probed' });
  expect(made).toMatchObject({ status: 201, body: { allowProbes: ['10.0.0.0/8'] } });
  const edit = (body: object) => call('PATCH', '/api/v1/workspaces/probed', body);
  expect((await edit({ poll: false })).body).toMatchObject({ allowProbes: ['10.0.0.0/8'] });
  const ranges = ['fd00::/8', '203.0.113.7/32'];
  expect((await edit({ allowProbes: ranges })).body).toMatchObject({ allowProbes: ranges });
  for (const wrong of ['10.0.0.0/33', 'fd00::/129', '10.0.0/8', '10.0.0.0', 'all'])
    expect(await edit({ allowProbes: [wrong] })).toMatchObject({ status: 422 });
});

describe('two edits of the secrets of a connection at once', () => {
  it('both hold', async () => {
    const made = { name: 'hub', kind: 'github', token: 'before' };
    expect((await call('POST', '/api/v1/connections', made)).status).toBe(201);
    await rig.ask('BEGIN');
    await rig.ask('SELECT 1 FROM hostwright_server.connections FOR UPDATE');
    const answers = [
      call('PATCH', '/api/v1/connections/hub', { token: 'after' }),
      call('POST', '/api/v1/connections/hub/webhook-secret'),
    ] as const;
    await expect.poll(countWaiting, { timeout: 20_000 }).toBe(answers.length);
    await rig.ask('COMMIT');
    const [edited, replaced] = await Promise.all(answers);
    expect([edited.status, replaced.status]).toEqual([200, 201]);
    const { webhookSecret } = replaced.body;
    expect(await rig.store.connections.readSecrets('hub')).toEqual({
      ...{ token: 'after', webhookSecret },
    });
  });

  it('are refused where the connection is removed meanwhile', async () => {
    await rig.ask('BEGIN');
    await rig.ask(`DELETE FROM hostwright_server.connections WHERE name = 'hub'`);
    const answer = call('PATCH', '/api/v1/connections/hub', { token: 'late' });
    await expect.poll(countWaiting, { timeout: 20_000 }).toBe(1);
    await rig.ask('COMMIT');
    expect((await answer).status).toBe(404);
  });
});

it('the order of workspaces is checked in time, however many ways lead from one to another', async () => {
  const layers = Array.from({ length: 12 }, (_, layer) =>
    Array.from({ length: 8 }, (_one, place) => `layer-${layer}-${place}`),
  );
  const given = { repository: 'file:///r', branch: 'main', directory: '.', poll: false };
  for (const [index, names] of layers.entries()) {
    const after = layers[index - 1] ?? [];
    for (const name of names)
      await rig.store.workspaces.add({ ...given, name, after, variables: {} });
  }
  const [first = [], last = []] = [layers[0], layers.at(-1)];
  const made = { name: 'top', repository: 'file:///r', after: last };
  expect((await call('POST', '/api/v1/workspaces', made)).status).toBe(201);
  const edit = { after: ['top'] };
  const { status, body } = await call('PATCH', `/api/v1/workspaces/${first[3]}`, edit);
  const detail = String(body.detail);
  expect([status, detail]).toEqual([422, expect.stringMatching(/^Dependency cycle: /)]);
  const way = detail.replace(/^Dependency cycle: |\.$/g, '').split(' after ');
  expect([way.length, way[0], way[1], way.at(-1)]).toEqual([14, first[3], 'top', first[3]]);
});
