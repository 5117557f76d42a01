// The policies of a company on a server: those of the examples, which the workers have, for every workspace.
import { resolve } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { AccountsRig } from '../support/server/accounts-rig.ts';

let accounts: AccountsRig;

const web = (tariff: string, port: number, more = '') => `version: 1
${more}projects:
  shop:
    publicIps: { edge: { forwards: { a: { protocol: tcp, publicPort: ${port}, vm: web, vmPort: 8443 } } } }
    vms:
      web: { image: ubuntu-24.04, configuration: c1-r1-d20, tariff: ${tariff} }
`;

beforeAll(async () => {
  const policies = resolve(import.meta.dirname, '../../examples/policies');
  accounts = await AccountsRig.open(
    { 'shop/main.yaml': web('hourly', 22) },
    { HOSTWRIGHT_POLICIES: policies },
  );
  await accounts.makeWorkspace('shop');
});
afterAll(() => accounts.rig.close());

it('hold for each workspace, whatever its repository says; a plan that meets them is applied', async () => {
  const refused = await accounts.plan('shop');
  expect(refused.status).toBe('failed');
  expect(refused.log).toContain('Policy noPublicSsh: projects.shop.publicIps.edge.forwards.a');
  expect(refused.log).toContain('Policy paidMonthly');
  const own = 'policies:\n  noPublicSsh: { for: forwards, assert: "true" }\n';
  await accounts.rig.repository.commit({ 'shop/main.yaml': web('hourly', 22, own) });
  const weakened = await accounts.plan('shop');
  expect(weakened.status).toBe('failed');
  expect(weakened.log).toContain('[given-twice]');
  await accounts.rig.repository.commit({ 'shop/main.yaml': web('hourly', 443) });
  const { id, status, log } = await accounts.plan('shop');
  expect(status).toBe('succeeded');
  expect(log).toContain('Policy paidMonthly');
  expect((await accounts.apply(id)).status).toBe('succeeded');
});

it('ask for approvals, which hold for an equal plan of the same commit, and for no other', async () => {
  const two = 'policies:\n  two: { for: forwards, assert: after.publicPort < 1000, approve: 2 }\n';
  await accounts.rig.repository.commit({ 'shop/main.yaml': web('hourly', 8443, two) });
  const { api } = accounts;
  const look = async (id: string) => (await api.call('GET', `/api/v1/runs/${id}/approvals`)).body;
  const first = await accounts.plan('shop');
  expect(await look(first.id)).toMatchObject({ state: 'waiting', needed: 2, policies: ['two'] });
  const refused = await api.call('POST', '/api/v1/runs', { operation: 'apply', plan: first.id });
  expect([refused.status, refused.body.detail]).toEqual([409, 'The plan has 0 of 2 approvals.']);
  const yes = { decision: 'yes', comment: 'read' };
  const said = await api.call('POST', `/api/v1/runs/${first.id}/approvals`, yes);
  expect(said.body).toMatchObject({ given: 0, decisions: [{ ignored: 'author' }] });

  await accounts.edit('shop', { approvals: { count: 1, byAuthor: true } });
  const again = await accounts.plan('shop');
  expect(again.log).toContain('in all that people approve: yes by administrator.');
  expect(await look(again.id)).toMatchObject({
    ...{ state: 'waiting', needed: 2, given: 1 },
    decisions: [{ name: 'administrator', comment: 'read', carriedFrom: { id: first.id } }],
  });

  await accounts.rig.repository.commit({
    'shop/other.txt': 'a',
    'shop/main.yaml': web('hourly', 8443, two),
  });
  const later = await accounts.plan('shop');
  expect(await look(later.id)).toMatchObject({
    ...{ state: 'waiting', given: 0 },
    decisions: [{ name: 'administrator', ignored: 'unknownCommit' }],
  });
  await accounts.rig.repository.commit({ 'shop/main.yaml': web('hourly', 9443, two) });
  await api.call('POST', `/api/v1/runs/${later.id}/approvals`, yes);
  const other = await accounts.plan('shop');
  expect(await look(other.id)).toMatchObject({
    ...{ decisions: [], replaced: { id: later.id, approvedBy: ['administrator'] } },
  });
  const { body } = await api.call('GET', `/api/v1/runs/${other.id}/comparison`);
  expect(JSON.stringify(body.differences)).toContain('9443');
});

it('are kept by the server, too: for some workspaces, and with exemptions of one', async () => {
  await accounts.edit('shop', { approvals: { count: 0, byAuthor: true } });
  const { api } = accounts;
  const keep = (name: string, content: string) =>
    api.call('PUT', `/api/v1/policies/${name}`, { content, workspaces: ['shop'] });
  const kept = 'policies:\n  noTls: { for: forwards, assert: after.publicPort != 9444 }\n';
  expect((await keep('ports', kept)).status).toBe(201);
  await accounts.rig.repository.commit({ 'shop/main.yaml': web('hourly', 9444) });
  const refused = await accounts.plan('shop');
  expect(refused.status).toBe('failed');
  expect(refused.log).toContain('Policy noTls');
  const exemption = `exemptions:
  old: { policy: noTls, addresses: [projects.shop.publicIps.edge], reason: one week, until: "2999-01-01" }
`;
  expect((await keep('exempt', exemption)).status).toBe(201);
  const passed = await accounts.plan('shop');
  expect(passed.log).toContain('The exemption old holds for it: one week');
  // A plan is applied with the policies that it was made with, or not at all.
  expect((await keep('exempt', exemption.replace('2999', '2001'))).status).toBe(200);
  const late = await accounts.apply(passed.id);
  expect([late.status, late.log]).toEqual(['failed', expect.stringContaining('stale')]);
  expect((await keep('exempt', exemption)).status).toBe(200);
  const again = await accounts.plan('shop');
  expect((await accounts.apply(again.id)).status).toBe('succeeded');
});
