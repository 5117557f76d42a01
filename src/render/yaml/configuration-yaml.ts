import { Document, Pair, Scalar, YAMLMap, YAMLSeq, type Node } from 'yaml';
import { groupBy } from '../../model/group-by.ts';
import type {
  ExportedAccount,
  ExportedResource,
  UnexportedResource,
} from '../../model/account/exported.ts';
import {
  findContainingKind,
  isProject,
  kindPlaces,
  listDirectChildKinds,
} from '../../model/kind-places.ts';
import type { Attributes, Value } from '../../model/value.ts';
import { escapeUntrustedLines, escapeUntrustedText, quoteText } from '../format/escape.ts';

/** Service of the exported account: one at an address, or the embedded sandbox. */
export type ExportedService =
  | {
      readonly kind: 'remote';
      readonly baseUrl: string;
      /** The contract file, relative to the configuration; absent where the service spells everything as the contract does. */
      readonly contract?: string;
    }
  | { readonly kind: 'sandbox'; readonly dataDirectory: string };

/**
 * Renders the resources of an account as the YAML of a configuration whose plan only imports. Without a service, the
 * result is a further file of such a configuration.
 */
export function renderConfigurationYaml(
  exported: ExportedAccount,
  service: ExportedService | undefined,
): string {
  const root = new YAMLMap();
  const document = new Document(root, { compat: 'yaml-1.1' });
  document.commentBefore = comment([
    'What "hostwright export" found in the account. A plan imports all of it and changes nothing.',
    'Once that is applied, `imports` has done its work and can be removed.',
    ...explainLeftOut(exported.leftOut.filter(({ project }) => project === undefined)),
    ...(service?.kind === 'sandbox' ? explainSandbox(service.dataDirectory) : []),
  ]);
  add(root, 'version', new Scalar(1));
  if (service?.kind === 'remote') {
    const { baseUrl, contract } = service;
    addSection(root, 'service', mapOf({ baseUrl, ...(contract !== undefined && { contract }) }));
  }
  addSection(root, 'projects', drawProjects(exported));
  addSection(root, 'imports', drawImports(exported.resources));
  const text = document.toString({
    lineWidth: 0,
    // Values stay on one line each, however long: a folded text cannot be searched for.
    doubleQuotedMinMultiLineLength: Number.MAX_SAFE_INTEGER,
  });
  // Unsafe characters that are left stand in double quotes, where YAML has escapes for them.
  return escapeUntrustedLines(text);
}

function explainSandbox(dataDirectory: string): string[] {
  return [
    'The account is that of an embedded sandbox: put this file beside the configuration that has it, or say here, with --allow-outside-files',
    `service: { sandbox: { data: ${quoteText(dataDirectory)} } }`,
  ];
}

function drawProjects({ resources, leftOut }: ExportedAccount): YAMLMap {
  const below = groupBy(resources, ({ parent }) => parent);
  const drawAll = (all: readonly ExportedResource[]): YAMLMap => {
    const map = new YAMLMap();
    for (const { kind, address, local, fields, remarks } of all) {
      const body = mapOf(fields);
      // Resources within another one (a public IP's forwards) are short and all alike: a line each.
      if (findContainingKind(kind)) body.flow = true;
      const inside = below.get(address) ?? [];
      for (const one of listDirectChildKinds(kind)) {
        const ofKind = inside.filter((child) => child.kind === one);
        if (ofKind.length > 0) add(body, kindPlaces[one].collection, drawAll(ofKind));
      }
      const missing = isProject(kind) ? leftOut.filter(({ project }) => project === address) : [];
      add(map, local, body, [...explainLeftOut(missing), ...remarks]);
    }
    return map;
  };
  return drawAll(below.get(undefined) ?? []);
}

function explainLeftOut(leftOut: readonly UnexportedResource[]): string[] {
  return leftOut.map(({ title, why }) => `Left out: ${title}. ${why}`);
}

function drawImports(resources: readonly ExportedResource[]): YAMLSeq {
  const entries = new YAMLSeq();
  for (const { address, id, isElsewhere } of resources) {
    if (isElsewhere) continue;
    const entry = mapOf({ to: address, id });
    entry.flow = true;
    entries.add(entry);
  }
  return entries;
}

function addSection(root: YAMLMap, name: string, value: Node): void {
  const key = new Scalar(name);
  key.spaceBefore = true;
  root.add(new Pair(key, value));
}

function add(map: YAMLMap, name: string, value: Node, remarks: readonly string[] = []): void {
  const key = new Scalar(name);
  quoteUnsafe(key);
  if (remarks.length > 0) key.commentBefore = comment(remarks);
  map.add(new Pair(key, value));
}

function comment(lines: readonly string[]): string {
  return lines.map((line) => ` ${escapeUntrustedText(line)}`).join('\n');
}

function mapOf(fields: Attributes): YAMLMap {
  const map = new YAMLMap();
  for (const [name, value] of Object.entries(fields)) add(map, name, nodeOf(value));
  return map;
}

/** A YAML list on one line, without spaces inside its brackets. */
class ShortList extends YAMLSeq {
  override flow = true;

  override toString(...[context, ...rest]: Parameters<YAMLSeq['toString']>): string {
    return super.toString({ ...context, flowCollectionPadding: '' } as typeof context, ...rest);
  }
}

function nodeOf(value: Value): Node {
  if (Array.isArray(value)) {
    const list = new ShortList();
    for (const item of value) list.add(nodeOf(item));
    return list;
  }
  if (typeof value === 'object' && value !== null) {
    const map = mapOf(value);
    map.flow = true;
    return map;
  }
  if (typeof value !== 'string') return new Scalar(value);
  // A literal `${` is written `$${`, as it would begin an expression.
  const scalar = new Scalar(value.replaceAll('${', () => '$${'));
  quoteUnsafe(scalar);
  return scalar;
}

/**
 * Quotes a text with characters that must not stand raw in a file that people open, or that begins like a command of a CI
 * log: YAML's escapes write them.
 */
function quoteUnsafe(scalar: Scalar<string>): void {
  const { value } = scalar;
  if (escapeUntrustedText(value) !== value || /^\s*::/.test(value))
    scalar.type = Scalar.QUOTE_DOUBLE;
}
