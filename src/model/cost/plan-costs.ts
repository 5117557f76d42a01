import type { ResourceAddress } from '../address.ts';
import { groupBy } from '../group-by.ts';
import type { KindName } from '../kind-places.ts';
import { formatCents, roundToCents, type MonthlyAmount } from './money.ts';
import { calculateMonthlyPrice, readMonthlyPrice, type Price } from './price.ts';

/**
 * Cost of a resource before or after a plan. `unknown`: the service gives no price that can be read. `later`: the
 * tariff is known after apply. Null: the resource does not exist on that side.
 */
export type PriceOrUnknown = Price | 'unknown' | 'later' | null;

/**
 * Cost of one resource before and after a plan. An address may have several, where its former resource is left over.
 */
export interface ResourceCost {
  readonly address: ResourceAddress;
  readonly kind: KindName;
  /** Address of the project that the resource lies in. */
  readonly project: ResourceAddress;
  readonly before: PriceOrUnknown;
  readonly after: PriceOrUnknown;
}

/** Cost of each resource before and after a plan, one by one, also of those that the plan does not change. */
export interface PlanCosts {
  /** Cost of each resource, sorted by address. */
  readonly resources: readonly ResourceCost[];
  /** The number of resources after the plan that are paid for and have no known tariff, by kind. */
  readonly unpriced?: Readonly<Partial<Record<KindName, number>>>;
  /** Set for prices that the sandbox invented. */
  readonly isAssumed?: true;
}

/** Cents of one currency each month. */
export interface MonthlyCostTotal {
  readonly currency: string;
  readonly before: bigint;
  readonly after: bigint;
}

/** Total costs by currency, without those that are not known on a side. */
export interface CostTotalsByCurrency {
  /** Totals, sorted by currency code. */
  readonly totals: readonly MonthlyCostTotal[];
  readonly unknown: readonly ResourceCost[];
}

/** Exact total of one currency before and after a plan. */
export type CurrencyCostSum = Record<'before' | 'after', MonthlyAmount>;

/** Tells whether a side of a change has a known price. */
export function isKnownPrice(side: PriceOrUnknown): side is Price {
  return side !== null && typeof side === 'object';
}

/** Adds costs up exactly, by currency code; costs that are not known on a side are left out. */
export function sumCostsByCurrency(
  costs: readonly ResourceCost[],
): ReadonlyMap<string, CurrencyCostSum> {
  const sums = new Map<string, CurrencyCostSum>();
  const add = (side: PriceOrUnknown, name: 'before' | 'after') => {
    if (!isKnownPrice(side)) return;
    const sum = sums.get(side.currency) ?? { before: 0n, after: 0n };
    sum[name] += readMonthlyPrice(side);
    sums.set(side.currency, sum);
  };
  for (const { before, after } of costs) {
    add(before, 'before');
    add(after, 'after');
  }
  return sums;
}

/** Adds costs up; only each total is rounded, so that rounding errors do not add up. */
export function sumCosts(costs: readonly ResourceCost[]): CostTotalsByCurrency {
  return {
    totals: [...sumCostsByCurrency(costs)]
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([currency, { before, after }]) => {
        return { currency, before: roundToCents(before), after: roundToCents(after) };
      }),
    unknown: costs.filter(isUnknownCost),
  };
}

/** Tells whether the resource exists on one side of a change, and its price is not known. */
export function isUnknownPrice(side: PriceOrUnknown): boolean {
  return side === 'unknown' || side === 'later';
}

/** Tells whether the price of a resource is unknown before or after the change. */
export function isUnknownCost({ before, after }: ResourceCost): boolean {
  return isUnknownPrice(before) || isUnknownPrice(after);
}

/** Tells whether a plan leaves the cost of a resource as it is, known or not. */
export function isUnchangedCost({ before, after }: ResourceCost): boolean {
  if (!isKnownPrice(before) || !isKnownPrice(after)) return before === after && before !== 'later';
  return (
    before.currency === after.currency &&
    calculateMonthlyPrice(before) === calculateMonthlyPrice(after)
  );
}

/** Groups costs by their project. */
export function groupCostsByProject(
  costs: readonly ResourceCost[],
): ReadonlyMap<ResourceAddress, readonly ResourceCost[]> {
  return groupBy(costs, ({ project }) => project);
}

/** Sentence on what each of some resources costs, where that is one price; empty otherwise. */
export function describeEachPrice(sides: readonly PriceOrUnknown[]): string {
  const prices = sides.map((side) => {
    const monthly = isKnownPrice(side) ? calculateMonthlyPrice(side) : undefined;
    return isKnownPrice(side) && monthly !== undefined
      ? `${formatCents(roundToCents(monthly))} ${side.currency} a month`
      : undefined;
  });
  const [price, ...others] = new Set(prices);
  return price === undefined || others.length > 0
    ? ''
    : ` By its tariff, each costs ${price}, whatever its size.`;
}
