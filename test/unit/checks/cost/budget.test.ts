import { describe, expect, it } from 'vitest';
import type { CostBudget, DesiredResource } from '../../../../src/model/resource.ts';
import type { Config, VmConfig } from '../../../support/desired.ts';
import { findingsOf } from '../../../support/findings.ts';
import { findingLine } from '../../../support/plan-lines.ts';
import { prices, pricedCatalog } from '../../../support/priced.ts';
import {
  afterApply,
  destroyAll,
  makeWorld,
  reconfigure,
  type World,
} from '../../../support/world.ts';

const account = { catalog: prices };
const source = { file: 'main.yaml', line: 3, column: 20, endLine: 3, endColumn: 22 };
const limited = (world: World, monthly: string, given: Partial<CostBudget> = {}): World => {
  const budget: CostBudget = { monthly, currency: 'EUR', severity: 'deny', source, ...given };
  return { ...world, desired: { ...world.desired, budget } };
};
const vms = (count: number, given: VmConfig = {}): Config => ({
  p: { vms: Object.fromEntries(Array.from({ length: count }, (_, at) => [`v${at}`, given])) },
});
const created = (config: Config) => makeWorld({ config, account });
const found = (world: World) => findingsOf(world, 'budget-').map(findingLine);
const exceeded = (cost: string, budget: string, severity = 'error') =>
  `${severity} budget-exceeded at 3:20: This plan costs ${cost} EUR a month, the budget is ${budget} EUR`;
const unknown = (budget: string, severity = 'error') =>
  `${severity} budget-unknown at 3:20: The plan cannot be compared with the budget of ${budget} EUR a month`;
const wider = (before: number, after: number) =>
  reconfigure(afterApply(vms(before), account), vms(after));

describe('a budget', () => {
  it.each<[string, World, string[]]>([
    ['is kept to the cent', limited(created(vms(4)), '20.00'), []],
    ['is exceeded by a cent', limited(created(vms(4)), '19.99'), [exceeded('20.00', '19.99')]],
    [
      'that is no error',
      limited(created(vms(4)), '1.00', { severity: 'warn' }),
      [exceeded('20.00', '1.00', 'warning')],
    ],
    ['of nothing', limited(created(vms(1)), '0.00'), [exceeded('5.00', '0.00')]],
    ['counts what stands', limited(wider(3, 4), '18.00'), [exceeded('20.00', '18.00')]],
    [
      'never refuses the way out',
      limited(wider(4, 3), '10.00'),
      [exceeded('15.00', '10.00', 'warning')],
    ],
    [
      'never refuses what costs as much as before',
      limited(wider(4, 4), '10.00'),
      [exceeded('20.00', '10.00', 'warning')],
    ],
    ['says nothing of a destroy', destroyAll(limited(wider(4, 4), '10.00')), []],
    [
      'says nothing where nothing has a price',
      limited(created({ p: { networks: { n: {} } } }), '0.00'),
      [],
    ],
  ])('%s', (_what, world, expected) => expect(found(world)).toEqual(expected));

  const untold = vms(1, { tariff: 'untold' });
  const standing = afterApply(untold, account);
  it.each<[string, World, Partial<Record<'severity', string>> | undefined]>([
    ['a price that nobody tells', created(untold), {}],
    ['a period that nobody knows', created(vms(1, { tariff: 'weekly' })), {}],
    ['another currency', created(vms(1, { tariff: 'dollars' })), {}],
    ['what stands, while nothing is added', standing, { severity: 'warning' }],
    [
      'what stands, while something is added',
      reconfigure(standing, { p: { vms: { v0: { tariff: 'untold' }, more: {} } } }),
      {},
    ],
    ['what goes', reconfigure(standing, { p: {} }), undefined],
    ['a service that tells no prices', makeWorld({ config: vms(1) }), {}],
    [
      'a tariff that is not offered: that is said once, where it stands',
      created(vms(1, { tariff: 'monthyl' })),
      undefined,
    ],
  ])('is compared with %s', (_what, world, expected) => {
    const lines = expected ? [unknown('500.00', expected.severity)] : [];
    expect(found(limited(world, '500.00'))).toEqual(lines);
  });

  it('is compared with both', () => {
    const config = { ...vms(3), q: { vms: { a: { tariff: 'untold' } } } };
    expect(found(limited(created(config), '10.00', { severity: 'warn' }))).toEqual([
      exceeded('15.00', '10.00', 'warning'),
      unknown('10.00', 'warning'),
    ]);
  });
});

describe('what no tariff gives a price of', () => {
  const uncounted = (world: World) => findingsOf(world, 'cost-').map(findingLine);
  const ips = { a: {}, b: {} };
  const priced = { ...vms(1).p, publicIps: ips };
  const said = (title: string, severity = 'warning') =>
    `${severity} cost-incomplete at 3:20: ${title} leaves out 2 public IPs`;

  it.each<[string, World, string[]]>([
    ['beside priced VMs', limited(created({ p: priced }), '500.00'), [said('The budget')]],
    ['alone', limited(created({ p: { publicIps: ips } }), '0.00'), [said('The budget')]],
    [
      'under a budget that warns',
      limited(created({ p: priced }), '500.00', { severity: 'warn' }),
      [said('The budget', 'note')],
    ],
    ['and there is none', limited(created(vms(1)), '500.00'), []],
    ['without a budget', created({ p: priced }), []],
    ['in a destroy', destroyAll(limited(afterApply({ p: priced }, account), '500.00')), []],
  ])('%s', (_what, world, expected) => {
    expect(uncounted(world)).toEqual(expected);
  });
});

describe('the line to change', () => {
  const detail = (world: World) => findingsOf(world, 'budget-')[0]?.detail?.split('\n');

  it('is that of each tariff, what adds most first', () => {
    const catalog = pricedCatalog({ monthly: '5 EUR month', large: '120 EUR year' });
    const world = makeWorld({
      config: { p: { vms: { a: {}, b: { tariff: 'large' }, c: {} } } },
      account: { catalog },
    });
    expect(detail(limited(world, '1.00'))).toEqual([
      'It adds 20.00 EUR and exceeds the budget by 19.00 EUR.',
      'What adds most:',
      '  projects.p.vms.b (main.yaml:3:40) adds 10.00 EUR a month',
      '  projects.p.vms.a (main.yaml:2:40) adds 5.00 EUR a month',
      '  projects.p.vms.c (main.yaml:4:40) adds 5.00 EUR a month',
    ]);
  });

  /** All VMs with their tariff from one place; `block`: of one block. */
  const shared = (count: number, block: boolean) => {
    const world = created(vms(count));
    const place = { ...source, line: 4, column: 9 };
    const resources = world.desired.resources.map((one): DesiredResource =>
      one.kind === 'vm'
        ? {
            ...one,
            ...(block && { source: { ...place, line: 7 } }),
            attributeSources: { ...one.attributeSources, tariff: place },
          }
        : one,
    );
    return limited({ ...world, desired: { ...world.desired, resources } }, '1.00');
  };

  it('is the tariff of a block for all of its instances', () => {
    expect(detail(shared(3, true))?.slice(2)).toEqual([
      '  projects.p.vms.v0 and 2 more (main.yaml:4:9) add 15.00 EUR a month',
    ]);
  });

  it('is each block where they share a tariff, as of defaults, and the rest is counted', () => {
    expect(detail(shared(7, false))?.slice(2)).toEqual([
      '  projects.p.vms.v0 (main.yaml:2:1) adds 5.00 EUR a month',
      '  projects.p.vms.v1 (main.yaml:3:1) adds 5.00 EUR a month',
      '  projects.p.vms.v2 (main.yaml:4:1) adds 5.00 EUR a month',
      '  projects.p.vms.v3 (main.yaml:5:1) adds 5.00 EUR a month',
      '  projects.p.vms.v4 (main.yaml:6:1) adds 5.00 EUR a month',
      '  and 2 more',
    ]);
  });

  it('leaves out what adds nothing', () => {
    expect(detail(limited(wider(4, 3), '10.00'))).toEqual([
      'It adds nothing: the existing resources exceed the budget by 5.00 EUR.',
    ]);
  });

  it('is named for what nobody knows the price of', () => {
    const world = created({ p: { vms: { a: { tariff: 'untold' }, b: { tariff: 'dollars' } } } });
    expect(detail(limited(world, '10.00'))).toEqual([
      '2 resources have no known price in EUR:',
      '  projects.p.vms.a (main.yaml:2:40)',
      '  projects.p.vms.b (main.yaml:3:40)',
    ]);
  });

  it('is the address alone for what nobody configures', () => {
    const world = afterApply(vms(1, { tariff: 'untold' }), account);
    const selection = { targets: [], excludes: ['projects.p.vms.v0'] };
    const planOptions = { adoptsAll: false, isForced: false, replace: [], selection };
    const other = reconfigure(world, { p: { vms: { more: {} } } });
    expect(detail({ ...limited(other, '10.00'), planOptions })).toEqual([
      'One resource has no known price in EUR:',
      '  projects.p.vms.v0',
    ]);
  });
});
