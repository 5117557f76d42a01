import { localKey, type Address } from '../model/address.ts';
import type { DesiredResource, KindName } from '../model/resource.ts';
import type { LocatedNode } from './located-node.ts';
import type { Place } from './source-file.ts';

/** How many instances a key stands for: one without `count`, a number, or not known because of another fault. */
export type Instances = 'one' | 'unknown' | number;

/** A resource with where it was read. What could not be read is absent from its attributes. */
export interface Declaration {
  readonly resource: DesiredResource;
  readonly key: Place;
  /** The value of each field, by attribute; a field left to its default is absent. */
  readonly nodes: Readonly<Record<string, LocatedNode>>;
}

/** Every resource that the configuration declares, also those with faults, so that references to them hold. */
export class Declarations {
  readonly all: Declaration[] = [];
  readonly #groups = new Map<string, Map<string, Instances>>();

  /** Takes down a key of a collection of a project. */
  declareKey(project: Address, kind: KindName, key: string, instances: Instances): void {
    const name = `${project} ${kind}`;
    const group = this.#groups.get(name) ?? new Map<string, Instances>();
    this.#groups.set(name, group);
    group.set(key, instances);
  }

  /** What a key of a project's collection stands for; undefined when there is no such key. */
  instancesOf(project: Address, kind: KindName, key: string): Instances | undefined {
    return this.#groups.get(`${project} ${kind}`)?.get(key);
  }

  /** The keys of a project's collection. */
  keysOf(project: Address, kind: KindName): readonly string[] {
    return [...(this.#groups.get(`${project} ${kind}`)?.keys() ?? [])];
  }
}

/** Local keys of the instances, the first few of many: `web[0]`, `web[1]`. */
export function listInstances(key: string, count: number): string {
  const shown = Array.from({ length: Math.min(count, 3) }, (_, index) => localKey(key, index));
  const list = shown.map((name) => `\`${name}\``).join(', ');
  return count > 3 ? `${list} … \`${localKey(key, count - 1)}\`` : list;
}
