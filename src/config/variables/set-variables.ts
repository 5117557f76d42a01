// Sets the variables of a configuration: by the saved plan, the command line, files, the environment and defaults.
import { isKnown, Unknown, type ScopeValue } from '../../expressions/values/scope.ts';
import { readYaml } from '../../expressions/notation/yaml.ts';
import type { GivenVariable } from '../../model/runtime.ts';
import type { SourceRange } from '../../model/source.ts';
import { formatNameList, suggestNearestName } from '../../model/text/suggest.ts';
import { isEqual, type Value } from '../../model/value.ts';
import { ConfigurationFaultList, type ConfigurationFault } from '../source/fault-list.ts';
import { makePrintable } from '../source/frame.ts';
import { listYamlMapEntries, type LocatedYamlNode } from '../source/located-node.ts';
import type { DirectoryReadingContext } from '../source/read-files.ts';
import { readYamlTree } from '../source/read-tree.ts';
import { toSourceRange, SourceFile, type SourceTextRange } from '../source/source-file.ts';
import { checkVariableValue, locateValuePart } from './check-value.ts';
import { describeUnsetVariable } from './declare-variables.ts';
import {
  readPlainYamlValue,
  type ModuleVariableValues,
  type VariableDeclaration,
} from './variable-declaration.ts';
import type { VariableType } from './value-type.ts';
import { readAutomaticVariableFiles, readVariableFile } from './variable-files.ts';

/** Values of variables from the command line, files and the environment. */
export interface VariableInputs {
  /** Values from a saved plan, which win over all others; sensitive ones are never among them. */
  readonly saved?: Readonly<Record<string, Value>>;
  /** Values of `--var` and `--var-file`, in their order; a later one wins. */
  readonly given?: readonly GivenVariable[];
  /** Variables called `HOSTWRIGHT_VAR_NAME`; `env()` reads from here too. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** Names of environment variables that `env()` may read: those of `--allow-env`, or all; none unless given. */
  readonly readableEnv?: readonly string[] | 'all' | undefined;
  /** Set where a name that `env()` may not read is unknown instead of a fault. */
  readonly isEnvironmentOptional?: boolean;
  /** Maps of values that were read already: they override flags and files, and later ones override earlier ones. */
  readonly trees?: readonly LocatedYamlNode[];
  /** Set where no variable needs a value: one without is unknown, and everything that does not depend on it is checked. */
  readonly areOptional?: boolean;
}

const environmentPrefix = 'HOSTWRIGHT_VAR_';
/** Environment variable with the names, separated by commas, of those that a server must keep secret. */
const secretsVariable = 'HOSTWRIGHT_SERVER_SECRETS';

/** Marks the declared variables that are secrets of a server's workspace as sensitive, whatever the configuration says. */
export function markSecretVariables(
  declared: ReadonlyMap<string, VariableDeclaration>,
  env: VariableInputs['env'] = {},
): ReadonlyMap<string, VariableDeclaration> {
  const secrets = new Set(env[secretsVariable]?.split(','));
  return new Map(
    [...declared].map(([name, declaration]) =>
      secrets.has(environmentPrefix + name)
        ? [name, { ...declaration, isSensitive: true, isSecret: true }]
        : [name, declaration],
    ),
  );
}

/** Tells whether a value is a map such as YAML makes of `{a:1}`: a key that ends in no colon has no value. */
function hasLostQuotes(value: ScopeValue): boolean {
  return (
    typeof value === 'object' &&
    value !== null &&
    Object.entries(value).some(([key, one]) => one === null && /^[^\s:]+:\S/.test(key))
  );
}

/** A value given for a variable: text still to be read, or YAML. */
interface Given {
  readonly name: string;
  /** Origin of a variable's value for messages, as `--var region`. */
  readonly origin: string;
  readonly text?: string;
  readonly node?: LocatedYamlNode;
  readonly key?: SourceTextRange;
  /** Set for a file that may serve several configurations: it may name variables that one of them does not declare. */
  readonly isShared?: boolean;
  /** Set for a value that was given with the command, so that nobody expects it to be ignored. */
  readonly isAsked?: boolean;
}

/** Flag, file or environment variable that set each variable; a variable with its default is not among them. */
export type VariableOrigins = ReadonlyMap<
  string,
  { readonly givenBy: string; readonly source?: SourceRange }
>;

function readFlag(flag: string, faults: ConfigurationFaultList): Given[] {
  const at = flag.indexOf('=');
  if (at > 0) {
    const name = flag.slice(0, at).trim();
    return [{ name, origin: `--var ${makePrintable(name)}`, text: flag.slice(at + 1) }];
  }
  // The faulty argument is not quoted: it may be the value alone, and a secret.
  faults.add({
    code: 'invalid-variable-flag',
    summary: 'A --var is not of the form NAME=VALUE',
    hint: 'Write for example --var region=eu.',
  });
  return [];
}

function readTreeOf(tree: LocatedYamlNode | undefined, isShared = false): Given[] {
  return [...listYamlMapEntries(tree)].map(([name, { key, value: node }]) => ({
    name,
    origin: key.file.path,
    node,
    key,
    isShared,
  }));
}

/** Lists all given values of variables, the weakest source first. */
async function listGiven(
  declared: ReadonlyMap<string, VariableDeclaration>,
  { given = [], env = {}, trees = [] }: VariableInputs,
  directory: string,
  reading: DirectoryReadingContext,
): Promise<readonly Given[]> {
  const all = [...declared.keys()].flatMap((name): Given[] => {
    const origin = environmentPrefix + name;
    const text = Object.hasOwn(env, origin) ? env[origin] : undefined;
    return text === undefined ? [] : [{ name, origin, text }];
  });
  for (const tree of await readAutomaticVariableFiles(directory, reading))
    all.push(...readTreeOf(tree, true));
  for (const one of given) {
    const read =
      'flag' in one
        ? readFlag(one.flag, reading.faults)
        : readTreeOf(await readVariableFile(one.file, reading), true);
    all.push(...read.map((each) => ({ ...each, isAsked: true })));
  }
  return [...all, ...trees.flatMap((tree) => readTreeOf(tree))];
}

/**
 * The fault of an undeclared variable: an error on the command line, a warning in a file, which may serve several
 * configurations.
 */
function reportUndeclared(
  { name, origin, key, isShared }: Given,
  declared: ReadonlyMap<string, VariableDeclaration>,
): ConfigurationFault {
  const names = [...declared.keys()];
  const meant = suggestNearestName(name, names);
  return {
    code: 'undeclared-variable',
    ...(isShared && { severity: 'warning' }),
    summary: `${origin}: there is no variable \`${makePrintable(name)}\``,
    detail:
      names.length > 0 ? `Declared are ${formatNameList(names)}.` : 'No variable is declared.',
    hint:
      meant === undefined
        ? 'Declare it under `variables`, or leave the value out.'
        : `Did you mean \`${meant}\`?`,
    ...(key && { place: key }),
  };
}

/** Masks the values of sensitive variables, and of undeclared ones, which may be sensitive, in all messages. */
function hideSecrets(
  given: Given,
  declared: ReadonlyMap<string, VariableDeclaration>,
  faults: ConfigurationFaultList,
): void {
  const declaration = declared.get(given.name);
  if (declaration?.isSensitive === false) return;
  if (given.node) given.node.file.hide(given.node);
  if (declaration) faults.secrets.add(readGiven(declaration, given) ?? given.text);
}

/** The given value, parsed; undefined for text that cannot be read. */
function readGiven(
  { type, isUntyped }: VariableDeclaration,
  { text = '', node }: Given,
): Value | undefined {
  if (node) return readPlainYamlValue(node, type);
  return type.kind === 'string' || isUntyped ? text : readText(text, type);
}

/** A text as YAML, its numbers spelled as in a file where the type asks for text. */
function readText(text: string, type: VariableType): Value | undefined {
  const value = readYaml(text);
  if (value === undefined) return undefined;
  const faults = new ConfigurationFaultList();
  const tree = readYamlTree(new SourceFile('', text), faults)?.tree;
  return tree && faults.isEmpty ? readPlainYamlValue(tree, type) : value;
}

/** Variables of a configuration with their values. */
export interface VariablesWithValues {
  /** Values of the variables that are not sensitive. */
  readonly shown: Readonly<Record<string, Value>>;
  /** Values of all variables, sensitive ones too; unknown where a fault prevents a value. */
  readonly values: ReadonlyMap<string, ScopeValue>;
  readonly origins: VariableOrigins;
  readonly inputs: ModuleVariableValues;
}

/** Determines the value of every variable; unknown where a fault keeps a value from being known. */
export async function setVariables(
  declared: ReadonlyMap<string, VariableDeclaration>,
  inputs: VariableInputs,
  directory: string,
  reading: DirectoryReadingContext,
): Promise<VariablesWithValues> {
  const { faults } = reading;
  const { saved = {}, areOptional = false } = inputs;
  const given = new Map<string, Given>();
  for (const one of await listGiven(declared, inputs, directory, reading)) {
    if (declared.has(one.name)) given.set(one.name, one);
    else faults.add(reportUndeclared(one, declared));
    hideSecrets(one, declared, faults);
  }
  const values = new Map<string, ScopeValue>();
  const origins = new Map<string, { givenBy: string; source?: SourceRange }>();
  const places = new Map<string, SourceTextRange>();
  for (const [name, declaration] of declared) {
    const known = Object.hasOwn(saved, name) && !declaration.isSensitive ? saved[name] : undefined;
    const one = given.get(name);
    if (known !== undefined) {
      origins.set(name, { givenBy: 'the saved plan' });
      if (one?.isAsked) requireSaved(declaration, one, known, faults);
    } else if (one) {
      const { node, origin: givenBy } = one;
      origins.set(name, { givenBy, ...(node && { source: toSourceRange(node) }) });
      if (node) places.set(name, node);
    }
    values.set(name, known ?? setOne(declaration, one, faults, areOptional));
  }
  const shown = [...values].flatMap(([name, value]): [string, Value][] =>
    declared.get(name)?.isSensitive === true || !isKnown(value) ? [] : [[name, value]],
  );
  return {
    shown: Object.fromEntries(shown),
    values,
    origins,
    inputs: {
      readVariable: (name) => values.get(name) ?? (values.has(name) ? null : makeUnset(name)),
      givenPlace: (name) => {
        const origin = origins.get(name)?.givenBy;
        const place = places.get(name);
        return origin === undefined ? undefined : { origin, ...(place && { place }) };
      },
    },
  };
}

/** Reports a variable that the command gives another value than the saved plan has. */
function requireSaved(
  declaration: VariableDeclaration,
  given: Given,
  saved: Value,
  faults: ConfigurationFaultList,
): void {
  const value = setOne(declaration, given, faults, false);
  if (!isKnown(value) || isEqual(value, saved)) return;
  faults.add({
    code: 'plan-with-other-options',
    summary: `${given.origin}: the saved plan was made with another value of the variable \`${declaration.name}\``,
    hint: 'Omit it to apply the plan as it was made. Or make the plan again.',
    ...(given.node && { place: given.node }),
  });
}

/** The unknown value that stands for a variable without a value. */
function makeUnset(name: string): Unknown {
  return new Unknown(`var.${name}`, true);
}

function setOne(
  declaration: VariableDeclaration,
  given: Given | undefined,
  faults: ConfigurationFaultList,
  isOptional: boolean,
): ScopeValue {
  const unset = makeUnset(declaration.name);
  if (!given) {
    const { default: node } = declaration;
    if (!node && !isOptional) faults.add(describeUnsetVariable(declaration));
    const checked =
      node && checkVariableValue(declaration, readPlainYamlValue(node, declaration.type));
    // A default that does not fit its type was already reported.
    return checked && 'value' in checked ? checked.value : unset;
  }
  const value = readGiven(declaration, given);
  if (value === undefined && given.text?.trim() === '') {
    faults.add({
      code: 'wrong-type',
      summary: `${given.origin}: the variable \`${declaration.name}\` is empty`,
      hint: 'Give a value of its type, or do not set it.',
    });
    return unset;
  }
  if (value === undefined) {
    faults.add({
      code: 'wrong-type',
      summary: `${given.origin}: the value of the variable \`${declaration.name}\` is not YAML`,
      hint: 'Write it as YAML or JSON, for example [a, b] or {"a": 1}.',
    });
    return unset;
  }
  if (given.text !== undefined && hasLostQuotes(value)) {
    faults.add({
      code: 'wrong-type',
      summary: `${given.origin}: the value of the variable \`${declaration.name}\` has a key without a value`,
      detail: 'As a rule the shell has taken its quotes: they stood within no others.',
      hint: `Put single quotes around the whole: '${declaration.name}={"a": 1}'.`,
    });
    return unset;
  }
  if (given.text !== undefined && declaration.isUntyped && /^\s*[[{]/.test(given.text)) {
    faults.add({
      code: 'taken-as-text',
      severity: 'warning',
      summary: `${given.origin}: the variable \`${declaration.name}\` has no type, so its value is text`,
      detail: 'It looks like a list or a map.',
      hint: 'Declare its type, for example `type: list(string)`; `type: any` takes it as it is.',
      place: declaration.key,
    });
  }
  const checked = checkVariableValue(declaration, value);
  if ('value' in checked) return checked.value;
  for (const { path, ...fault } of checked.faults) {
    const [first = '', ...rest] = fault.summary;
    faults.add({
      ...fault,
      summary: `${given.origin}: ${first.toLowerCase()}${rest.join('')}`,
      ...(given.node && { place: locateValuePart(given.node, path) }),
    });
  }
  return unset;
}
