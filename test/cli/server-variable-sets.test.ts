// Sets of variables that workspaces share: by the API, on their page, and in what a run gets.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readRunVariables } from '../../src/server/runs/run-variables.ts';
import { callAsContracted } from '../support/server/check-answer.ts';
import { openPagesRig, origin, type PagesRig } from '../support/server/pages-rig.ts';

let rig: PagesRig;

const call = (method: string, path: string, body?: object) =>
  callAsContracted(rig, method, path, body);
const keep = (name: string, variables: object) =>
  call('PUT', `/variable-sets/${name}`, { variables });
const edit = (workspace: string, body: object) => call('PATCH', `/workspaces/${workspace}`, body);
const readOf = async (workspace: string) => {
  const { id = '' } = (await rig.store.workspaces.find(workspace)) ?? {};
  return readRunVariables(rig.store, id);
};
const listSets = async () =>
  (await call('GET', '/variable-sets')).body.variableSets as readonly Record<string, unknown>[];
const hidden = 'a value that nobody reads';

let cookie = '';
function askPage(method: string, path: string, form?: URLSearchParams) {
  const own = { origin, host: new URL(origin).host, 'sec-fetch-site': 'same-origin' };
  const type = { 'content-type': 'application/x-www-form-urlencoded' };
  const headers = { ...own, cookie, ...(form && type) };
  const request = new Request(`${origin}${path}`, {
    ...{ method, headers },
    ...(form && { body: form.toString() }),
  });
  return rig.app.fetch(request, { address: '192.0.2.1' });
}
const look = async (path: string) => (await askPage('GET', path)).text();

beforeAll(async () => {
  rig = await openPagesRig();
  const entered = await askPage('POST', '/sign-in', new URLSearchParams({ token: rig.adminToken }));
  cookie = entered.headers.get('set-cookie')?.split(';')[0] ?? '';
  const variables = { HOSTWRIGHT_VAR_own: 'of shop', HOSTWRIGHT_VAR_both: 'of shop' };
  for (const [name, more] of [
    ['shop', { variables }],
    ['depot', {}],
  ] as const)
    expect(
      (await call('POST', '/workspaces', { name, repository: 'file:///r', ...more })).status,
    ).toBe(201);
});
afterAll(() => rig.close());

describe('a set', () => {
  it('is kept, changed and removed, and each act is in the audit log without a value', async () => {
    const made = await keep('common', {
      HOSTWRIGHT_VAR_a: hidden,
      HOSTWRIGHT_VAR_b: { value: hidden, secret: true },
    });
    expect(made).toMatchObject({
      status: 201,
      body: {
        ...{ name: 'common', names: ['HOSTWRIGHT_VAR_a', 'HOSTWRIGHT_VAR_b'] },
        ...{ secrets: ['HOSTWRIGHT_VAR_b'], workspaces: [] },
      },
    });
    // A variable without a value keeps its own, and one that is not named is gone.
    const changed = await keep('common', { HOSTWRIGHT_VAR_b: { secret: true } });
    expect(changed).toMatchObject({ status: 200, body: { names: ['HOSTWRIGHT_VAR_b'] } });
    expect((await rig.store.variableSets.hold('common'))?.values).toEqual({
      HOSTWRIGHT_VAR_b: hidden,
    });
    expect((await keep('short', {})).status).toBe(201);
    expect((await call('DELETE', '/variable-sets/short')).status).toBe(204);
    expect((await call('DELETE', '/variable-sets/short')).status).toBe(404);
    const log = await (await rig.send('GET', '/api/v1/audit?after=0')).text();
    expect(log.match(/"act":"variableSet\.\w+"/g)).toEqual([
      ...['"act":"variableSet.create"', '"act":"variableSet.edit"'],
      ...['"act":"variableSet.create"', '"act":"variableSet.remove"'],
    ]);
    expect(log).toContain(
      String.raw`\"variables\":[\"HOSTWRIGHT_VAR_b\"],\"before\":[\"HOSTWRIGHT_VAR_a\",\"HOSTWRIGHT_VAR_b\"],\"changed\":[],\"removed\":[\"HOSTWRIGHT_VAR_a\"]`,
    );
    expect(log + JSON.stringify(await listSets()) + (await look('/variables'))).not.toContain(
      hidden,
    );
  });

  it('is changed in a part, of which alone the audit log says that it changed', async () => {
    const patch = (name: string, variables: object) =>
      call('PATCH', `/variable-sets/${name}`, { variables });
    expect((await patch('nowhere', {})).status).toBe(404);
    await keep('part', { HOSTWRIGHT_VAR_a: 'a', HOSTWRIGHT_VAR_b: 'b', HOSTWRIGHT_VAR_c: 'c' });
    const changed = await patch('part', {
      ...{ HOSTWRIGHT_VAR_a: null, HOSTWRIGHT_VAR_b: { value: hidden, secret: true } },
      HOSTWRIGHT_VAR_c: 'c',
    });
    expect(changed).toMatchObject({
      ...{ status: 200, body: { secrets: ['HOSTWRIGHT_VAR_b'] } },
    });
    expect((await rig.store.variableSets.find('part'))?.values).toEqual({
      ...{ HOSTWRIGHT_VAR_b: hidden, HOSTWRIGHT_VAR_c: 'c' },
    });
    const log = await (await rig.send('GET', '/api/v1/audit?after=0')).text();
    expect(log).toContain(
      String.raw`\"changed\":[\"HOSTWRIGHT_VAR_b\"],\"removed\":[\"HOSTWRIGHT_VAR_a\"]`,
    );
    for (const variables of [{ PATH: '/' }, { HOSTWRIGHT_VAR_b: { secret: false } }])
      expect((await patch('part', variables)).status).toBe(422);
    await call('DELETE', '/variable-sets/part');
  });

  it('is encrypted in the database, and its values go with it', async () => {
    const countBlobs = async () => (await rig.ask('SELECT 1 FROM hostwright_server.blobs')).length;
    const before = await countBlobs();
    await keep('gone', { HOSTWRIGHT_VAR_a: hidden });
    const rows = await rig.ask(
      `SELECT s::text || encode(b.body, 'escape') AS text
       FROM hostwright_server.variable_sets s JOIN hostwright_server.blobs b ON b.id = s.variables`,
    );
    expect(rows.length).toBeGreaterThan(0);
    expect(JSON.stringify(rows)).not.toContain(hidden);
    await call('DELETE', '/variable-sets/gone');
    expect(await countBlobs()).toBe(before);
  });

  it.each([
    ['a name that is none', 'No_Name', {}, 'The name is not valid'],
    ['a variable that no workspace may set', 'x', { PATH: '/' }, 'A workspace cannot set PATH'],
    ['no value where there is none', 'x', { HOSTWRIGHT_VAR_a: { secret: true } }, 'no value'],
    [
      'the address of the service as a secret',
      'x',
      { HOSTWRIGHT_BASE_URL: { value: 'https://a.test', secret: true } },
      'Accounts shows it',
    ],
    [
      'a secret that is opened',
      'common',
      { HOSTWRIGHT_VAR_b: { secret: false } },
      'it is a secret',
    ],
  ])('is refused with %s', async (_what, name, variables, named) => {
    const { status, body } = await keep(name, variables);
    expect([status, JSON.stringify(body)]).toEqual([422, expect.stringContaining(named)]);
    expect((await listSets()).map((one) => one.name)).toEqual(['common']);
  });
});

describe('a workspace', () => {
  it('has the variables of its sets: its own win, then those of the set that is listed last', async () => {
    await keep('first', {
      HOSTWRIGHT_VAR_both: { value: 'of first', secret: true },
      HOSTWRIGHT_VAR_two: { value: 'of first', secret: true },
      HOSTWRIGHT_VAR_one: { value: 'of first', secret: true },
    });
    await keep('last', { HOSTWRIGHT_VAR_two: 'of last' });
    const edited = await edit('shop', { variableSets: ['first', 'last'] });
    expect(edited).toMatchObject({ status: 200, body: { variableSets: ['first', 'last'] } });
    expect(await readOf('shop')).toEqual({
      values: {
        ...{ HOSTWRIGHT_VAR_both: 'of shop', HOSTWRIGHT_VAR_own: 'of shop' },
        ...{ HOSTWRIGHT_VAR_one: 'of first', HOSTWRIGHT_VAR_two: 'of last' },
      },
      secrets: ['HOSTWRIGHT_VAR_one'],
    });
    const { body } = await call('GET', '/workspaces/shop/variables');
    expect(body.inherited).toEqual([
      { name: 'HOSTWRIGHT_VAR_one', set: 'first', secret: true },
      { name: 'HOSTWRIGHT_VAR_two', set: 'last', secret: false },
    ]);
    await edit('shop', { variableSets: ['last', 'first'] });
    expect((await readOf('shop')).values.HOSTWRIGHT_VAR_two).toBe('of first');
    // An edit of something else leaves them.
    await edit('shop', { poll: true });
    expect((await call('GET', '/workspaces/shop')).body.variableSets).toEqual(['last', 'first']);
    expect(await readOf('depot')).toEqual({ values: {}, secrets: [] });
  });

  it('keeps its sets from being removed, and cannot have one that there is none of', async () => {
    expect(await call('DELETE', '/variable-sets/first')).toMatchObject({
      status: 409,
      body: { detail: 'Take it from shop first.' },
    });
    const detail = 'variableSets: There is no set nowhere. Create it first.';
    expect(await edit('shop', { variableSets: ['nowhere'] })).toMatchObject({
      status: 422,
      body: { detail },
    });
    const made = { name: 'more', repository: 'file:///r', variableSets: ['last', 'nowhere'] };
    expect(await call('POST', '/workspaces', made)).toMatchObject({
      status: 422,
      body: { detail },
    });
    expect(await call('POST', '/workspaces', { ...made, variableSets: ['last'] })).toMatchObject({
      status: 201,
      body: { variableSets: ['last'] },
    });
    expect((await listSets()).find((one) => one.name === 'last')?.workspaces).toEqual([
      'more',
      'shop',
    ]);
  });

  it('does not get a set that is removed meanwhile', async () => {
    await keep('leaving', {});
    await rig.ask('BEGIN');
    await rig.ask(`DELETE FROM hostwright_server.variable_sets WHERE name = 'leaving'`);
    const answer = edit('depot', { variableSets: ['leaving'] });
    await expect
      .poll(() => rig.ask('SELECT 1 FROM pg_locks WHERE NOT granted'), { timeout: 20_000 })
      .toHaveLength(1);
    await rig.ask('COMMIT');
    expect((await answer).status).toBe(422);
  });

  it('keeps its state where a set of it says', async () => {
    await keep('elsewhere', { HOSTWRIGHT_STATE: '{"local":{}}' });
    await edit('depot', { variableSets: ['elsewhere'] });
    expect((await rig.send('GET', '/api/v1/workspaces/depot/state')).status).toBe(409);
    await edit('depot', { variableSets: [] });
  });

  it('shows on its page which variable comes from which set', async () => {
    const page = (await look('/workspaces/shop')).replaceAll(/\s+/g, ' ');
    expect(page).toContain(
      '<code>HOSTWRIGHT_VAR_one</code></th> <td><a href="/variables#of-first">first</a></td> <td>Secret</td>',
    );
    expect(page).toContain('<code>HOSTWRIGHT_VAR_both</code></th> <td>this workspace</td>');
    expect(await look('/workspaces/depot')).not.toContain('Comes from');
    expect(await look('/workspaces/shop/edit')).toContain('value="last, first"');
  });
});

it('are compared with values of a file: what differs is named, and no value is told', async () => {
  await keep('compared', {
    HOSTWRIGHT_VAR_a: hidden,
    HOSTWRIGHT_VAR_b: { value: hidden, secret: true },
  });
  const asked = { HOSTWRIGHT_VAR_a: hidden, HOSTWRIGHT_VAR_b: 'a guess', HOSTWRIGHT_VAR_c: '' };
  const { status, body } = await call('POST', '/variable-comparisons', {
    variableSets: { compared: asked, nowhere: asked },
    workspaces: {
      shop: { HOSTWRIGHT_VAR_own: 'of shop', HOSTWRIGHT_VAR_toString: '' },
      nowhere: {},
    },
  });
  expect([status, body]).toEqual([
    200,
    {
      variableSets: {
        compared: {
          names: ['HOSTWRIGHT_VAR_a', 'HOSTWRIGHT_VAR_b'],
          ...{ secrets: ['HOSTWRIGHT_VAR_b'] },
          differing: ['HOSTWRIGHT_VAR_b', 'HOSTWRIGHT_VAR_c'],
        },
      },
      workspaces: {
        shop: {
          names: ['HOSTWRIGHT_VAR_both', 'HOSTWRIGHT_VAR_own'],
          ...{ secrets: [], differing: ['HOSTWRIGHT_VAR_toString'] },
        },
      },
    },
  ]);
  const log = await (await rig.send('GET', '/api/v1/audit?after=0')).text();
  expect(log).toContain('"act":"variables.compare"');
  expect(log).not.toContain('a guess');
});

it('are compared without a lock that keeps others waiting for more than one of them', async () => {
  for (const name of ['held-a', 'held-b']) await keep(name, { HOSTWRIGHT_VAR_a: '1' });
  await rig.ask('BEGIN');
  await rig.ask(`SELECT 1 FROM hostwright_server.variable_sets WHERE name = 'held-b' FOR UPDATE`);
  const variableSets = { 'held-a': {}, 'held-b': {} };
  const answer = call('POST', '/variable-comparisons', { variableSets });
  await expect
    .poll(() => rig.ask('SELECT 1 FROM pg_locks WHERE NOT granted'), { timeout: 20_000 })
    .toHaveLength(1);
  // The comparison waits for the one, and holds the other no more.
  const sql = `SELECT 1 FROM hostwright_server.variable_sets WHERE name = 'held-a' FOR UPDATE NOWAIT`;
  expect(await rig.ask(sql)).toHaveLength(1);
  await rig.ask('COMMIT');
  expect((await answer).status).toBe(200);
});

it('their page changes one variable and leaves the others, and its form for another set replaces none', async () => {
  const formToken = /name="formToken"\s+value="([^"]+)"/.exec(await look('/variables'))?.[1] ?? '';
  const post = (path: string, form: readonly (readonly [string, string])[]) => {
    const fields = new URLSearchParams({ formToken });
    for (const [name, value] of form) fields.append(name, value);
    return askPage('POST', path, fields);
  };
  const made = await post('/variables', [
    ['name', 'typed'],
    ['more', 'HOSTWRIGHT_VAR_a=1\r\nHOSTWRIGHT_VAR_b=2\r\n'],
    ['moreSecrets', `HOSTWRIGHT_VAR_c=${hidden}`],
  ]);
  expect([made.status, made.headers.get('location')]).toEqual([303, '/variables']);
  const changed = await post('/variables', [
    ...([
      ['name', 'typed'],
      ['isKept', 'yes'],
    ] as const),
    ...([
      ['set:HOSTWRIGHT_VAR_a', '3'],
      ['set:HOSTWRIGHT_VAR_c', ''],
      ['remove', 'HOSTWRIGHT_VAR_b'],
    ] as const),
  ]);
  expect(changed.status).toBe(303);
  expect(await rig.store.variableSets.hold('typed')).toMatchObject({
    values: { HOSTWRIGHT_VAR_a: '3', HOSTWRIGHT_VAR_c: hidden },
    secrets: ['HOSTWRIGHT_VAR_c'],
  });
  const taken = await post('/variables', [
    ['name', 'typed'],
    ['more', 'HOSTWRIGHT_VAR_z=1'],
  ]);
  expect(await taken.text()).toContain('There is a set with the name typed already.');
  const refused = await post('/variables', [
    ['name', 'Typed'],
    ['more', 'HOSTWRIGHT_VAR_z=1'],
  ]);
  expect(refused.status).toBe(422);
  expect(await refused.text()).toContain('value="Typed"');
  expect((await post('/variables/typed/remove', [])).status).toBe(303);
  expect(await look('/variables')).not.toContain('of-typed');
});
