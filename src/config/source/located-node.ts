// YAML as a tree of values with their places: the input of every step behind the parser.
import type { SourceTextRange } from './source-file.ts';

/** A scalar of YAML: a text, a number, true, false or null. */
export interface YamlScalarNode extends SourceTextRange {
  readonly kind: 'scalar';
  readonly value: string | number | boolean | null;
}

interface ListNode extends SourceTextRange {
  readonly kind: 'list';
  readonly items: readonly LocatedYamlNode[];
}

/** A key of a map with its value. */
export interface YamlEntry {
  readonly key: SourceTextRange;
  readonly value: LocatedYamlNode;
}

export interface YamlMapNode extends SourceTextRange {
  readonly kind: 'map';
  readonly entries: ReadonlyMap<string, YamlEntry>;
}

export type LocatedYamlNode = YamlScalarNode | ListNode | YamlMapNode;

/** Converts a YAML node to plain data, for the schema's validator. Objects have no prototype, since a key may have any name. */
export function toPlainValue(node: LocatedYamlNode): unknown {
  if (node.kind === 'scalar') return node.value;
  if (node.kind === 'list') return node.items.map(toPlainValue);
  const object = Object.create(null);
  for (const [key, { value }] of node.entries) object[key] = toPlainValue(value);
  return object;
}

/**
 * Lists the keys of a map with their values; none for any other node, so that readers need not care for values of a
 * wrong type.
 */
export function listYamlMapEntries(
  node: LocatedYamlNode | undefined,
): ReadonlyMap<string, YamlEntry> {
  return node?.kind === 'map' ? node.entries : new Map<string, YamlEntry>();
}

/** Finds the value below a key of a map; undefined without one. */
export function findYamlMapChild(
  node: LocatedYamlNode | undefined,
  key: string,
): LocatedYamlNode | undefined {
  return node?.kind === 'map' ? node.entries.get(key)?.value : undefined;
}

/** Describes a value in a sentence: `text`, `the number 5`, `a list`. A number that is a secret is `a number`. */
export function describeYamlNode(node: LocatedYamlNode): string {
  if (node.kind === 'list') return 'a list';
  if (node.kind === 'map') return 'a map';
  if (node.value === null) return 'empty';
  if (typeof node.value === 'string') return 'text';
  if (typeof node.value !== 'number') return `${node.value}`;
  return node.file.isSecret(node.start, node.end) ? 'a number' : `the number ${node.value}`;
}
