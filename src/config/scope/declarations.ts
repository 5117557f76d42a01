import { accountAddress, localKey, parseAddress, type Address } from '../../model/address.ts';
import { kindPlaces, type KindName } from '../../model/kind-places.ts';
import type { DesiredResource } from '../../model/resource.ts';
import type { InstanceSet } from './each.ts';
import type { LocatedNode } from '../source/located-node.ts';
import type { SourcePlace } from '../source/source-file.ts';

/** A resource with the places of its key and fields. A field that could not be read is absent from its attributes. */
export interface Declaration {
  readonly resource: DesiredResource;
  readonly key: SourcePlace;
  /** The value of each field, by attribute; a field left to its default is absent. */
  readonly nodes: Readonly<Record<string, LocatedNode>>;
}

/** All resources that the configuration declares, also those with faults, so that references to them hold. */
export class Declarations {
  readonly all: Declaration[] = [];
  /** Blocks with `count` or `forEach` that protect none of their instances, by their addresses without a key. */
  readonly unprotected: Address[] = [];
  readonly #groups = new Map<Address, Map<string, InstanceSet>>();

  /** Adds a key of a collection, which is named by its address: `projects.shop.vms`. */
  declareKey(collection: Address, key: string, instances: InstanceSet): void {
    const group = this.#groups.get(collection) ?? new Map<string, InstanceSet>();
    this.#groups.set(collection, group);
    group.set(key, instances);
  }

  /** Instances of the block under a key of a collection; undefined when there is no such key. */
  instancesOf(collection: Address, key: string): InstanceSet | undefined {
    return this.#groups.get(collection)?.get(key);
  }

  /** Lists the keys of the resources in a collection. */
  keysOf(collection: Address): readonly string[] {
    return [...(this.#groups.get(collection)?.keys() ?? [])];
  }
}

/** The address of a kind's collection in the project of a resource; in its module for what lies in no project. */
export function findCollection({ address, project }: DesiredResource, kind: KindName): Address {
  const { collection } = kindPlaces[kind];
  const holder = project === accountAddress ? parseAddress(address)?.module : project;
  return holder === undefined ? collection : `${holder}.${collection}`;
}

/** Local keys of the instances, the first few of many: `web[0]`, `web[1]`. */
export function describeInstances(key: string, instances: InstanceSet): string {
  const quote = (instance: number | string) => `\`${localKey(key, instance)}\``;
  if (instances.kind === 'count') {
    const { count } = instances;
    const shown = Array.from({ length: Math.min(count, 3) }, (_, index) => quote(index));
    return count > 3 ? `${shown.join(', ')} … ${quote(count - 1)}` : shown.join(', ');
  }
  const keys = instances.kind === 'keys' ? [...instances.values.keys()] : [];
  return keys.slice(0, 12).map(quote).join(', ') + (keys.length > 12 ? ' …' : '');
}
