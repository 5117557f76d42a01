// Workspaces that share an account, by the built program: its requests, its quotas and its tokens.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { AccountsRig, network } from '../support/server/accounts-rig.ts';

let accounts: AccountsRig;

beforeAll(async () => {
  accounts = await AccountsRig.open({
    'one/main.yaml': network('one'),
    'two/main.yaml': network('two'),
  });
});

afterAll(() => accounts.rig.close());

it('the requests to an account are counted over all runs and workers, and have a limit where an administrator sets one', async () => {
  for (const name of ['one', 'two']) await accounts.makeWorkspace(name);
  const runs = await Promise.all(['one', 'two'].map((name) => accounts.plan(name)));
  expect(runs.map(({ status }) => status)).toEqual(['succeeded', 'succeeded']);
  const [account] = await accounts.listAccounts();
  expect(account).toMatchObject({
    service: accounts.rig.account.baseUrl,
    workspaces: ['one', 'two'],
  });
  const { requests } = account?.lastHour as { requests: number };
  expect(requests).toBeGreaterThan(5);
  const path = `/api/v1/accounts/${String(account?.id)}`;
  const limited = await accounts.api.call('PATCH', path, { requestsPerSecond: 50 });
  expect(limited).toMatchObject({ status: 200, body: { requestsPerSecond: 50, burst: 50 } });
  expect(await accounts.plan('one')).toMatchObject({ status: 'succeeded' });
  const lastHour = { requests: expect.any(Number) as number, refusals: 0 };
  const after = await accounts.listAccounts();
  expect(after).toMatchObject([{ requestsPerSecond: 50, lastHour }]);
  expect((after[0]?.lastHour as { requests: number }).requests).toBeGreaterThan(requests);
  expect((await accounts.api.call('PATCH', path, { requestsPerSecond: 0 })).status).toBe(422);
  const free = await accounts.api.call('PATCH', path, { requestsPerSecond: null });
  expect(free.body).not.toHaveProperty('requestsPerSecond');
});

describe('a quota of an account', () => {
  const projects = (workspace: string, count: number) =>
    `version: 1\nprojects: { ${Array.from({ length: count }, (_, index) => `${workspace}-${index}: {}`).join(', ')} }\n`;
  const decide = async (id: string, decision: 'yes' | 'no') => {
    const { status, body } = await accounts.api.call('POST', `/api/v1/runs/${id}/approvals`, {
      decision,
    });
    return { status, detail: String(body.detail) };
  };

  it('is reserved by a plan that is approved, until it is applied or rejected', async () => {
    for (const name of ['four', 'five']) {
      await accounts.makeWorkspace(name);
      const approvals = { count: 1, byAuthor: true };
      await accounts.api.call('PATCH', `/api/v1/workspaces/${name}`, { approvals });
    }
    const four = { 'four/main.yaml': projects('four', 15) };
    await accounts.rig.repository.commit({ ...four, 'five/main.yaml': projects('five', 10) });
    const [first, second] = [await accounts.plan('four'), await accounts.plan('five')];
    const { body: shown } = await accounts.api.call('GET', `/api/v1/runs/${first.id}`);
    const reserved = `15 reserved by the workspace four, run #${String(shown.number)}`;
    expect(await decide(first.id, 'yes')).toMatchObject({ status: 200 });
    expect(await decide(second.id, 'yes')).toEqual({
      status: 409,
      detail: expect.stringContaining(reserved) as string,
    });
    const refused = await accounts.plan('five');
    expect(refused.status).toBe('failed');
    expect(refused.log.replaceAll(/\s+/g, ' ')).toContain(reserved);
    expect(await decide(first.id, 'no')).toMatchObject({ status: 200 });
    const third = await accounts.plan('five');
    expect(third.status).toBe('succeeded');
    expect(await decide(third.id, 'yes')).toMatchObject({ status: 200 });
    expect((await accounts.apply(third.id)).status).toBe('succeeded');
    // What is applied is in use, and is not counted a second time.
    await accounts.rig.repository.commit({ 'four/main.yaml': projects('four', 8) });
    expect((await accounts.plan('four')).status).toBe('succeeded');
  });
});

it('an account with several tokens is one where its workspaces call it by the same name, whatever becomes of the tokens', async () => {
  const [left, right, later] = [
    await accounts.makeToken('l'),
    await accounts.makeToken('r'),
    await accounts.makeToken('n'),
  ];
  const same = network('shared');
  await accounts.rig.repository.commit({ 'left/main.yaml': same, 'right/main.yaml': same });
  await accounts.makeWorkspace('left', { token: left, account: 'production' });
  await accounts.makeWorkspace('right', { token: right, account: 'production' });
  expect((await accounts.plan('left')).status).toBe('succeeded');
  const refused = await accounts.plan('right');
  expect(refused.log).toContain('The project "shared" belongs to the workspace "left"');
  const account = await accounts.findAccount('left');
  expect(account).toMatchObject({ name: 'production', workspaces: ['left', 'right'] });
  await accounts.setBudget(account);
  await accounts.edit('left', { variables: { HOSTWRIGHT_TOKEN: later } });
  expect((await accounts.plan('left')).status).toBe('succeeded');
  expect(await accounts.findAccount('left')).toMatchObject({
    id: account?.id,
    requestsPerSecond: 40,
  });
});
