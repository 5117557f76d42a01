// Words for the values that a body of the contract may have in a place.
import { isJsonObject } from '../../model/json-object.ts';

/** JSON Schema of a request body, as far as messages about its faults need it. */
export interface RequestBodySchema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly properties?: Readonly<Record<string, RequestBodySchema>>;
  readonly description?: string;
  readonly examples?: readonly unknown[];
  /** Words for the values that a pattern or a format allows, for messages. */
  readonly 'x-expected'?: string;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly maxProperties?: number;
  /** Which of several schemas a body is of, by one of its fields. */
  readonly discriminator?: {
    readonly propertyName: string;
    readonly mapping: Readonly<Record<string, string>>;
  };
}

/** Schemas of request bodies in the API contract, by name. */
export interface RequestBodyContract {
  readonly components: { readonly schemas: Readonly<Record<string, RequestBodySchema>> };
}

/** Resolves the references in a schema of the API contract. */
export function resolveBodySchema(
  contract: RequestBodyContract,
  given: RequestBodySchema,
): RequestBodySchema {
  const { $ref, ...own } = given;
  if ($ref === undefined) return own;
  let target: unknown = contract;
  for (const part of $ref.split('/').slice(1)) {
    target = isJsonObject(target) ? target[part] : undefined;
  }
  return { ...resolveBodySchema(contract, target as RequestBodySchema), ...own };
}

/** Describes the allowed values: `a whole number from 1 to 366, for example 90`. */
export function describeExpectedBody(schema: RequestBodySchema): string {
  const [example] = schema.examples ?? [];
  if (example === undefined) return describeKind(schema);
  const shown = typeof example === 'string' ? example : JSON.stringify(example);
  return `${describeKind(schema)}, for example ${shown}`;
}

/** Joins names by commas, with `or` before the last. */
export function joinAlternatives(words: readonly string[]): string {
  const last = words.at(-1) ?? '';
  return words.length > 1 ? `${words.slice(0, -1).join(', ')} or ${last}` : last;
}

/** The values that a schema allows; undefined where it names none. */
export function listAllowedValues(schema: RequestBodySchema): readonly string[] | undefined {
  const allowed = schema.const === undefined ? schema.enum : [schema.const];
  return allowed?.map(String);
}

function describeKind(schema: RequestBodySchema): string {
  const allowed = listAllowedValues(schema);
  const types = [schema.type ?? []].flat();
  const words = allowed ?? types.map((type) => describeType(type, schema));
  return schema['x-expected'] ?? joinAlternatives(words);
}

function describeType(type: string, schema: RequestBodySchema): string {
  switch (type) {
    case 'integer':
      return `a whole number${describeRange(schema.minimum, schema.maximum, 'from')}`;
    case 'number':
      return `a number${describeRange(schema.minimum, schema.maximum, 'from')}`;
    case 'string':
      return `a text${describeRange(schema.minLength, schema.maxLength, 'of', ' characters')}`;
    case 'array':
      return `a list${describeRange(schema.minItems, schema.maxItems, 'of', ' items')}`;
    case 'object':
      return `an object${describeRange(undefined, schema.maxProperties, 'of', ' fields')}`;
    case 'boolean':
      return 'true or false';
    default:
      return type;
  }
}

function describeRange(
  least: number | undefined,
  most: number | undefined,
  preposition: 'from' | 'of',
  unit = '',
): string {
  if (least !== undefined && most !== undefined)
    return ` ${preposition} ${least} to ${most}${unit}`;
  if (least !== undefined) return ` of ${least} or more${unit}`;
  return most === undefined ? '' : ` of at most ${most}${unit}`;
}
