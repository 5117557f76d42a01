// Entries about addresses: moved, imported, removed. Whether they fit is checked elsewhere. Those of a module are relative to
// it, and hold for every instance of it.
import { Unknown } from '../../expressions/values/scope.ts';
import type { ImportEntry, MovedEntry, RemovedEntry } from '../../model/resource.ts';
import { findEachKind, listInstanceKeys, bindEach, noEach } from '../scope/each.ts';
import { readInstances } from '../scope/read-instances.ts';
import { mapChildOf, type LocatedNode, type MapNode } from '../source/located-node.ts';
import { readNodeText } from '../source/read-fields.ts';
import { resolveNode } from '../scope/resolve-node.ts';
import { toSourceRange } from '../source/source-file.ts';
import type { ModuleExpressionContext } from '../scope/space.ts';

/** An entry of `moved`, `imports` or `removed`, with the YAML nodes of its values. */
export interface ReadAddressEntry<T> {
  readonly entry: T;
  /** Prefix of the module with the entry, as in `modules.shopEu["eu"].`; empty in the configuration itself. */
  readonly prefix: string;
  readonly from: LocatedNode | undefined;
  readonly to: LocatedNode | undefined;
}

function listItems(space: ModuleExpressionContext, section: string): readonly LocatedNode[] {
  const node = space.source.tree.entries.get(section)?.value;
  return node?.kind === 'list' ? node.items : [];
}

function resolveItem(
  item: LocatedNode,
  space: ModuleExpressionContext,
  each = noEach,
): readonly MapNode[] {
  const mustBeKnown = 'It says what the plan is about.';
  const resolved = resolveNode(item, { space, each, mustBeKnown });
  return !(resolved instanceof Unknown) && resolved.kind === 'map' ? [resolved] : [];
}

/** The entries of an item: one for each of its instances, if it is repeated. */
function repeatItem(
  item: LocatedNode,
  path: readonly string[],
  space: ModuleExpressionContext,
): readonly MapNode[] {
  if (item.kind !== 'map') return [];
  const { enabled, count, forEach, ...rest } = Object.fromEntries(item.entries);
  if (!enabled && !count && !forEach) return resolveItem(item, space);
  const fields = item.entries;
  const instances = readInstances({ space, fields, each: noEach, path, definition: 'import' });
  if (instances.kind === 'unknown') return [];
  const body: MapNode = { ...item, entries: new Map(Object.entries(rest)) };
  const eachKind = findEachKind(item);
  return listInstanceKeys(instances).flatMap((key) =>
    resolveItem(body, space, bindEach(eachKind, instances, key, fields)),
  );
}

/** Reads the section `moved`: resources that have a new address. */
export function readMoves(space: ModuleExpressionContext): readonly ReadAddressEntry<MovedEntry>[] {
  const { prefix } = space;
  const items = listItems(space, 'moved').flatMap((item) => resolveItem(item, space));
  return items.flatMap((item) => {
    const from = mapChildOf(item, 'from');
    const to = mapChildOf(item, 'to');
    const [old, now] = [readNodeText(from), readNodeText(to)];
    if (old === undefined || now === undefined) return [];
    const entry = { from: prefix + old, to: prefix + now, source: toSourceRange(item) };
    return [{ entry, prefix, from, to }];
  });
}

/** Reads an id. A numeric one keeps its digits as written, since no float holds all of them. */
function readId(node: LocatedNode | undefined): string | undefined {
  if (node?.kind !== 'scalar' || typeof node.value !== 'number') return readNodeText(node);
  const digits = node.file.text.slice(node.start, node.end);
  return /^\d+$/.test(digits) ? digits : String(node.value);
}

/** Reads the section `imports`: live resources to adopt. */
export function readImports(
  space: ModuleExpressionContext,
): readonly ReadAddressEntry<ImportEntry>[] {
  const { prefix } = space;
  const items = listItems(space, 'imports').flatMap((item, index) =>
    repeatItem(item, ['imports', String(index)], space),
  );
  return items.flatMap((item) => {
    const to = mapChildOf(item, 'to');
    const address = readNodeText(to);
    const id = readId(mapChildOf(item, 'id'));
    const name = readNodeText(mapChildOf(item, 'name'));
    if (address === undefined || (id === undefined && name === undefined)) return [];
    const entry = {
      to: prefix + address,
      ...(id !== undefined && { id }),
      ...(name !== undefined && { name }),
      ...(readNodeText(mapChildOf(item, 'as')) === 'live' && { isAsLive: true as const }),
      source: toSourceRange(item),
    };
    return [{ entry, prefix, from: undefined, to }];
  });
}

/** Reads the section `removed`: resources to forget. */
export function readRemovals(
  space: ModuleExpressionContext,
): readonly ReadAddressEntry<RemovedEntry>[] {
  const { prefix } = space;
  const items = listItems(space, 'removed').flatMap((item) => resolveItem(item, space));
  return items.flatMap((item) => {
    const from = mapChildOf(item, 'from');
    const address = readNodeText(from);
    if (address === undefined) return [];
    const destroy = mapChildOf(item, 'destroy');
    const isKept = destroy?.kind === 'scalar' && destroy.value === false;
    const entry = { from: prefix + address, destroy: !isKept, source: toSourceRange(item) };
    return [{ entry, prefix, from, to: undefined }];
  });
}
