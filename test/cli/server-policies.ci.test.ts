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
