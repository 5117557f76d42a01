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
import type { Runtime } from '../../model/runtime.ts';
import {
  firstGitignore,
  firstTestsContent,
  renderFirstConfiguration,
  configurationSchemaFileName,
  testSchemaFileName,
  firstTestsFileName,
} from '../../render/yaml/first-configuration.ts';
import { makeDirectories } from '../../state/files/make-directories.ts';
import { createCommandRefusal } from '../session/refuse.ts';

/** Options of `init`. */
export interface InitOptions {
  /** As given on the command line, relative to the working directory. */
  readonly directory: string;
  /** The address of a real account; the embedded sandbox unless given. */
  readonly baseUrl: string | undefined;
}

/** A file that was written. */
export interface WrittenInitFile {
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
): Promise<readonly WrittenInitFile[]> {
  const address = baseUrl === undefined ? undefined : parseBaseUrl(baseUrl, { name: '--base-url' });
  // The schema is copied beside the configuration, so that every checkout has it for editors.
  const files = [
    ['main.yaml', 'your configuration: start here', canonical(renderFirstConfiguration(address))],
    [firstTestsFileName, 'its first test, for "hostwright test"', firstTestsContent],
    [
      configurationSchemaFileName,
      'for completion and checks in your editor',
      print(configurationSchema),
    ],
    [testSchemaFileName, 'the same for tests', print(assembleTestSchema())],
    ['.gitignore', 'keeps the state and secrets out of version control', firstGitignore],
  ] as const;
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
