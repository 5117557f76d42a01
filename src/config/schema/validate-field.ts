import type { ResourceAddress } from '../../model/address.ts';
import type { KindName } from '../../model/kind-places.ts';
import { explainShapeError } from './explain-shape-error.ts';
import type { FaultList } from '../source/fault-list.ts';
import { toPlainValue } from '../source/located-node.ts';
import { nameFieldValidator } from './schema-validators.ts';
import { findShapeErrors } from './shape-errors.ts';
import { findRefusedSchemaValue, type RefusedSchemaValue } from '../source/subject.ts';

/** Part of the schema that describes a field: a kind of resource, or another block. */
export type SchemaDefinitionName =
  KindName | 'module' | 'import' | 'guards' | 'budget' | 'service' | 'data';

/** Keywords that a list or a map may violate only because a value without a result was left out of it. */
const aboutPresence = new Set(['required', 'minItems', 'minProperties', 'anyOf', 'oneOf', 'not']);

/**
 * Checks the value of a field after its expressions were evaluated; false when a fault was reported. With `hasGaps`, parts
 * without a value are not held against it.
 */
export function validateField(
  definition: SchemaDefinitionName,
  field: string,
  subject: RefusedSchemaValue,
  address: ResourceAddress | undefined,
  faults: FaultList,
  hasGaps = false,
): boolean {
  const validator = nameFieldValidator(definition, field);
  const errors = findShapeErrors(validator, toPlainValue(subject.node)).filter(
    ({ keyword, instancePath }) =>
      !hasGaps ||
      !aboutPresence.has(keyword) ||
      findRefusedSchemaValue(subject.node, instancePath, subject)?.node.kind === 'scalar',
  );
  for (const error of errors) {
    const fault = explainShapeError(error, subject.node, new Set(), subject);
    if (fault) faults.add({ ...fault, ...(address !== undefined && { address }) });
  }
  return errors.length === 0;
}
