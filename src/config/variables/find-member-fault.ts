import { formatReference, type Reference } from '../../expressions/parse/references.ts';
import { nameMissing, type NameFault } from '../scope/name-fault.ts';
import type { ValueType } from './value-type.ts';

/** A member that the type of a variable does not have; undefined where there are all that are read. */
export function findMemberFault(
  { root, steps }: Reference,
  declared: ValueType | undefined,
): NameFault | undefined {
  let type = declared;
  for (const [index, step] of steps.entries()) {
    if (index === 0) continue;
    switch (type?.kind) {
      case 'object': {
        const { members } = type;
        type = members.get(String(step.key))?.type;
        if (type || typeof step.key !== 'string') break;
        const below = formatReference({ root, steps: steps.slice(0, index) });
        return nameMissing(step, step.key, below, [...members.keys()]);
      }
      case 'map':
      case 'list':
      case 'set':
        type = type.of;
        break;
      default:
        return undefined;
    }
  }
  return undefined;
}
