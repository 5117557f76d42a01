// Files of YAML in their canonical form: found, read, and replaced whole or not at all. A broken one is left as it is, and
// keeps no other from being formatted.
import { readdir, stat } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { listEnvironmentSecrets } from '../../api/transport/token.ts';
import { formatYaml } from '../../config/format/format-yaml.ts';
import { ConfigurationFiles } from '../../config/source/configuration-files.ts';
import { ConfigurationFaultList } from '../../config/source/fault-list.ts';
import { decodeUtf8Text } from '../../config/source/read-files.ts';
import { defaultConfigurationSizeLimits } from '../../model/bounds.ts';
import type { Diagnostic } from '../../model/diagnostic.ts';
import type { Runtime } from '../../model/runtime.ts';
import { createCommandRefusal } from '../session/refuse.ts';
import { formatRelativePath } from '../session/session.ts';
import { replaceFileText, type FormattableFile } from './write-over.ts';

export interface FormatFilesOptions {
  /** Files and directories, as given; `-` alone is standard input. */
  readonly paths: readonly string[];
  /** True to format files in subdirectories, too. */
  readonly isRecursive: boolean;
  /** True to write the formatted files; false only to report them. */
  readonly writes: boolean;
}

/** A file that was not in its canonical form. */
export interface ReformattedFile {
  readonly shown: string;
  readonly before: string;
  readonly after: string;
}

/** Result of formatting. */
export interface FormattedFiles {
  readonly changed: readonly ReformattedFile[];
  readonly diagnostics: readonly Diagnostic[];
}

const yamlName = /^[^.].*\.ya?ml$/i;
/** Lock files, which the program itself writes. */
const lockName = /\.lock\.ya?ml$/i;
/** Files of variables and tests, whose keys are not put in the configuration's order. */
const otherName = /\.(?:vars|test)\.ya?ml$/i;

/** Formats YAML files of configurations, as `fmt` does. @throws DiagnosticError for a path that leads to nothing */
export async function formatFiles(
  runtime: Pick<Runtime, 'allowsOutsideFiles' | 'bounds' | 'cwd' | 'env'>,
  { paths, isRecursive, writes }: FormatFilesOptions,
): Promise<FormattedFiles> {
  const found = await Promise.all(paths.map((path) => listFiles(runtime, path, isRecursive)));
  const secrets = await listEnvironmentSecrets(runtime);
  const changed: ReformattedFile[] = [];
  const diagnostics: Diagnostic[] = [];
  const seen = new Set<string>();
  for (const { root, path } of found.flat()) {
    if (seen.has(path)) continue;
    seen.add(path);
    const shown = formatRelativePath(runtime, path);
    const faults = new ConfigurationFaultList(secrets);
    const bytes = readBytes(runtime, { root, path, shown }, faults);
    const before = bytes && decodeUtf8Text(bytes, shown, true, faults)?.text;
    diagnostics.push(...faults.toDiagnostics());
    if (bytes === undefined || before === undefined) continue;
    const isOrdered = !otherName.test(path);
    const formatted = formatYaml(shown, before, { isOrdered, secrets });
    diagnostics.push(...formatted.diagnostics);
    const { text: after } = formatted;
    if (after === undefined || Buffer.from(bytes).equals(Buffer.from(after))) continue;
    if (writes) await replaceFileText(runtime, { path, shown, root }, bytes, after);
    changed.push({ shown, before, after });
  }
  return { changed, diagnostics };
}

/** Formats standard input. */
export async function formatStandardInput(
  runtime: Pick<Runtime, 'env' | 'readInput'>,
): Promise<FormattedFiles & { after: string }> {
  const before = await runtime.readInput();
  const shown = '<stdin>';
  const options = { isOrdered: true, secrets: await listEnvironmentSecrets(runtime) };
  const { text: after, diagnostics } = formatYaml(shown, before, options);
  const changed = after === undefined || after === before ? [] : [{ shown, before, after }];
  return { changed, diagnostics, after: after ?? before };
}

async function listFiles(
  runtime: Pick<Runtime, 'cwd'>,
  written: string,
  isRecursive: boolean,
): Promise<readonly FormattableFile[]> {
  const path = resolve(runtime.cwd, written);
  const found = await stat(path).catch(() => undefined);
  if (!found) {
    throw createCommandRefusal('file-not-found', `There is no file or directory ${written}`, {
      hint: 'Give YAML files, or directories with YAML files.',
    });
  }
  if (found.isDirectory()) return listBelow(path, path, isRecursive);
  if (/\.ya?ml$/i.test(path)) return [{ root: dirname(path), path }];
  throw createCommandRefusal('not-yaml', `${written} is not a YAML file`, {
    detail: 'The names of files that are formatted end in .yaml or .yml.',
    hint: `Give it on standard input: hostwright fmt - < ${written}`,
  });
}

async function listBelow(
  root: string,
  directory: string,
  isRecursive: boolean,
): Promise<readonly FormattableFile[]> {
  const entries = await readdir(directory, { withFileTypes: true });
  const sorted = entries.sort((a, b) => (a.name < b.name ? -1 : 1));
  const files = sorted
    .filter(
      (entry) => !entry.isDirectory() && yamlName.test(entry.name) && !lockName.test(entry.name),
    )
    .map(({ name }) => ({ root, path: join(directory, name) }));
  if (!isRecursive) return files;
  const folders = sorted.filter(
    (entry) => entry.isDirectory() && !entry.name.startsWith('.') && entry.name !== 'node_modules',
  );
  const below = await Promise.all(
    folders.map(({ name }) => listBelow(root, join(directory, name), true)),
  );
  return [...files, ...below.flat()];
}

function readBytes(
  {
    bounds = defaultConfigurationSizeLimits,
    allowsOutsideFiles = false,
  }: Pick<Runtime, 'allowsOutsideFiles' | 'bounds'>,
  { root, path, shown }: FormattableFile & Pick<ReformattedFile, 'shown'>,
  faults: ConfigurationFaultList,
): Uint8Array | undefined {
  const content = new ConfigurationFiles(root, allowsOutsideFiles).read(path, bounds.fileBytes);
  if ('bytes' in content) return content.bytes;
  const { code, why, hint } = content.refusal;
  faults.add({ code, summary: `${shown} is not formatted: ${why}`, hint });
  return undefined;
}
