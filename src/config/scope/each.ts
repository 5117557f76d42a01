import { NameTree, type ScopeValue } from '../../expressions/values/scope.ts';
import type { InstanceKey } from '../../model/address.ts';
import { kindPlaces, type KindName } from '../../model/kind-places.ts';
import {
  listYamlMapEntries,
  type YamlEntry,
  type LocatedYamlNode,
} from '../source/located-node.ts';

/** Way in which a block is repeated: not at all, by `count`, or by the keys of `forEach`. */
export type BlockRepetition = 'none' | 'count' | 'forEach';

/** The values of `each` in one instance of a repeated block. */
export interface EachBinding {
  readonly kind: BlockRepetition;
  /** The names below `each`; undefined in a block that is not repeated. */
  readonly names: NameTree | undefined;
  /** Source of `each.value`, where the block is repeated by a map. */
  readonly node?: LocatedYamlNode | undefined;
  /** The value of the `count` or the `forEach` of the body, as it is written. */
  readonly repeatedBy?: LocatedYamlNode | undefined;
  /** The values of `each` in the surrounding repeated block. */
  readonly outer?: EachBinding;
}

/** Finds out whether a block has `count`, `forEach` or neither. */
export function findBlockRepetition(body: LocatedYamlNode): BlockRepetition {
  const fields = listYamlMapEntries(body);
  if (fields.has('count')) return 'count';
  // Terraform's spelling was reported, and is followed: its names have their meaning.
  return fields.has('forEach') || fields.has('for_each') ? 'forEach' : 'none';
}

/** Finds out the repetition of a block; a kind with one resource per account is never repeated. */
export function findRepetitionOfKind(kind: KindName, body: LocatedYamlNode): BlockRepetition {
  return kindPlaces[kind].isSingle ? 'none' : findBlockRepetition(body);
}

/** The binding of `each` outside of repeated blocks, where it has no value. */
export const emptyEachBinding: EachBinding = { kind: 'none', names: undefined };

/** The instances that a block of the configuration has. */
export type InstanceSet =
  | { readonly kind: 'one' }
  /** A block without repetition whose `enabled` is false: it has no instance. */
  | { readonly kind: 'disabled' }
  | { readonly kind: 'count'; readonly count: number }
  | {
      readonly kind: 'keys';
      readonly values: ReadonlyMap<string, ScopeValue>;
      /** YAML nodes of the instances' values, where they are known. */
      readonly nodes: ReadonlyMap<string, LocatedYamlNode>;
    }
  /** The instances are not known because of a fault that was reported. */
  | { readonly kind: 'unknown' };

/** Lists the keys of the instances, in order; the key of a block without repetition is `undefined`. */
export function listInstanceKeys(instances: InstanceSet): readonly (InstanceKey | undefined)[] {
  switch (instances.kind) {
    case 'count':
      return Array.from({ length: instances.count }, (_, index) => index);
    case 'keys':
      return [...instances.values.keys()];
    case 'disabled':
      return [];
    default:
      // Without a usable set of instances, the fields of the block are checked once, under its key.
      return [undefined];
  }
}

/** The number of a block's instances; those not known are not counted. */
export function countInstances(instances: InstanceSet): number {
  switch (instances.kind) {
    case 'count':
      return instances.count;
    case 'keys':
      return instances.values.size;
    case 'one':
      return 1;
    case 'disabled':
    case 'unknown':
      return 0;
  }
}

/** Values of `each` for one of the instances of a block. */
export function bindEach(
  kind: BlockRepetition,
  instances: InstanceSet,
  key: InstanceKey | undefined,
  fields: ReadonlyMap<string, YamlEntry>,
  outer = emptyEachBinding,
): EachBinding {
  const repeatedBy = fields.get(kind)?.value;
  if (kind === 'count' && typeof key === 'number') {
    return { kind, names: NameTree.of('each', { index: key }), repeatedBy, outer };
  }
  if (instances.kind === 'keys' && typeof key === 'string') {
    const names = NameTree.of('each', { key, value: instances.values.get(key) ?? null });
    return { kind, names, node: instances.nodes.get(key), repeatedBy, outer };
  }
  return { kind, names: undefined, repeatedBy };
}
