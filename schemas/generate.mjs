/**
 * Writes what the code takes from the contracts: `openapi.yaml` becomes `src/api/contract/schema.ts`
 * (types), `src/api/contract/routes.ts` (a table of routes) and `src/api/contract/shapes.ts` (what the
 * records and operations hold); of `server.yaml`, the schemas become `src/server/contract.ts`
 * (types). `--check` writes nothing and exits 1 when one is stale.
 */
import { readFile, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import openapiTypescript, { astToString } from 'openapi-typescript';
import { format, resolveConfig } from 'prettier';
import { parse } from 'yaml';

const contractUrl = new URL('openapi.yaml', import.meta.url);
const serverContractUrl = new URL('server.yaml', import.meta.url);
const outputUrl = new URL('../src/', import.meta.url);
const methods = ['get', 'put', 'post', 'patch', 'delete'];

const headerFor = (name) => `/**
 * Generated from schemas/${name} by \`npm run generate\`. Do not edit.
 */
`;
const header = headerFor('openapi.yaml');

/** The types of every schema, parameter and answer. An enum is a union of strings. */
async function buildSchemaModule(contract) {
  // A default does not make a member required: requests may leave it out.
  const nodes = await openapiTypescript(contract, { defaultNonNullable: false });
  return header + '\n' + astToString(nodes);
}

/** The types of what the server takes, with its defaults in it, and of what it answers. */
async function buildServerModule({ openapi, info, components }) {
  const records = { openapi, info, paths: {}, components: { schemas: components.schemas } };
  const nodes = await openapiTypescript(records, { defaultNonNullable: true, immutable: true });
  const code = astToString(nodes)
    .replaceAll(/^export type .* = Record<string, never>;\n/gm, '')
    .replace('export interface components', 'interface components');
  return `${headerFor('server.yaml')}
${code}
/** The records of the interface, by their names in its contract. */
export type Schemas = components['schemas'];
`;
}

/** One row an operation, in the order of the contract. */
function buildRoutesModule(contract) {
  const rows = Object.entries(contract.paths).flatMap(([path, item]) =>
    methods
      .filter((method) => method in item)
      .map((method) => {
        const { operationId, responses } = item[method];
        const success = Object.keys(responses).find((status) => status.startsWith('2')) ?? null;
        return `${operationId}: { method: '${method.toUpperCase()}', path: '${path}', success: ${success} },`;
      }),
  );
  return `${header}
import type { operations } from './schema.ts';

export type OperationId = keyof operations;

export interface Route {
  readonly method: 'GET' | 'PUT' | 'POST' | 'PATCH' | 'DELETE';
  /** Relative to the base address; \`{name}\` stands for a path parameter. */
  readonly path: string;
  /** The status of success; null for an operation that never succeeds. */
  readonly success: 200 | 201 | 202 | 204 | null;
}

// prettier-ignore
export const routes = {
  ${rows.join('\n  ')}
} as const satisfies Record<OperationId, Route>;
`;
}

const camelCase = (name) => name[0].toLowerCase() + name.slice(1);
const refName = ({ $ref }) => $ref?.split('/').at(-1);

/** The members of a schema of an object; undefined for another. */
function readMembers(contract, schema) {
  const { schemas } = contract.components;
  const parts = (schema.allOf ?? [schema]).map((part) =>
    part.$ref ? readMembers(contract, schemas[refName(part)]) : part.properties && part,
  );
  if (parts.some((part) => part === undefined)) return undefined;
  return {
    required: parts.flatMap(({ required = [] }) => required),
    properties: Object.assign({}, ...parts.map(({ properties }) => properties)),
  };
}

/** Whose id a member or a parameter of such a name is: `vmId`, `sshKeyIds`, `sourceImageId`. */
function readIdOwner(name, owner) {
  if (name === 'id') return owner;
  const stem = /^(?:source)?(.+?)Ids?$/.exec(name)?.[1];
  return stem && camelCase(stem);
}

/** One member as the table has it. */
function describeMember(contract, owner, name, schema, isRequired) {
  const { schemas } = contract.components;
  const options = schema.oneOf ?? [schema];
  const isNullable = options.some(({ type }) => type === 'null' || type?.includes?.('null'));
  const inner = options.find(({ type }) => type !== 'null');
  const isList = inner.type === 'array';
  const item = isList ? inner.items : inner;
  const target = refName(item);
  const resolved = target ? schemas[target] : item;
  const idOwner = target === 'Id' || name.endsWith('Id') ? readIdOwner(name, owner) : undefined;
  const base = [resolved.type].flat().find((type) => type !== 'null');
  const isRecord = target && readMembers(contract, resolved) !== undefined;
  return {
    ...(isRecord
      ? { type: 'record', record: camelCase(target) }
      : idOwner
        ? { type: 'id', of: idOwner }
        : resolved.enum
          ? { type: 'enum', enum: camelCase(target) }
          : { type: resolved.format === 'date-time' ? 'time' : (wireTypes[base] ?? 'any') }),
    ...(isList && { isList }),
    ...(isNullable && { isNullable }),
    ...(!isRequired && { isOptional: true }),
    evidence: schema['x-evidence'],
  };
}

const wireTypes = { string: 'text', number: 'number', integer: 'number', boolean: 'boolean' };

/** The parameters, the body and the answer of an operation. */
function describeOperation(contract, item, { parameters = [], requestBody, responses, ...rest }) {
  const named = [...(item.parameters ?? []), ...parameters].map(
    ({ $ref }) => contract.components.parameters[$ref.split('/').at(-1)],
  );
  const inPlace = (place) => named.filter((one) => one.in === place).map(({ name }) => name);
  const body = requestBody?.content['application/json'].schema;
  const success = Object.entries(responses).find(([status]) => status.startsWith('2'))?.[1];
  const answer = success?.content?.['application/json'].schema;
  const answered = answer && refName(answer.items ?? answer);
  const page = answered?.endsWith('Page');
  return {
    params: inPlace('path'),
    query: inPlace('query'),
    ...(body && { body: camelCase(refName(body)) }),
    ...(answered && { answer: camelCase(page ? answered.slice(0, -'Page'.length) : answered) }),
    ...((page || answer?.type === 'array') && { isList: true }),
    evidence: rest['x-evidence'],
  };
}

/** What records, enums and operations hold, for whoever translates them. */
function buildShapesModule(contract) {
  const schemas = Object.entries(contract.components.schemas);
  const records = Object.fromEntries(
    schemas.flatMap(([name, schema]) => {
      const members = readMembers(contract, schema);
      if (!members || name.startsWith('Page') || name.endsWith('Page')) return [];
      const owner = camelCase(name === 'CreatedToken' ? 'Token' : name);
      const shape = Object.entries(members.properties).map(([member, one]) => [
        member,
        describeMember(contract, owner, member, one, members.required.includes(member)),
      ]);
      return [[camelCase(name), Object.fromEntries(shape)]];
    }),
  );
  const bases = Object.fromEntries(
    schemas.flatMap(([name, { allOf = [] }]) =>
      allOf
        .filter(
          (part) => part.$ref && camelCase(refName(part)) in records && camelCase(name) in records,
        )
        .map((part) => [camelCase(name), camelCase(refName(part))]),
    ),
  );
  const enums = Object.fromEntries(
    schemas.flatMap(([name, one]) => (one.enum ? [[camelCase(name), one.enum]] : [])),
  );
  const operations = Object.fromEntries(
    Object.values(contract.paths).flatMap((item) =>
      methods
        .filter((method) => method in item)
        .map((method) => [
          item[method].operationId,
          describeOperation(contract, item, item[method]),
        ]),
    ),
  );
  return `${header}
import type { OperationId } from './routes.ts';

/** Evidence: the interface specification states it, public documentation does, or nothing. */
export type Evidence = 'specified' | 'published' | 'assumed';

/** A member of a record. */
export type MemberShape = (
  | { readonly type: 'text' | 'number' | 'boolean' | 'time' | 'any' }
  /** The id of a record of that name. */
  | { readonly type: 'id'; readonly of: string }
  | { readonly type: 'enum'; readonly enum: string }
  | { readonly type: 'record'; readonly record: string }
) & {
  /** A list of such. */
  readonly isList?: boolean;
  readonly isNullable?: boolean;
  /** Set for a member that may be left out. */
  readonly isOptional?: boolean;
  readonly evidence?: Evidence;
};

/** The parameters, the body and the answer of an operation. */
export interface OperationShape {
  /** Parameters of the path, outermost first. */
  readonly params: readonly string[];
  readonly query: readonly string[];
  /** The record that its body is. */
  readonly body?: string;
  /** The record that it answers, or answers a list of. */
  readonly answer?: string;
  readonly isList?: boolean;
  readonly evidence: Evidence;
}

/** The objects of the contract and their members. */
// prettier-ignore
export const recordShapes: Readonly<Record<string, Readonly<Record<string, MemberShape>>>> = {
${writeRows(records)}
};

/** Records that are another one, and more. */
export const recordBases: Readonly<Record<string, string>> = ${writeLiteral(bases)};

/** The words of the contract's enums. */
// prettier-ignore
export const enumWords: Readonly<Record<string, readonly string[]>> = {
${writeRows(enums, true)}
};

// prettier-ignore
export const operationShapes: Readonly<Record<OperationId, OperationShape>> = {
${writeRows(operations, true)}
};
`;
}

/** The entries of a table, one a line; of a table of tables, one a line of these. */
function writeRows(table, isFlat = false) {
  return Object.entries(table)
    .map(([name, row]) => {
      const inner = Object.entries(row).map(([key, one]) => `    ${key}: ${writeLiteral(one)},`);
      return isFlat
        ? `  ${name}: ${writeLiteral(row)},`
        : `  ${name}: {\n${inner.join('\n')}\n  },`;
    })
    .join('\n');
}

/** A value as TypeScript has it on one line. */
function writeLiteral(value) {
  if (Array.isArray(value)) return `[${value.map(writeLiteral).join(', ')}]`;
  if (typeof value !== 'object') return typeof value === 'string' ? `'${value}'` : String(value);
  const entries = Object.entries(value).filter(([, one]) => one !== undefined);
  return `{ ${entries.map(([key, one]) => `${key}: ${writeLiteral(one)}`).join(', ')} }`;
}

/** What each generated file should hold, by its path. */
async function buildModules() {
  const contract = parse(await readFile(contractUrl, 'utf8'));
  const serverContract = parse(await readFile(serverContractUrl, 'utf8'));
  const sources = {
    'api/contract/schema.ts': await buildSchemaModule(contract),
    'api/contract/routes.ts': buildRoutesModule(contract),
    'api/contract/shapes.ts': buildShapesModule(contract),
    'server/contract.ts': await buildServerModule(serverContract),
  };
  const modules = new Map();
  for (const [name, source] of Object.entries(sources)) {
    const filepath = fileURLToPath(new URL(name, outputUrl));
    modules.set(filepath, await format(source, { ...(await resolveConfig(filepath)), filepath }));
  }
  return modules;
}

const isCheck = process.argv.includes('--check');
const stale = [];
for (const [filepath, expected] of await buildModules()) {
  const actual = await readFile(filepath, 'utf8').catch(() => undefined);
  if (actual === expected) continue;
  stale.push(filepath);
  if (!isCheck) await writeFile(filepath, expected);
}

if (isCheck && stale.length > 0) {
  console.error(`Stale, run \`npm run generate\`:\n${stale.join('\n')}`);
  process.exitCode = 1;
}
