import { readdir, readFile, stat } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { defaultBounds } from '../model/bounds.ts';
import type { FaultList } from './fault-list.ts';
import { SourceFile } from './source-file.ts';

const mega = 1024 * 1024;
const yamlName = /^[^.].*\.ya?ml$/i;

/** The code of a failed system call, or what stands for it. */
export function systemCode(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : 'unknown error';
}

/** A path as messages show it: relative to the working directory. */
function displayPath(path: string, workingDirectory: string): string {
  return relative(workingDirectory, path) || '.';
}

function addDirectoryFault(directory: string, code: string, faults: FaultList): void {
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
  faults: FaultList,
): Promise<string[] | undefined> {
  try {
    return await readdir(directory);
  } catch (error) {
    addDirectoryFault(shown, systemCode(error), faults);
    return undefined;
  }
}

/** The text of UTF-8 bytes without a byte order mark; a fault and undefined when they are something else. */
function decodeText(bytes: Uint8Array, path: string, faults: FaultList): SourceFile | undefined {
  try {
    return new SourceFile(path, new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch {
    const file = new SourceFile(path, new TextDecoder('utf-8').decode(bytes));
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

/** Said before any of it is read: what is made of a file takes thirty times its room. */
function addTooLarge(shown: string, most: number, faults: FaultList): void {
  faults.add({
    code: 'file-too-large',
    summary: `${shown} is larger than ${Math.floor(most / mega)} MB`,
    detail: 'It was not read.',
    hint: 'Split it into several files of the same directory, or raise the bound with --max-file-size.',
  });
}

async function readOneFile(
  path: string,
  shown: string,
  faults: FaultList,
  most: number,
): Promise<SourceFile | undefined> {
  try {
    const found = await stat(path);
    if (!found.isFile()) return undefined;
    if (found.size > most) {
      addTooLarge(shown, most, faults);
      return undefined;
    }
    return decodeText(await readFile(path), shown, faults);
  } catch (error) {
    faults.add({
      code: 'file-unreadable',
      summary: `${shown} cannot be read (${systemCode(error)})`,
      detail: 'Every *.yaml and *.yml file directly in the directory belongs to the configuration.',
      hint: 'Check its permissions, or where it links to; or rename it if it does not belong here.',
    });
    return undefined;
  }
}

/** What was found: the paths as shown, sorted, and the files among them that could be read. */
export interface FoundFiles {
  readonly paths: readonly string[];
  readonly files: readonly SourceFile[];
}

/** The names of the YAML files that stand directly in a directory; none where there is no such directory. */
export async function listConfigurationFiles(directory: string): Promise<readonly string[]> {
  const names = await readdir(directory).catch(() => []);
  return names.filter((name) => yamlName.test(name)).sort();
}

/** Reads every YAML file that stands directly in the directory; hidden ones and those in `others` are left out. */
export async function readFiles(
  directory: string,
  workingDirectory: string,
  faults: FaultList,
  others: ReadonlySet<string> = new Set(),
  most = defaultBounds.fileBytes,
): Promise<FoundFiles> {
  const shownDirectory = displayPath(directory, workingDirectory);
  const names = await listDirectory(directory, shownDirectory, faults);
  if (!names) return { paths: [], files: [] };
  const paths = names
    .filter((name) => yamlName.test(name))
    .sort()
    .map((name) => join(directory, name))
    .filter((path) => !others.has(path));
  const read = await Promise.all(
    paths.map((path) => readOneFile(path, displayPath(path, workingDirectory), faults, most)),
  );
  const files = read.filter((file) => file !== undefined);
  if (files.length === 0 && faults.isEmpty) {
    faults.add({
      code: 'no-configuration',
      summary: `There is no configuration in ${shownDirectory}`,
      detail: 'It holds no *.yaml or *.yml file. Files in directories below it are not read.',
      hint: 'Give the directory that holds the YAML files, or write a first one there.',
    });
  }
  return { paths: paths.map((path) => displayPath(path, workingDirectory)), files };
}
