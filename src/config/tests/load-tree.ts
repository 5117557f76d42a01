import {
  evaluateConfiguration,
  type ConfigurationLoadOptions,
  type ConfigurationLoadResult,
} from '../load-configuration.ts';
import { openConfigurationReading } from '../load-sources.ts';
import { LockedModuleFinder } from '../modules/git-modules.ts';
import { ConfigurationFaultList } from '../source/fault-list.ts';
import type { YamlMapNode } from '../source/located-node.ts';
import type { SourceDirectoryFiles } from '../modules/read-source.ts';

/**
 * Loads a configuration from YAML that was parsed already, without reading any file; the result is as that of
 * `loadConfiguration`.
 */
export function loadConfigurationFromYamlTree(
  tree: YamlMapNode,
  options: ConfigurationLoadOptions,
): Promise<ConfigurationLoadResult> {
  const source = { tree, path: '.', variables: new Map(), modules: new Map() };
  const read: SourceDirectoryFiles = {
    source: { ...source, prepared: new WeakMap() },
    files: [tree.file.path],
    firstFile: tree.file,
    isWhole: true,
  };
  const faults = new ConfigurationFaultList(options.secrets);
  const sources = { ...options, given: options.variables?.given };
  const reading = openConfigurationReading(
    sources,
    faults,
    (reach) => new LockedModuleFinder(reach),
  );
  return evaluateConfiguration(read, options, reading);
}
