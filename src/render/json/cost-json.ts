import { formatCents, roundToCents } from '../../model/cost/money.ts';
import {
  groupCostsByProject,
  isKnownPrice,
  sumCosts,
  type PriceOrUnknown,
  type PlanCosts,
  type ResourceCost,
} from '../../model/cost/plan-costs.ts';
import { readMonthlyPrice } from '../../model/cost/price.ts';
import { mapLazily } from '../../model/text/json-parts.ts';

/**
 * Describes the cost a month by currency; `unknown` counts the resources whose price is not in the sums. Amounts are
 * text: `455.60`.
 */
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
 * Describes the costs of a plan, with a lazy list of its resources. `unpriced` counts, by kind, the planned resources
 * that are paid for and have no price in any tariff; `assumed` is set for the sandbox, whose prices are invented.
 */
export function describeCost({ resources, unpriced = {}, isAssumed }: PlanCosts) {
  const projects = [...groupCostsByProject(resources)];
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

/** Describes the cost of one resource before and after a plan. */
export function describeResourceCost({ address, before, after }: ResourceCost) {
  return { address, before: describeSide(before), after: describeSide(after) };
}

/** One side of a cost: null where the resource does not exist; an amount of null is an unknown price. */
function describeSide(side: PriceOrUnknown) {
  if (side === null) return null;
  if (!isKnownPrice(side)) return { amount: null, currency: null };
  return { amount: formatCents(roundToCents(readMonthlyPrice(side))), currency: side.currency };
}
