import { readAttributes } from '../kinds/read-attributes.ts';
import { listCompanionAttributes } from '../kinds/relations/brought.ts';
import { findPriceField, readPriceByTariff, hasReadablePrices } from '../kinds/price.ts';
import { kindRegistry } from '../kinds/registry.ts';
import {
  compareResourceAddresses,
  makeDeposedAddress,
  type ResourceAddress,
} from '../model/address.ts';
import type { Catalog } from '../model/account/live.ts';
import { isRetiring } from '../model/plan/plan.ts';
import type { PriceOrUnknown, PlanCosts, ResourceCost } from '../model/cost/plan-costs.ts';
import type { KindName } from '../model/kind-places.ts';
import type { ChangeDecision } from './decide/decision.ts';

/** Input for computing the costs of a plan. */
interface CostInput {
  readonly decisions: Iterable<ChangeDecision>;
  /** The addresses that the plan changes: all other resources stay, and are paid for all the same. */
  readonly chosen: ReadonlySet<ResourceAddress>;
  readonly catalog: Catalog;
  /** Set where unknown costs are wanted, too, since a budget is compared with them. */
  readonly isWanted: boolean;
  /** Set where policies may read the costs: what has no price is then named, even where nothing has one. */
  readonly isJudged?: boolean;
  /** True for the sandbox, whose prices are invented. */
  readonly isAssumed: boolean;
}

/** Costs of all managed resources before and after the plan; undefined where no price is known. */
export function listPlanCosts({
  decisions,
  chosen,
  catalog,
  isWanted,
  isJudged,
  isAssumed,
}: CostInput): PlanCosts | undefined {
  if (!isWanted && !hasReadablePrices(catalog)) return undefined;
  const resources: ResourceCost[] = [];
  const unpriced: Partial<Record<KindName, number>> = {};
  for (const decision of decisions) {
    const isChosen = chosen.has(decision.change.address);
    resources.push(...costsOf(decision, isChosen, catalog));
    for (const kind of listUntold(decision, isChosen)) unpriced[kind] = (unpriced[kind] ?? 0) + 1;
  }
  const isIncomplete = Object.keys(unpriced).length > 0;
  if (resources.length === 0 && !((isWanted || isJudged) && isIncomplete)) return undefined;
  return {
    resources: resources.sort((a, b) => compareResourceAddresses(a.address, b.address)),
    ...(isIncomplete && { unpriced }),
    ...(isAssumed && { isAssumed }),
  };
}

/** A resource that was deleted outside costs nothing any more, though the plan shows its attributes. */
function attributesBefore({ change, live }: ChangeDecision) {
  return live ? change.before : null;
}

function attributesAfter(decision: ChangeDecision, isChosen: boolean) {
  const { action, after } = decision.change;
  return isChosen && action !== 'no-op' ? after : attributesBefore(decision);
}

function costsOf(decision: ChangeDecision, isChosen: boolean, catalog: Catalog): ResourceCost[] {
  const { change, kind, deposed = [] } = decision;
  const field = findPriceField(kind.name);
  if (field === undefined) return [];
  const { address, project, unknown } = change;
  const before = attributesBefore(decision);
  const after = attributesAfter(decision, isChosen);
  const isLater = after === change.after && unknown.includes(field);
  const cost = (was: PriceOrUnknown, is: PriceOrUnknown): ResourceCost => {
    return { address, kind: kind.name, project, before: was, after: is };
  };
  const left = deposed.map((live) => {
    const price = readPriceByTariff(
      readAttributes(live, { catalog, localKey: () => undefined }, {}),
      field,
      catalog,
    );
    return cost(price, isChosen ? null : price);
  });
  const price = before && readPriceByTariff(before, field, catalog);
  // A retired VM is kept, so it still costs money.
  const isKept = isChosen && isRetiring(change);
  if (isKept)
    left.push({ ...cost(price, price), address: makeDeposedAddress(address, change.id ?? '') });
  const own = cost(
    isKept ? null : price,
    isLater ? 'later' : after && readPriceByTariff(after, field, catalog),
  );
  return own.before === null && own.after === null ? left : [own, ...left];
}

/** The kinds that are sold for a price outside of the configuration's tariffs: the resource itself, or one that comes with it. */
function listUntold(decision: ChangeDecision, isChosen: boolean): readonly KindName[] {
  const { name, traits } = decision.kind;
  const after = attributesAfter(decision, isChosen);
  if (!after) return [];
  if (traits.price === 'untold') return [name];
  const { brings } = traits;
  const isBringing = brings && Object.keys(listCompanionAttributes(name, after)).length > 0;
  return isBringing && kindRegistry[brings.kind].traits.price === 'untold' ? [brings.kind] : [];
}
