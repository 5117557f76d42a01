// Workspaces that share an account, by the built program.
import { resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ApiClient } from '../support/server/api-client.ts';
import { openServerRig, type ServerRig } from '../support/server/server-rig.ts';

const network = (project: string) => `version: 1
projects:
  ${project}:
    networks: { main: {} }
`;

let rig: ServerRig;
let api: ApiClient;

async function makeWorkspace(
  name: string,
  { token, account }: { readonly token?: string; readonly account?: string } = {},
): Promise<void> {
  const { baseUrl } = rig.account;
  const { status } = await api.call('POST', '/api/v1/workspaces', {
    ...{ name, repository: rig.repositoryUrl, directory: name },
    ...(account !== undefined && { account }),
    variables: { HOSTWRIGHT_BASE_URL: baseUrl, HOSTWRIGHT_TOKEN: token ?? rig.account.token },
  });
  expect(status).toBe(201);
}

/** Another token of the account. */
async function makeToken(name: string): Promise<string> {
  const response = await fetch(`${rig.account.baseUrl}/tokens`, {
    method: 'POST',
    headers: { authorization: `Bearer ${rig.account.token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ name, scopes: ['full'] }),
  });
  const text = await response.text();
  return /hw_\w+/.exec(text)?.[0] ?? text;
}

/** Carries a run out, and gives how it ended. */
async function carryOut(request: object): Promise<{ id: string; status: string; log: string }> {
  const { id } = await api.run(request);
  const { status } = await api.ended(id);
  return { id, status, log: await api.readLog(id) };
}

const apply = (id: string) => carryOut({ operation: 'apply', plan: id });
const plan = (workspace: string) => carryOut({ operation: 'plan', workspace });

async function listAccounts(): Promise<readonly Record<string, unknown>[]> {
  const { body } = await api.call('GET', '/api/v1/accounts');
  return body.accounts as readonly Record<string, unknown>[];
}

beforeAll(async () => {
  rig = await openServerRig(resolve('.'), 200);
  api = await rig.startServer();
  await rig.repository.commit({ 'one/main.yaml': network('one'), 'two/main.yaml': network('two') });
  await rig.start(['worker']);
  await rig.start(['worker']);
});

afterAll(() => rig.close());

describe('the requests to an account', () => {
  it('are counted over all runs and workers, and have a limit where an administrator sets one', async () => {
    for (const name of ['one', 'two']) await makeWorkspace(name);
    const runs = await Promise.all(['one', 'two'].map(plan));
    expect(runs.map(({ status }) => status)).toEqual(['succeeded', 'succeeded']);
    const [account] = await listAccounts();
    expect(account).toMatchObject({ service: rig.account.baseUrl, workspaces: ['one', 'two'] });
    const { requests } = account?.lastHour as { requests: number };
    expect(requests).toBeGreaterThan(5);
    const path = `/api/v1/accounts/${String(account?.id)}`;
    const limited = await api.call('PATCH', path, { requestsPerSecond: 50 });
    expect(limited).toMatchObject({ status: 200, body: { requestsPerSecond: 50, burst: 50 } });
    expect(await plan('one')).toMatchObject({ status: 'succeeded' });
    const lastHour = { requests: expect.any(Number) as number, refusals: 0 };
    const after = await listAccounts();
    expect(after).toMatchObject([{ requestsPerSecond: 50, lastHour }]);
    expect((after[0]?.lastHour as { requests: number }).requests).toBeGreaterThan(requests);
    expect((await api.call('PATCH', path, { requestsPerSecond: 0 })).status).toBe(422);
    const free = await api.call('PATCH', path, { requestsPerSecond: null });
    expect(free.body).not.toHaveProperty('requestsPerSecond');
  });
});

describe('a project of an account', () => {
  it('belongs to the workspace that planned it first, until its state does not have it any more', async () => {
    await makeWorkspace('three');
    const change = (one: string, three: string) =>
      rig.repository.commit({
        'one/main.yaml': one,
        'two/main.yaml': network('two'),
        'three/main.yaml': three,
      });
    const imported = `${network('one')}imports:
  - { to: projects.one, name: one }
  - { to: projects.one.networks.main, name: main }
`;
    await change(network('one'), network('one'));
    const first = await plan('one');
    const refused = await plan('three');
    expect([first.status, refused.status]).toEqual(['succeeded', 'failed']);
    expect(refused.log).toContain(
      'The project "one" belongs to the workspace "one", which uses the same account.',
    );
    expect((await apply(first.id)).status).toBe('succeeded');
    await change('version: 1\nremoved: [{ from: projects.one, destroy: false }]\n', imported);
    const removal = await plan('one');
    expect((await plan('three')).log).toContain('belongs to the workspace "one"');
    expect(await apply(removal.id)).toMatchObject({ status: 'succeeded' });
    const moved = await plan('three');
    expect(moved).toMatchObject({ status: 'succeeded' });
    await change(imported, imported);
    expect((await plan('one')).log).toContain('belongs to the workspace "three"');
    expect((await apply(moved.id)).status).toBe('succeeded');
    const { status } = await carryOut({ operation: 'destroy', workspace: 'three' });
    expect(status).toBe('succeeded');
    await change(network('one'), network('three'));
    expect((await plan('one')).status).toBe('succeeded');
  });
});

describe('a quota of an account', () => {
  const projects = (workspace: string, count: number) =>
    `version: 1\nprojects: { ${Array.from({ length: count }, (_, index) => `${workspace}-${index}: {}`).join(', ')} }\n`;
  const decide = async (id: string, decision: 'yes' | 'no') => {
    const { status, body } = await api.call('POST', `/api/v1/runs/${id}/approvals`, { decision });
    return { status, detail: String(body.detail) };
  };

  it('is reserved by a plan that is approved, until it is applied or rejected', async () => {
    for (const name of ['four', 'five']) {
      await makeWorkspace(name);
      const approvals = { count: 1, byAuthor: true };
      await api.call('PATCH', `/api/v1/workspaces/${name}`, { approvals });
    }
    const four = { 'four/main.yaml': projects('four', 15) };
    await rig.repository.commit({ ...four, 'five/main.yaml': projects('five', 10) });
    const [first, second] = [await plan('four'), await plan('five')];
    const { body: shown } = await api.call('GET', `/api/v1/runs/${first.id}`);
    const reserved = `15 reserved by the workspace four, run #${String(shown.number)}`;
    expect(await decide(first.id, 'yes')).toMatchObject({ status: 200 });
    expect(await decide(second.id, 'yes')).toEqual({
      status: 409,
      detail: expect.stringContaining(reserved) as string,
    });
    const refused = await plan('five');
    expect(refused.status).toBe('failed');
    expect(refused.log.replaceAll(/\s+/g, ' ')).toContain(reserved);
    expect(await decide(first.id, 'no')).toMatchObject({ status: 200 });
    const third = await plan('five');
    expect(third.status).toBe('succeeded');
    expect(await decide(third.id, 'yes')).toMatchObject({ status: 200 });
    expect((await apply(third.id)).status).toBe('succeeded');
    // What is applied is in use, and is not counted a second time.
    await rig.repository.commit({ 'four/main.yaml': projects('four', 8) });
    expect((await plan('four')).status).toBe('succeeded');
  });
});

describe('an account with several tokens', () => {
  const find = async (name: string) =>
    (await listAccounts()).find(({ workspaces }) => (workspaces as string[]).includes(name));
  const setBudget = (account: Record<string, unknown> | undefined) =>
    api.call('PATCH', `/api/v1/accounts/${String(account?.id)}`, { requestsPerSecond: 40 });
  const edit = async (name: string, body: object) => {
    const { status } = await api.call('PATCH', `/api/v1/workspaces/${name}`, body);
    expect(status).toBe(200);
  };

  it('is one where its workspaces call it by the same name, whatever becomes of the tokens', async () => {
    const [left, right, later] = [await makeToken('l'), await makeToken('r'), await makeToken('n')];
    const same = network('shared');
    await rig.repository.commit({ 'left/main.yaml': same, 'right/main.yaml': same });
    await makeWorkspace('left', { token: left, account: 'production' });
    await makeWorkspace('right', { token: right, account: 'production' });
    expect((await plan('left')).status).toBe('succeeded');
    const refused = await plan('right');
    expect(refused.log).toContain('The project "shared" belongs to the workspace "left"');
    const account = await find('left');
    expect(account).toMatchObject({ name: 'production', workspaces: ['left', 'right'] });
    await setBudget(account);
    await edit('left', { variables: { HOSTWRIGHT_TOKEN: later } });
    expect((await plan('left')).status).toBe('succeeded');
    expect(await find('left')).toMatchObject({ id: account?.id, requestsPerSecond: 40 });
  });

  it('has another budget without a name: a new token begins with that of the old one', async () => {
    const [first, second] = [await makeToken('one'), await makeToken('two')];
    await rig.repository.commit({ 'alone/main.yaml': network('alone') });
    await makeWorkspace('alone', { token: first });
    expect((await plan('alone')).status).toBe('succeeded');
    const before = await find('alone');
    await setBudget(before);
    await edit('alone', { variables: { HOSTWRIGHT_TOKEN: second } });
    expect((await plan('alone')).status).toBe('succeeded');
    const after = await find('alone');
    expect(after?.id).not.toBe(before?.id);
    expect(after).toMatchObject({ requestsPerSecond: 40, burst: 40 });
    await edit('alone', { account: 'production' });
    expect(await find('left')).toMatchObject({ requestsPerSecond: 40 });
    expect((await plan('alone')).status).toBe('succeeded');
    expect(await find('alone')).toMatchObject({ name: 'production' });
    await edit('alone', { account: null });
    const { body } = await api.call('GET', '/api/v1/workspaces/alone');
    expect(body).not.toHaveProperty('account');
    const refused = await api.call('PATCH', '/api/v1/workspaces/alone', { account: 'Not a name' });
    expect(refused.status).toBe(422);
  });
});
