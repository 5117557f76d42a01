import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { format, resolveConfig } from 'prettier';
import { expect, it } from 'vitest';
import { parse } from 'yaml';
import { assembleContractSchema } from '../../../../src/config/schema/assemble-contract-schema.ts';
import { assembleSchema } from '../../../../src/config/schema/assemble-schema.ts';
import {
  assembleTestSchema,
  testSchemaDefinitions,
} from '../../../../src/config/schema/assemble-test-schema.ts';
import workspacesSchema from '../../../../src/config/schema/workspaces.json' with { type: 'json' };
import { kindRegistry } from '../../../../src/kinds/registry.ts';
import { quotaNames } from '../../../../src/model/account/live.ts';
import { kindNames } from '../../../../src/model/kind-places.ts';
import {
  readNameLengthSettings,
  readQuotaSettings,
} from '../../../../src/sandbox/server/read-settings.ts';
import { defaultNameLengths } from '../../../../src/sandbox/store/world.ts';

const schemas = join(import.meta.dirname, '../../../../schemas');

// `npm run generate` renews them.
it.each([
  ['config.schema.json', assembleSchema],
  ['test.schema.json', assembleTestSchema],
  ['contract.schema.json', assembleContractSchema],
  ['workspaces.schema.json', () => workspacesSchema],
])('is the schema that is published: %s', async (name, assemble) => {
  const published = join(schemas, name);
  const options = { ...(await resolveConfig(published)), filepath: published };
  const text = await format(JSON.stringify(assemble(), null, 2), options);
  await expect(text).toMatchFileSnapshot(published);
});

it('is a schema of tests that needs no other file, and says of each part what it is for', () => {
  const schema = assembleTestSchema();
  const defs = schema.$defs as Readonly<Record<string, object>>;
  const references = JSON.stringify(schema).matchAll(/"\$ref":"([^"]*)"/g);
  for (const [, reference = ''] of references) {
    expect(reference).toMatch(/^#\/\$defs\//);
    expect(defs).toHaveProperty([reference.slice('#/$defs/'.length)]);
  }
  const compile = new Ajv2020({
    strict: true,
    allowUnionTypes: true,
    strictTypes: false,
    strictRequired: false,
  });
  expect(() => compile.compile(schema)).not.toThrow();
  const own = Object.entries(testSchemaDefinitions);
  const undescribed = own.filter(([, one]) => !('title' in one && 'description' in one));
  expect(undescribed.map(([name]) => name)).toEqual([]);
});

it('is a schema of workspaces with every field that the API takes, and says what each is for', async () => {
  const contract = parse(await readFile(join(schemas, 'server.yaml'), 'utf8')) as {
    components: { schemas: { NewWorkspace: { properties: object } } };
  };
  const { $defs } = workspacesSchema;
  const taken = Object.keys(contract.components.schemas.NewWorkspace.properties);
  expect(['name', ...Object.keys($defs.workspace.properties)].sort()).toEqual(taken.sort());
  const parts = [...Object.values($defs), ...Object.values($defs.workspace.properties)];
  const undescribed = parts.filter(
    (one) => !('$ref' in one) && !('title' in one && 'description' in one),
  );
  expect(undescribed).toEqual([]);
  const compile = new Ajv2020({ strict: true, allowUnionTypes: true, strictTypes: false });
  expect(() => compile.compile(workspacesSchema)).not.toThrow();
});

it('is a schema of workspaces that allows no value that the API refuses by its schema', async () => {
  const contract = parse(await readFile(join(schemas, 'server.yaml'), 'utf8')) as {
    components: { schemas: Readonly<Record<string, Part>> };
  };
  const open = (part: Part, all: Readonly<Record<string, Part>>): Part => {
    const { $ref, ...own } = part;
    if ($ref === undefined) return own;
    const path = $ref.replace('#/components/schemas/', '').replace('#/$defs/', '');
    return { ...open(all[path]!, all), ...own };
  };
  const unequal: string[] = [];
  const compare = (given: Part, taken: Part, path: string): void => {
    const ours = open(given, workspacesSchema.$defs as never);
    const theirs = open(taken, contract.components.schemas);
    for (const limit of ['pattern', 'minimum', 'maximum', 'maxLength', 'maxItems'] as const)
      if (theirs[limit] !== undefined && ours[limit] !== theirs[limit])
        unequal.push(`${path} ${limit}`);
    if (theirs.maxProperties !== ours.maxProperties) unequal.push(`${path} maxProperties`);
    if (theirs.uniqueItems !== ours.uniqueItems) unequal.push(`${path} uniqueItems`);
    if (theirs.items && ours.items) compare(ours.items, theirs.items, `${path}[]`);
    for (const [name, part] of Object.entries(theirs.properties ?? {}))
      if (ours.properties?.[name]) compare(ours.properties[name], part, `${path}.${name}`);
    const { additionalProperties: more } = theirs;
    if (typeof more === 'object') compare(ours.additionalProperties as Part, more, `${path}.*`);
  };
  const { NewWorkspace } = contract.components.schemas;
  compare(workspacesSchema.$defs.workspace as Part, NewWorkspace!, '');
  // Written as a choice of two, of a day and a list of days: editors offer the days then.
  expect(unequal).toEqual([
    '.windows[].days pattern',
    '.windows[].days maxItems',
    '.windows[].days uniqueItems',
  ]);
});

interface Part {
  readonly $ref?: string;
  readonly pattern?: string;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly maxLength?: number;
  readonly maxItems?: number;
  readonly maxProperties?: number;
  readonly uniqueItems?: boolean;
  readonly items?: Part;
  readonly properties?: Readonly<Record<string, Part>>;
  readonly additionalProperties?: Part | boolean;
}

it('knows the quotas and the lengths of names that a sandbox has', () => {
  const { testAccount } = testSchemaDefinitions as Readonly<Record<string, { properties: never }>>;
  const { quotas, nameLengths } = testAccount!.properties as Readonly<
    Record<string, { properties: object }>
  >;
  expect(() => readQuotaSettings(JSON.stringify(setAll(quotas!.properties, 1)))).not.toThrow();
  expect(Object.keys(quotas!.properties)).toEqual([...quotaNames, 'sshKeysPerProject']);
  const lengths = readNameLengthSettings(JSON.stringify(setAll(nameLengths!.properties, 9)));
  expect(Object.keys(lengths)).toEqual(Object.keys(defaultNameLengths));
});

const setAll = (properties: object, value: number) =>
  Object.fromEntries(Object.keys(properties).map((name) => [name, value]));

it('has a definition for each kind, with every field that the kind knows', () => {
  const { $defs } = assembleSchema();
  for (const kind of kindNames) {
    const { properties } = $defs[kind] as { properties: object };
    const missing = Object.keys(kindRegistry[kind].fields).filter(
      (field) => !Object.hasOwn(properties, field),
    );
    expect(missing, kind).toEqual([]);
  }
});
