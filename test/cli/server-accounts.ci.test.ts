// To whom the projects and the budget of an account belong as workspaces and tokens change, by the built program.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { AccountsRig, network } from '../support/server/accounts-rig.ts';

let accounts: AccountsRig;

beforeAll(async () => {
  accounts = await AccountsRig.open({ 'one/main.yaml': network('one') });
});

afterAll(() => accounts.rig.close());

it('a project of an account belongs to the workspace that planned it first, until its state does not have it any more', async () => {
  for (const name of ['one', 'three']) await accounts.makeWorkspace(name);
  const change = (one: string, three: string) =>
    accounts.rig.repository.commit({
      'one/main.yaml': one,
      'two/main.yaml': network('two'),
      'three/main.yaml': three,
    });
  const imported = `${network('one')}imports:
  - { to: projects.one, name: one }
  - { to: projects.one.networks.main, name: main }
`;
  await change(network('one'), network('one'));
  const first = await accounts.plan('one');
  const refused = await accounts.plan('three');
  expect([first.status, refused.status]).toEqual(['succeeded', 'failed']);
  expect(refused.log).toContain(
    'The project "one" belongs to the workspace "one", which uses the same account.',
  );
  expect((await accounts.apply(first.id)).status).toBe('succeeded');
  const { log } = await accounts.plan('three');
  expect(log).toContain('The project "one" belongs to the workspace "one"');
  expect(log).not.toMatch(/adopt/i);
  await change('version: 1\nremoved: [{ from: projects.one, destroy: false }]\n', imported);
  const removal = await accounts.plan('one');
  expect((await accounts.plan('three')).log).toContain('belongs to the workspace "one"');
  expect(await accounts.apply(removal.id)).toMatchObject({ status: 'succeeded' });
  const moved = await accounts.plan('three');
  expect(moved).toMatchObject({ status: 'succeeded' });
  await change(imported, imported);
  expect((await accounts.plan('one')).log).toContain('belongs to the workspace "three"');
  expect((await accounts.apply(moved.id)).status).toBe('succeeded');
  const { status } = await accounts.carryOut({ operation: 'destroy', workspace: 'three' });
  expect(status).toBe('succeeded');
  await change(network('one'), network('three'));
  expect((await accounts.plan('one')).status).toBe('succeeded');
});

it('an account with several tokens has another budget without a name: a new token begins with that of the old one', async () => {
  const [first, second] = [await accounts.makeToken('one'), await accounts.makeToken('two')];
  await accounts.rig.repository.commit({
    'alone/main.yaml': network('alone'),
    'left/main.yaml': network('left'),
  });
  await accounts.makeWorkspace('left', { account: 'production' });
  expect((await accounts.plan('left')).status).toBe('succeeded');
  await accounts.setBudget(await accounts.findAccount('left'));
  await accounts.makeWorkspace('alone', { token: first });
  expect((await accounts.plan('alone')).status).toBe('succeeded');
  const before = await accounts.findAccount('alone');
  await accounts.setBudget(before);
  await accounts.edit('alone', { variables: { HOSTWRIGHT_TOKEN: second } });
  expect((await accounts.plan('alone')).status).toBe('succeeded');
  const after = await accounts.findAccount('alone');
  expect(after?.id).not.toBe(before?.id);
  expect(after).toMatchObject({ requestsPerSecond: 40, burst: 40 });
  await accounts.edit('alone', { account: 'production' });
  expect(await accounts.findAccount('left')).toMatchObject({ requestsPerSecond: 40 });
  expect((await accounts.plan('alone')).status).toBe('succeeded');
  expect(await accounts.findAccount('alone')).toMatchObject({ name: 'production' });
  await accounts.edit('alone', { account: null });
  const { body } = await accounts.api.call('GET', '/api/v1/workspaces/alone');
  expect(body).not.toHaveProperty('account');
  const refused = await accounts.api.call('PATCH', '/api/v1/workspaces/alone', {
    account: 'Not a name',
  });
  expect(refused.status).toBe(422);
});
