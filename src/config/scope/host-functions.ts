import { resolve } from 'node:path';
import { parseDocument } from 'yaml';
import {
  FunctionError,
  readArgument,
  type HostFunctions,
} from '../../expressions/evaluate/functions.ts';
import { Unknown } from '../../expressions/evaluate/scope.ts';
import type { Value } from '../../model/value.ts';
import { explainBase, type ConfigurationFiles } from '../source/configuration-files.ts';

/** What the functions of a configuration may reach. */
export interface Reach {
  /** The directory of the configuration; paths are relative to it. Absolute. */
  readonly directory: string;
  readonly files: ConfigurationFiles;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** The names that `variables` declares. */
  readonly variables: readonly string[];
  /** True: what the environment lacks is unknown, and no fault. */
  readonly areVariablesOptional: boolean;
  /** True for the expressions of a module; paths are relative to the same directory, and hints say so. */
  readonly isInModule?: boolean;
}

const maxFileSize = 1_000_000;

/** The bytes of a file. @throws FunctionError */
function readBytes(name: string, argument: Value | undefined, reach: Reach): Uint8Array {
  const path = readArgument(name, argument);
  const content = reach.files.read(resolve(reach.directory, path), maxFileSize);
  if ('bytes' in content) return content.bytes;
  const { code, why, hint } = content.refusal;
  const isKnownCode = code === 'file-outside' || code === 'file-unreadable';
  const summary = `${name}() cannot read \`${path}\`: ${why}`;
  const isNamedAmiss = reach.isInModule === true && code === 'file-unreadable';
  const advice = isNamedAmiss ? explainBase(true) : hint;
  throw new FunctionError(summary, advice, isKnownCode ? code : undefined);
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
  if (/^HOSTWRIGHT_/i.test(name)) {
    throw new FunctionError(
      `env() cannot read \`${name}\`: it belongs to Hostwright itself`,
      'Use `var` for a value that is given to the configuration.',
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
    fileBase64: (path) => Buffer.from(readBytes('fileBase64', path, reach)).toString('base64'),
    env: (name) => readEnvironment(name, reach),
    yamlDecode: (text) => {
      const value = decodeYaml(readArgument('yamlDecode', text));
      if (value !== undefined) return value;
      throw new FunctionError('yamlDecode() was given a text that is not YAML', 'Check the text.');
    },
  };
}
