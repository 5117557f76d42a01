import { NameTree, type ScopeValue } from '../../expressions/values/scope.ts';
import type { InstanceKey } from '../../model/address.ts';
import { kindPlaces, type KindName } from '../../model/kind-places.ts';
import { mapEntriesOf, type YamlEntry, type LocatedNode } from '../source/located-node.ts';

/** Repetition of a block: none, by a number, or by keys. */
export type EachKind = 'none' | 'count' | 'forEach';

/** Meaning of `each` in one instance of a block. */
export interface EachBinding {
  readonly kind: EachKind;
  /** Undefined when the body is not repeated. */
  readonly names: NameTree | undefined;
  /** Source of `each.value`, where the block is repeated by a map. */
  readonly node?: LocatedNode | undefined;
  /** The value of the `count` or the `forEach` of the body, as it is written. */
  readonly repeatedBy?: LocatedNode | undefined;
  /** The meaning of `each` in the block around it. */
  readonly outer?: EachBinding;
}

/** Repetition that a block asks for. */
export function findEachKind(body: LocatedNode): EachKind {
  const fields = mapEntriesOf(body);
  if (fields.has('count')) return 'count';
  // Terraform's spelling was reported, and is followed: its names have their meaning.
  return fields.has('forEach') || fields.has('for_each') ? 'forEach' : 'none';
}

/** Repetition of a block of a kind; a kind with one resource per account is never repeated. */
export function eachKindOf(kind: KindName, body: LocatedNode): EachKind {
  return kindPlaces[kind].isSingle ? 'none' : findEachKind(body);
}

/** `each` outside of repeated blocks. */
export const noEach: EachBinding = { kind: 'none', names: undefined };

/** Which instances a body has. */
export type InstanceSet =
  | { readonly kind: 'one' }
  /** Not repeated, and `enabled` is false. */
  | { readonly kind: 'disabled' }
  | { readonly kind: 'count'; readonly count: number }
  | {
      readonly kind: 'keys';
      readonly values: ReadonlyMap<string, ScopeValue>;
      /** Source of each value, where it is known. */
      readonly nodes: ReadonlyMap<string, LocatedNode>;
    }
  /** Not known, because of a fault. */
  | { readonly kind: 'unknown' };

/** The keys of the instances, in order; `undefined` for the only one. */
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

/** The number of instances, as far as it is known. */
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

/** The meaning of `each` in one of the instances of a body. */
export function bindEach(
  kind: EachKind,
  instances: InstanceSet,
  key: InstanceKey | undefined,
  fields: ReadonlyMap<string, YamlEntry>,
  outer = noEach,
): EachBinding {
  const repeatedBy = fields.get(kind)?.value;
  if (kind === 'count' && typeof key === 'number') {
    return { kind, names: NameTree.of('each', { index: key }), repeatedBy, outer };
  }
  if (instances.kind === 'keys' && typeof key === 'string') {
    const names = NameTree.of('each', { key, value: instances.values.get(key) ?? null });
    return { kind, names, node: instances.nodes.get(key), repeatedBy, outer };
  }
  return { kind, names: undefined };
}
