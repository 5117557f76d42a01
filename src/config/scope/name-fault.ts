import { findDashedKey, createUnknownNameError } from '../../expressions/evaluate/select.ts';
import {
  formatReference,
  type NameReference,
  type ReferenceStep,
} from '../../expressions/parse/references.ts';
import type { VariableType } from '../variables/value-type.ts';

/** A name of an expression that does not exist. */
export interface UnknownNameFault {
  readonly code: string;
  readonly summary: string;
  readonly hint: string;
  readonly start: number;
  readonly end: number;
  /** Tells whether the hint replaces the whole reference, and not only its faulty part. */
  readonly isWhole?: boolean;
  /** The key that begins with the name and goes on with a `-`, if there is one. */
  readonly dashed?: string | undefined;
}

/** Describes the fault of a name that does not exist below another name. */
export function describeMissingName(
  step: ReferenceStep | NameReference,
  name: string,
  below: string,
  known: readonly string[],
  ownHint?: string,
): UnknownNameFault {
  const { message: summary, code, hint } = createUnknownNameError(name, below, known, step);
  const dashed = below === '' || ownHint !== undefined ? undefined : findDashedKey(name, known);
  return { code, summary, hint: ownHint ?? hint, start: step.start, end: step.end, dashed };
}

/** Finds the type of the values in a map that a variable holds; undefined where the variable's type does not tell it. */
export function findItemType(
  { root, steps: [name, ...members] }: NameReference,
  variables: ReadonlyMap<string, { readonly type: VariableType }>,
): VariableType | undefined {
  let type = root === 'var' ? variables.get(String(name?.key))?.type : undefined;
  for (const { key } of members)
    type = type?.kind === 'object' ? type.members.get(String(key))?.type : undefined;
  return type?.kind === 'map' ? type.of : undefined;
}

/** Finds a member that an expression reads and the type of a variable does not have; undefined where all exist. */
export function findTypeMemberFault(
  { root, steps }: NameReference,
  declared: VariableType | undefined,
): UnknownNameFault | undefined {
  let type = declared;
  for (const [index, step] of steps.entries()) {
    if (index === 0) continue;
    switch (type?.kind) {
      case 'object': {
        const { members } = type;
        type = members.get(String(step.key))?.type;
        if (type || typeof step.key !== 'string') break;
        const below = formatReference({ root, steps: steps.slice(0, index) });
        return describeMissingName(step, step.key, below, [...members.keys()]);
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
