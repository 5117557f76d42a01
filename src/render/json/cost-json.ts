import { formatCents, toCents } from '../../model/cost/money.ts';
import {
  groupByProject,
  isPrice,
  sumCosts,
  type CostSide,
  type PlanCosts,
  type ResourceCost,
} from '../../model/cost/plan-costs.ts';
import { readMonthly } from '../../model/cost/price.ts';
import { mapLazily } from '../../model/text/json-parts.ts';

/** What is paid a month, by currency; `unknown` is how many resources that does not contain. Amounts are text: `455.60`. */
export function describeCostSum(costs: PlanCosts['resources']) {
  const { totals, unknown } = sumCosts(costs);
  return {
    totals: totals.map(({ currency, before, after }) => ({
      currency,
      before: formatCents(before),
      after: formatCents(after),
      change: formatCents(after - before),
    })),
    unknown: unknown.length,
  };
}

/**
 * The costs of a plan, with a lazy list of its resources. `unpriced` is how many resources of a kind there will be that are
 * paid for, and for which no tariff gives a price; `assumed`: the sandbox made the prices up.
 */
export function describeCost({ resources, unpriced = {}, isAssumed }: PlanCosts) {
  const projects = [...groupByProject(resources)];
  return {
    ...describeCostSum(resources),
    projects: Object.fromEntries(
      projects.map(([project, costs]) => [project, describeCostSum(costs)]),
    ),
    resources: mapLazily(resources, describeResourceCost),
    unpriced,
    assumed: isAssumed === true,
  };
}

/** What a plan makes of the cost of one resource. */
export function describeResourceCost({ address, before, after }: ResourceCost) {
  return { address, before: describeSide(before), after: describeSide(after) };
}

/** Null: the resource is not there. An amount of null is not known. */
function describeSide(side: CostSide) {
  if (side === null) return null;
  if (!isPrice(side)) return { amount: null, currency: null };
  return { amount: formatCents(toCents(readMonthly(side))), currency: side.currency };
}
