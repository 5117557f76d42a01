import { findSuggestedKeys } from './explain-keys.ts';
import { explainShapeError } from './explain-shape-error.ts';
import type { FaultList } from '../source/fault-list.ts';
import { toPlainValue, type LocatedYamlNode } from '../source/located-node.ts';
import { findShapeErrors, type ShapeError } from './shape-errors.ts';

/** A file may leave `version` to another file: the merged configuration is checked for it. */
function isVersion({ keyword, instancePath, params }: ShapeError): boolean {
  return keyword === 'required' && instancePath === '' && params.missingProperty === 'version';
}

/** Checks one file against the schema, which is the single source of truth for the language's shape. */
export function validateShape(tree: LocatedYamlNode, faults: FaultList): void {
  const errors = findShapeErrors('file', toPlainValue(tree)).filter((error) => !isVersion(error));
  const suggested = findSuggestedKeys(errors);
  for (const error of errors) {
    const fault = explainShapeError(error, tree, suggested);
    if (fault) faults.add(fault);
  }
}
