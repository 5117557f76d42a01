import { describe, expect, it } from 'vitest';
import { loadText } from '../../config/load.ts';
import { makeLive } from '../../../support/account.ts';
import { makeState } from '../../../support/memory.ts';
import { checkedPlanOf, findingLine } from '../../../support/plan-lines.ts';
import { prices } from '../../../support/priced.ts';
import type { World } from '../../../support/world.ts';
import { readRows } from '../../../support/read-rows.ts';

const vm = (tariff: string) =>
  `{ image: ubuntu-24.04, configuration: c1-r1-d20, tariff: ${tariff} }`;

/** A project of VMs, one of which stands under the tariff `monthly`, with one policy. */
async function worldOf(vms: string, policy: string, publicIps = ''): Promise<World> {
  const text = `version: 1\nprojects: { p: { vms: { ${vms} }, publicIps: { ${publicIps} } } }\npolicies: { rule: ${policy} }\n`;
  const { configuration, diagnostics } = await loadText(text);
  if (!configuration) throw new Error(diagnostics.map(({ summary }) => summary).join('\n'));
  const live = makeLive({
    catalog: prices,
    projects: { 'p-1': { name: 'p', vms: { 'vm-1': { name: 'old', tariff: 'monthly' } } } },
  });
  const resources = { 'projects.p': 'p-1', 'projects.p.vms.old': 'vm-1' };
  const state = makeState({ resources }, live);
  return { mode: 'apply', desired: configuration.graph, live, state };
}

const judge = async (vms: string, policy: string) =>
  checkedPlanOf(await worldOf(vms, policy))
    .findings.filter(({ code }) => code.startsWith('policy-'))
    .map((finding) => `${findingLine(finding)} | ${finding.detail}`);

const stays = `old: ${vm('monthly')}`;

describe('a policy reads', () => {
  it.each(
    readRows(`
    what a VM will cost | monthly | after.cost == 5.0
    it with whole numbers beside it | monthly | after.cost <= 5 && after.cost > 4
    it as a number with decimals, also where it is whole | monthly | after.cost * 2.0 == 10.0
    a price by the hour | hourly | after.cost == 7.3
    nothing of what it costs before it stands | monthly | before.cost > 100.0
    the costs of the plan | hourly | plan.cost.before == 5.0 && plan.cost.after == 12.3 && plan.cost.change == 7.3
    its currency | hourly | plan.cost.currency == "EUR"
  `),
  )('%s', async (_what, tariff, assert) => {
    const rule = `{ for: vms, assert: '${assert}' }`;
    expect(await judge(`${stays}, a: ${vm(tariff)}`, rule)).toEqual([]);
  });

  it.each([
    [
      'what a VM has cost',
      `old: ${vm('hourly')}`,
      'before.cost == 5.0 && after.cost > before.cost',
      0,
    ],
    ['nothing of what it costs once it is gone', '', 'after.cost > 100.0', 0],
    ['a cost that is too high', `${stays}, a: ${vm('hourly')}`, 'after.cost <= 7.0', 1],
    ['a plan that is too dear', `${stays}, a: ${vm('hourly')}`, 'plan.cost.after <= 12.0', 1],
    ['a deletion that saves too little', '', 'plan.cost.change <= -6.0', 1],
  ])('%s', async (_what, vms, assert, failures) => {
    expect(await judge(vms, `{ for: vms, assert: '${assert}' }`)).toHaveLength(failures);
  });

  it('nothing to pay where nothing has a price', async () => {
    const text = `version: 1
projects: { p: { networks: { n: {} } } }
policies: { rule: { for: networks, assert: 'plan.cost.after == 0.0' } }
`;
    const { configuration } = await loadText(text);
    if (!configuration) throw new Error('it is refused');
    const live = makeLive({ catalog: prices });
    const world = { desired: configuration.graph, live, state: makeState({}, live) };
    const { findings } = checkedPlanOf({ mode: 'apply', ...world });
    expect(findings.map(({ code }) => code)).not.toContain('policy-broken');
    expect(findings.map(({ code }) => code)).not.toContain('policy-violated');
  });

  it('amounts in its message', async () => {
    const message = '${after.name} costs ${after.cost} of ${plan.cost.after} ${plan.cost.currency}';
    const found = await judge(
      `${stays}, a: ${vm('hourly')}`,
      `{ for: vms, assert: 'false', message: '${message}' }`,
    );
    expect(found[0]).toContain('Policy rule: a costs 7.3 of 12.3 EUR');
  });

  it.each(
    readRows(`
    its price | untold | after.cost | , for which the service tells no price.
    a price in the plan | untold | plan.cost.after | , which contains a price that the service does not tell.
    one currency | dollars | plan.cost.change | , and there are prices in several currencies.
  `),
  )('no number where nobody knows %s', async (_what, tariff, name, why) => {
    const vms = `${stays}, a: ${vm(tariff)}`;
    const [found = '', ...others] = await judge(vms, `{ for: vms, assert: '${name} <= 5.0' }`);
    expect(others).toEqual([]);
    expect(found).toMatch(/^error policy-broken /);
    expect(found).toContain(`It reads \`${name}\`${why}`);
  });

  it('nothing yet of a tariff that is known after apply', async () => {
    const vms = `${stays}, a: ${vm('"${projects.p.vms.b.id}"')}, b: ${vm('monthly')}`;
    expect(
      await judge(vms, `{ for: vms, assert: 'address.endsWith("b") || after.cost <= 5.0' }`),
    ).toEqual([expect.stringMatching(/^note policy-undecided .*during the apply/) as string]);
    expect(await judge(vms, `{ for: vms, assert: 'plan.cost.after <= 5.0' }`)).toEqual([
      expect.stringMatching(/^error policy-undecided .*in time/) as string,
    ]);
  });
});

describe('a name that is not there is told where it is written', () => {
  it.each<[string, string, string]>([
    ['for: vms', 'after.costs <= 5.0', '`after` has no `costs`'],
    ['for: vms', 'plan.costs.after <= 5.0', '`plan` has no `costs`'],
    ['for: vms', 'plan.cost.total <= 5.0', '`plan.cost` has no `total`'],
    ['for: networks', 'after.cost <= 5.0', '`after` has no `cost`'],
    ['for: publicIps', 'before.cost <= 5.0', '`before` has no `cost`'],
  ])('%s, %s', async (what, assert, summary) => {
    const text = `version: 1\nprojects: { p: }\npolicies: { rule: { ${what}, assert: '${assert}' } }\n`;
    const { diagnostics } = await loadText(text);
    expect(diagnostics.map((one) => one.summary)).toEqual([summary]);
  });
});

describe('what no tariff gives a price of is said where a policy reads the cost of the plan', () => {
  it.each<[string, string, string[]]>([
    ['plan.cost.after <= 500.0', 'severity: deny', ['warning']],
    ['plan.cost.change <= 500.0', 'severity: warn', ['note']],
    ['plan.changes.size() < 9', 'severity: deny', []],
    ['after.cost < 9.0', 'severity: deny', []],
  ])('%s, %s', async (assert, severity, expected) => {
    const rule = `{ for: vms, assert: '${assert}', ${severity} }`;
    const world = await worldOf(`${stays}, a: ${vm('monthly')}`, rule, 'x: {}, y: {}');
    const { findings } = checkedPlanOf(world);
    expect(findings.filter(({ code }) => code === 'cost-incomplete').map(findingLine)).toEqual(
      expected.map((one) => `${one} cost-incomplete at 3:13: Policy rule leaves out 2 public IPs`),
    );
  });

  it('also where nothing else costs anything', async () => {
    const text =
      'version: 1\nprojects: { p: { publicIps: { x: {} } } }\npolicies: { rule: { for: publicIps, assert: plan.cost.after < 1.0 } }\n';
    const { configuration } = await loadText(text);
    const world = {
      mode: 'apply',
      desired: configuration!.graph,
      live: makeLive({ catalog: prices }),
    } as const;
    const { findings } = checkedPlanOf({ ...world, state: makeState({}, world.live) });
    expect(findings.map(findingLine)).toEqual([
      'warning cost-incomplete at 3:13: Policy rule leaves out 1 public IP',
    ]);
  });
});
