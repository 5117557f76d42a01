import { validateFileAgainstSchema } from '../schema/validate-shape.ts';
import type { ConfigurationFaultList } from '../source/fault-list.ts';
import type { YamlEntry, YamlMapNode, LocatedYamlNode } from '../source/located-node.ts';

/** Sections that a test leaves out, as they would lead out of its sandbox. */
const leftOut = ['service', 'state'];

/**
 * Prepares the configuration for a test: with the edits of the test's steps, and without its service and its state, so
 * that neither is touched. A module is tested as if it were a configuration.
 */
export function prepareTestConfiguration(
  tree: YamlMapNode,
  patches: readonly YamlMapNode[],
  faults: ConfigurationFaultList,
): YamlMapNode {
  const entries = new Map<string, YamlEntry>(tree.entries);
  for (const name of leftOut) entries.delete(name);
  const isModule = tree.entries.size > 0 && !entries.has('version');
  if (isModule) entries.set('version', makeVersionNode(tree));
  const own: YamlMapNode = { ...tree, entries };
  if (patches.length === 0) return own;
  const patched = patches.reduce(applyMergePatch, own);
  // The files were validated before; the patches of a test may break them.
  validateFileAgainstSchema(patched, faults);
  return patched;
}

/** Makes the entry `version: 1` of a file that has none. */
export function makeVersionNode({ file, start }: YamlMapNode): YamlEntry {
  const place = { file, start, end: start };
  return { key: place, value: { ...place, kind: 'scalar', value: 1 } };
}

/** Applies a JSON Merge Patch (RFC 7396) to a map: maps merge, null removes a key, everything else replaces. */
export function applyMergePatch(target: YamlMapNode, patch: YamlMapNode): YamlMapNode {
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

function patchValue(known: LocatedYamlNode | undefined, patch: LocatedYamlNode): LocatedYamlNode {
  if (patch.kind !== 'map') return patch;
  const nothing: YamlMapNode = { ...patch, entries: new Map() };
  return applyMergePatch(known?.kind === 'map' ? known : nothing, patch);
}
