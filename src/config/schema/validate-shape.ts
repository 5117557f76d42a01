import { findSuggestedKeys } from './explain-keys.ts';
import { explainSchemaViolation } from './explain-shape-error.ts';
import type { ConfigurationFaultList } from '../source/fault-list.ts';
import { toPlainValue, type LocatedYamlNode } from '../source/located-node.ts';
import { findSchemaViolations, type SchemaViolation } from './shape-errors.ts';

/** A file may leave `version` to another file: the merged configuration is checked for it. */
function isVersion({ keyword, instancePath, params }: SchemaViolation): boolean {
  return keyword === 'required' && instancePath === '' && params.missingProperty === 'version';
}

/** Checks one file of a configuration against the JSON Schema, and reports each violation. */
export function validateFileAgainstSchema(
  tree: LocatedYamlNode,
  faults: ConfigurationFaultList,
): void {
  const errors = findSchemaViolations('file', toPlainValue(tree)).filter(
    (error) => !isVersion(error),
  );
  const suggested = findSuggestedKeys(errors);
  for (const error of errors) {
    const fault = explainSchemaViolation(error, tree, suggested);
    if (fault) faults.add(fault);
  }
}
