import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js';
import { findSuggestedKeys } from './explain-keys.ts';
import { explainShapeError } from './explain-shape-error.ts';
import type { FaultList } from './fault-list.ts';
import { toPlainValue, type LocatedNode } from './located-node.ts';
import { configurationSchema, type Schema } from './shape-schema.ts';

let compiled: ValidateFunction | undefined;

/** The compiled schema, made when the first file is checked. */
function compileSchema(): ValidateFunction {
  compiled ??= new Ajv2020({
    allErrors: true,
    verbose: true,
    allowUnionTypes: true,
    strictTypes: false,
    strictRequired: false,
    // Less code to write and to optimize: it is compiled at each start, and runs over each file once.
    inlineRefs: false,
    code: { optimize: false },
    // A configuration is checked against the schema once, the schema itself by a test.
    validateSchema: false,
  }).compile(configurationSchema);
  return compiled;
}

/** What a key itself must be like: its faults come with one of the map that has the key. */
const keySchemas = new Set(['Key', 'Key of a value']);

/** Alternatives fail together with the keyword that holds them; that one is explained. */
export function isBranch({ schemaPath, propertyName, parentSchema }: ErrorObject): boolean {
  return (
    /\/(?:anyOf|oneOf|not)\//.test(schemaPath) ||
    propertyName !== undefined ||
    keySchemas.has((parentSchema as Schema).title ?? '')
  );
}

/** One file of several may leave the version to another: the whole is checked for it. */
function isVersion({ keyword, instancePath, params }: ErrorObject): boolean {
  return keyword === 'required' && instancePath === '' && params.missingProperty === 'version';
}

/** Checks one file against the schema, which is the single source of truth for the language's shape. */
export function validateShape(tree: LocatedNode, faults: FaultList): void {
  const validate = compileSchema();
  if (validate(toPlainValue(tree))) return;
  const errors = (validate.errors ?? []).filter((error) => !isBranch(error) && !isVersion(error));
  const suggested = findSuggestedKeys(errors);
  for (const error of errors) {
    const fault = explainShapeError(error, tree, suggested);
    if (fault) faults.add(fault);
  }
}
