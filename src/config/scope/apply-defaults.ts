import {
  mapChildOf,
  type YamlEntry,
  type LocatedNode,
  type MapNode,
} from '../source/located-node.ts';

/** Blocks of `defaults` for the resources of a collection, the nearest first. */
export function listDefaults(
  defaults: readonly (LocatedNode | undefined)[],
  collection: string,
): readonly MapNode[] {
  const found = defaults.map((one) => mapChildOf(one, collection));
  return found.filter((node) => node?.kind === 'map');
}

const repeating = ['count', 'forEach'];

function mergeMaps(own: MapNode, below: MapNode): MapNode {
  const entries = new Map(own.entries);
  const isRepeated = repeating.some((key) => own.entries.has(key));
  for (const [key, entry] of below.entries) {
    const mine = entries.get(key);
    // The two exclude each other: the nearer one holds.
    if (!mine && isRepeated && repeating.includes(key)) continue;
    if (!mine) entries.set(key, entry);
    else if (mine.value.kind === 'map' && entry.value.kind === 'map' && key !== 'forEach') {
      entries.set(key, { key: mine.key, value: mergeMaps(mine.value, entry.value) });
    }
  }
  return { ...own, entries };
}

/** A body with defaults under it: maps merge, everything else is taken as a whole. Each value keeps its own place. */
export function mergeUnder(entry: YamlEntry, defaults: readonly MapNode[]): YamlEntry {
  if (defaults.length === 0) return entry;
  const { key, value } = entry;
  const isEmpty = value.kind === 'scalar' && value.value === null;
  const { file, start, end } = value;
  const own: LocatedNode = isEmpty ? { kind: 'map', entries: new Map(), file, start, end } : value;
  if (own.kind !== 'map') return entry;
  return { key, value: defaults.reduce(mergeMaps, own) };
}
