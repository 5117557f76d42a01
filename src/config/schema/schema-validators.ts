import { _, type CodeKeywordDefinition } from 'ajv';
import { Ajv2020, type Options, type ValidateFunction } from 'ajv/dist/2020.js';
import { kindNames } from '../../model/kind-places.ts';
import { contractFileSchema } from './assemble-contract-schema.ts';
import { buildTestValidatorSchema } from './assemble-test-schema.ts';
import catalog from './catalog.json' with { type: 'json' };
import workspaces from './workspaces.json' with { type: 'json' };
import {
  configurationSchema,
  configurationSchemaDefinitions,
  removeExpressionSchemas,
} from './shape-schema.ts';

/** Definitions of the schema whose fields may hold expressions. */
const withExpressions = [...kindNames, ...['module', 'guards', 'budget', 'service', 'data']];

/**
 * Names of the validators: of a configuration file, a test file, a contract file, a catalog, a file of workspaces, and of
 * fields after their expressions were evaluated.
 */
export const schemaValidatorNames: readonly string[] = [
  'file',
  'test',
  'contract',
  'catalog',
  'workspaces',
  ...withExpressions.flatMap((definition) =>
    Object.keys(configurationSchemaDefinitions[definition]?.properties ?? {}).map((field) =>
      nameFieldValidator(definition, field),
    ),
  ),
];

/** The name of the compiled validator of one field. */
export function nameFieldValidator(definition: string, field: string): string {
  return `values#/$defs/${definition}/properties/${field}`;
}

/** Replacement for the compiler's own comparison, which calls methods of the compared values. */
const uniqueItems: CodeKeywordDefinition = {
  keyword: 'uniqueItems',
  type: 'array',
  schemaType: 'boolean',
  error: { message: 'names an item twice', params: ({ params }) => _`{ twin: ${params.twin} }` },
  code(context) {
    const { gen, data } = context;
    // The build generates code that imports the function under this name, see tsdown.config.ts.
    const find = gen.scopeValue('func', {
      ref: findRepeatedItemIndex,
      code: _`findRepeatedItemIndex`,
    });
    const twin = gen.const('twin', _`${find}(${data})`);
    context.setParams({ twin });
    context.fail(_`${twin} !== -1`);
  },
};

/** A compiler of the schemas: of files (`file`), of tests (`test`), of bindings (`contract`), of catalogs, of workspaces and of values without expressions. */
export function createSchemaCompiler(code: Options['code']): Ajv2020 {
  const ajv = new Ajv2020({
    allErrors: true,
    // Messages are made from the part of the schema that an error names.
    verbose: true,
    allowUnionTypes: true,
    strictTypes: false,
    strictRequired: false,
    inlineRefs: false,
    // The schema is not validated at each start: a test does so.
    validateSchema: false,
    ...(code && { code }),
  });
  ajv.removeKeyword('uniqueItems').addKeyword(uniqueItems);
  ajv.addSchema({ ...configurationSchema, $id: 'file' });
  ajv.addSchema({ ...buildTestValidatorSchema(), $id: 'test' });
  ajv.addSchema({ ...contractFileSchema, $id: 'contract' });
  ajv.addSchema({ ...catalog, $id: 'catalog' });
  ajv.addSchema({ ...workspaces, $id: 'workspaces' });
  ajv.addSchema({ ...removeExpressionSchemas(configurationSchema), $id: 'values' });
  return ajv;
}

let compiler: Ajv2020 | undefined;

/**
 * Finds the validator of a name; undefined where the schema has none. This module serves the source alone: the build replaces
 * it by generated functions, since no start should wait for a compiler (tsdown.config.ts).
 */
export function findValidator(name: string): ValidateFunction | undefined {
  compiler ??= createSchemaCompiler({ optimize: false });
  return compiler.getSchema(name);
}

/**
 * Finds the index of the first item that repeats an earlier text or number of its list; -1 where none does. Lists and
 * objects are not compared: where items must be unique they are of the wrong type, and may be hostile, with a key
 * `valueOf` or in tens of thousands.
 */
export function findRepeatedItemIndex(items: readonly unknown[]): number {
  const seen = new Set<unknown>();
  return items.findIndex((item) => {
    if (typeof item === 'object' && item !== null) return false;
    if (seen.has(item)) return true;
    seen.add(item);
    return false;
  });
}
