// Files with values for variables: those named on the command line, and those beside the configuration.
import { readdir, readFile } from 'node:fs/promises';
import { join, relative, resolve } from 'node:path';
import { readSystemErrorCode, type FileContentOrRefusal } from '../source/configuration-files.ts';
import { makePrintable } from '../source/frame.ts';
import type { YamlMapNode } from '../source/located-node.ts';
import { decodeUtf8Text, type DirectoryReadingContext } from '../source/read-files.ts';
import { readYamlTree } from '../source/read-tree.ts';
import type { SourceFile } from '../source/source-file.ts';

/** Largest file of variable values that is read, in bytes. */
const maxFileSize = 64_000_000;

/** Files that are read without being named: this one first, then the others in the order of their names. */
const namedFirst = /^hostwright\.vars\.ya?ml$/i;
const automatic = /^[^.].*\.auto\.vars\.ya?ml$/i;

/** Reads a file of variables that the command line names. */
async function readNamedFile(
  path: string,
  { files, workingDirectory }: DirectoryReadingContext,
): Promise<FileContentOrRefusal> {
  const content = files.readGiven(path, workingDirectory, maxFileSize);
  if (content) return content;
  try {
    return { bytes: await readFile(path), isInside: false };
  } catch (error) {
    const system = readSystemErrorCode(error);
    return { refusal: { code: 'file-unreadable', why: '', hint: '', system } };
  }
}

function decode(
  content: FileContentOrRefusal,
  shown: string,
  hint: string,
  { faults }: DirectoryReadingContext,
): SourceFile | undefined {
  if ('bytes' in content) return decodeUtf8Text(content.bytes, shown, content.isInside, faults);
  const { code, why, hint: otherHint, system } = content.refusal;
  const isMissing = system !== undefined;
  faults.add({
    code,
    summary: `The file with variables ${makePrintable(shown)} cannot be read${isMissing ? ` (${system})` : `: ${why}`}`,
    hint: isMissing ? hint : otherHint,
  });
  return undefined;
}

function readMap(
  file: SourceFile | undefined,
  { faults }: DirectoryReadingContext,
): YamlMapNode | undefined {
  const tree = file && readYamlTree(file, faults)?.tree;
  if (!tree || tree.kind === 'map') return tree;
  faults.add({
    code: 'wrong-type',
    summary: 'A file with variables holds a map of values by name',
    hint: 'Write lines like `region: eu`.',
    place: { ...tree, end: tree.start },
  });
  return undefined;
}

/** Reads a file of variable values that the command line names; undefined where it holds nothing, or a fault was reported. */
export async function readVariableFile(
  path: string,
  reading: DirectoryReadingContext,
): Promise<YamlMapNode | undefined> {
  const { workingDirectory } = reading;
  const absolute = resolve(workingDirectory, path);
  const shown = relative(workingDirectory, absolute) || path;
  const content = await readNamedFile(absolute, reading);
  const hint = 'Check the path after --var-file, and its permissions.';
  return readMap(decode(content, shown, hint, reading), reading);
}

/** Reads `hostwright.vars.yaml` and `*.auto.vars.yaml` in a directory; a later file of the result overrides those before it. */
export async function readAutomaticVariableFiles(
  directory: string,
  reading: DirectoryReadingContext,
): Promise<readonly YamlMapNode[]> {
  // A missing directory was already reported.
  const names = await readdir(directory).catch(() => []);
  const sorted = names.sort();
  const found = [
    ...sorted.filter((name) => namedFirst.test(name)),
    ...sorted.filter((name) => automatic.test(name)),
  ];
  return found.flatMap((name) => {
    const path = join(directory, name);
    const shown = relative(reading.workingDirectory, path);
    const content = reading.files.read(path, maxFileSize);
    const hint = 'Check its permissions, or where it links to.';
    const tree = readMap(decode(content, shown, hint, reading), reading);
    return tree ? [tree] : [];
  });
}
