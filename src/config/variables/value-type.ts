// Types of variables, as Terraform has them.
import type { Value } from '../../model/value.ts';

/** A member of an object type. */
export interface ObjectTypeMember {
  readonly type: VariableType;
  readonly isOptional: boolean;
  /** Value of the member where it is missing or null; null unless given. */
  readonly default: Value;
}

/** Type of a variable's values, as `type` declares it. */
export type VariableType =
  | { readonly kind: 'any' | 'string' | 'number' | 'bool' }
  | { readonly kind: 'list' | 'set'; readonly of: VariableType }
  | { readonly kind: 'map'; readonly of: VariableType }
  | { readonly kind: 'tuple'; readonly items: readonly VariableType[] }
  | { readonly kind: 'object'; readonly members: ReadonlyMap<string, ObjectTypeMember> };

export const anyVariableType: VariableType = { kind: 'any' };

const words: Readonly<Record<VariableType['kind'], string>> = {
  any: 'a value',
  string: 'text',
  number: 'a number',
  bool: 'true or false',
  list: 'a list',
  set: 'a list',
  tuple: 'a list',
  map: 'a map',
  object: 'a map',
};

/** Describes the values of a type in a sentence, without their parts: `a list`, not `a list of numbers`. */
export function describeVariableType({ kind }: VariableType): string {
  return words[kind];
}

/** Describes a value in a message, by its type. */
export function describeValue(value: Value): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'a list';
  switch (typeof value) {
    case 'string':
      return 'text';
    case 'number':
      return 'a number';
    case 'boolean':
      return 'true or false';
    default:
      return 'a map';
  }
}

/** Infers the type of a variable that is declared without one. */
export function inferVariableType(value: Value): VariableType {
  if (Array.isArray(value)) return { kind: 'list', of: anyVariableType };
  switch (typeof value) {
    case 'number':
      return { kind: 'number' };
    case 'boolean':
      return { kind: 'bool' };
    case 'object':
      return value === null ? { kind: 'string' } : { kind: 'map', of: anyVariableType };
    default:
      return { kind: 'string' };
  }
}
