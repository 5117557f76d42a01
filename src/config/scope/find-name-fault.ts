import type { NameReference } from '../../expressions/parse/references.ts';
import { checkName, type DeclaredNames } from './check-names.ts';
import { hintAtForeignName } from './hint-at-foreign-name.ts';
import type { NameFault } from './name-fault.ts';

/** The fault of a name, with the best hint; undefined when nothing is, as far as the YAML shows. `text` is the expression. */
export function findNameFault(
  reference: NameReference,
  names: DeclaredNames,
  text: string,
): NameFault | undefined {
  const fault = checkName(reference, names);
  if (fault?.code !== 'unknown-name') return fault;
  const { start, end, steps } = reference;
  if (fault.isWhole) return { ...fault, start, end };
  const { dashed = '' } = fault;
  const endOfKey = fault.end - String(steps.at(-1)?.key).length + dashed.length;
  if (dashed !== '' && text.slice(fault.start, endOfKey).endsWith(dashed)) {
    return { ...fault, start, end: endOfKey };
  }
  const isRoot = fault.start === start;
  const isMember = fault.start === steps[0]?.start;
  const foreign = isRoot || isMember ? hintAtForeignName(reference, isRoot, names.tree) : undefined;
  if (!foreign) return fault;
  const last = foreign.steps === undefined ? undefined : steps[foreign.steps - 1];
  return { ...fault, hint: foreign.hint, ...(last && { start, end: last.end }) };
}
