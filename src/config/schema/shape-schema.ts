// The configuration's schema, for messages: the valid keys of a map, and the expected values in words.
import { assembleSchema } from './assemble-schema.ts';
import { contractDefinitions } from './assemble-contract-schema.ts';
import { testSchemaDefinitions } from './assemble-test-schema.ts';
import workspaces from './workspaces.json' with { type: 'json' };

/** The parts of JSON Schema that the configuration's schema uses. */
export interface JsonSchemaPart {
  readonly $ref?: string;
  readonly title?: string;
  readonly description?: string;
  readonly type?: string | readonly string[];
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly pattern?: string;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly exclusiveMinimum?: number;
  readonly required?: readonly string[];
  readonly properties?: Readonly<Record<string, JsonSchemaPart>>;
  readonly additionalProperties?: JsonSchemaPart;
  readonly items?: JsonSchemaPart;
  readonly anyOf?: readonly JsonSchemaPart[];
  readonly oneOf?: readonly JsonSchemaPart[];
  readonly not?: JsonSchemaPart;
  readonly examples?: readonly unknown[];
}

const schema = assembleSchema();

/** The parts of the schema by their names, and those of the schemas of tests, of bindings and of workspaces. */
export const configurationSchemaDefinitions: Readonly<Record<string, JsonSchemaPart>> = {
  ...schema.$defs,
  ...testSchemaDefinitions,
  ...contractDefinitions,
  ...(workspaces.$defs as Readonly<Record<string, object>>),
};

/** The whole JSON Schema of the configuration, for its validator. */
export const configurationSchema: object = schema;

/** A schema with its `$ref` resolved; its own members win over those of the target. */
export function resolveSchema(given: JsonSchemaPart): JsonSchemaPart {
  const { $ref, ...own } = given;
  const target =
    $ref === undefined
      ? undefined
      : configurationSchemaDefinitions[$ref.replace(/^.*#\/\$defs\//, '')];
  return target ? { ...resolveSchema(target), ...own } : own;
}

const expressionPattern = String.raw`\$\{`;

/** Tells whether the schema accepts an expression in place of a value. */
export function isExpressionAllowedBySchema({ pattern, anyOf, type }: JsonSchemaPart): boolean {
  if (type !== undefined && type !== 'string' && !type.includes('string')) return false;
  const patterns = anyOf?.map((one) => one.pattern) ?? [pattern];
  return patterns.some((one) => one !== undefined && new RegExp(one, 'u').test('${x}'));
}

/** Removes the alternatives for expressions from a schema, for checking values whose expressions were evaluated. */
export function removeExpressionSchemas(given: object): object {
  return dropExpressions(given) as object;
}

function dropExpressions(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(dropExpressions);
  if (typeof schema !== 'object' || schema === null) return schema;
  const { pattern, anyOf, type, ...rest } = schema as {
    pattern?: unknown;
    anyOf?: readonly { pattern?: unknown }[];
    type?: unknown;
  };
  const copy: Record<string, unknown> = {};
  for (const [key, one] of Object.entries(rest)) copy[key] = dropExpressions(one);
  const isStandIn = pattern === expressionPattern && Array.isArray(type);
  if (type !== undefined) {
    copy.type = isStandIn ? type.filter((one) => one !== 'string') : type;
  }
  if (typeof pattern === 'string' && pattern !== expressionPattern) {
    // An expression may give the id of what `data` has found, which begins as it likes.
    const isReference = copy.title === 'Reference';
    copy.pattern = isReference ? '^(?!id:).*\\S' : pattern.replace(/\|\\\$\\\{$/, '');
  }
  const branches = anyOf?.filter((one) => one.pattern !== expressionPattern);
  if (branches) copy.anyOf = branches.map(dropExpressions);
  return copy;
}
const typeWords: Readonly<Record<string, string>> = {
  string: 'text',
  integer: 'a whole number',
  number: 'a number',
  boolean: 'true or false',
  array: 'a list',
  object: 'a map',
};

/** Joins names by commas, with `or` before the last. */
function joinAlternatives(words: readonly string[]): string {
  const last = words.at(-1) ?? '';
  return words.length > 1 ? `${words.slice(0, -1).join(', ')} or ${last}` : last;
}

/** Lists the values that a schema allows, also where it allows an expression besides; undefined when it lists none. */
export function allowedValues(schema: JsonSchemaPart): readonly unknown[] | undefined {
  if ('const' in schema) return [schema.const];
  return schema.enum ?? schema.anyOf?.find((branch) => branch.enum)?.enum;
}

/** Describes the expected values for a sentence: `a whole number`, `true or a map`. */
export function describeExpectedValues(schema: JsonSchemaPart): string {
  const allowed = allowedValues(schema);
  if (allowed) return joinAlternatives(allowed.map((value) => `\`${String(value)}\``));
  const types = typeof schema.type === 'string' ? [schema.type] : (schema.type ?? []);
  const isOnlyForExpressions = types.length > 1 && schema.pattern === expressionPattern;
  const isTrueOnly = schema.not && 'const' in schema.not && schema.not.const === false;
  return joinAlternatives(
    types
      .filter((type) => type !== 'null' && !(type === 'string' && isOnlyForExpressions))
      .map((type) => (type === 'boolean' && isTrueOnly ? '`true`' : (typeWords[type] ?? type))),
  );
}
