import type { ScopeValue } from '../../expressions/values/scope.ts';
import type { Value } from '../../model/value.ts';
import { formatNumberWithoutExponent } from '../../expressions/notation/print-number.ts';
import type { LocatedYamlNode, YamlScalarNode } from '../source/located-node.ts';
import type { SourceTextRange } from '../source/source-file.ts';
import type { VariableType } from './value-type.ts';

/** A condition on a value, in CEL over `var`, and the message for a value that violates it. */
export interface VariableValidation {
  readonly assert: YamlScalarNode;
  readonly message: YamlScalarNode | undefined;
}

/** A variable as the section `variables` declares it. */
export interface VariableDeclaration {
  readonly name: string;
  readonly type: VariableType;
  /** Set where neither a type nor a default is declared: a value given as text then stays text, as in Terraform. */
  readonly isUntyped: boolean;
  readonly key: SourceTextRange;
  readonly isSensitive: boolean;
  /** Set for a secret of the server's workspace: sensitive, whatever the configuration says. */
  readonly isSecret?: boolean;
  /** Tells whether null is a value of the variable; otherwise null means its default, as with Terraform's `nullable = false`. */
  readonly isNullable: boolean;
  /** Source of the default; undefined when the variable must be set. */
  readonly default: LocatedYamlNode | undefined;
  /** The values that are allowed; undefined when every value of the type is. */
  readonly allowed: readonly Value[] | undefined;
  readonly validations: readonly VariableValidation[];
}

/** Values of the variables for the configuration itself, or for one module instance. */
export interface ModuleVariableValues {
  readVariable(name: string): ScopeValue;
  /** Place and source of a given value, for messages; undefined for a default. */
  givenPlace(
    name: string,
  ): { readonly origin?: string; readonly place?: SourceTextRange } | undefined;
}

/** Converts a node to a plain value. A number where `type` expects text keeps its spelling in the file. */
export function readPlainYamlValue(
  node: LocatedYamlNode,
  type: VariableType = { kind: 'any' },
): Value {
  if (node.kind === 'scalar') {
    return typeof node.value === 'number' && type.kind === 'string'
      ? spell(node, node.value)
      : node.value;
  }
  if (node.kind === 'list')
    return node.items.map((item, index) => readPlainYamlValue(item, typeOfItem(type, index)));
  const members = [...node.entries].map(([key, { value }]): [string, Value] => [
    key,
    readPlainYamlValue(value, typeOfMember(type, key)),
  ]);
  return Object.assign(Object.create(null), Object.fromEntries(members));
}

/** Spelling of a number in its file, as `007`, `1.10` or `0x1F`; for one from an alias or an expression, the usual spelling. */
function spell({ file, start, end }: YamlScalarNode, value: number): string {
  const text = file.text.slice(start, end);
  return text !== '' && Number(text) === value ? text : formatNumberWithoutExponent(value);
}

function typeOfItem(type: VariableType, index: number): VariableType | undefined {
  if (type.kind === 'list' || type.kind === 'set') return type.of;
  return type.kind === 'tuple' ? type.items[index] : undefined;
}

function typeOfMember(type: VariableType, key: string): VariableType | undefined {
  if (type.kind === 'map') return type.of;
  return type.kind === 'object' ? type.members.get(key)?.type : undefined;
}
