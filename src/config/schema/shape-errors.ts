import type { ErrorObject } from 'ajv';
import { findValidator } from './schema-validators.ts';
import type { Schema } from './shape-schema.ts';

/** What the validator found, and the part of the schema that forbids it. */
export interface ShapeError extends Pick<
  ErrorObject,
  'keyword' | 'instancePath' | 'schemaPath' | 'params' | 'propertyName'
> {
  readonly parentSchema: Schema;
}

/** What a key itself must be like: its faults come with one of the map that has the key. */
const keySchemas = new Set(['Key', 'Key of a value']);

/** What is wrong with a value by the validator of this name (`validatorNames`). */
export function findShapeErrors(validator: string, value: unknown): readonly ShapeError[] {
  const validate = findValidator(validator);
  if (!validate || validate(value)) return [];
  return (validate.errors ?? [])
    .map((error) => ({ ...error, parentSchema: error.parentSchema as Schema }))
    .filter((error) => !isBranch(error));
}

/** Alternatives fail together with the keyword that holds them; that one is explained. */
function isBranch({ schemaPath, propertyName, parentSchema }: ShapeError): boolean {
  return (
    /\/(?:anyOf|oneOf|not)\//.test(schemaPath) ||
    propertyName !== undefined ||
    keySchemas.has(parentSchema.title ?? '')
  );
}
