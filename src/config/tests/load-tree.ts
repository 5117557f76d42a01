import { evaluateConfiguration, type LoadOptions, type LoadResult } from '../load-configuration.ts';
import { openConfigurationReading } from '../load-sources.ts';
import { LockedModules } from '../modules/git-modules.ts';
import { FaultList } from '../source/fault-list.ts';
import type { MapNode } from '../source/located-node.ts';
import type { ReadSource } from '../modules/read-source.ts';

/** Loads a configuration from YAML that was read already, with the result of `loadConfiguration`. */
export function loadTree(tree: MapNode, options: LoadOptions): Promise<LoadResult> {
  const source = { tree, path: '.', variables: new Map(), modules: new Map() };
  const read: ReadSource = {
    source: { ...source, prepared: new WeakMap() },
    files: [tree.file.path],
    firstFile: tree.file,
    isWhole: true,
  };
  const faults = new FaultList(options.secrets);
  const sources = { ...options, given: options.variables?.given };
  const reading = openConfigurationReading(sources, faults, (reach) => new LockedModules(reach));
  return evaluateConfiguration(read, options, reading);
}
