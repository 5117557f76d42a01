// Checks of values against the declaration of a variable, and the faults of values that do not fit.
import { isKnown, type ScopeValue } from '../../expressions/values/scope.ts';
import { formatSourcePlace } from '../../model/source.ts';
import { formatNameList } from '../../model/text/suggest.ts';
import { isEqual } from '../../model/value.ts';
import type { ConfigurationFault } from '../source/fault-list.ts';
import type { LocatedYamlNode } from '../source/located-node.ts';
import { toSourceRange } from '../source/source-file.ts';
import { convertToVariableType, type ValuePath, type ConversionProblem } from './convert-value.ts';
import type { VariableDeclaration } from './variable-declaration.ts';
import { readPlainYamlValue } from './variable-declaration.ts';
import { describeValue } from './value-type.ts';

/** Fault of a part of a variable's value, with the path to that part in place of a position. */
export interface VariableValueFault extends Pick<
  ConfigurationFault,
  'code' | 'summary' | 'detail' | 'hint'
> {
  readonly path: ValuePath;
}

/**
 * Result of checking a variable's value: the value converted to the variable's type, or its faults. Unknown parts stay
 * unknown.
 */
export type CheckedVariableValue =
  { readonly value: ScopeValue } | { readonly faults: readonly VariableValueFault[] };

/** Names a part of a variable in messages: `var.size.ram`, `var.list[2]`. */
function namePart(name: string, path: ValuePath): string {
  const steps = path.map((step) =>
    typeof step === 'number'
      ? `[${step}]`
      : /^[A-Za-z_]\w*$/.test(step)
        ? `.${step}`
        : `[${JSON.stringify(step)}]`,
  );
  return path.length === 0 ? `The variable \`${name}\`` : `\`var.${name}${steps.join('')}\``;
}

/** The part of a value that a path leads to; undefined where there is none. */
function pick(value: ScopeValue, path: ValuePath): ScopeValue | undefined {
  return path.reduce<ScopeValue | undefined>(
    (at, step) =>
      typeof at === 'object' && at !== null
        ? (at as Readonly<Record<string | number, ScopeValue>>)[step]
        : undefined,
    value,
  );
}

/** Finds the parts of a value that do not fit a variable's type. */
export function findVariableTypeFaults(
  { name, key }: VariableDeclaration,
  value: ScopeValue,
  problems: readonly ConversionProblem[],
): VariableValueFault[] {
  return problems.map(({ path, says }) => {
    const part = pick(value, path);
    const found = part !== undefined && isKnown(part) ? `Got ${describeValue(part)}. ` : '';
    return {
      code: 'wrong-type',
      summary: `${namePart(name, path)} ${says}`,
      detail: `${found}It is declared at ${formatSourcePlace(toSourceRange(key))}.`,
      hint: 'Give a value of its type.',
      path,
    };
  });
}

function findRefusal(
  { name, allowed, isSensitive, key }: VariableDeclaration,
  value: ScopeValue,
): VariableValueFault | undefined {
  if (!allowed || value === null || !isKnown(value)) return undefined;
  if (allowed.some((one) => isEqual(one, value))) return undefined;
  const list = formatNameList(
    allowed.map((one) => (typeof one === 'string' ? one : JSON.stringify(one))),
  );
  const place = `It is declared at ${formatSourcePlace(toSourceRange(key))}.`;
  return {
    code: 'invalid-value',
    summary: `The variable \`${name}\` has a value that is not allowed`,
    detail: isSensitive ? place : `Allowed are ${list}. ${place}`,
    hint: 'Give one of the allowed values.',
    path: [],
  };
}

/** Converts a value to the type of the variable and checks it: null, type, allowed values. */
export function checkVariableValue(
  declaration: VariableDeclaration,
  given: ScopeValue,
): CheckedVariableValue {
  const { name, isNullable, key } = declaration;
  if (given === null && !isNullable) {
    const { default: otherwise } = declaration;
    if (otherwise)
      return checkVariableValue(
        { ...declaration, isNullable: true },
        readPlainYamlValue(otherwise, declaration.type),
      );
    const fault = {
      code: 'wrong-type',
      summary: `The variable \`${name}\` must not be null`,
      detail: `It is declared at ${formatSourcePlace(toSourceRange(key))} as not nullable, and without a default.`,
      hint: 'Give a value.',
      path: [],
    };
    return { faults: [fault] };
  }
  const { value, problems } = convertToVariableType(given, declaration.type);
  if (problems.length > 0) return { faults: findVariableTypeFaults(declaration, given, problems) };
  const refusal = findRefusal(declaration, value);
  return refusal ? { faults: [refusal] } : { value };
}

/** Finds the YAML node of a part of a value, or of the nearest value around it. */
export function locateValuePart(node: LocatedYamlNode, path: ValuePath): LocatedYamlNode {
  const [step, ...rest] = path;
  const inner =
    node.kind === 'map' && typeof step === 'string'
      ? node.entries.get(step)?.value
      : node.kind === 'list' && typeof step === 'number'
        ? node.items[step]
        : undefined;
  return inner ? locateValuePart(inner, rest) : node;
}
