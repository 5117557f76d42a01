import { isKnown, type ScopeValue } from '../../expressions/values/scope.ts';
import type { ResourceAddress } from '../../model/address.ts';
import type { KindName } from '../../model/kind-places.ts';
import type { EachBinding, InstanceSet } from './each.ts';
import {
  findYamlMapChild,
  describeYamlNode,
  type YamlEntry,
  type LocatedYamlNode,
} from '../source/located-node.ts';
import { readNodeNumber } from '../source/read-fields.ts';
import { hasExpression, pickMapEntrySource, evaluateKeyedYamlNode } from './resolve-node.ts';
import type { ModuleExpressionContext } from './space.ts';
import { describeYamlPath } from '../source/subject.ts';
import { validateField } from '../schema/validate-field.ts';

/** A body that may be repeated or switched off: the block of a resource, the use of a module, or an import. */
interface Repeated {
  readonly space: ModuleExpressionContext;
  readonly fields: ReadonlyMap<string, YamlEntry>;
  /** The values of `each` in the surrounding block. */
  readonly each: EachBinding;
  /** Address of the repeated block; absent for an entry of `imports`. */
  readonly address?: ResourceAddress;
  readonly path: readonly string[];
  readonly definition: KindName | 'module' | 'import';
}

/** Limit of the schema; a larger count was reported and is not expanded. */
const maxInstances = 100_000;

const unknown: InstanceSet = { kind: 'unknown' };

/** The value of a field; undefined when a fault, which was reported, keeps it from being used. */
function resolveField(
  field: 'count' | 'forEach' | 'enabled',
  entry: YamlEntry,
  of: Repeated,
): { readonly node: LocatedYamlNode; readonly value: ScopeValue } | undefined {
  const { space, each, address, path, definition } = of;
  const mustBeKnown = `\`${field}\` says which instances there are.`;
  const isMap = field === 'forEach' && entry.value.kind === 'map';
  const around = {
    space,
    each,
    address,
    // Only the keys of a map must be known now; its values may become known later.
    ...(!isMap && {
      mustBeKnown,
      readsNoData: `${mustBeKnown} It is needed before \`data\` is read.`,
    }),
  };
  const resolved = evaluateKeyedYamlNode(entry.value, around);
  if (!resolved || !hasExpression(entry.value)) return resolved;
  const subject = { path: [...path, field], node: resolved.node, key: entry.key };
  const isFitting = validateField(definition, field, subject, address, space.session.faults);
  return isFitting ? resolved : undefined;
}

function readCount(entry: YamlEntry, of: Repeated): InstanceSet {
  const count = readNodeNumber(resolveField('count', entry, of)?.node);
  const isUsable =
    count !== undefined && Number.isInteger(count) && count >= 0 && count <= maxInstances;
  return isUsable ? { kind: 'count', count } : unknown;
}

function readKeys(written: LocatedYamlNode, node: LocatedYamlNode, value: ScopeValue): InstanceSet {
  const values = new Map<string, ScopeValue>();
  const nodes = new Map<string, LocatedYamlNode>();
  if (node.kind === 'map') {
    const all = value as Readonly<Record<string, ScopeValue>>;
    for (const key of node.entries.keys()) {
      values.set(key, all[key] ?? null);
      const given = values.get(key) ?? null;
      const one =
        findYamlMapChild(written, key) ??
        (isKnown(given) ? undefined : pickMapEntrySource(written, key));
      if (one) nodes.set(key, one);
    }
    return { kind: 'keys', values, nodes };
  }
  if (node.kind !== 'list') return unknown;
  for (const item of node.items) {
    if (item.kind !== 'scalar' || typeof item.value !== 'string') return unknown;
    values.set(item.value, item.value);
  }
  return { kind: 'keys', values, nodes };
}

function readForEach(entry: YamlEntry, of: Repeated): InstanceSet {
  const { space, address, path } = of;
  const { value: found, isSensitive } = space.session.trace(() =>
    resolveField('forEach', entry, of),
  );
  if (!found) return unknown;
  if (isSensitive) {
    space.session.faults.add({
      code: 'sensitive-keys',
      summary: `${describeYamlPath([...path, 'forEach'])} depends on a sensitive value`,
      detail: 'Keys become part of addresses, which every message shows.',
      hint: 'Use keys that are not sensitive.',
      ...(address !== undefined && { address }),
      place: entry.value,
    });
    return unknown;
  }
  const { node, value } = found;
  const isUsable = node.kind === 'list' || node.kind === 'map';
  if (!isUsable && hasExpression(entry.value)) {
    space.session.faults.add({
      code: 'wrong-type',
      summary: `${describeYamlPath([...path, 'forEach'])} must be a list or a map`,
      detail: `Got ${describeYamlNode(node)}.`,
      hint: 'Give a list of texts, or a map.',
      ...(address !== undefined && { address }),
      place: entry.value,
    });
  }
  return readKeys(entry.value, entry.value.kind === 'map' ? entry.value : node, value);
}

function readRepetition(of: Repeated): InstanceSet {
  const count = of.fields.get('count');
  const forEach = of.fields.get('forEach');
  // The fault of `count` together with `forEach` was already reported.
  if (count && forEach) return unknown;
  if (count) return readCount(count, of);
  return forEach ? readForEach(forEach, of) : { kind: 'one' };
}

/** The instances that remain of a block that is switched off: none. */
function switchOff({ kind }: InstanceSet): InstanceSet {
  switch (kind) {
    case 'count':
      return { kind, count: 0 };
    case 'keys':
      return { kind, values: new Map(), nodes: new Map() };
    case 'one':
    case 'disabled':
      return { kind: 'disabled' };
    case 'unknown':
      return unknown;
  }
}

/**
 * Reads the instances of a block from `enabled`, `count` and `forEach`; unknown when a fault, which was reported, keeps
 * them from being known.
 */
export function readInstances(of: Repeated): InstanceSet {
  const instances = readRepetition(of);
  const enabled = of.fields.get('enabled');
  if (!enabled) return instances;
  const flag = resolveField('enabled', enabled, of)?.node;
  if (flag?.kind !== 'scalar' || typeof flag.value !== 'boolean') return unknown;
  return flag.value ? instances : switchOff(instances);
}
