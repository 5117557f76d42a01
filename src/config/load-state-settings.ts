// Settings of the state, for commands that need nothing else of a configuration: without checking its whole schema, its
// modules, or its variables.
import type { OutsideFilesPermission } from '../model/runtime.ts';
import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { defaultConfigurationSizeLimits } from '../model/bounds.ts';
import { DiagnosticError } from '../model/errors.ts';
import { hasErrors } from '../model/diagnostic.ts';
import type { StateSettings } from '../model/state/state-settings.ts';
import { readStateSettings } from './read-state-settings.ts';
import { validateFileAgainstSchema } from './schema/validate-shape.ts';
import { ConfigurationFiles } from './source/configuration-files.ts';
import { ConfigurationFaultList } from './source/fault-list.ts';
import { findYamlMapChild, type LocatedYamlNode, type YamlMapNode } from './source/located-node.ts';
import { mergeYamlFiles } from './source/merge-files.ts';
import { listConfigurationFiles, readYamlFiles } from './source/read-files.ts';
import { readYamlTree } from './source/read-tree.ts';
import { SourceFile } from './source/source-file.ts';
import { readNodeText } from './source/read-fields.ts';

/** The configuration whose state settings are read, and limits on the reading. */
export interface StateSettingsLoadOptions {
  /** Absolute path of the directory with the YAML files. */
  readonly directory: string;
  /** Directory to which paths in messages are relative; absolute. */
  readonly workingDirectory: string;
  /** Set where the files may be links that lead out of the directory. */
  readonly allowsOutsideFiles: OutsideFilesPermission;
  /** Size limit of one file, in bytes. */
  readonly fileBytes?: number | undefined;
  /** Secrets that messages must not show. */
  readonly secrets: readonly string[];
}

/** Settings of the state for a configuration without a `state` section. */
export const defaultStateSettings: StateSettings = {
  place: undefined,
  source: undefined,
  encryption: undefined,
  leaseMs: undefined,
  history: {},
};

/** Reads the `state` section from the YAML files of a directory; defaults where there are no files. @throws DiagnosticError */
export async function loadStateSettings(options: StateSettingsLoadOptions): Promise<StateSettings> {
  const { directory, workingDirectory, allowsOutsideFiles, secrets } = options;
  if ((await listConfigurationFiles(directory)).length === 0) return defaultStateSettings;
  const faults = new ConfigurationFaultList(secrets);
  const { files } = await readYamlFiles(directory, {
    workingDirectory,
    files: new ConfigurationFiles(directory, allowsOutsideFiles),
    faults,
    variableFiles: new Set(),
    fileBytes: options.fileBytes ?? defaultConfigurationSizeLimits.fileBytes,
  });
  const trees = files
    // Files without the word `state` are skipped, as parsing is the slow part.
    .filter(({ text }) => /\bstate\b/.test(text))
    .flatMap((file) => readYamlTree(file, faults)?.tree ?? [])
    .flatMap((tree) => pickState(tree));
  for (const tree of trees) validateFileAgainstSchema(tree, faults);
  const [first, ...others] = trees;
  const whole = first && mergeYamlFiles([first, ...others], faults);
  return conclude(readStateSettings(findYamlMapChild(whole, 'state'), faults), faults);
}

/** Finds the `state` sections of one YAML file. */
function pickState(tree: LocatedYamlNode): YamlMapNode[] {
  const state = tree.kind === 'map' ? tree.entries.get('state') : undefined;
  if (!state || tree.kind !== 'map') return [];
  return [{ ...tree, entries: new Map([['state', state]]) }];
}

/**
 * Reads state settings from a text, which is either a `state` block or the path of a file with one, relative to
 * `directory`. `name` is the source of the text in messages.
 * @throws DiagnosticError
 */
export async function parseStateSettings(
  text: string,
  name: string,
  directory: string,
): Promise<StateSettings> {
  const faults = new ConfigurationFaultList();
  const file = new SourceFile(name, text);
  const tree = readYamlTree(file, faults)?.tree;
  const path = readNodeText(tree);
  if (path !== undefined) return readStateSettingsFile(path.trim(), name, directory);
  const block = findYamlMapChild(tree, 'state') ?? tree;
  const place = { file, start: 0, end: 0 };
  if (!block || block.kind !== 'map') {
    const summary = `${name} does not configure the state`;
    const hint = 'Write the block of `state`, for example `{ postgres: { name: shop } }`.';
    faults.add({ code: 'invalid-state-settings', summary, hint, place });
    return conclude(defaultStateSettings, faults);
  }
  const whole: YamlMapNode = {
    kind: 'map',
    ...place,
    entries: new Map([['state', { key: place, value: block }]]),
  };
  validateFileAgainstSchema(whole, faults);
  return conclude(readStateSettings(block, faults), faults);
}

/** Reads state settings from a file with the `state` block. @throws DiagnosticError */
export async function readStateSettingsFile(
  path: string,
  givenBy: string,
  directory: string,
): Promise<StateSettings> {
  let text: string;
  try {
    text = await readFile(resolve(directory, path), 'utf8');
  } catch (error) {
    throw refuseFile(
      givenBy,
      `${path}: ${error instanceof Error ? error.message : String(error)}.`,
    );
  }
  // The file must hold the settings themselves: a path in it could lead to the next file without end.
  if (!/[:{]/.test(text))
    throw refuseFile(givenBy, `${path} does not hold the block of \`state\`.`);
  return parseStateSettings(text, path, directory);
}

function refuseFile(givenBy: string, detail: string): DiagnosticError {
  return new DiagnosticError([
    {
      severity: 'error',
      code: 'invalid-state-settings',
      summary: `${givenBy} does not name a file with the \`state\` block`,
      detail,
      hint: 'Give the block of `state` as YAML, or a file that holds it.',
    },
  ]);
}

function conclude(settings: StateSettings, faults: ConfigurationFaultList): StateSettings {
  const diagnostics = faults.toDiagnostics();
  if (hasErrors(diagnostics)) throw new DiagnosticError(diagnostics);
  return settings;
}
