import type { OutsideFilesPermission } from '../../model/runtime.ts';
import { dirname, relative } from 'node:path';
import { defaultConfigurationSizeLimits } from '../../model/bounds.ts';
import type { Diagnostic } from '../../model/diagnostic.ts';
import { readCatalogFile, type CatalogReadingContext } from '../read-catalog.ts';
import { reportSchemaViolations } from '../schema/explain-shape-error.ts';
import { ConfigurationFiles } from '../source/configuration-files.ts';
import { ConfigurationFaultList } from '../source/fault-list.ts';
import {
  findYamlMapChild,
  listYamlMapEntries,
  type YamlEntry,
  type LocatedYamlNode,
} from '../source/located-node.ts';
import { readNodeText } from '../source/read-fields.ts';
import { decodeUtf8Text } from '../source/read-files.ts';
import { readYamlTree } from '../source/read-tree.ts';
import { toSourceRange } from '../source/source-file.ts';
import { makeVersionNode } from './prepare-test-configuration.ts';
import { readTestSteps } from './read-steps.ts';
import { testAccountName, type TestStartingAccount, type TestCase } from './test-file.ts';

/** A test file to read, and limits on the reading. */
export interface TestFileOptions {
  /** Absolute path of the test file. */
  readonly path: string;
  /** The directory of the configuration that it tests; absolute. Nothing outside of it is read. */
  readonly root: string;
  /** Directory to which paths in messages are relative; absolute. */
  readonly workingDirectory: string;
  readonly allowsOutsideFiles?: OutsideFilesPermission;
  /** Size limit of the file, in bytes. */
  readonly fileBytes?: number;
}

/** Content of a test file: its tests and its faults. */
export interface ReadTestFileResult {
  /** Path of the test file as messages show it. */
  readonly path: string;
  /** Tests of the file; empty where the file has a fault. */
  readonly tests: readonly TestCase[];
  /** Every fault of the test file, sorted by position. */
  readonly diagnostics: readonly Diagnostic[];
}

/** Reads and checks a file with tests; neither runs them nor reads the configuration. */
export function readTestFile(options: TestFileOptions): ReadTestFileResult {
  const { path, root, workingDirectory, allowsOutsideFiles = false } = options;
  const faults = new ConfigurationFaultList();
  const shown = relative(workingDirectory, path);
  const files = new ConfigurationFiles(root, allowsOutsideFiles);
  const content = files.read(path, options.fileBytes ?? defaultConfigurationSizeLimits.fileBytes);
  if ('refusal' in content) {
    const { code, why, hint } = content.refusal;
    faults.add({ code, summary: `${shown} cannot be read: ${why}`, hint });
    return { path: shown, tests: [], diagnostics: faults.toDiagnostics() };
  }
  const file = decodeUtf8Text(content.bytes, shown, content.isInside, faults);
  const tree = file && readYamlTree(file, faults)?.tree;
  if (file && !tree && faults.isEmpty) {
    faults.add({
      code: 'missing-key',
      summary: `${shown} is empty`,
      hint: 'Write at least one test, or remove the file.',
      place: { file, start: 0, end: 0 },
    });
  }
  if (tree) reportSchemaViolations('test', tree, faults);
  const reading = { root, files, faults, workingDirectory };
  const tests = tree && faults.isEmpty ? readTests(tree, reading) : [];
  const isSound = faults.isEmpty;
  return { path: shown, tests: isSound ? tests : [], diagnostics: faults.toDiagnostics() };
}

function readTests(tree: LocatedYamlNode, reading: CatalogReadingContext): readonly TestCase[] {
  const ofFile = findYamlMapChild(tree, 'variables');
  const environment = readTexts(findYamlMapChild(tree, 'environment'));
  return [...listYamlMapEntries(findYamlMapChild(tree, 'tests'))].map(
    ([name, entry]: [string, YamlEntry]) => {
      const { key, value } = entry;
      return {
        name,
        variables: [ofFile, findYamlMapChild(value, 'variables')].filter(
          (one) => one !== undefined,
        ),
        environment: { ...environment, ...readTexts(findYamlMapChild(value, 'environment')) },
        account: readAccount(findYamlMapChild(value, testAccountName), reading),
        steps: readTestSteps(findYamlMapChild(value, 'steps'), reading.faults),
        source: toSourceRange(key),
      };
    },
  );
}

function readTexts(node: LocatedYamlNode | undefined): Readonly<Record<string, string>> {
  return Object.fromEntries(
    [...listYamlMapEntries(node)].flatMap(([name, { value }]) =>
      value.kind === 'scalar' ? [[name, String(value.value)]] : [],
    ),
  );
}

function readAccount(
  node: LocatedYamlNode | undefined,
  reading: CatalogReadingContext,
): TestStartingAccount {
  const projects = listYamlMapEntries(node).get('projects');
  const tree =
    node?.kind === 'map' && projects
      ? {
          ...node,
          entries: new Map([
            ['version', makeVersionNode(node)],
            ['projects', projects],
          ]),
        }
      : undefined;
  const readNumbers = (name: string) =>
    Object.fromEntries(
      [...listYamlMapEntries(findYamlMapChild(node, name))].flatMap(([key, { value }]) =>
        value.kind === 'scalar' ? [[key, Number(value.value)]] : [],
      ),
    );
  const named = findYamlMapChild(node, 'catalog');
  const file = readNodeText(named)?.trim();
  const catalog = named && file ? readCatalogFile(file, named, reading) : undefined;
  return {
    tree,
    quotas: readNumbers('quotas'),
    nameLengths: readNumbers('nameLengths'),
    ...(catalog && { catalog }),
  };
}

/** Finds the directory of the configuration that a test file tests; both paths are absolute. */
export function findTestedDirectory(path: string): string {
  const directory = dirname(path);
  return /[/\\]tests$/.test(directory) ? dirname(directory) : directory;
}
