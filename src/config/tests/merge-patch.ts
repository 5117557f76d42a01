import type { YamlEntry, LocatedNode, MapNode } from '../source/located-node.ts';

/** A map with a merge patch applied to it (RFC 7396): maps merge, null removes a key, everything else replaces. */
export function applyPatch(target: MapNode, patch: MapNode): MapNode {
  const entries = new Map<string, YamlEntry>(target.entries);
  for (const [key, { key: place, value }] of patch.entries) {
    if (value.kind === 'scalar' && value.value === null) {
      entries.delete(key);
      continue;
    }
    const known = entries.get(key);
    entries.set(key, { key: known?.key ?? place, value: patchValue(known?.value, value) });
  }
  return { ...target, entries };
}

function patchValue(known: LocatedNode | undefined, patch: LocatedNode): LocatedNode {
  if (patch.kind !== 'map') return patch;
  const nothing: MapNode = { ...patch, entries: new Map() };
  return applyPatch(known?.kind === 'map' ? known : nothing, patch);
}
