// Readers of the fields of resources. A value of a wrong type reads as undefined: the schema has reported it.
import type { ResourceAddress } from '../../model/address.ts';
import { defaultTimeouts, type NumberOrPercent, type Timeouts } from '../../model/resource.ts';
import type { SourceRange } from '../../model/source.ts';
import type { Attributes } from '../../model/value.ts';
import { maxChangeTimeoutMs, parseDuration } from '../duration.ts';
import type { ConfigurationFaultList } from './fault-list.ts';
import { findYamlMapChild, listYamlMapEntries, type LocatedYamlNode } from './located-node.ts';
import { toSourceRange, type SourceTextRange } from './source-file.ts';

/** YAML nodes of a resource's fields, by attribute. */
export type ResourceFieldNodes = Readonly<Record<string, LocatedYamlNode>>;

/**
 * Finds the source position of each attribute; that of the resource's key for one with its default. The entries of a
 * map are under `attribute.key`, too.
 */
export function locateAttributes(
  attributes: Attributes,
  nodes: ResourceFieldNodes,
  key: SourceTextRange,
): Readonly<Record<string, SourceRange>> {
  const sources: Record<string, SourceRange> = {};
  for (const name of Object.keys(attributes)) {
    sources[name] = toSourceRange(nodes[name] ?? key);
    for (const [entryKey, entry] of listYamlMapEntries(nodes[name])) {
      sources[`${name}.${entryKey}`] = toSourceRange(entry.key);
    }
  }
  return sources;
}

/** Reads the number in a YAML node; undefined for anything else. */
export function readNodeNumber(node: LocatedYamlNode | undefined): number | undefined {
  return node?.kind === 'scalar' && typeof node.value === 'number' ? node.value : undefined;
}

/** Reads the number or the percentage in a YAML node; undefined for anything else. */
export function readNumberOrPercentage(
  node: LocatedYamlNode | undefined,
): NumberOrPercent | undefined {
  const count = readNodeNumber(node);
  if (count !== undefined) return { count };
  const percent = /^(\d{1,3})%$/.exec(readNodeText(node) ?? '')?.[1];
  return percent === undefined ? undefined : { percent: Number(percent) };
}

/** Reads the text in a YAML node; undefined for anything else. */
export function readNodeText(node: LocatedYamlNode | undefined): string | undefined {
  return node?.kind === 'scalar' && typeof node.value === 'string' ? node.value : undefined;
}

/** Tells whether a YAML node is the value `true`, and not another value or absent. */
export function isTrueNode(node: LocatedYamlNode | undefined): boolean {
  return node?.kind === 'scalar' && node.value === true;
}

/** Reads the texts in a list of YAML; other items are left out. */
export function readNodeTexts(node: LocatedYamlNode | undefined): readonly string[] {
  if (node?.kind !== 'list') return [];
  return node.items.flatMap((item) => readNodeText(item) ?? []);
}

/** Reads a duration above zero, in milliseconds; one that is too long is reported. */
export function readTimeout(
  node: LocatedYamlNode | undefined,
  otherwiseMs: number,
  address: ResourceAddress,
  faults: ConfigurationFaultList,
): number {
  const text = readNodeText(node);
  const durationMs = text === undefined ? undefined : parseDuration(text);
  if (!node || durationMs === undefined) return otherwiseMs;
  if (durationMs > 0 && durationMs <= maxChangeTimeoutMs) return durationMs;
  faults.add({
    code: 'out-of-range',
    summary: `The timeout \`${text ?? ''}\` is out of range`,
    detail: 'Allowed is more than nothing and at most a week, which is 168h.',
    hint: 'Write for example 90s, 20m or 1h30m.',
    address,
    place: node,
  });
  return otherwiseMs;
}

/** Reads `timeouts`; a timeout that is not given has its default. */
export function readTimeouts(
  node: LocatedYamlNode | undefined,
  address: ResourceAddress,
  faults: ConfigurationFaultList,
): Timeouts {
  if (!node) return defaultTimeouts;
  const { createMs, updateMs, deleteMs } = defaultTimeouts;
  return {
    createMs: readTimeout(findYamlMapChild(node, 'create'), createMs, address, faults),
    updateMs: readTimeout(findYamlMapChild(node, 'update'), updateMs, address, faults),
    deleteMs: readTimeout(findYamlMapChild(node, 'delete'), deleteMs, address, faults),
  };
}
