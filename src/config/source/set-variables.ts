import { readFile } from 'node:fs/promises';
import { relative, resolve } from 'node:path';
import { Unknown } from '../../expressions/evaluate/scope.ts';
import { listNames, suggest } from '../../model/text/suggest.ts';
import type { Value } from '../../model/value.ts';
import { systemCode, type FileContent } from './configuration-files.ts';
import {
  explainUnset,
  findValueFault,
  readValue,
  type VariableDeclaration,
} from '../scope/declare-variables.ts';
import type { Fault, FaultList } from './fault-list.ts';
import { makePrintable } from './frame.ts';
import { readYaml } from '../../expressions/notation/yaml.ts';
import { entriesOf, type LocatedNode } from './located-node.ts';
import { readTree } from './read-tree.ts';
import { decodeText, type FileReading } from './read-files.ts';
import type { SourceRange } from '../../model/source.ts';
import { locate, type Place, type SourceFile } from './source-file.ts';

/** What variables are set to from outside; the first of these wins over the next. */
export interface VariableInputs {
  /** What they had been set to when a plan was made; the sensitive ones are never among them. */
  readonly saved?: Readonly<Record<string, Value>>;
  /** `NAME=VALUE`; a later one wins. */
  readonly fromFlags?: readonly string[];
  /** YAML or JSON files with a map of values, relative to the working directory; a later one wins. */
  readonly files?: readonly string[];
  /** Variables called `HOSTWRIGHT_VAR_NAME`; `env()` reads from here too. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** True: nothing has to be set. What is not is unknown, and everything that needs no value of it is checked. */
  readonly areOptional?: boolean;
}

const environmentPrefix = 'HOSTWRIGHT_VAR_';

/** A value given for a variable: text still to be read, or YAML. */
interface Given {
  readonly name: string;
  /** In a sentence: `--var region`. */
  readonly origin: string;
  readonly text?: string;
  readonly node?: LocatedNode;
  readonly key?: Place;
}

/** What a file with variables may have in it, in bytes. */
const maxFileSize = 64_000_000;

/** What a file that was named on the command line holds. */
async function readNamedFile(
  path: string,
  { files, workingDirectory }: FileReading,
): Promise<FileContent> {
  const content = files.readGiven(path, workingDirectory, maxFileSize);
  if (content) return content;
  try {
    return { bytes: await readFile(path), isInside: false };
  } catch (error) {
    const system = systemCode(error);
    return { refusal: { code: 'file-unreadable', why: '', hint: '', system } };
  }
}

async function readVariableFile(
  path: string,
  reading: FileReading,
): Promise<SourceFile | undefined> {
  const { workingDirectory, faults } = reading;
  const absolute = resolve(workingDirectory, path);
  const shown = relative(workingDirectory, absolute) || path;
  const content = await readNamedFile(absolute, reading);
  if ('bytes' in content) return decodeText(content.bytes, shown, content.isInside, faults);
  const { code, why, hint, system } = content.refusal;
  const isMissing = system !== undefined;
  faults.add({
    code,
    summary: `The file with variables ${makePrintable(shown)} cannot be read${isMissing ? ` (${system})` : `: ${why}`}`,
    hint: isMissing ? 'Check the path after --var-file, and its permissions.' : hint,
  });
  return undefined;
}

/** The files with values, as trees. Faults in them are told at their own places. */
export async function readVariableFiles(
  paths: readonly string[],
  reading: FileReading,
): Promise<readonly LocatedNode[]> {
  const { faults } = reading;
  const trees: LocatedNode[] = [];
  for (const path of paths) {
    const file = await readVariableFile(path, reading);
    const tree = file && readTree(file, faults)?.tree;
    if (tree?.kind === 'map') trees.push(tree);
    else if (tree) {
      faults.add({
        code: 'wrong-type',
        summary: 'A file with variables holds a map of values by name',
        hint: 'Write lines like `region: eu`.',
        place: { ...tree, end: tree.start },
      });
    }
  }
  return trees;
}

function readFlags(flags: readonly string[], faults: FaultList): Given[] {
  return flags.flatMap((flag) => {
    const at = flag.indexOf('=');
    if (at > 0) {
      const name = flag.slice(0, at).trim();
      return [{ name, origin: `--var ${makePrintable(name)}`, text: flag.slice(at + 1) }];
    }
    // What was given may be the value alone, and that a secret.
    faults.add({
      code: 'invalid-variable-flag',
      summary: 'A --var is not of the form NAME=VALUE',
      hint: 'Write for example --var region=eu.',
    });
    return [];
  });
}

function refuseUndeclared(
  { name, origin, key }: Given,
  declared: ReadonlyMap<string, VariableDeclaration>,
): Fault {
  const names = [...declared.keys()];
  const meant = suggest(name, names);
  return {
    code: 'undeclared-variable',
    summary: `${origin}: there is no variable \`${makePrintable(name)}\``,
    detail: names.length > 0 ? `Declared are ${listNames(names)}.` : 'No variable is declared.',
    hint:
      meant === undefined
        ? 'Declare it under `variables`, or leave the value out.'
        : `Did you mean \`${meant}\`?`,
    ...(key && { place: key }),
  };
}

/** What was given as text, as a value of the type; undefined when it cannot be read. */
function readGiven({ type }: VariableDeclaration, { text, node }: Given): Value | undefined {
  if (node) return readValue(node);
  return type === 'string' ? text : readYaml(text ?? '');
}

/** How variables were given from outside, by name: what has its default is not among them. */
export type VariableOrigins = ReadonlyMap<
  string,
  { readonly givenBy: string; readonly source?: SourceRange }
>;

/** Sets every variable: the values by name, unknown where a fault keeps one from being known. */
export function setVariables(
  declared: ReadonlyMap<string, VariableDeclaration>,
  { fromFlags = [], env = {}, saved = {}, areOptional = false }: VariableInputs,
  files: readonly LocatedNode[],
  faults: FaultList,
): { values: ReadonlyMap<string, Value | Unknown>; origins: VariableOrigins } {
  const inFiles = files.flatMap((tree) =>
    [...entriesOf(tree)].map(([name, { key, value: node }]): Given => {
      return { name, origin: key.file.path, node, key };
    }),
  );
  const given = new Map<string, Given>();
  for (const one of [...inFiles, ...readFlags(fromFlags, faults)]) {
    if (declared.has(one.name)) given.set(one.name, one);
    else {
      // Nobody says whether it is a secret.
      if (one.node) one.node.file.hide(one.node);
      faults.add(refuseUndeclared(one, declared));
    }
    if (declared.get(one.name)?.isSensitive === true && one.node) one.node.file.hide(one.node);
  }
  const values = new Map<string, Value | Unknown>();
  const origins = new Map<string, { givenBy: string; source?: SourceRange }>();
  for (const [name, declaration] of declared) {
    const known = Object.hasOwn(saved, name) && !declaration.isSensitive ? saved[name] : undefined;
    if (known !== undefined) {
      values.set(name, known);
      origins.set(name, { givenBy: 'the saved plan' });
      continue;
    }
    const key = environmentPrefix + name;
    const text = Object.hasOwn(env, key) ? env[key] : undefined;
    const one = given.get(name) ?? (text === undefined ? undefined : { name, origin: key, text });
    values.set(name, setOne(declaration, one, faults, areOptional));
    if (one) {
      const source = one.node && locate(one.node);
      origins.set(name, { givenBy: one.origin, ...(source && { source }) });
    }
  }
  return { values, origins };
}

function setOne(
  declaration: VariableDeclaration,
  given: Given | undefined,
  faults: FaultList,
  isOptional: boolean,
): Value | Unknown {
  const { name, isSensitive } = declaration;
  const unset = new Unknown(`var.${name}`, true);
  if (!given) {
    if (!declaration.default && !isOptional) faults.add(explainUnset(declaration));
    if (!declaration.default) return unset;
    const value = readValue(declaration.default);
    // A default that does not fit was reported.
    return findValueFault(declaration, value) ? unset : value;
  }
  const value = readGiven(declaration, given);
  if (isSensitive) faults.secrets.add(value ?? given.text);
  const fault = findValueFault(declaration, value ?? null);
  if (!fault) return value ?? unset;
  faults.add({
    ...fault,
    summary: `${given.origin}: ${fault.summary.charAt(0).toLowerCase()}${fault.summary.slice(1)}`,
    ...(given.node && { place: given.node }),
  });
  return unset;
}
