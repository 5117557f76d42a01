import { readdir } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { readSystemErrorCode, type ConfigurationFiles } from './configuration-files.ts';
import type { ConfigurationFaultList } from './fault-list.ts';
import { SourceFile } from './source-file.ts';

const mega = 1024 * 1024;
const yamlName = /^[^.].*\.ya?ml$/i;
/** Files beside a configuration that are no part of it: values of variables, tests, pins of modules, contract files. */
const otherName = /\.(?:vars|test|lock|contract)\.ya?ml$/i;
const testName = /\.test\.ya?ml$/i;

/** Tells by its name whether a file belongs to the configuration of its directory. */
function isConfigurationName(name: string): boolean {
  return yamlName.test(name) && !otherName.test(name);
}

/** Tells by its name whether a file holds tests, so that it is no part of the configuration. */
export function isTestFile(name: string): boolean {
  return testName.test(name);
}

/** A path as messages show it: relative to the working directory. */
function displayPath(path: string, workingDirectory: string): string {
  return relative(workingDirectory, path) || '.';
}

function addDirectoryFault(directory: string, code: string, faults: ConfigurationFaultList): void {
  if (code === 'ENOENT') {
    faults.add({
      code: 'directory-not-found',
      summary: `There is no directory ${directory}`,
      hint: 'Give the directory that holds the YAML files, or change into it and give none.',
    });
  } else if (code === 'ENOTDIR') {
    faults.add({
      code: 'not-a-directory',
      summary: `${directory} is a file, not a directory`,
      detail: 'A configuration is every *.yaml and *.yml file directly in a directory.',
      hint: 'Give the directory that holds the file.',
    });
  } else {
    faults.add({
      code: 'directory-unreadable',
      summary: `The directory ${directory} cannot be read (${code})`,
      hint: 'Check its permissions.',
    });
  }
}

async function listDirectory(
  directory: string,
  shown: string,
  faults: ConfigurationFaultList,
): Promise<string[] | undefined> {
  try {
    return await readdir(directory);
  } catch (error) {
    addDirectoryFault(shown, readSystemErrorCode(error), faults);
    return undefined;
  }
}

/** A file with its name in messages and its limits. */
interface Named {
  readonly path: string;
  readonly shown: string;
}

/** Decodes UTF-8 bytes without a byte order mark; undefined where they are not UTF-8, which is reported. */
export function decodeUtf8Text(
  bytes: Uint8Array,
  path: string,
  isQuotable: boolean,
  faults: ConfigurationFaultList,
): SourceFile | undefined {
  const quoting = { secrets: faults.secrets, isQuotable };
  try {
    return new SourceFile(path, new TextDecoder('utf-8', { fatal: true }).decode(bytes), quoting);
  } catch {
    const file = new SourceFile(path, new TextDecoder('utf-8').decode(bytes), quoting);
    const start = Math.max(0, file.text.indexOf('\ufffd'));
    faults.add({
      code: 'not-utf8',
      summary: 'The file is not UTF-8 text',
      hint: 'Save it with the encoding UTF-8.',
      place: { file, start, end: start + 1 },
    });
    return undefined;
  }
}

/** Reports a file as too large before it is parsed: its tree takes thirty times the room of its text. */
function addTooLarge(summary: string, faults: ConfigurationFaultList): void {
  faults.add({
    code: 'file-too-large',
    summary,
    detail: 'It was not read.',
    hint: 'Split it into several files of the same directory, or raise the bound with --max-file-size.',
  });
}

/** A value of a dense file takes about ten times the room of one in an ordinary file. */
const bytesPerValue = 16;
/** Characters that separate values, or begin a collection of them. */
const separators: ReadonlySet<number> = new Set(Array.from(',\n[{', (one) => one.charCodeAt(0)));

/** Tells whether a file is small enough and still holds too many values: `[1,1,1,…`. */
function isTooDense(bytes: Uint8Array, fileBytes: number): boolean {
  const most = Math.floor(fileBytes / bytesPerValue);
  if (bytes.length <= most) return false;
  let values = 0;
  for (const byte of bytes) if (separators.has(byte)) values += 1;
  return values > most;
}

function readOneFile(
  { path, shown }: Named,
  files: ConfigurationFiles,
  faults: ConfigurationFaultList,
  most: number,
): SourceFile | undefined {
  const content = files.read(path, most);
  if ('bytes' in content) {
    const { bytes, isInside } = content;
    if (!isTooDense(bytes, most)) return decodeUtf8Text(bytes, shown, isInside, faults);
    addTooLarge(`${shown} holds more than ${Math.floor(most / bytesPerValue)} values`, faults);
    return undefined;
  }
  const { code, why, hint, system } = content.refusal;
  // A directory whose name ends like a YAML file is skipped without an error.
  if (code === 'file-too-large') {
    addTooLarge(`${shown} is larger than ${Math.floor(most / mega)} MB`, faults);
    return undefined;
  }
  if (code === 'not-a-file' && why.includes('a directory')) return undefined;
  const isMissing = system !== undefined;
  faults.add({
    code,
    summary: `${shown} cannot be read${isMissing ? ` (${system})` : `: ${why}`}`,
    detail: 'Every *.yaml and *.yml file directly in the directory belongs to the configuration.',
    hint: isMissing
      ? 'Check its permissions, or where it links to; or rename it if it does not belong here.'
      : hint,
  });
  return undefined;
}

/** Result of reading a directory: the paths as shown, sorted, and the files among them that could be read. */
export interface ReadDirectoryResult {
  readonly paths: readonly string[];
  readonly files: readonly SourceFile[];
}

/** Lists the names of the YAML files directly in a directory; none where there is no such directory. */
export async function listConfigurationFiles(directory: string): Promise<readonly string[]> {
  const names = await readdir(directory).catch(() => []);
  return names.filter(isConfigurationName).sort();
}

/** Context for reading the YAML files of a directory. */
export interface DirectoryReadingContext {
  readonly workingDirectory: string;
  readonly files: ConfigurationFiles;
  readonly faults: ConfigurationFaultList;
  /** Files that set variables, and are no part of the configuration beside them. Absolute paths. */
  readonly variableFiles: ReadonlySet<string>;
  /** Largest size of one file, in bytes. */
  readonly fileBytes: number;
}

/** Reads every YAML file directly in the directory, except hidden ones. */
export async function readYamlFiles(
  directory: string,
  { workingDirectory, files: reader, faults, variableFiles, fileBytes }: DirectoryReadingContext,
): Promise<ReadDirectoryResult> {
  const shownDirectory = displayPath(directory, workingDirectory);
  const names = await listDirectory(directory, shownDirectory, faults);
  if (!names) return { paths: [], files: [] };
  const all = names
    .filter(isConfigurationName)
    .sort()
    .map((name) => join(directory, name));
  const paths = all.filter((path) => !variableFiles.has(path));
  const files = paths
    .map((path) =>
      readOneFile({ path, shown: displayPath(path, workingDirectory) }, reader, faults, fileBytes),
    )
    .filter((file) => file !== undefined);
  if (files.length === 0 && faults.isEmpty) {
    const leftOut = all
      .filter((path) => variableFiles.has(path))
      .map((path) => displayPath(path, workingDirectory));
    faults.add({
      code: 'no-configuration',
      summary: `There is no configuration in ${shownDirectory}`,
      detail: names.some((name) => /\.(?:tf|tofu)(?:\.json)?$/.test(name))
        ? 'It holds files of Terraform, and no *.yaml or *.yml file. docs/from-terraform.md translates each block.'
        : leftOut.length === 0
          ? 'It holds no *.yaml or *.yml file. Files in directories below it are not read.'
          : `It holds no *.yaml or *.yml file but for ${leftOut.join(', ')}, which --var-file takes for values of variables.`,
      hint: 'Give the directory that holds the YAML files, or write a first one: hostwright init DIR.',
    });
  }
  return { paths: paths.map((path) => displayPath(path, workingDirectory)), files };
}
