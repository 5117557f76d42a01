import { lstat, stat, unlink, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { parseBaseUrl } from '../../api/transport/base-url.ts';
import { formatYaml } from '../../config/format/format-yaml.ts';
import { readSystemErrorCode } from '../../config/source/configuration-files.ts';
import { listConfigurationFiles } from '../../config/source/read-files.ts';
import { assembleTestSchema } from '../../config/schema/assemble-test-schema.ts';
import { configurationSchema } from '../../config/schema/shape-schema.ts';
import type { Diagnostic } from '../../model/diagnostic.ts';
import { DiagnosticError } from '../../model/errors.ts';
import type { Runtime, SessionRuntime } from '../../model/runtime.ts';
import {
  firstGitignore,
  editorSchemaComment,
  firstTestsContent,
  renderFirstConfiguration,
  configurationSchemaFileName,
  testSchemaFileName,
  firstTestsFileName,
} from '../../render/yaml/first-configuration.ts';
import { makeDirectories } from '../../state/files/make-directories.ts';
import { createCommandRefusal } from '../session/refuse.ts';
import type { Reporter } from '../session/reporter.ts';
import { exportProjects } from './export-projects.ts';
import { describeExportedService, renderExportFiles } from './write-export.ts';

/** Options of `init`. */
export interface InitOptions {
  /** As given on the command line, relative to the working directory. */
  readonly directory: string;
  /** The address of a real account; the embedded sandbox unless given. */
  readonly baseUrl: string | undefined;
}

/** A file that was written. */
export interface CreatedInitFile {
  /** Path as the user would write it from the working directory. */
  readonly path: string;
  readonly purpose: string;
}

/**
 * Writes a first configuration into a directory, and makes the directory where there is none. Either all of it is
 * written or nothing.
 * @throws DiagnosticError when something of it is there already, or cannot be written
 */
export async function initDirectory(
  { cwd }: Pick<Runtime, 'cwd'>,
  { directory, baseUrl }: InitOptions,
): Promise<readonly CreatedInitFile[]> {
  const address = baseUrl === undefined ? undefined : parseBaseUrl(baseUrl, { name: '--base-url' });
  const first = canonical(renderFirstConfiguration(address));
  return writeInitFiles(cwd, directory, [
    ['main.yaml', 'your configuration: start here', first],
    [firstTestsFileName, 'its first test, for "hostwright test"', firstTestsContent],
    ...listEditorFiles(),
  ]);
}

/** Result of `init` from an account: the files of a configuration that imports the account's resources. */
export interface AccountInitResult {
  readonly files: readonly CreatedInitFile[];
  /** Number of resources of the account that the new configuration imports. */
  readonly importCount: number;
}

/**
 * Writes a configuration that imports all projects of an account, with what `initDirectory` puts beside one but for the test.
 * Neither the account nor a state is changed.
 * @throws DiagnosticError when something of it is there already, or cannot be written; when the account cannot be read
 */
export async function initFromAccount(
  runtime: SessionRuntime,
  { directory, baseUrl }: InitOptions,
  reporter: Pick<Reporter, 'showDiagnostics'>,
): Promise<AccountInitResult> {
  const { cwd, env } = runtime;
  const beside = listEditorFiles();
  const names = ['main.yaml', ...beside.map(([name]) => name)];
  // Before the account is read, which may take minutes.
  await refuseWhatIsThere(resolve(cwd, directory), directory, names);
  const address = baseUrl === undefined ? {} : { HOSTWRIGHT_BASE_URL: baseUrl };
  const { exported, ...source } = await exportProjects(
    { ...runtime, env: { ...env, ...address } },
    { projects: [], takesAll: true },
    reporter,
  );
  const service = describeExportedService(resolve(cwd, directory), source);
  const [main, ...parts] = renderExportFiles(runtime, exported, service);
  const files = await writeInitFiles(cwd, directory, [
    ['main.yaml', 'the account as it is: start here', `${editorSchemaComment}\n${main?.[1] ?? ''}`],
    ...parts.map(([name, text]): InitFile => [name, 'more of it', text]),
    ...beside,
  ]);
  return { files, importCount: exported.resources.length };
}

/** A file to write: its name in the directory, its purpose, its text. */
type InitFile = readonly [name: string, purpose: string, text: string];

/** The files beside a configuration. The schema is copied, so that every checkout has it for editors. */
function listEditorFiles(): readonly InitFile[] {
  const schema = print(configurationSchema);
  return [
    [configurationSchemaFileName, 'for completion and checks in your editor', schema],
    [testSchemaFileName, 'the same for tests', print(assembleTestSchema())],
    ['.gitignore', 'keeps the state and secrets out of version control', firstGitignore],
  ];
}

/** Writes all files or none. @throws DiagnosticError when one of them is there already, or cannot be written */
async function writeInitFiles(
  cwd: string,
  directory: string,
  files: readonly InitFile[],
): Promise<readonly CreatedInitFile[]> {
  const absolute = resolve(cwd, directory);
  await refuseWhatIsThere(
    absolute,
    directory,
    files.map(([name]) => name),
  );
  const written: string[] = [];
  try {
    makeDirectories(absolute);
    for (const [name, , text] of files) {
      // The flag `wx` makes writing fail where the file has been created meanwhile.
      await writeFile(join(absolute, name), text, { flag: 'wx' });
      written.push(name);
    }
  } catch (error) {
    for (const name of written) await unlink(join(absolute, name)).catch(() => undefined);
    throw createCommandRefusal(
      'cannot-write',
      `${directory} cannot be written to (${readSystemErrorCode(error)})`,
      {
        detail: 'Nothing was written.',
        hint: 'Give a directory that you may write to.',
      },
    );
  }
  return files.map(([name, purpose]) => ({ path: join(directory, name), purpose }));
}

/** Formats as `fmt` does: whether an address needs quotes depends on its characters. */
const canonical = (text: string) => formatYaml('main.yaml', text, { isOrdered: true }).text ?? text;

const print = (schema: object) => `${JSON.stringify(schema, null, 2)}\n`;

async function refuseWhatIsThere(
  absolute: string,
  directory: string,
  names: readonly string[],
): Promise<void> {
  const found = await stat(absolute).catch(() => undefined);
  if (found && !found.isDirectory()) {
    throw createCommandRefusal('not-a-directory', `${directory} is a file, not a directory`, {
      hint: 'Give the name of a directory. Hostwright creates it if it does not exist.',
    });
  }
  const faults: Diagnostic[] = [];
  const refused = (name: string, summary: string) =>
    faults.push({
      severity: 'error',
      code: 'file-exists',
      summary,
      detail: 'Nothing is overwritten, and nothing was written.',
      hint: `Give another directory, or move ${join(directory, name)} away first.`,
    });
  for (const name of names) {
    const isThere = await lstat(join(absolute, name)).catch(() => undefined);
    if (isThere) refused(name, `${join(directory, name)} exists already`);
  }
  for (const name of await listConfigurationFiles(absolute)) {
    if (!names.includes(name)) {
      refused(name, `${directory} has a configuration already: ${join(directory, name)}`);
    }
  }
  if (faults.length > 0) throw new DiagnosticError(faults);
}
