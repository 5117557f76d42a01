import { describe, expect, it } from 'vitest';
import type { PlanCosts, ResourceCost } from '../../../../src/model/cost/plan-costs.ts';
import type { Price } from '../../../../src/model/cost/price.ts';
import { createAnsiStyle } from '../../../../src/render/format/style.ts';
import { renderPlanText } from '../../../../src/render/text/text.ts';
import {
  addCostChanges,
  listResourceCostChanges,
  explainCost,
  listCurrencies,
  formatPlanCostChange,
  viewPlanCost,
  describeResourceCostChanges,
} from '../../../../src/render/view/plan-cost.ts';
import { planOf } from '../../../support/plan-lines.ts';
import { prices } from '../../../support/priced.ts';
import { afterApply, makeWorld } from '../../../support/world.ts';
import { readRows } from '../../../support/read-rows.ts';

const price = (amount: string, currency = 'EUR'): Price => ({ amount, currency, period: 'month' });
const cost = (before: ResourceCost['before'], after: ResourceCost['after'], key = 'a') => ({
  ...{ address: `projects.p.vms.${key}`, kind: 'vm' as const, project: 'projects.p' },
  ...{ before, after },
});
const costs = (...resources: ResourceCost[]): PlanCosts => ({ resources });

const readSide = (text: string): ResourceCost['after'] => {
  if (text === 'none') return null;
  if (text === 'unknown' || text === 'later') return text;
  const [amount = '', currency] = text.split(' ');
  return price(amount, currency);
};
/** The costs of `none -> 5.00; 7.00 -> 3.00 CHF`. */
const readCosts = (text: string) =>
  costs(
    ...text.split('; ').map((one, at) => {
      const [before = null, after = null] = one.split(' -> ').map(readSide);
      return cost(before, after, `v${at}`);
    }),
  );

describe('the closing lines', () => {
  it.each(
    readRows(`
    what is added | 412.00 -> 412.00; none -> 43.60 | Cost: 412.00 -> 455.60 EUR a month (+43.60)
    what is saved | 5.00 -> none | Cost: 5.00 -> 0.00 EUR a month (-5.00)
    no change | 5.00 -> 5.00 | Cost: 5.00 EUR a month (unchanged)
    a line for each currency, and none is converted | none -> 5.00 USD; 7.00 -> 3.00 CHF | Cost: 0.00 -> 3.00 CHF a month (+3.00); Cost: 7.00 -> 0.00 EUR a month (-7.00); Cost: 0.00 -> 5.00 USD a month (+5.00)
    what nobody knows, now or then | none -> unknown; unknown -> none; none -> later; none -> 1.00 | Cost: 0.00 -> 1.00 EUR a month (+1.00); Cost: unknown for 3 VMs
    nothing that is known | none -> unknown | Cost: unknown for 1 VM
    figures that add up, though they are rounded | 1.004 -> 2.005 | Cost: 1.00 -> 2.01 EUR a month (+1.01)
  `),
  )('%s', (_what, given, lines) => {
    expect(viewPlanCost(readCosts(given))).toEqual({ lines: lines.split('; '), notes: [] });
  });

  it('say what the figures leave out, and who made them up', () => {
    const { notes } = viewPlanCost({
      ...costs(cost(null, price('1.00'))),
      unpriced: { publicIp: 2 },
      isAssumed: true,
    }) as { notes: readonly string[] };
    expect(notes).toEqual([
      'The prices are assumed by the sandbox.',
      'Not included: 2 public IPs, for which no tariff gives a price.',
    ]);
  });

  it('are not there without costs', () => expect(viewPlanCost(undefined)).toBeUndefined());

  it('come last where nothing changes', () => {
    const plan = planOf(afterApply({ p: { vms: { a: {} } } }, { catalog: prices }));
    const text = renderPlanText(plan, { columns: 80, style: createAnsiStyle(false) });
    expect(text).toMatch(/^No changes\./m);
    expect(text).toMatch(/needed\.\n\nCost: 5\.00 EUR a month \(unchanged\)\n$/);
  });
});

describe('what a plan makes of the cost of one resource', () => {
  it.each(
    readRows(`
    made | none -> 5.00 | costs 5.00 EUR a month
    gone | 5.00 -> none | saves 5.00 EUR a month
    changed | 5.00 -> 7.00 | costs 7.00 EUR instead of 5.00 EUR a month
    left | 5.00 -> 5.00 |
    left, and nobody knows | unknown -> unknown |
    made, and nobody knows | none -> unknown | has an unknown price
    gone, and nobody knows | unknown -> none |
    known by now | unknown -> 5.00 | costs 5.00 EUR a month
    known after apply | 5.00 -> later | has a cost that is known after apply
  `),
  )('%s', (_what, given, words) => {
    expect([...describeResourceCostChanges(readCosts(given)).values()]).toEqual(
      words ? [words] : [],
    );
  });

  it('the same in another period', () => {
    const inYears = cost(price('5.00'), { ...price('60.00'), period: 'year' });
    expect(describeResourceCostChanges(costs(inYears)).size).toBe(0);
  });

  it.each(
    readRows(`
    made | none -> 5.00 | It costs 5.00 EUR a month.
    left | 5.00 -> 5.00 | It costs 5.00 EUR a month, as before.
    left, and nobody knows | unknown -> unknown | Its price is unknown.
  `),
  )('is explained: %s', (_what, given, words) => {
    expect(explainCost(readCosts(given).resources[0]!)).toBe(words);
  });

  it('what is left of an earlier run has the second word', () => {
    const two = costs(cost(null, price('5.00')), cost(price('7.00'), null));
    expect([...describeResourceCostChanges(two)]).toEqual([
      ['projects.p.vms.a', 'costs 5.00 EUR a month'],
    ]);
    expect(describeResourceCostChanges(undefined).size).toBe(0);
  });

  it('several that are shown as one say that each of them costs as much', () => {
    const keys = Array.from({ length: 5 }, (_, index) => [`web[${index}]`, {}]);
    const vms = Object.fromEntries(keys) as Record<string, object>;
    const plan = planOf(makeWorld({ config: { p: { vms } }, account: { catalog: prices } }));
    const text = renderPlanText(plan, { columns: 80, style: createAnsiStyle(false) });
    expect(text).toContain('(5 VMs)\n  # (each costs 5.00 EUR a month)\n');
  });
});

describe('the column of a project', () => {
  const two = costs(cost(null, price('5.00')), cost(price('2.00', 'USD'), null, 'b'));

  it('has what is added, for each currency of the plan', () => {
    expect(listCurrencies(two)).toEqual(['EUR', 'USD']);
    const own = listResourceCostChanges(two.resources.slice(0, 1), ['EUR', 'USD']);
    expect(own.map(formatPlanCostChange)).toEqual(['+5.00', '+0.00']);
    const sum = addCostChanges([own, listResourceCostChanges(two.resources, ['EUR', 'USD'])]);
    expect(sum.map(formatPlanCostChange)).toEqual(['+10.00', '-2.00']);
    expect(addCostChanges([])).toEqual([]);
  });

  it('adds up what it is, not what is shown of it: the total is rounded once', () => {
    const third = listResourceCostChanges([cost(null, price('0.004'))], ['EUR']);
    expect(third.map(formatPlanCostChange)).toEqual(['+0.00']);
    expect(addCostChanges([third, third, third]).map(formatPlanCostChange)).toEqual(['+0.01']);
  });

  it('says that there is more to it', () => {
    const own = listResourceCostChanges(
      [cost(null, 'unknown'), cost(null, price('5.00'), 'b')],
      ['EUR'],
    );
    expect(own.map(formatPlanCostChange)).toEqual(['+5.00 + ?']);
    const kept = listResourceCostChanges([cost('unknown', 'unknown')], ['EUR']);
    expect(kept.map(formatPlanCostChange)).toEqual(['+0.00']);
  });
});
