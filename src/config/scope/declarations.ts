import {
  accountAddress,
  formatResourceKey,
  parseResourceAddress,
  type ResourceAddress,
} from '../../model/address.ts';
import { kindPlaces, type KindName } from '../../model/kind-places.ts';
import type { DesiredResource } from '../../model/resource.ts';
import type { InstanceSet } from './each.ts';
import type { LocatedYamlNode } from '../source/located-node.ts';
import type { SourceTextRange } from '../source/source-file.ts';

/** A resource with the places of its key and fields. A field that could not be read is absent from its attributes. */
export interface ResourceDeclaration {
  readonly resource: DesiredResource;
  readonly key: SourceTextRange;
  /** The value of each field, by attribute; a field left to its default is absent. */
  readonly nodes: Readonly<Record<string, LocatedYamlNode>>;
}

/**
 * All resources that the configuration declares, also those with faults, so that references to these are not reported
 * as missing.
 */
export class ResourceDeclarations {
  readonly all: ResourceDeclaration[] = [];
  /** Blocks with `count` or `forEach` that protect none of their instances, by their addresses without a key. */
  readonly unprotected: ResourceAddress[] = [];
  readonly #groups = new Map<ResourceAddress, Map<string, InstanceSet>>();

  /** Adds a key of a collection, which is named by its address: `projects.shop.vms`. */
  declareKey(collection: ResourceAddress, key: string, instances: InstanceSet): void {
    const group = this.#groups.get(collection) ?? new Map<string, InstanceSet>();
    this.#groups.set(collection, group);
    group.set(key, instances);
  }

  /** Instances of the block under a key of a collection; undefined when there is no such key. */
  instancesOf(collection: ResourceAddress, key: string): InstanceSet | undefined {
    return this.#groups.get(collection)?.get(key);
  }

  /** Lists the keys of the resources in a collection. */
  keysOf(collection: ResourceAddress): readonly string[] {
    return [...(this.#groups.get(collection)?.keys() ?? [])];
  }
}

/** Finds the address of a kind's collection in the project of a resource, or in its module for a kind outside of projects. */
export function findCollectionAddress(
  { address, project }: DesiredResource,
  kind: KindName,
): ResourceAddress {
  const { collection } = kindPlaces[kind];
  const holder = project === accountAddress ? parseResourceAddress(address)?.module : project;
  return holder === undefined ? collection : `${holder}.${collection}`;
}

/** Local keys of the instances, the first few of many: `web[0]`, `web[1]`. */
export function describeInstances(key: string, instances: InstanceSet): string {
  const quote = (instance: number | string) => `\`${formatResourceKey(key, instance)}\``;
  if (instances.kind === 'count') {
    const { count } = instances;
    const shown = Array.from({ length: Math.min(count, 3) }, (_, index) => quote(index));
    return count > 3 ? `${shown.join(', ')} … ${quote(count - 1)}` : shown.join(', ');
  }
  const keys = instances.kind === 'keys' ? [...instances.values.keys()] : [];
  return keys.slice(0, 12).map(quote).join(', ') + (keys.length > 12 ? ' …' : '');
}
