import { readFileSync, realpathSync, statSync } from 'node:fs';
import { isAbsolute, relative, resolve, sep } from 'node:path';
import { parseDocument } from 'yaml';
import { FunctionError, readArgument, type HostFunctions } from '../expressions/functions.ts';
import { Unknown } from '../expressions/scope.ts';
import type { Value } from '../model/value.ts';
import { systemCode } from './read-files.ts';

/** What the functions of a configuration may reach. */
export interface Reach {
  /** The directory of the configuration; paths are relative to it. Absolute. */
  readonly directory: string;
  /** Directories of modules, whose files may be read too. Absolute. */
  readonly moduleDirectories: readonly string[];
  /** True: any file of the machine may be read. */
  readonly isUnbounded: boolean;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** The names that `variables` declares. */
  readonly variables: readonly string[];
  /** True: what the environment lacks is unknown, and no fault. */
  readonly areVariablesOptional: boolean;
}

const maxFileSize = 1_000_000;

function isInside(path: string, directory: string): boolean {
  const way = relative(directory, path);
  return way === '' || !(way === '..' || way.startsWith(`..${sep}`) || isAbsolute(way));
}

/** The bytes of a file, symbolic links followed before it is judged. @throws FunctionError */
function readBytes(name: string, argument: Value | undefined, reach: Reach): Buffer {
  const path = readArgument(name, argument);
  const outside = new FunctionError(
    `${name}() cannot read \`${path}\`: it lies outside the directory of the configuration`,
    'Copy the file into the directory, or run with --allow-outside-files.',
    'file-outside',
  );
  const isAllowed = (found: string, resolveLink: (path: string) => string): boolean =>
    reach.isUnbounded ||
    [reach.directory, ...reach.moduleDirectories].some((one) => isInside(found, resolveLink(one)));
  try {
    const wanted = resolve(reach.directory, path);
    // Whether a file exists outside is none of the configuration's business.
    if (!isAllowed(wanted, (one) => one)) throw outside;
    const found = realpathSync(wanted);
    if (!isAllowed(found, (one) => realpathSync(one))) throw outside;
    const { size, isFile } = { size: statSync(found).size, isFile: statSync(found).isFile() };
    if (!isFile)
      throw new FunctionError(
        `${name}() cannot read \`${path}\`: it is no file`,
        'Give the path of a file.',
      );
    if (size > maxFileSize) {
      throw new FunctionError(
        `${name}() cannot read \`${path}\`: it is larger than ${maxFileSize} bytes`,
        'Give a smaller file.',
      );
    }
    return readFileSync(found);
  } catch (error) {
    if (error instanceof FunctionError) throw error;
    const code = systemCode(error);
    const why = code === 'ENOENT' ? 'there is no such file' : `the system says ${code}`;
    throw new FunctionError(
      `${name}() cannot read \`${path}\`: ${why}`,
      'The path is relative to the directory of the configuration.',
      'file-unreadable',
    );
  }
}

function readText(argument: Value | undefined, reach: Reach): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(readBytes('file', argument, reach));
  } catch (error) {
    if (error instanceof FunctionError) throw error;
    throw new FunctionError(
      'file() was given a file that is not UTF-8 text',
      'Use `fileBase64()`.',
    );
  }
}

/** Reads a text as YAML or JSON; undefined when it is neither. */
export function decodeYaml(text: string): Value | undefined {
  try {
    const document = parseDocument(text, { schema: 'core', logLevel: 'silent' });
    if (document.errors.length > 0) return undefined;
    // Aliases are followed so often and no more; JSON knows neither `undefined` nor dates.
    const value: unknown = document.toJS({ maxAliasCount: 100 });
    return JSON.parse(JSON.stringify(value ?? null)) as Value;
  } catch {
    return undefined;
  }
}

function readEnvironment(argument: Value | undefined, reach: Reach): string | Unknown {
  const name = readArgument('env', argument);
  if (!reach.variables.includes(name)) {
    throw new FunctionError(
      `env() cannot read \`${name}\`: \`variables\` does not declare it`,
      'Declare a variable of this name: so that a configuration says what it takes from outside.',
      'unknown-name',
    );
  }
  const value = Object.hasOwn(reach.environment, name) ? reach.environment[name] : undefined;
  if (value !== undefined) return value;
  if (reach.areVariablesOptional) return new Unknown(`env(${JSON.stringify(name)})`, true);
  throw new FunctionError(
    `The environment has no \`${name}\``,
    'Set it, or use `var` with a default.',
  );
}

/** The functions that reach outside the expression. */
export function makeHostFunctions(reach: Reach): HostFunctions {
  return {
    file: (path) => readText(path ?? null, reach),
    fileBase64: (path) => readBytes('fileBase64', path, reach).toString('base64'),
    env: (name) => readEnvironment(name, reach),
    yamlDecode: (text) => {
      const value = decodeYaml(readArgument('yamlDecode', text));
      if (value !== undefined) return value;
      throw new FunctionError('yamlDecode() was given a text that is not YAML', 'Check the text.');
    },
  };
}
