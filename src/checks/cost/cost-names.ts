import { findPriceField, readPriceByTariff } from '../../kinds/price.ts';
import { CelDouble, NameTree, Unknown, type ScopeValue } from '../../expressions/values/scope.ts';
import type { Catalog } from '../../model/account/live.ts';
import type { ResourceAddress } from '../../model/address.ts';
import { roundToCents } from '../../model/cost/money.ts';
import {
  isKnownPrice,
  sumCosts,
  type PriceOrUnknown,
  type PlanCosts,
  type ResourceCost,
} from '../../model/cost/plan-costs.ts';
import { readMonthlyPrice } from '../../model/cost/price.ts';
import type { Change, Plan } from '../../model/plan/plan.ts';

/** Costs as policies read them: amounts a month, rounded to cents. */
export interface PolicyCostValues {
  /** The tree behind the name `plan` in a condition. */
  readonly plan: NameTree;
  /** Cost of a resource before or after its change; undefined for a kind that has no price. */
  ofSide(change: Change, side: 'before' | 'after'): ScopeValue | undefined;
}

const untold = 'for which the service tells no price';

const toNumber = (cents: bigint) => new CelDouble(Number(cents) / 100);

/** Names the costs of a plan for its policies. An unknown cost has no value: no condition takes it for nothing. */
export function listPolicyCosts(
  { costs, changes }: Pick<Plan, 'costs' | 'changes'>,
  catalog: Catalog,
): PolicyCostValues {
  // A plan without any kind that has a price costs nothing, and not an unknown amount.
  const isFree = !changes.some(({ kind }) => findPriceField(kind) !== undefined);
  const byAddress = new Map<ResourceAddress, ResourceCost>();
  for (const cost of costs?.resources ?? []) {
    // The first row of an address counts: a leftover of an earlier run comes behind the resource that took its place.
    if (!byAddress.has(cost.address)) byAddress.set(cost.address, cost);
  }
  return {
    plan: NameTree.of('plan', { cost: nameTotal(isFree ? { resources: [] } : costs) }),
    ofSide: ({ address, kind, after, unknown }, side) => {
      const field = findPriceField(kind);
      if (field === undefined) return undefined;
      const cost = byAddress.get(address)?.[side] ?? 'unknown';
      // A change whose deferred values are filled in has a known price by now.
      const isNow = cost === 'later' && after && !unknown.includes(field);
      return nameSide(isNow ? readPriceByTariff(after, field, catalog) : cost, `${side}.cost`);
    },
  };
}

function nameSide(side: PriceOrUnknown, label: string): ScopeValue {
  if (isKnownPrice(side)) return toNumber(roundToCents(readMonthlyPrice(side)));
  return side === 'later' ? new Unknown(label) : new Unknown(label, true, untold);
}

function nameTotal(costs: PlanCosts | undefined): NameTree {
  const { totals, unknown } = sumCosts(costs?.resources ?? []);
  const [{ currency, before, after } = { currency: '', before: 0n, after: 0n }, ...others] = totals;
  const name = (key: string, value: ScopeValue): ScopeValue => {
    const label = `plan.cost.${key}`;
    if (others.length > 0)
      return new Unknown(label, true, 'and there are prices in several currencies');
    if (!costs || unknown.some((one) => one.before === 'unknown' || one.after === 'unknown')) {
      return new Unknown(label, true, 'which contains a price that the service does not tell');
    }
    return unknown.length > 0 ? new Unknown(label) : value;
  };
  const values = {
    before: toNumber(before),
    after: toNumber(after),
    change: toNumber(after - before),
    currency,
  };
  return NameTree.of(
    'plan.cost',
    Object.fromEntries(Object.entries(values).map(([key, value]) => [key, name(key, value)])),
  );
}
