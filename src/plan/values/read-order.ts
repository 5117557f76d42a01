import type { EvaluationBudget } from '../../expressions/values/budget.ts';
import {
  ReferenceAddressIndex,
  listDeferredReads,
} from '../../expressions/deferred/deferred-reads.ts';
import { makeDeferredScope } from '../../expressions/deferred/deferred-scope.ts';
import type { DeferredScope } from '../../expressions/deferred/evaluate-deferred.ts';
import { kindRegistry } from '../../kinds/registry.ts';
import type { ResourceAddress } from '../../model/address.ts';
import type { KnownResource } from '../../model/deferred.ts';
import type { DesiredResource } from '../../model/resource.ts';
import { parseKnownAddress } from '../account-index.ts';

/** Values that expressions read while the plan is made, as far as they are known by then. */
export function readKnownExpressionValues(
  wanted: ReadonlyMap<ResourceAddress, DesiredResource>,
  knownAt: (address: ResourceAddress) => KnownResource | undefined,
  steps?: EvaluationBudget,
): { readonly scope: DeferredScope; readonly book: ReferenceAddressIndex } {
  const hasDeferred = [...wanted.values()].some(({ deferred }) => deferred);
  return {
    scope: makeDeferredScope(wanted.keys(), knownAt, { steps }),
    book: new ReferenceAddressIndex(hasDeferred ? wanted.keys() : []),
  };
}

/**
 * The addresses in an order in which a resource comes before those whose expressions read it; unchanged where there are no
 * expressions.
 */
export function sortAddressesByReads(
  addresses: readonly ResourceAddress[],
  wanted: ReadonlyMap<ResourceAddress, DesiredResource>,
  book: ReferenceAddressIndex,
): readonly ResourceAddress[] {
  if (![...wanted.values()].some(({ deferred }) => deferred)) return addresses;
  const sorted = new Set<ResourceAddress>();
  const entered = new Set<ResourceAddress>();
  const present = new Set(addresses);
  for (const start of addresses) {
    // Without recursion: a chain may be as long as the configuration.
    const open: { readonly address: ResourceAddress; readonly needed: ResourceAddress[] }[] = [];
    const enter = (address: ResourceAddress) => {
      if (entered.has(address) || !present.has(address)) return;
      entered.add(address);
      const needed = listNeeded(address, wanted.get(address), book);
      open.push({ address, needed: needed.toReversed() });
    };
    enter(start);
    for (let at = open.at(-1); at; at = open.at(-1)) {
      const next = at.needed.pop();
      if (next !== undefined) enter(next);
      else sorted.add((open.pop() ?? at).address);
    }
  }
  return [...sorted];
}

/** Lists addresses that must be decided before a resource, because it reads them. */
function listNeeded(
  address: ResourceAddress,
  resource: DesiredResource | undefined,
  book: ReferenceAddressIndex,
): readonly ResourceAddress[] {
  const parent = parseKnownAddress(address).parent;
  const above = parent === undefined ? [] : [parent];
  if (!resource) return above;
  const named = kindRegistry[resource.kind].references(resource);
  const read = Object.values(resource.deferred ?? {}).flatMap((one) =>
    listDeferredReads(one, book),
  );
  return [...above, ...[...named, ...read].map((one) => one.address)];
}
