import { buildTree } from './build-tree.ts';
import type { FaultList } from './fault-list.ts';
import type { LocatedNode } from './located-node.ts';
import { parseYaml } from './parse-yaml.ts';
import type { SourceFile } from './source-file.ts';

/**
 * The YAML of one file, without a tree where it is empty; undefined when it is broken, which is
 * reported: an alias that stands for nothing would be missed all over the place.
 */
export function readTree(
  file: SourceFile,
  faults: FaultList,
): { readonly tree: LocatedNode | undefined } | undefined {
  const document = parseYaml(file, faults);
  return document && buildTree(document, file, faults);
}
