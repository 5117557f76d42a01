// How the fields of resources are read. A value of a wrong type reads as undefined: it was reported by the schema.
import type { Timeouts } from '../model/resource.ts';
import type { SourceRange } from '../model/source.ts';
import type { Attributes, Value } from '../model/value.ts';
import { childOf, entriesOf, type LocatedNode } from './located-node.ts';
import { locate, type Place } from './source-file.ts';
import { readText } from './template.ts';

/** How long a change may take unless configured. */
export const defaultTimeouts: Timeouts = {
  createMs: 20 * 60_000,
  updateMs: 20 * 60_000,
  deleteMs: 10 * 60_000,
};

/** The values of a resource's fields, by attribute. */
export type Nodes = Readonly<Record<string, LocatedNode>>;

/** Where each attribute stands; one that has its default stands where the resource's key does. */
export function locateAttributes(
  attributes: Attributes,
  nodes: Nodes,
  key: Place,
): Readonly<Record<string, SourceRange>> {
  const sources: Record<string, SourceRange> = {};
  for (const name of Object.keys(attributes)) sources[name] = locate(nodes[name] ?? key);
  return sources;
}

/** Leaves out what could not be read. */
export function compact(values: Readonly<Record<string, Value | undefined>>): Attributes {
  return Object.fromEntries(
    Object.entries(values).filter((pair): pair is [string, Value] => pair[1] !== undefined),
  );
}

/** The values of a map by key. */
export function nodesOf(node: LocatedNode): Nodes {
  return Object.fromEntries([...entriesOf(node)].map(([name, { value }]) => [name, value]));
}

/** Reads a name: the key unless given, undefined when what is given is no plain text. */
export function readName(body: LocatedNode, key: string): string | undefined {
  const given = childOf(body, 'name');
  return given ? readText(given) : key;
}

/** The number that a value holds, if it holds one. */
export function readNumber(node: LocatedNode | undefined): number | undefined {
  return node?.kind === 'scalar' && typeof node.value === 'number' ? node.value : undefined;
}
