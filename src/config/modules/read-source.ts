import { realpath } from 'node:fs/promises';
import { relative } from 'node:path';
import { singletonKindsByCollection } from '../../model/address.ts';
import { formatNameList, suggestNearestName } from '../../model/text/suggest.ts';
import { hintAtKeyOfOtherTool } from '../schema/foreign-keys.ts';
import { configurationSchema, resolveSchema } from '../schema/shape-schema.ts';
import { validateFileAgainstSchema } from '../schema/validate-shape.ts';
import type { ParsedModuleFiles } from '../scope/space.ts';
import { ConfigurationFiles } from '../source/configuration-files.ts';
import type { ConfigurationFaultList } from '../source/fault-list.ts';
import {
  findYamlMapChild,
  listYamlMapEntries,
  type YamlEntry,
  type LocatedYamlNode,
  type YamlMapNode,
} from '../source/located-node.ts';
import { mergeYamlFiles } from '../source/merge-files.ts';
import {
  listConfigurationFiles,
  readYamlFiles,
  type DirectoryReadingContext,
} from '../source/read-files.ts';
import { readYamlTree } from '../source/read-tree.ts';
import { SourceFile } from '../source/source-file.ts';
import { declareVariables } from '../variables/declare-variables.ts';
import {
  findModule,
  reportBadModuleSource,
  type ModuleSearch,
  type ModuleUseSite,
} from './find-module.ts';

/** The tree of a directory in which no file could be read. */
const emptyTree: YamlMapNode = {
  kind: 'map',
  entries: new Map(),
  file: new SourceFile('.', ''),
  start: 0,
  end: 0,
};

/** Context of reading the files of a configuration and its modules. */
export interface ConfigurationReadingContext extends DirectoryReadingContext, ModuleSearch {
  /** Absolute path of the configuration's directory. */
  readonly root: string;
  /** Modules that were read, by directory: each is read once, however often it is used. */
  readonly modules: Map<string, SourceDirectoryFiles>;
}

/** The YAML files of one directory, merged. */
export interface SourceDirectoryFiles {
  readonly source: ParsedModuleFiles;
  /** Paths of the files as messages show them, sorted. */
  readonly files: readonly string[];
  readonly firstFile: SourceFile | undefined;
  /** Tells whether every file could be read; otherwise the content is incomplete. */
  readonly isWhole: boolean;
}

/** The files as trees, each checked against the shape of the language; empty files have none. */
function readTrees(files: readonly SourceFile[], faults: ConfigurationFaultList) {
  const trees: LocatedYamlNode[] = [];
  let isComplete = true;
  for (const file of files) {
    const read = readYamlTree(file, faults);
    isComplete &&= read !== undefined;
    if (!read?.tree) continue;
    // A file with a list or a text configures nothing, and its intended content is unknown.
    isComplete &&= read.tree.kind === 'map';
    if (refuseForeignFile(read.tree, faults)) {
      isComplete = false;
      continue;
    }
    validateFileAgainstSchema(read.tree, faults);
    trees.push(read.tree);
  }
  return { trees, isComplete };
}

const ofConfigurationAlone = [
  'service',
  'state',
  'guards',
  'budget',
  ...singletonKindsByCollection.keys(),
];

function refuseInModule(tree: YamlMapNode, faults: ConfigurationFaultList): void {
  for (const name of ofConfigurationAlone) {
    const entry = tree.entries.get(name);
    if (!entry) continue;
    faults.add({
      code: 'not-in-module',
      summary: `\`${name}\` is not allowed in a module`,
      detail: `It applies to the whole configuration. A module cannot have ${formatNameList(ofConfigurationAlone)}.`,
      hint: 'Move it to the files that use the module.',
      place: entry.key,
    });
  }
}

/** A configuration could otherwise exempt itself from the policies of those who run it. */
function refuseExemptions(tree: YamlMapNode, faults: ConfigurationFaultList): void {
  const entry = tree.entries.get('exemptions');
  if (!entry) return;
  faults.add({
    code: 'not-in-configuration',
    summary: '`exemptions` is not allowed in a configuration',
    detail: 'Exemptions are given by whoever runs the command, beside the policies.',
    hint: 'Move it to a directory that `--policies` names.',
    place: entry.key,
  });
}

function refuseCycle(
  entry: YamlEntry,
  cycle: readonly string[],
  { faults, workingDirectory }: ConfigurationReadingContext,
): void {
  const way = cycle.map((one) => relative(workingDirectory, one) || '.');
  faults.add({
    code: 'module-cycle',
    summary: 'A module uses itself',
    detail: `${way.join(' → ')}.`,
    hint: 'Remove the use from one of them.',
    place: findYamlMapChild(entry.value, 'source') ?? entry.key,
  });
}

/** Chain of modules that led to these files, to find modules that use themselves. */
interface Way {
  /** The directories of the modules that use them, the outermost first. */
  readonly chain: readonly string[];
  /** The repository of the files; undefined for the user's own files. */
  readonly repository: string | undefined;
}

async function readModule(
  site: ModuleUseSite,
  chain: readonly string[],
  reading: ConfigurationReadingContext,
): Promise<SourceDirectoryFiles | undefined> {
  const { entry } = site;
  const found = await findModule(site, reading);
  if (!found) return undefined;
  const { path, real, repository } = found;
  if (chain.includes(real)) {
    refuseCycle(entry, [...chain.slice(chain.indexOf(real)), real], reading);
    return undefined;
  }
  if ((await listConfigurationFiles(real)).length === 0) {
    const shown = relative(reading.workingDirectory, path) || '.';
    const detail = `${shown} holds no *.yaml or *.yml file.`;
    reportBadModuleSource(site, { detail }, reading.faults);
    return undefined;
  }
  const way = { chain, repository };
  const known = reading.modules.get(real) ?? (await readSourceDirectory(real, reading, way));
  reading.modules.set(real, known);
  return known;
}

/** Reads the files of a directory, and of every module that they use. */
export async function readSourceDirectory(
  directory: string,
  reading: ConfigurationReadingContext,
  { chain, repository }: Way = { chain: [], repository: undefined },
): Promise<SourceDirectoryFiles> {
  const { faults } = reading;
  const before = faults.size;
  const found = await readYamlFiles(directory, reading);
  const isEveryFileRead = faults.size === before;
  const { trees, isComplete } = readTrees(found.files, faults);
  const [first, ...others] = trees;
  const [firstFile] = found.files;
  const nothing: YamlMapNode | undefined = firstFile && {
    kind: 'map',
    entries: new Map(),
    file: firstFile,
    start: 0,
    end: 0,
  };
  const tree = first ? mergeYamlFiles([first, ...others], faults) : nothing;
  let isWhole = isEveryFileRead && isComplete;
  const modules = new Map<string, ParsedModuleFiles | undefined>();
  const own = await realpath(directory).catch(() => directory);
  if (tree) {
    if (chain.length > 0) refuseInModule(tree, faults);
    refuseExemptions(tree, faults);
    for (const [key, entry] of listYamlMapEntries(findYamlMapChild(tree, 'modules'))) {
      const site = { key, entry, directory, repository };
      const module = await readModule(site, [...chain, own], reading);
      modules.set(key, module?.source);
      isWhole &&= module?.isWhole ?? true;
    }
  }
  return {
    source: {
      tree: tree ?? emptyTree,
      path: relative(reading.root, directory) || '.',
      variables: declareVariables(findYamlMapChild(tree, 'variables'), faults),
      modules,
      prepared: new WeakMap(),
    },
    files: found.paths,
    firstFile: tree === nothing ? firstFile : (tree?.file ?? firstFile),
    isWhole: isWhole && tree !== undefined,
  };
}

const ofPolicyFiles = ['version', 'policies', 'exemptions'];

/** Tells whether a file of policies has nothing else; any other content is reported. */
function hasPoliciesAlone(tree: LocatedYamlNode, faults: ConfigurationFaultList): boolean {
  const others = [...listYamlMapEntries(tree)].filter(([name]) => !ofPolicyFiles.includes(name));
  for (const [name, { key }] of others)
    faults.add({
      code: 'not-in-policies',
      summary: `\`${name}\` is not allowed in a directory of policies`,
      detail: 'Its files hold `policies` and `exemptions`, and may hold `version`.',
      hint: 'Move it to the configuration, or to another directory.',
      place: key,
    });
  return others.length === 0;
}

/**
 * Adds the policies of the person who runs the command to those of a configuration. A name that both have is a fault,
 * so that no policy replaces another.
 * @param directory absolute
 */
export async function addPolicyDirectory(
  read: SourceDirectoryFiles,
  directory: string,
  reading: DirectoryReadingContext,
): Promise<SourceDirectoryFiles> {
  const { faults } = reading;
  const before = faults.size;
  const files = new ConfigurationFiles(directory, false);
  const found = await readYamlFiles(directory, { ...reading, files, variableFiles: new Set() });
  const { trees, isComplete } = readTrees(found.files, faults);
  const sound = trees.filter((tree) => hasPoliciesAlone(tree, faults));
  if (
    faults.size === before &&
    !sound.some((tree) => ofPolicyFiles.slice(1).some((name) => findYamlMapChild(tree, name)))
  )
    faults.add({
      code: 'no-policies',
      summary: `There are no policies in ${relative(reading.workingDirectory, directory) || '.'}`,
      detail: 'It was given as a directory of policies.',
      hint: 'Name the directory whose *.yaml files have `policies`.',
    });
  return {
    ...read,
    source: { ...read.source, tree: mergeYamlFiles([read.source.tree, ...sound], faults) },
    files: [...read.files, ...found.paths],
    isWhole: read.isWhole && isComplete,
  };
}

// Files of other tools that lie in the directory of a configuration.

const ownKeys = Object.keys(resolveSchema(configurationSchema).properties ?? {});

/** Tells whether a key is one of a configuration, even if misspelt, or Terraform's name for one. */
const isOwnKey = (key: string): boolean =>
  suggestNearestName(key, ownKeys) !== undefined || hintAtKeyOfOtherTool(key, []) !== undefined;

/** The tool whose file this is, by its keys; undefined where that is not known. */
function findTool(tree: LocatedYamlNode): string | undefined {
  const keys = listYamlMapEntries(tree);
  if (keys.has('apiVersion') && keys.has('kind')) return 'Kubernetes';
  const services = [...listYamlMapEntries(findYamlMapChild(tree, 'services')).values()];
  const isService = ({ value }: { value: LocatedYamlNode }) =>
    findYamlMapChild(value, 'image') ?? findYamlMapChild(value, 'build');
  return services.length > 0 && services.every(isService) ? 'Docker Compose' : undefined;
}

/** Reports, once for each file, a file without any key of a configuration; true for such a file. */
function refuseForeignFile(tree: LocatedYamlNode, faults: ConfigurationFaultList): boolean {
  const [first] = listYamlMapEntries(tree).values();
  const tool = findTool(tree);
  if (!first || (tool === undefined && [...listYamlMapEntries(tree).keys()].some(isOwnKey)))
    return false;
  faults.add({
    code: 'foreign-file',
    summary:
      tool === undefined
        ? 'The file has no key of a configuration'
        : `The file is one of ${tool}, and no configuration`,
    detail: `Every *.yaml and *.yml file directly in the directory belongs to the configuration. Its keys are ${formatNameList(ownKeys, 30)}.`,
    hint: 'Move the file to another directory; call it `NAME.vars.yaml` if it holds values of variables.',
    place: first.key,
  });
  return true;
}
