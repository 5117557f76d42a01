import type { Address } from '../../model/address.ts';
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
import type { KindName } from '../../model/kind-places.ts';
import { makeEach, type LazyList } from '../../model/text/json-parts.ts';

/** What is paid a month in one currency. Amounts are text: `455.60`. */
interface CostTotalJson {
  readonly currency: string;
  readonly before: string;
  readonly after: string;
  readonly change: string;
}

/** Null: the resource is not there. An amount of null is not known. */
type CostSideJson = { readonly amount: string | null; readonly currency: string | null } | null;

interface ResourceCostJson {
  readonly address: Address;
  readonly before: CostSideJson;
  readonly after: CostSideJson;
}

/** What a plan and its projects come to. */
export interface CostSumJson {
  readonly totals: readonly CostTotalJson[];
  /** How many resources the totals do not contain, since nobody knows their cost. */
  readonly unknown: number;
}

/** What a plan costs. */
export interface CostJson extends CostSumJson {
  readonly projects: Readonly<Record<Address, CostSumJson>>;
  readonly resources: readonly ResourceCostJson[];
  /** How many resources of a kind there will be that are paid for, and for which no tariff gives a price. */
  readonly unpriced: Readonly<Partial<Record<KindName, number>>>;
  /** True: the sandbox made the prices up. */
  readonly assumed: boolean;
}

/** The totals alone. */
export function describeCostSum(costs: PlanCosts['resources']): CostSumJson {
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

/** The costs of a plan, with a lazy list of its resources. */
export function describeCost({
  resources,
  unpriced = {},
  isAssumed,
}: PlanCosts): Omit<CostJson, 'resources'> & { readonly resources: LazyList<ResourceCostJson> } {
  const projects = [...groupByProject(resources)];
  return {
    ...describeCostSum(resources),
    projects: Object.fromEntries(
      projects.map(([project, costs]) => [project, describeCostSum(costs)]),
    ),
    resources: makeEach(resources, describeResourceCost),
    unpriced,
    assumed: isAssumed === true,
  };
}

/** What a plan makes of the cost of one resource. */
export function describeResourceCost({ address, before, after }: ResourceCost): ResourceCostJson {
  return { address, before: describeSide(before), after: describeSide(after) };
}

function describeSide(side: CostSide): CostSideJson {
  if (side === null) return null;
  if (!isPrice(side)) return { amount: null, currency: null };
  return { amount: formatCents(toCents(readMonthly(side))), currency: side.currency };
}
