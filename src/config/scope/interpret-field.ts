import type { InstanceKey } from '../../model/address.ts';
import type { Value } from '../../model/value.ts';
import { kindRegistry } from '../../kinds/registry.ts';
import { listYamlMapEntries, toPlainValue, type LocatedYamlNode } from '../source/located-node.ts';
import type { ConfiguredBlock } from './space.ts';

/** Leaves out items of a list that are no texts, so that the others are still checked. */
export function dropNonTextItems(node: LocatedYamlNode): LocatedYamlNode {
  if (node.kind !== 'list') return node;
  const items = node.items.filter(
    (item) => item.kind === 'scalar' && typeof item.value === 'string',
  );
  return { ...node, items };
}

function readList(node: LocatedYamlNode): Value | undefined {
  const texts = dropNonTextItems(node);
  if (texts.kind !== 'list') return undefined;
  return texts.items.map((item) => (item.kind === 'scalar' ? item.value : null));
}

/** Reads a map of values; empty values are left out, and a map without any reads as absent. */
function readMap(node: LocatedYamlNode): Value | undefined {
  const values = [...listYamlMapEntries(node)].flatMap(([key, { value }]): [string, Value][] =>
    value.kind === 'scalar' && value.value === null ? [] : [[key, toPlainValue(value) as Value]],
  );
  return values.length === 0 ? undefined : Object.fromEntries(values);
}

function readDefault(
  { kind, key, eachKind, fields }: ConfiguredBlock,
  name: string,
  instance: InstanceKey | undefined,
): Value | undefined {
  const { initial } = kindRegistry[kind].fields[name] ?? {};
  if (initial) return fields.has(initial.unless ?? '') ? undefined : initial.value;
  if (name !== 'name' || !('name' in kindRegistry[kind].fields)) return undefined;
  if (eachKind === 'none') return key;
  return instance === undefined ? undefined : `${key}-${instance}`;
}

/** Reads the value of a field as an attribute. A value of a wrong type reads as absent: the schema has reported it. */
export function readFieldAsAttribute(
  block: ConfiguredBlock,
  name: string,
  instance: InstanceKey | undefined,
  node: LocatedYamlNode | undefined,
): Value | undefined {
  if (!node) return readDefault(block, name, instance);
  const { isSet, type } = kindRegistry[block.kind].fields[name] ?? {};
  if (isSet) return readList(node);
  if (type === 'map') return readMap(node);
  const value = node.kind === 'scalar' ? node.value : undefined;
  return typeof value === (type ?? 'string') ? value : undefined;
}
