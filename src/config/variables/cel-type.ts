import type { NameTypes } from '../../expressions/evaluate/check-types.ts';
import type { VariableType } from './value-type.ts';

/** A type within a list or a map, of which CEL knows no members. */
function toInnerType(type: VariableType): string {
  const made = toCelType(type);
  return typeof made === 'string' ? made : 'map<string, dyn>';
}

/** Converts a variable's type to its CEL type; an object gives the types of its members. */
export function toCelType(type: VariableType): string | NameTypes {
  switch (type.kind) {
    case 'string':
      return 'string';
    case 'bool':
      return 'bool';
    // CEL distinguishes whole numbers from others, which a variable of type number may both be.
    case 'number':
    case 'any':
      return 'dyn';
    case 'tuple':
      return 'list<dyn>';
    case 'list':
    case 'set':
      return `list<${toInnerType(type.of)}>`;
    case 'map':
      return `map<string, ${toInnerType(type.of)}>`;
    case 'object': {
      const members = [...type.members].map(([name, one]) => [name, toCelType(one.type)] as const);
      return Object.fromEntries(members);
    }
  }
}
