import { projectKindsByCollection, topLevelKindsByCollection } from '../../model/address.ts';
import { projectKind } from '../../model/kind-table.ts';
import { addToGroup, elementAt } from '../../model/group-by.ts';
import { formatSourcePlace } from '../../model/source.ts';
import type { ConfigurationFaultList } from './fault-list.ts';
import {
  listYamlMapEntries,
  type YamlEntry,
  type LocatedYamlNode,
  type YamlMapNode,
} from './located-node.ts';
import { describeYamlPath } from './subject.ts';
import { toSourceRange } from './source-file.ts';

const sharedSections = new Set([
  'service',
  ...topLevelKindsByCollection.keys(),
  'variables',
  'locals',
  'modules',
  'outputs',
  'policies',
  'exemptions',
  'checks',
]);

/** The maps that several files may share. Everything else belongs to one file as a whole. */
function isShared(path: readonly string[]): boolean {
  const [section = '', , collection] = path;
  if (path.length === 1) return sharedSections.has(section);
  if (topLevelKindsByCollection.get(section) !== projectKind) return false;
  return path.length === 2 || (path.length === 3 && projectKindsByCollection.has(collection ?? ''));
}

function isNothing(node: LocatedYamlNode): boolean {
  return node.kind === 'scalar' && node.value === null;
}

function addDoubled(
  path: readonly string[],
  first: YamlEntry,
  entry: YamlEntry,
  faults: ConfigurationFaultList,
): void {
  faults.add({
    code: 'given-twice',
    summary: `${describeYamlPath(path)} is given twice`,
    detail: `It is first given at ${formatSourcePlace(toSourceRange(first.key))}.`,
    hint: 'Keep it in one of the two files, or give one of the two another key.',
    place: entry.key,
  });
}

const listSections = new Set(['moved', 'imports', 'removed']);

/** Joins the lists that several files give under one key. */
function joinLists(given: readonly YamlEntry[]): YamlEntry {
  const first = elementAt(given, 0);
  const lists = given.flatMap(({ value }) => (value.kind === 'list' ? [value] : []));
  const [list] = lists;
  return list
    ? { key: first.key, value: { ...list, items: lists.flatMap(({ items }) => items) } }
    : first;
}

/** Merges an entry that several files give under one key. */
function mergeEntry(
  path: readonly string[],
  given: readonly YamlEntry[],
  faults: ConfigurationFaultList,
): YamlEntry {
  const first = elementAt(given, 0);
  const others = given.slice(1);
  if (path.length === 1 && listSections.has(path[0] ?? '')) return joinLists(given);
  if (!isShared(path)) {
    // Several files may give the language version, since the schema allows only one value.
    if (path[0] !== 'version') for (const other of others) addDoubled(path, first, other, faults);
    return first;
  }
  const maps = given.filter(({ value }) => value.kind === 'map');
  if (maps.length < 2) return maps[0] ?? given.find(({ value }) => !isNothing(value)) ?? first;
  const merged = mergeMaps(
    path,
    maps.map(({ value }) => value as YamlMapNode),
    faults,
  );
  return { key: first.key, value: merged };
}

function mergeMaps(
  path: readonly string[],
  maps: readonly YamlMapNode[],
  faults: ConfigurationFaultList,
): YamlMapNode {
  const given = new Map<string, YamlEntry[]>();
  for (const map of maps) {
    for (const [key, entry] of map.entries) {
      addToGroup(given, key, entry);
    }
  }
  const entries = new Map<string, YamlEntry>();
  for (const [key, list] of given) entries.set(key, mergeEntry([...path, key], list, faults));
  const first = elementAt(maps, 0);
  return { ...first, entries };
}

/** The content of a file as a map; anything else was reported and counts as an empty one. */
function asMap(tree: LocatedYamlNode): YamlMapNode {
  return { ...tree, kind: 'map', entries: listYamlMapEntries(tree) };
}

/** Merges all files into one tree. The same resource or the same setting in two files is a fault that names both places. */
export function mergeYamlFiles(
  trees: readonly [LocatedYamlNode, ...LocatedYamlNode[]],
  faults: ConfigurationFaultList,
): YamlMapNode {
  return mergeMaps([], trees.map(asMap), faults);
}
