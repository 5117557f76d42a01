// The resources that a deferred value reads: each is an edge of the dependency graph.
import { removeInstanceKey, type ResourceAddress } from '../../model/address.ts';
import { kindNames, kindPlaces } from '../../model/kind-places.ts';
import type { DeferredValue } from '../../model/deferred.ts';
import { addToGroup } from '../../model/group-by.ts';
import { splitResourceAddress, type NamePath } from './name-trie.ts';

/** Read of a resource's attribute by a deferred expression; of the whole resource where `attribute` is undefined. */
export interface DeferredRead {
  readonly address: ResourceAddress;
  readonly attribute: string | undefined;
}

/** Index of addresses by references, which may mean all instances of a key, or all resources of a collection. */
export class ReferenceAddressIndex {
  readonly #all = new Set<ResourceAddress>();
  /** Addresses by the way to them without their own instance, and by the collection that they stand in. */
  readonly #below = new Map<string, ResourceAddress[]>();

  constructor(addresses: Iterable<ResourceAddress>) {
    for (const address of addresses) {
      this.#all.add(address);
      const group = removeInstanceKey(address);
      const collection = group.slice(0, group.lastIndexOf('.'));
      for (const key of new Set([group, collection])) {
        addToGroup(this.#below, key, address);
      }
    }
  }

  has(address: ResourceAddress): boolean {
    return this.#all.has(address);
  }

  /** Addresses of a resource's instances by its key, or of all resources in a collection. */
  listBelow(key: string): readonly ResourceAddress[] {
    return this.#below.get(key) ?? [];
  }
}

/** Names of collections (`vms`, `portForwards`): behind them a reference goes on to a resource, and not to an attribute. */
const leading = new Set(kindNames.map((kind) => kindPlaces[kind].collection));

/** Follows a reference from a project on: `vms`, `web`, 0, `name`. */
function follow(at: ResourceAddress, way: NamePath, book: ReferenceAddressIndex): DeferredRead[] {
  const [step, key, ...rest] = way;
  if (step === undefined || !leading.has(String(step))) {
    const attribute = step === undefined ? undefined : String(step);
    return book.has(at) ? [{ address: at, attribute }] : [];
  }
  const collection = `${at}.${step}`;
  const every = (key: string) =>
    book.listBelow(key).map((address) => ({ address, attribute: undefined }));
  if (key === undefined) return every(collection);
  const group = `${collection}.${key}`;
  if (book.has(group)) return follow(group, rest, book);
  const [instance, ...behind] = rest;
  const one =
    typeof instance === 'number'
      ? `${group}[${instance}]`
      : `${group}[${JSON.stringify(instance)}]`;
  return book.has(one) ? follow(one, behind, book) : every(group);
}

/** Lists the reads of the index's resources by a deferred value, and by the values that its names mean. */
export function listDeferredReads(
  deferred: DeferredValue,
  book: ReferenceAddressIndex,
): readonly DeferredRead[] {
  switch (deferred.kind) {
    case 'value':
      return [];
    case 'list':
      return deferred.items.flatMap((item) => listDeferredReads(item, book));
    case 'map':
      return Object.values(deferred.entries).flatMap((item) => listDeferredReads(item, book));
    case 'expression': {
      const own = deferred.references.flatMap((reference) => {
        const [root, project, ...way] = splitResourceAddress(reference);
        if (root !== 'projects' || project === undefined) return [];
        return follow(`${deferred.prefix}projects.${project}`, way, book);
      });
      return [...own, ...deferred.names.flatMap(([, value]) => listDeferredReads(value, book))];
    }
  }
}
