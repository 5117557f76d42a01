import { buildYamlTree } from './build-tree.ts';
import type { FaultList } from './fault-list.ts';
import type { LocatedYamlNode } from './located-node.ts';
import { parseYaml } from './parse-yaml.ts';
import type { SourceFile } from './source-file.ts';

/**
 * Reads the YAML of one file; without a tree where it is empty. Undefined when it is broken, which is reported; an alias
 * without an anchor counts, since its missing value would cause many faults.
 */
export function readYamlTree(
  file: SourceFile,
  faults: FaultList,
): { readonly tree: LocatedYamlNode | undefined } | undefined {
  const document = parseYaml(file, faults);
  return document && buildYamlTree(document, file, faults);
}
