import { parse } from 'yaml';
import { describe, expect, it, test } from 'vitest';
import { isKnownPrice, type PriceOrUnknown } from '../../../src/model/cost/plan-costs.ts';
import type { Plan } from '../../../src/model/plan/plan.ts';
import { buildPlan } from '../../../src/plan/build-plan.ts';
import { makeLive } from '../../support/account.ts';
import type { DeferredValue } from '../../../src/model/deferred.ts';
import type { Config } from '../../support/desired.ts';
import { planOf } from '../../support/plan-lines.ts';
import { prices, pricedCatalog } from '../../support/priced.ts';
import { afterApply, destroyAll, makeWorld, reconfigure, type World } from '../../support/world.ts';
import { readRows } from '../../support/read-rows.ts';

const priced = { catalog: prices };
const say = (side: PriceOrUnknown) =>
  isKnownPrice(side) ? `${side.amount} a ${side.period}` : String(side);
/** `p.vms.a: null -> 5.00 a month`. */
const linesOf = ({ costs }: Plan) =>
  costs?.resources.map(
    ({ address, before, after }) =>
      `${address.replace('projects.', '')}: ${say(before)} -> ${say(after)}`,
  );
const vms = (given: NonNullable<Config[string]['vms']>): Config => ({ p: { vms: given } });
const before = vms({ a: {}, b: { power: 'stopped' } });

describe('what a plan makes of the costs', () => {
  it.each(
    readRows(`
    of a create |  | { a: {} } | a: null -> 5.00 a month
    of what stays, stopped or not | { a: {}, b: { power: stopped } } | { a: {}, b: { power: stopped } } | a: 5.00 a month -> 5.00 a month, b: 5.00 a month -> 5.00 a month
    of a deletion | { a: {}, b: {} } | { a: {} } | a: 5.00 a month -> 5.00 a month, b: 5.00 a month -> null
    of another tariff | { a: {} } | { a: { tariff: hourly } } | a: 5.00 a month -> 0.01 a hour
    of a replacement under the same tariff | { a: {} } | { a: { configuration: c2-r4-d40 } } | a: 5.00 a month -> 5.00 a month
    of the end of all | { a: {}, b: {} } |  | a: 5.00 a month -> null, b: 5.00 a month -> null
    of a tariff that is given by its id |  | { a: { tariff: trf-hourly } } | a: null -> 0.01 a hour
    of a tariff without a price, of a strange period, or not offered |  | { a: { tariff: untold }, b: { tariff: weekly }, c: { tariff: none } } | a: null -> unknown, b: null -> unknown, c: null -> unknown
  `),
  )('%s', (_what, before, after, expected) => {
    const read = (cell: string) => vms(parse(cell) as NonNullable<Config[string]['vms']>);
    const start = before ? afterApply(read(before), priced) : makeWorld({ account: priced });
    const world = after ? reconfigure(start, read(after)) : destroyAll(start);
    const lines = linesOf(planOf(world))?.map((line) => line.replace('p.vms.', ''));
    expect(lines?.join(', ')).toBe(expected);
  });

  it('of what was deleted outside: it costs nothing until it is made again', () => {
    const { desired, state } = afterApply(vms({ a: {} }), priced);
    const live = makeLive({ ...priced, projects: { 'p-p': { name: 'p' } } });
    expect(linesOf(planOf({ mode: 'apply', desired, state, live }))).toEqual([
      'p.vms.a: null -> 5.00 a month',
    ]);
  });

  it('of what the plan leaves out: it stays, and is paid for', () => {
    const world = reconfigure(afterApply(before, priced), vms({ a: { tariff: 'hourly' }, c: {} }));
    const selection = { targets: ['projects.p.vms.c'], excludes: [] };
    const planOptions = { adoptsAll: false, isForced: false, replace: [], selection };
    expect(linesOf(planOf({ ...world, planOptions }))).toEqual([
      'p.vms.a: 5.00 a month -> 5.00 a month',
      'p.vms.b: 5.00 a month -> 5.00 a month',
      'p.vms.c: null -> 5.00 a month',
    ]);
  });

  it('of what an earlier run replaced and did not get to destroy', () => {
    const { desired } = afterApply(vms({ a: {} }), priced);
    const config = { p: { vms: { a: {} } } };
    const world = makeWorld({
      config,
      account: {
        ...priced,
        projects: {
          'p-p': {
            name: 'p',
            vms: {
              'vm-p-a': { name: 'a', tariff: 'monthly' },
              old: { name: 'a-old', tariff: 'hourly' },
            },
          },
        },
      },
      memory: {
        resources: { 'projects.p': 'p-p', 'projects.p.vms.a': { id: 'vm-p-a', deposed: ['old'] } },
      },
    });
    expect(linesOf(planOf({ ...world, desired }))).toEqual([
      'p.vms.a: 5.00 a month -> 5.00 a month',
      'p.vms.a: 0.01 a hour -> null',
    ]);
  });

  it('of a tariff that is known after apply', () => {
    const world = makeWorld({ config: vms({ a: {} }), account: priced });
    const resources = world.desired.resources.map((one) => {
      if (one.kind !== 'vm') return one;
      const given = Object.entries(one.attributes).filter(([name]) => name !== 'tariff');
      const attributes = Object.fromEntries(given);
      const expression: DeferredValue = {
        ...{ kind: 'expression', text: 'projects.p.id', isTemplate: false, source: one.source },
        ...{ references: ['projects.p.id'], names: [], prefix: '' },
      };
      return { ...one, attributes, deferred: { tariff: expression } };
    });
    expect(linesOf(planOf({ ...world, desired: { ...world.desired, resources } }))).toEqual([
      'p.vms.a: null -> later',
    ]);
  });
});

describe('what is paid for without a tariff', () => {
  const unpricedOf = (config: Config) =>
    planOf(makeWorld({ config, account: priced })).costs?.unpriced;

  it.each<[string, Config, object | undefined]>([
    ['nothing', vms({ a: {} }), undefined],
    ['a public IP', { p: { publicIps: { edge: {} }, vms: { a: {} } } }, { publicIp: 1 }],
    ['one that comes with a VM', vms({ a: { publicIp: 'new' } }), { publicIp: 1 }],
    [
      'one that a VM holds',
      { p: { publicIps: { edge: {} }, vms: { a: { publicIp: 'edge' } } } },
      { publicIp: 1 },
    ],
  ])('%s', (_what, config, expected) => expect(unpricedOf(config)).toEqual(expected));

  it('is not counted once it is gone', () => {
    const world = afterApply({ p: { publicIps: { edge: {} }, vms: { a: {} } } }, priced);
    expect(planOf(destroyAll(world)).costs?.unpriced).toBeUndefined();
  });
});

describe('a plan has no costs', () => {
  it.each<[string, World]>([
    ['where the service tells no price', makeWorld({ config: vms({ a: {} }) })],
    [
      'where it tells none that can be read',
      makeWorld({
        config: vms({ a: {} }),
        account: { catalog: pricedCatalog({ monthly: '5 EUR fortnight' }) },
      }),
    ],
    [
      'where nothing has a tariff',
      makeWorld({ config: { p: { publicIps: { edge: {} } } }, account: priced }),
    ],
    ['where it only refreshes the state', { ...afterApply(before, priced), mode: 'refresh' }],
  ])('%s', (_what, world) => expect(planOf(world).costs).toBeUndefined());

  it('but for a budget: then it says that nobody knows them', () => {
    const world = makeWorld({ config: vms({ a: {} }) });
    const source = { file: 'a.yaml', line: 1, column: 1, endLine: 1, endColumn: 2 };
    const budget = { monthly: '1.00', currency: 'EUR', severity: 'deny', source } as const;
    expect(linesOf(planOf({ ...world, desired: { ...world.desired, budget } }))).toEqual([
      'p.vms.a: null -> unknown',
    ]);
  });
});

test('prices that the sandbox made up are marked', () => {
  const world = makeWorld({ config: vms({ a: {} }), account: priced });
  expect(buildPlan({ ...world, arePricesAssumed: true }).plan.costs?.isAssumed).toBe(true);
  expect(buildPlan(world).plan.costs?.isAssumed).toBeUndefined();
});
