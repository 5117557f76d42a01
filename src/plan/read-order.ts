import { AddressBook, listReads } from '../expressions/deferred-reads.ts';
import { makeDeferredScope } from '../expressions/deferred-scope.ts';
import { kinds } from '../kinds/registry.ts';
import { knownAfter } from '../kinds/known-resource.ts';
import type { Address } from '../model/address.ts';
import type { DesiredResource } from '../model/resource.ts';
import { parseKnown } from './account-index.ts';
import type { Decision, Surroundings } from './decision.ts';

/** What expressions read while the plan is made: what was decided by then. */
export function readExpressions(
  wanted: ReadonlyMap<Address, DesiredResource>,
  decisionAt: (address: Address) => Decision | undefined,
): Pick<Surroundings, 'scope' | 'book'> {
  const hasDeferred = [...wanted.values()].some(({ deferred }) => deferred);
  return {
    scope: makeDeferredScope(wanted.keys(), (address) => {
      const decision = decisionAt(address);
      return decision && knownAfter(decision.change);
    }),
    book: new AddressBook(hasDeferred ? wanted.keys() : []),
  };
}

/** The addresses with what expressions read before what reads it; as they are where there is no expression. */
export function sortByReads(
  addresses: readonly Address[],
  wanted: ReadonlyMap<Address, DesiredResource>,
  book: AddressBook,
): readonly Address[] {
  if (![...wanted.values()].some(({ deferred }) => deferred)) return addresses;
  const sorted = new Set<Address>();
  const entered = new Set<Address>();
  const present = new Set(addresses);
  const visit = (address: Address): void => {
    if (entered.has(address) || !present.has(address)) return;
    entered.add(address);
    for (const needed of listNeeded(address, wanted.get(address), book)) visit(needed);
    sorted.add(address);
  };
  for (const address of addresses) visit(address);
  return [...sorted];
}

/** What must be decided before a resource is. */
function listNeeded(
  address: Address,
  resource: DesiredResource | undefined,
  book: AddressBook,
): readonly Address[] {
  const parent = parseKnown(address).parent;
  const above = parent === undefined ? [] : [parent];
  if (!resource) return above;
  const named = kinds[resource.kind].references(resource);
  const read = Object.values(resource.deferred ?? {}).flatMap((one) => listReads(one, book));
  return [...above, ...[...named, ...read].map((one) => one.address)];
}
