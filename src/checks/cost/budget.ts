import { findCatalogEntry } from '../../kinds/catalog.ts';
import { findPriceField } from '../../kinds/price.ts';
import {
  formatCents,
  parsePriceAmount,
  roundToCents,
  convertToMonthlyAmount,
  type MonthlyAmount,
} from '../../model/cost/money.ts';
import {
  isKnownPrice,
  isUnchangedCost,
  isUnknownPrice,
  sumCosts,
  type PriceOrUnknown,
  type MonthlyCostTotal,
  type ResourceCost,
} from '../../model/cost/plan-costs.ts';
import { readMonthlyPrice } from '../../model/cost/price.ts';
import type { Finding, Severity } from '../../model/diagnostic.ts';
import type { CostBudget } from '../../model/resource.ts';
import type { PlanCheck, PlanCheckInput } from '../check.ts';
import { listCostSourceLines } from './list-places.ts';
import { findUnpricedResources } from './uncounted.ts';

/** Finds a plan that costs more than the budget allows, and one of which nobody can tell whether it does. */
export const checkCostBudget: PlanCheck = (input) => {
  const { plan, budget } = input;
  // A destroy adds no cost, and a refresh changes none.
  if (!budget || plan.mode !== 'apply') return [];
  const { currency } = budget;
  const costs = plan.costs?.resources ?? [];
  const total = sumCosts(costs).totals.find((one) => one.currency === currency) ?? {
    currency,
    before: 0n,
    after: 0n,
  };
  return [
    ...findExcess(costs, total, budget, input),
    ...findUncertain(costs, total, budget, input),
    ...findUnpricedResources(plan, { title: 'The budget', ...budget }),
  ];
};

/** A plan that raises no cost is a way out: it is never refused. */
function severityOf({ severity }: CostBudget, isRaising: boolean): Severity {
  return severity === 'deny' && isRaising ? 'error' : 'warning';
}

function findExcess(
  costs: readonly ResourceCost[],
  { currency, before, after }: MonthlyCostTotal,
  budget: CostBudget,
  { desired }: PlanCheckInput,
): Finding[] {
  const limit = roundToCents(
    convertToMonthlyAmount(parsePriceAmount(budget.monthly) ?? 0n, 'month') ?? 0n,
  );
  if (after <= limit) return [];
  const isRaising = after > before;
  const say = (cents: bigint) => `${formatCents(cents)} ${currency}`;
  const places = listCostSourceLines(listRising(costs, currency), desired, currency);
  return [
    {
      severity: severityOf(budget, isRaising),
      code: 'budget-exceeded',
      summary: `This plan costs ${say(after)} a month, the budget is ${say(limit)}`,
      detail: [
        isRaising
          ? `It adds ${say(after - before)} and exceeds the budget by ${say(after - limit)}.`
          : `It adds nothing: the existing resources exceed the budget by ${say(after - limit)}.`,
        ...(places.length > 0 ? ['What adds most:', ...places] : []),
      ].join('\n'),
      hint: 'Order less, choose a cheaper tariff, or raise the budget.',
      source: budget.source,
    },
  ];
}

/** Resources that cost more than before in a currency, with the amount a month that each adds. */
function listRising(costs: readonly ResourceCost[], currency: string) {
  const monthly = (side: PriceOrUnknown): MonthlyAmount =>
    isKnownPrice(side) && side.currency === currency ? readMonthlyPrice(side) : 0n;
  return costs
    .map(({ address, kind, before, after }) => {
      return { address, kind, added: monthly(after) - monthly(before) };
    })
    .filter(({ added }) => added > 0n);
}

function findUncertain(
  costs: readonly ResourceCost[],
  { before, after }: MonthlyCostTotal,
  budget: CostBudget,
  { desired, live }: PlanCheckInput,
): Finding[] {
  const { monthly, currency, source } = budget;
  const isOffered = ({ address, kind }: ResourceCost) => {
    const written = desired.get(address)?.attributes[findPriceField(kind) ?? ''];
    return findCatalogEntry(live.catalog.tariffs, written) !== undefined;
  };
  const uncertain = costs.filter((cost) => {
    if (isKnownPrice(cost.after)) return cost.after.currency !== currency;
    // A VM whose tariff is no longer offered is reported by another check.
    return (
      isUnknownPrice(cost.after) &&
      (cost.after === 'later' || isUnchangedCost(cost) || isOffered(cost))
    );
  });
  if (uncertain.length === 0) return [];
  const isRaising = after > before || uncertain.some((cost) => !isUnchangedCost(cost));
  const count = uncertain.length;
  return [
    {
      severity: severityOf(budget, isRaising),
      code: 'budget-unknown',
      summary: `The plan cannot be compared with the budget of ${monthly} ${currency} a month`,
      detail: [
        `${count === 1 ? 'One resource has' : `${count} resources have`} no known price in ${currency}:`,
        ...listCostSourceLines(uncertain, desired, currency),
      ].join('\n'),
      hint: `Choose a tariff with a price in ${currency}: "hostwright catalog tariffs" lists them.`,
      source,
    },
  ];
}
