// The only reader of YAML: files in, a desired graph out, or every fault with its place. It asks nothing of the service
// and decides nothing about changes. Nothing here throws on any text.
import { resolve } from 'node:path';
import type { Diagnostic } from '../model/diagnostic.ts';
import type { DesiredGraph } from '../model/resource.ts';
import { buildTree } from './build-tree.ts';
import { checkExpressions } from './check-expressions.ts';
import { checkReferences } from './check-references.ts';
import { checkUniqueness } from './check-uniqueness.ts';
import { expandResources } from './expand-resources.ts';
import { FaultList } from './fault-list.ts';
import { childOf, type LocatedNode, type MapNode } from './located-node.ts';
import { mergeFiles } from './merge-files.ts';
import { parseYaml } from './parse-yaml.ts';
import { readFiles } from './read-files.ts';
import { readNumber } from './read-fields.ts';
import { readPublicKeys } from './read-public-keys.ts';
import { readService, type ServiceSettings } from './read-service.ts';
import { refuseFields, refuseSections } from './refuse-unsupported.ts';
import type { SourceFile } from './source-file.ts';
import { validateShape } from './validate-shape.ts';

export type { ServiceSettings };

export interface LoadOptions {
  /** Where the YAML files are; relative to the working directory unless absolute. */
  readonly directory: string;
  /** What paths in messages are relative to; absolute. */
  readonly workingDirectory: string;
}

/** A configuration without a fault. */
export interface Configuration {
  /** Absolute. */
  readonly directory: string;
  /** Its YAML files as messages show them: relative to the working directory, sorted. */
  readonly files: readonly string[];
  /** Undefined when the configuration does not say where the account is: the environment may. */
  readonly service: ServiceSettings | undefined;
  /** At most so many requests a second; undefined when nothing is said. */
  readonly requestsPerSecond: number | undefined;
  readonly graph: DesiredGraph;
}

export interface LoadResult {
  /** Undefined when any diagnostic is an error. */
  readonly configuration: Configuration | undefined;
  /** All of them, by file and position. */
  readonly diagnostics: readonly Diagnostic[];
}

interface ReadTrees {
  readonly trees: readonly LocatedNode[];
  /** False when a file could not be parsed: what it holds is not known. */
  readonly isComplete: boolean;
}

/** The files as trees, each checked against the shape of the language; empty files have none. */
function readTrees(files: readonly SourceFile[], faults: FaultList): ReadTrees {
  const trees: LocatedNode[] = [];
  let isComplete = true;
  for (const file of files) {
    const document = parseYaml(file, faults);
    const tree = document && buildTree(document, file, faults);
    isComplete &&= document !== undefined;
    if (!tree) continue;
    validateShape(tree, faults);
    refuseSections(tree, faults);
    trees.push(tree);
  }
  return { trees, isComplete };
}

/** Every file may name the version of its language; one of them must. */
function checkVersion(tree: MapNode | undefined, file: SourceFile, faults: FaultList): void {
  if (childOf(tree, 'version')) return;
  faults.add({
    code: 'missing-key',
    summary: tree ? 'The configuration has no `version`' : 'The configuration is empty',
    detail: 'One of its files says which version of the language it is written in.',
    hint: 'Begin the file with `version: 1`.',
    place: { file: tree?.file ?? file, start: tree?.start ?? 0, end: tree?.start ?? 0 },
  });
}

/** Reads, checks and expands the configuration of a directory. */
export async function loadConfiguration(options: LoadOptions): Promise<LoadResult> {
  const { workingDirectory } = options;
  const directory = resolve(workingDirectory, options.directory);
  const faults = new FaultList();
  const found = await readFiles(directory, workingDirectory, faults);
  const isEveryFileRead = faults.isEmpty;
  const { trees, isComplete } = readTrees(found.files, faults);
  const [first, ...others] = trees;
  const tree = first && mergeFiles([first, ...others], faults);
  const [firstFile] = found.files;
  const isWhole = isEveryFileRead && isComplete;
  if (isWhole && firstFile) checkVersion(tree, firstFile, faults);

  refuseFields(tree, faults);
  checkExpressions(tree, faults);
  const service = readService(childOf(tree, 'service'), faults);
  const keys = await readPublicKeys(tree, directory, faults);
  const declarations = expandResources(tree, keys, faults);
  // What a file holds that could not be read may be what the others refer to.
  if (isWhole) checkReferences(declarations, faults);
  checkUniqueness(declarations, faults);

  const configuration: Configuration = {
    directory,
    files: found.paths,
    service,
    requestsPerSecond: readNumber(childOf(childOf(tree, 'service'), 'requestsPerSecond')),
    graph: { resources: declarations.all.map(({ resource }) => resource) },
  };
  return {
    configuration: faults.isEmpty ? configuration : undefined,
    diagnostics: faults.toDiagnostics(),
  };
}
