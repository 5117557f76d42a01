import type { ScopeValue } from '../../expressions/values/scope.ts';
import type { Value } from '../../model/value.ts';
import { toPlainValue, type LocatedNode, type ScalarNode } from '../source/located-node.ts';
import type { Place } from '../source/source-file.ts';
import type { ValueType } from './value-type.ts';

/** A condition on a value, in CEL over `var`, and what is said where it does not hold. */
export interface Validation {
  readonly assert: ScalarNode;
  readonly message: ScalarNode | undefined;
}

/** A variable as `variables` declares it. */
export interface VariableDeclaration {
  readonly name: string;
  readonly type: ValueType;
  readonly key: Place;
  readonly isSensitive: boolean;
  /** Set for a secret of the server's workspace: sensitive, whatever the configuration says. */
  readonly isSecret?: boolean;
  /** False: null stands for the default. */
  readonly isNullable: boolean;
  /** What is written for the default; undefined when it must be set. */
  readonly default: LocatedNode | undefined;
  /** Undefined when every value of the type is allowed. */
  readonly allowed: readonly Value[] | undefined;
  readonly validations: readonly Validation[];
}

/** What the variables of one use of a configuration's files are set to. */
export interface GivenVariables {
  readVariable(name: string): ScopeValue;
  /** Where the value of a variable was given, and what a message calls that; undefined for its default. */
  givenPlace(name: string): { readonly origin?: string; readonly place?: Place } | undefined;
}

/** A node as a value, without what YAML alone has. */
export function readValue(node: LocatedNode): Value {
  return toPlainValue(node) as Value;
}
