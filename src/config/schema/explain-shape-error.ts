import { findSchemaViolations, type SchemaViolation } from './shape-errors.ts';
import {
  explainAlternativeKeys,
  explainInvalidKey,
  explainMissingKey,
  explainSeveralKeys,
  explainUnknownKey,
  findSuggestedKeys,
} from './explain-keys.ts';
import {
  explainRepeatedItem,
  explainEmptyCollection,
  explainTooLongValue,
  explainNumberRange,
  explainTypeError,
  explainForbiddenValue,
} from './explain-values.ts';
import type { ConfigurationFault, ConfigurationFaultList } from '../source/fault-list.ts';
import { toPlainValue, type LocatedYamlNode } from '../source/located-node.ts';
import { hintAtBareExpression } from './bare-expressions.ts';
import { isExpressionAllowedBySchema } from './shape-schema.ts';
import {
  findResourceAddressOfPath,
  findRefusedSchemaValue,
  type RefusedSchemaValue,
} from '../source/subject.ts';

function explainKeyword(
  error: SchemaViolation,
  subject: RefusedSchemaValue,
  suggested: ReadonlySet<string>,
): ConfigurationFault | undefined {
  switch (error.keyword) {
    case 'additionalProperties':
      return explainUnknownKey(error, subject);
    case 'propertyNames':
      return explainInvalidKey(error, subject);
    case 'required':
      return explainMissingKey(error, subject, suggested);
    case 'oneOf':
      return explainAlternativeKeys(error, subject, suggested);
    case 'not':
      return error.parentSchema.not?.required
        ? explainAlternativeKeys(error, subject, suggested)
        : explainTypeError(error.parentSchema, subject);
    case 'minimum':
    case 'maximum':
    case 'exclusiveMinimum':
      return explainNumberRange(error, subject);
    case 'minItems':
    case 'minProperties':
      return explainEmptyCollection(error, subject);
    case 'maxProperties':
      return error.params.limit === 1
        ? explainSeveralKeys(error, subject)
        : explainTooLongValue(error, subject);
    case 'maxItems':
    case 'maxLength':
      return explainTooLongValue(error, subject);
    case 'uniqueItems':
      return explainRepeatedItem(error, subject);
    default:
      return explainForbiddenValue(error, subject);
  }
}

/** Explains an error of the validator as a fault at its place in the YAML; undefined for one that only follows from another. */
export function explainSchemaViolation(
  error: SchemaViolation,
  tree: LocatedYamlNode,
  suggested: ReadonlySet<string>,
  base?: RefusedSchemaValue,
): ConfigurationFault | undefined {
  const subject = findRefusedSchemaValue(tree, error.instancePath, base);
  const explained = subject && explainKeyword(error, subject, suggested);
  const meant =
    subject && isExpressionAllowedBySchema(error.parentSchema)
      ? hintAtBareExpression(subject.node)
      : undefined;
  const fault = explained && meant !== undefined ? { ...explained, hint: meant } : explained;
  const address = subject && findResourceAddressOfPath(subject.path);
  return fault && address !== undefined ? { address, ...fault } : fault;
}

/** Validates a file other than a configuration by the validator of this name, and reports each error at its place. */
export function reportSchemaViolations(
  validator: string,
  tree: LocatedYamlNode,
  faults: ConfigurationFaultList,
): void {
  const errors = findSchemaViolations(validator, toPlainValue(tree));
  const suggested = findSuggestedKeys(errors);
  for (const error of errors) {
    const fault = explainSchemaViolation(error, tree, suggested);
    if (!fault) continue;
    faults.add({ ...fault, summary: fault.summary.replace(/^the configuration /, 'The file ') });
  }
}
