import type { ErrorObject } from 'ajv';
import { findValidator } from './schema-validators.ts';
import type { JsonSchemaPart } from './shape-schema.ts';

/** An error of the schema validator, with the part of the schema that the value violates. */
export interface SchemaViolation extends Pick<
  ErrorObject,
  'keyword' | 'instancePath' | 'schemaPath' | 'params' | 'propertyName'
> {
  readonly parentSchema: JsonSchemaPart;
}

/** Titles of schemas for keys: errors of a key come together with one of the map that has the key. */
const keySchemas = new Set(['Key', 'Key of a value']);

/** Validates a value with the validator of the given name (`schemaValidatorNames`), and returns its errors. */
export function findSchemaViolations(
  validator: string,
  value: unknown,
): readonly SchemaViolation[] {
  const validate = findValidator(validator);
  if (!validate || validate(value)) return [];
  return (validate.errors ?? [])
    .map((error) => ({ ...error, parentSchema: error.parentSchema as JsonSchemaPart }))
    .filter((error) => !isBranch(error));
}

/** Alternatives fail together with the keyword that holds them; that one is explained. */
function isBranch({ schemaPath, propertyName, parentSchema }: SchemaViolation): boolean {
  return (
    /\/(?:anyOf|oneOf|not)\//.test(schemaPath) ||
    propertyName !== undefined ||
    keySchemas.has(parentSchema.title ?? '')
  );
}
