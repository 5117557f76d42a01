// Entries about addresses: moved, imported, removed. Whether they fit is checked elsewhere. Those of a module are relative to
// it, and hold for every instance of it.
import { Unknown } from '../../expressions/values/scope.ts';
import type { ImportEntry, MovedEntry, RemovedEntry } from '../../model/resource.ts';
import {
  findBlockRepetition,
  listInstanceKeys,
  bindEach,
  emptyEachBinding,
} from '../scope/each.ts';
import { readInstances } from '../scope/read-instances.ts';
import {
  findYamlMapChild,
  type LocatedYamlNode,
  type YamlMapNode,
} from '../source/located-node.ts';
import { readNodeText } from '../source/read-fields.ts';
import { evaluateYamlNode } from '../scope/resolve-node.ts';
import { toSourceRange } from '../source/source-file.ts';
import type { ModuleExpressionContext } from '../scope/space.ts';

/** An entry of `moved`, `imports` or `removed`, with the YAML nodes of its values. */
export interface LocatedAddressEntry<T> {
  readonly entry: T;
  /** Prefix of the module with the entry, as in `modules.shopEu["eu"].`; empty in the configuration itself. */
  readonly prefix: string;
  readonly from: LocatedYamlNode | undefined;
  readonly to: LocatedYamlNode | undefined;
}

function listItems(space: ModuleExpressionContext, section: string): readonly LocatedYamlNode[] {
  const node = space.source.tree.entries.get(section)?.value;
  return node?.kind === 'list' ? node.items : [];
}

function resolveItem(
  item: LocatedYamlNode,
  space: ModuleExpressionContext,
  each = emptyEachBinding,
): readonly YamlMapNode[] {
  const mustBeKnown = 'It says what the plan is about.';
  const resolved = evaluateYamlNode(item, { space, each, mustBeKnown });
  return !(resolved instanceof Unknown) && resolved.kind === 'map' ? [resolved] : [];
}

/** The entries of an item: one for each of its instances, if it is repeated. */
function repeatItem(
  item: LocatedYamlNode,
  path: readonly string[],
  space: ModuleExpressionContext,
): readonly YamlMapNode[] {
  if (item.kind !== 'map') return [];
  const { enabled, count, forEach, ...rest } = Object.fromEntries(item.entries);
  if (!enabled && !count && !forEach) return resolveItem(item, space);
  const fields = item.entries;
  const instances = readInstances({
    space,
    fields,
    each: emptyEachBinding,
    path,
    definition: 'import',
  });
  if (instances.kind === 'unknown') return [];
  const body: YamlMapNode = { ...item, entries: new Map(Object.entries(rest)) };
  const eachKind = findBlockRepetition(item);
  return listInstanceKeys(instances).flatMap((key) =>
    resolveItem(body, space, bindEach(eachKind, instances, key, fields)),
  );
}

/** Reads the section `moved`: resources whose address has changed. */
export function readMoves(
  space: ModuleExpressionContext,
): readonly LocatedAddressEntry<MovedEntry>[] {
  const { prefix } = space;
  const items = listItems(space, 'moved').flatMap((item) => resolveItem(item, space));
  return items.flatMap((item) => {
    const from = findYamlMapChild(item, 'from');
    const to = findYamlMapChild(item, 'to');
    const [old, now] = [readNodeText(from), readNodeText(to)];
    if (old === undefined || now === undefined) return [];
    const entry = { from: prefix + old, to: prefix + now, source: toSourceRange(item) };
    return [{ entry, prefix, from, to }];
  });
}

/** Reads an id. A numeric one keeps its digits as written, since no float holds all of them. */
function readId(node: LocatedYamlNode | undefined): string | undefined {
  if (node?.kind !== 'scalar' || typeof node.value !== 'number') return readNodeText(node);
  const digits = node.file.text.slice(node.start, node.end);
  return /^\d+$/.test(digits) ? digits : String(node.value);
}

/** Reads the section `imports`: live resources to be adopted. */
export function readImports(
  space: ModuleExpressionContext,
): readonly LocatedAddressEntry<ImportEntry>[] {
  const { prefix } = space;
  const items = listItems(space, 'imports').flatMap((item, index) =>
    repeatItem(item, ['imports', String(index)], space),
  );
  return items.flatMap((item) => {
    const to = findYamlMapChild(item, 'to');
    const address = readNodeText(to);
    const id = readId(findYamlMapChild(item, 'id'));
    const name = readNodeText(findYamlMapChild(item, 'name'));
    if (address === undefined || (id === undefined && name === undefined)) return [];
    const entry = {
      to: prefix + address,
      ...(id !== undefined && { id }),
      ...(name !== undefined && { name }),
      ...(readNodeText(findYamlMapChild(item, 'as')) === 'live' && { isAsLive: true as const }),
      source: toSourceRange(item),
    };
    return [{ entry, prefix, from: undefined, to }];
  });
}

/** Reads the section `removed`: resources that Hostwright stops managing, without destroying them. */
export function readRemovals(
  space: ModuleExpressionContext,
): readonly LocatedAddressEntry<RemovedEntry>[] {
  const { prefix } = space;
  const items = listItems(space, 'removed').flatMap((item) => resolveItem(item, space));
  return items.flatMap((item) => {
    const from = findYamlMapChild(item, 'from');
    const address = readNodeText(from);
    if (address === undefined) return [];
    const destroy = findYamlMapChild(item, 'destroy');
    const isKept = destroy?.kind === 'scalar' && destroy.value === false;
    const entry = { from: prefix + address, destroy: !isKept, source: toSourceRange(item) };
    return [{ entry, prefix, from, to: undefined }];
  });
}
