import type { Reference } from '../../expressions/parse/references.ts';
import { checkName, type DeclaredNames } from './check-names.ts';
import { hintAtForeignName } from './hint-at-foreign-name.ts';
import type { NameFault } from './name-fault.ts';

/** What is wrong with a name, with the best hint; undefined when nothing is, as far as the YAML shows. */
export function findNameFault(reference: Reference, names: DeclaredNames): NameFault | undefined {
  const fault = checkName(reference, names);
  if (fault?.code !== 'unknown-name') return fault;
  const isRoot = fault.start === reference.start;
  const [first] = reference.steps;
  const isMember = fault.start === first?.start;
  const hint = isRoot || isMember ? hintAtForeignName(reference, isRoot, names.tree) : undefined;
  return hint === undefined ? fault : { ...fault, hint };
}
