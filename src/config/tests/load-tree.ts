import { evaluate, type LoadOptions, type LoadResult } from '../load-configuration.ts';
import type { MapNode } from '../source/located-node.ts';
import { makeReading } from '../source/make-reading.ts';
import type { ReadSource } from '../source/read-source.ts';

/** What `loadConfiguration` gives, for YAML that was read already and stands in one file. */
export function loadTree(tree: MapNode, options: LoadOptions): Promise<LoadResult> {
  const source = { tree, path: '.', variables: new Map(), modules: new Map() };
  const read: ReadSource = {
    source: { ...source, prepared: new WeakMap() },
    ...{ files: [tree.file.path], firstFile: tree.file, isWhole: true },
  };
  return evaluate(read, options, makeReading(options));
}
