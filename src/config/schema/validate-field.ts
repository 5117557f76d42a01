import type { ResourceAddress } from '../../model/address.ts';
import type { KindName } from '../../model/kind-places.ts';
import { explainSchemaViolation } from './explain-shape-error.ts';
import type { ConfigurationFaultList } from '../source/fault-list.ts';
import { toPlainValue } from '../source/located-node.ts';
import { nameFieldValidator } from './schema-validators.ts';
import { findSchemaViolations } from './shape-errors.ts';
import { findRefusedSchemaValue, type RefusedSchemaValue } from '../source/subject.ts';

/** Part of the schema that describes a field: a kind of resource, or another block. */
export type SchemaDefinitionName =
  KindName | 'module' | 'import' | 'guards' | 'budget' | 'service' | 'data';

/** Keywords that a list or a map may violate only because a value without a result was left out of it. */
const aboutPresence = new Set(['required', 'minItems', 'minProperties', 'anyOf', 'oneOf', 'not']);

/**
 * Tells whether the value of a field fits the schema, after its expressions were evaluated; a fault is reported. With
 * `hasGaps`, parts without a value are not counted as missing.
 */
export function validateField(
  definition: SchemaDefinitionName,
  field: string,
  subject: RefusedSchemaValue,
  address: ResourceAddress | undefined,
  faults: ConfigurationFaultList,
  hasGaps = false,
): boolean {
  const validator = nameFieldValidator(definition, field);
  const errors = findSchemaViolations(validator, toPlainValue(subject.node)).filter(
    ({ keyword, instancePath }) =>
      !hasGaps ||
      !aboutPresence.has(keyword) ||
      findRefusedSchemaValue(subject.node, instancePath, subject)?.node.kind === 'scalar',
  );
  for (const error of errors) {
    const fault = explainSchemaViolation(error, subject.node, new Set(), subject);
    if (fault) faults.add({ ...fault, ...(address !== undefined && { address }) });
  }
  return errors.length === 0;
}
