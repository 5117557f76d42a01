// Reads `variables`: the inputs of a configuration or of a module.
import { formatSourcePlace } from '../../model/source.ts';
import type { Value } from '../../model/value.ts';
import type { ConfigurationFault, ConfigurationFaultList } from '../source/fault-list.ts';
import { locateText } from '../source/locate-text.ts';
import {
  findYamlMapChild,
  listYamlMapEntries,
  type YamlEntry,
  type LocatedYamlNode,
} from '../source/located-node.ts';
import { toSourceRange, type SourceTextRange } from '../source/source-file.ts';
import { checkVariableValue, findVariableTypeFaults, locateValuePart } from './check-value.ts';
import { convertToVariableType } from './convert-value.ts';
import { parseVariableType } from './parse-type.ts';
import { anyVariableType, inferVariableType, type VariableType } from './value-type.ts';
import {
  readPlainYamlValue,
  type VariableValidation,
  type VariableDeclaration,
} from './variable-declaration.ts';

function readType(
  node: LocatedYamlNode | undefined,
  faults: ConfigurationFaultList,
): VariableType | undefined {
  // A `type` that is no text was already reported.
  if (node?.kind !== 'scalar' || typeof node.value !== 'string') return undefined;
  const type = parseVariableType(node.value);
  if ('kind' in type) return type;
  const { start, end, summary, hint } = type;
  faults.add({ code: 'invalid-type', summary, hint, place: locateText(node, start, end) });
  return anyVariableType;
}

function isFlag(node: LocatedYamlNode | undefined, value: boolean): boolean {
  return node?.kind === 'scalar' && node.value === value;
}

function readValidations(node: LocatedYamlNode | undefined): VariableValidation[] {
  const items = node?.kind === 'list' ? node.items : [];
  return items.flatMap((item) => {
    const assert = findYamlMapChild(item, 'assert');
    const message = findYamlMapChild(item, 'message');
    if (assert?.kind !== 'scalar') return [];
    return [{ assert, message: message?.kind === 'scalar' ? message : undefined }];
  });
}

function readOne(
  name: string,
  { key, value: body }: YamlEntry,
  faults: ConfigurationFaultList,
): VariableDeclaration {
  const given = findYamlMapChild(body, 'default');
  const said = readType(findYamlMapChild(body, 'type'), faults);
  const type = said ?? (given ? inferVariableType(readPlainYamlValue(given)) : anyVariableType);
  const allowed = findYamlMapChild(body, 'allowed');
  return {
    name,
    type,
    isUntyped: said === undefined && given === undefined,
    key,
    isSensitive: isFlag(findYamlMapChild(body, 'sensitive'), true),
    isNullable: !isFlag(findYamlMapChild(body, 'nullable'), false),
    default: given,
    allowed:
      allowed?.kind === 'list' && allowed.items.length > 0
        ? // An allowed value of a wrong type, and an empty list, were reported.
          allowed.items.map(
            (item) => convertToVariableType(readPlainYamlValue(item, type), type).value as Value,
          )
        : undefined,
    validations: readValidations(findYamlMapChild(body, 'validation')),
  };
}

function refuseExpressions(node: LocatedYamlNode, faults: ConfigurationFaultList): boolean {
  if (node.kind === 'list')
    return node.items.map((one) => refuseExpressions(one, faults)).includes(true);
  if (node.kind === 'map') {
    return [...node.entries.values()]
      .map(({ value }) => refuseExpressions(value, faults))
      .includes(true);
  }
  if (typeof node.value !== 'string' || !node.value.includes('${')) return false;
  faults.add({
    code: 'expression-not-allowed',
    summary: 'An expression cannot be part of `variables`',
    detail: 'A variable is what a configuration takes from outside.',
    hint: 'Write the value out, or work it out in `locals`.',
    place: node,
  });
  return true;
}

/** Reports allowed values of another type, which the variable could never have, and a list without any. */
function refuseAllowed(
  declaration: VariableDeclaration,
  allowed: LocatedYamlNode | undefined,
  faults: ConfigurationFaultList,
): void {
  if (allowed?.kind !== 'list') return;
  if (allowed.items.length === 0) {
    faults.add({
      code: 'invalid-value',
      summary: `\`allowed\` of the variable \`${declaration.name}\` is empty: no value is allowed`,
      hint: 'List the values that are allowed, or remove `allowed`.',
      place: allowed,
    });
  }
  for (const item of allowed.items) {
    const found = findVariableTypeFaults(
      declaration,
      null,
      convertToVariableType(readPlainYamlValue(item, declaration.type), declaration.type).problems,
    );
    for (const { summary, path } of found) {
      faults.add({
        code: 'wrong-type',
        summary: `An allowed value does not fit: ${summary.charAt(0).toLowerCase()}${summary.slice(1)}`,
        hint: 'Give values of its type, or correct its `type`.',
        place: locateValuePart(item, path),
      });
    }
  }
}

function checkDefault(declaration: VariableDeclaration, faults: ConfigurationFaultList): void {
  const { default: node, isNullable } = declaration;
  if (!node) return;
  const value = readPlainYamlValue(node, declaration.type);
  const checked = checkVariableValue(
    value === null && !isNullable ? { ...declaration, default: undefined } : declaration,
    value,
  );
  for (const { path, ...fault } of 'faults' in checked ? checked.faults : []) {
    const detail = `${fault.detail ?? ''} This is its default.`.trim();
    faults.add({ ...fault, detail, place: locateValuePart(node, path) });
  }
}

/**
 * Reads the declarations in the section `variables`, and checks their defaults; other values come from flags, files and
 * the environment.
 */
export function declareVariables(
  node: LocatedYamlNode | undefined,
  faults: ConfigurationFaultList,
): ReadonlyMap<string, VariableDeclaration> {
  const declared = new Map<string, VariableDeclaration>();
  revealDeclarations(node);
  for (const [name, entry] of listYamlMapEntries(node)) {
    const one = readOne(name, entry, faults);
    declared.set(name, one);
    const written = [
      findYamlMapChild(entry.value, 'default'),
      findYamlMapChild(entry.value, 'allowed'),
    ];
    if (one.isSensitive) {
      for (const secret of written.filter((part) => part !== undefined)) {
        secret.file.hide(secret);
        faults.secrets.add(readPlainYamlValue(secret, one.type));
      }
    }
    if (written.some((part) => part !== undefined && refuseExpressions(part, faults))) continue;
    refuseAllowed(one, findYamlMapChild(entry.value, 'allowed'), faults);
    checkDefault(one, faults);
  }
  return declared;
}

/** Describes the error of a required variable that got no value. */
export function describeUnsetVariable({ name, key }: VariableDeclaration): ConfigurationFault {
  return {
    code: 'missing-variable',
    summary: `The variable \`${name}\` is not set`,
    detail: `It is declared at ${formatSourcePlace(toSourceRange(key))} without a default.`,
    hint: `Set it with --var ${name}=VALUE, in a file given with --var-file, or as HOSTWRIGHT_VAR_${name}.`,
    place: key,
  };
}

/** Fields of a declaration that can hold no secret. */
const harmless: ReadonlySet<string> = new Set([
  ...['type', 'description', 'sensitive', 'nullable', 'validation'],
]);

/**
 * Shows the declarations of variables in frames. `dbPassword: { type: string, sensitive: true }` resembles a secret and is
 * none; defaults, allowed values and unknown fields stay masked.
 */
function revealDeclarations(variables: LocatedYamlNode | undefined): void {
  for (const { key: name, value: body } of listYamlMapEntries(variables).values()) {
    name.file.reveal(name);
    if (body.kind !== 'map') continue;
    revealMarks(body, name.end, body.start);
    let at = body.start;
    for (const [field, { key, value }] of body.entries) {
      revealMarks(body, at, key.start);
      // The value of an alias stands elsewhere.
      const isHere = value.file === key.file && value.start >= key.end;
      const end = isHere && harmless.has(field) ? value.end : isHere ? value.start : key.end;
      key.file.reveal({ start: key.start, end });
      at = isHere ? value.end : end;
    }
    revealMarks(body, at, body.end);
  }
}

/** Shows the text between two entries, if it is punctuation of YAML alone. */
function revealMarks({ file }: SourceTextRange, start: number, end: number): void {
  if (/^[\s{},:]*$/.test(file.text.slice(start, end))) file.reveal({ start, end });
}
