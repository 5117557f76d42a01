import { buildYamlTree } from './build-tree.ts';
import type { ConfigurationFaultList } from './fault-list.ts';
import type { LocatedYamlNode } from './located-node.ts';
import { parseYaml } from './parse-yaml.ts';
import type { SourceFile } from './source-file.ts';

/**
 * Reads the YAML of one file; the tree is absent where the file is empty. Undefined when the file has a fault, which is
 * reported, as an alias without an anchor, whose missing value would cause many further faults.
 */
export function readYamlTree(
  file: SourceFile,
  faults: ConfigurationFaultList,
): { readonly tree: LocatedYamlNode | undefined } | undefined {
  const document = parseYaml(file, faults);
  return document && buildYamlTree(document, file, faults);
}
