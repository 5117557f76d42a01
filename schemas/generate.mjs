/**
 * Writes what the code takes from the contract: `openapi.yaml` becomes `src/api/contract/schema.ts`
 * (types) and `src/api/contract/routes.ts` (a table of routes). `--check` writes nothing and exits
 * 1 when either is stale.
 */
import { readFile, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import openapiTypescript, { astToString } from 'openapi-typescript';
import { format, resolveConfig } from 'prettier';
import { parse } from 'yaml';

const contractUrl = new URL('openapi.yaml', import.meta.url);
const outputUrl = new URL('../src/api/contract/', import.meta.url);
const methods = ['get', 'put', 'post', 'patch', 'delete'];

const header = `/**
 * Generated from schemas/openapi.yaml by \`npm run generate\`. Do not edit.
 */
`;

/** The types of every schema, parameter and answer. An enum is a union of strings. */
async function buildSchemaModule(contract) {
  // A default does not make a member required: requests may leave it out.
  const nodes = await openapiTypescript(contract, { defaultNonNullable: false });
  return header + '\n' + astToString(nodes);
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

/** What each generated file should hold, by its path. */
async function buildModules() {
  const contract = parse(await readFile(contractUrl, 'utf8'));
  const sources = {
    'schema.ts': await buildSchemaModule(contract),
    'routes.ts': buildRoutesModule(contract),
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
