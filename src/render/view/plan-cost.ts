import type { ResourceAddress } from '../../model/address.ts';
import { formatCents, formatCostChange, roundToCents } from '../../model/cost/money.ts';
import {
  isKnownPrice,
  isUnchangedCost,
  isUnknownCost,
  sumCosts,
  sumCostsByCurrency,
  type PlanCosts,
  type ResourceCost,
  type CurrencyCostSum,
} from '../../model/cost/plan-costs.ts';
import { readMonthlyPrice, type Price } from '../../model/cost/price.ts';
import { kindNames, type KindName } from '../../model/kind-places.ts';
import { formatKindCount } from './labels.ts';

/** Words about a plan's cost, the same in every form of the plan. */
export interface CostView {
  /**
   * Lines about the cost, one for each currency, `Cost: 412.00 -> 455.60 EUR a month (+43.60)`, then the number of
   * resources with an unknown price.
   */
  readonly lines: readonly string[];
  /** Caveats about these figures (assumed prices, unknown prices), in full sentences. */
  readonly notes: readonly string[];
}

/** Cost before and after a plan, in one currency and exact: sums are rounded once, as the total is. */
export interface CostChange extends Readonly<CurrencyCostSum> {
  readonly currency: string;
  /** Tells whether resources of unknown price come on top of the sum. */
  readonly isUnknown: boolean;
}

/** Describes the cost of a plan in words; undefined where no price is known. */
export function viewPlanCost(costs: PlanCosts | undefined): CostView | undefined {
  if (!costs) return undefined;
  const { totals, unknown } = sumCosts(costs.resources);
  const known = totals.map(({ currency, before, after }) =>
    before === after
      ? `Cost: ${formatCents(after)} ${currency} a month (unchanged)`
      : `Cost: ${formatCents(before)} -> ${formatCents(after)} ${currency} a month (${formatCostChange(after - before)})`,
  );
  const counts: Partial<Record<KindName, number>> = {};
  for (const { kind } of unknown) counts[kind] = (counts[kind] ?? 0) + 1;
  const counted = countKinds(counts);
  return {
    lines: [...known, ...(counted === '' ? [] : [`Cost: unknown for ${counted}`])],
    notes: listNotes(costs),
  };
}

function listNotes({ isAssumed, unpriced = {} }: PlanCosts): string[] {
  const left = countKinds(unpriced);
  return [
    ...(isAssumed ? ['The prices are assumed by the sandbox.'] : []),
    ...(left === '' ? [] : [`Not included: ${left}, for which no tariff gives a price.`]),
  ];
}

/** Writes counts by kind in words: `2 VMs`. */
function countKinds(counts: Readonly<Partial<Record<KindName, number>>>): string {
  return kindNames
    .flatMap((kind) => (counts[kind] === undefined ? [] : [formatKindCount(kind, counts[kind])]))
    .join(' and ');
}

/** Lists the currencies in a plan's costs, by code. */
export function listCurrencies(costs: PlanCosts | undefined): readonly string[] {
  return sumCosts(costs?.resources ?? []).totals.map(({ currency }) => currency);
}

/** Changes of the resources' cost, one for each of the currencies. */
export function listResourceCostChanges(
  costs: readonly ResourceCost[],
  currencies: readonly string[],
): readonly CostChange[] {
  const sums = sumCostsByCurrency(costs);
  const isUnknownChange = costs.some((one) => isUnknownCost(one) && !isUnchangedCost(one));
  return currencies.map((currency) => {
    const { before, after } = sums.get(currency) ?? { before: 0n, after: 0n };
    return { currency, before, after, isUnknown: isUnknownChange };
  });
}

/** Adds up the cost changes of several rows, currency by currency. */
export function addCostChanges(rows: readonly (readonly CostChange[])[]): readonly CostChange[] {
  const [first = []] = rows;
  return first.map(({ currency }, index) => {
    const all = rows.flatMap((row) => row.slice(index, index + 1));
    return {
      currency,
      before: all.reduce((sum, { before }) => sum + before, 0n),
      after: all.reduce((sum, { after }) => sum + after, 0n),
      isUnknown: all.some((one) => one.isUnknown),
    };
  });
}

/** Writes the heading of a column of costs, with the currency. */
export function formatCostColumnHead({ currency }: CostChange): string {
  return `${currency}/month`;
}

/** Formats the change of a cost: `+43.60`, or `+43.60 + ?` where resources of unknown price come on top. */
export function formatPlanCostChange({ before, after, isUnknown }: CostChange): string {
  return formatCostChange(roundToCents(after) - roundToCents(before)) + (isUnknown ? ' + ?' : '');
}

/** Describes in words the cost of each resource whose cost the plan changes, by address: `costs 5.00 EUR a month`. */
export function describeResourceCostChanges(
  costs: PlanCosts | undefined,
): ReadonlyMap<ResourceAddress, string> {
  const words = new Map<ResourceAddress, string>();
  for (const cost of costs?.resources ?? []) {
    const said = wordCost(cost);
    // A resource left by an earlier run has the same address, and comes behind this one.
    if (said !== undefined && !words.has(cost.address)) words.set(cost.address, said);
  }
  return words;
}

/** Explains the cost of a resource in a sentence, also where the plan does not change it. */
export function explainCost(cost: ResourceCost): string {
  const { after } = cost;
  const words = wordCost(cost);
  if (words !== undefined) return `It ${words}.`;
  return isKnownPrice(after)
    ? `It costs ${say(after)} a month, as before.`
    : 'Its price is unknown.';
}

function wordCost(cost: ResourceCost): string | undefined {
  const { before, after } = cost;
  if (after === 'later') return 'has a cost that is known after apply';
  if (isUnchangedCost(cost)) return undefined;
  if (after === 'unknown') return 'has an unknown price';
  if (after === null) return isKnownPrice(before) ? `saves ${say(before)} a month` : undefined;
  return isKnownPrice(before)
    ? `costs ${say(after)} instead of ${say(before)} a month`
    : `costs ${say(after)} a month`;
}

function say(price: Price): string {
  return `${formatCents(roundToCents(readMonthlyPrice(price)))} ${price.currency}`;
}
