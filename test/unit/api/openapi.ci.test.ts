import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parse } from 'yaml';
import { describe, expect, expectTypeOf, it } from 'vitest';
import { routes } from '../../../src/api/contract/routes.ts';
import type {
  PathParams,
  Query,
  RequestBody,
  ResponseBody,
  WireVm,
} from '../../../src/api/contract/types.ts';

type Json = Record<string, unknown>;

const root = new URL('../../../', import.meta.url);
const text = readFileSync(new URL('schemas/openapi.yaml', root), 'utf8');
const contract = parse(text) as Json & {
  paths: Record<string, Record<string, Json>>;
  components: Record<string, Record<string, Json>>;
};
const marks = ['specified', 'published', 'assumed'];
const methods = ['get', 'put', 'post', 'patch', 'delete'];

const operations = Object.entries(contract.paths).flatMap(([path, item]) =>
  Object.entries(item)
    .filter(([method]) => methods.includes(method))
    .map(([method, operation]) => ({ method, path, operation })),
);

const isObject = (value: unknown): value is Json => typeof value === 'object' && value !== null;

/** Every object of the document with its JSON pointer, the document itself first. */
function* walk(value: unknown, pointer = '#'): Generator<{ pointer: string; node: Json }> {
  if (!isObject(value)) return;
  yield { pointer, node: value };
  for (const [key, child] of Object.entries(value)) {
    yield* walk(child, `${pointer}/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`);
  }
}

const resolve = (pointer: string): unknown =>
  pointer
    .split('/')
    .slice(1)
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'))
    .reduce<unknown>((node, key) => (isObject(node) ? node[key] : undefined), contract);

const nodes = [...walk(contract)];
const pointersWhere = (isWanted: (node: Json) => boolean): string[] =>
  nodes.filter(({ node }) => isWanted(node)).map(({ pointer }) => pointer);

describe('the operations', () => {
  it('are the 72 of the contract', () => expect(operations).toHaveLength(72));

  it('have unique ids, the very ones of the routes', () => {
    const ids = operations.map(({ operation }) => operation.operationId);
    expect(new Set(ids).size).toBe(72);
    expect(Object.keys(routes)).toEqual(ids);
  });

  it('each have a summary, a tag of the list and an evidence mark', () => {
    const tags = (contract.tags as Json[]).map((tag) => tag.name);
    for (const { operation } of operations) {
      expect(operation).toMatchObject({ summary: expect.any(String) as string });
      expect(tags).toEqual(expect.arrayContaining(operation.tags as string[]));
      expect(marks, String(operation.operationId)).toContain(operation['x-evidence']);
    }
  });

  it('each have one success answer, but for resize, which has none', () => {
    for (const { operation } of operations) {
      const successes = Object.keys(operation.responses as Json).filter((s) => s.startsWith('2'));
      const expected = operation.operationId === 'resizeVm' ? 0 : 1;
      expect(successes, String(operation.operationId)).toHaveLength(expected);
    }
  });

  it('each declare the errors that any call can meet', () => {
    for (const { path, operation } of operations) {
      const expected = ['401', '403', '429', '503'];
      const isAlwaysRefused = operation.operationId === 'resizeVm';
      if (path.includes('{') && !isAlwaysRefused) expected.push('404');
      if ('requestBody' in operation && !isAlwaysRefused) expected.push('400', '413', '415', '422');
      expect(Object.keys(operation.responses as Json)).toEqual(expect.arrayContaining(expected));
    }
  });

  it('declare every parameter of their path, and no other', () => {
    for (const [path, item] of Object.entries(contract.paths)) {
      const wanted = [...path.matchAll(/\{(\w+)\}/g)].map((match) => match[1]);
      const references = Object.values(item.parameters ?? {}) as { $ref: string }[];
      const declared = references.map(({ $ref }) => (resolve($ref) as Json).name);
      expect(declared, path).toEqual(wanted);
    }
  });

  it('leave out what the service removed', () => {
    for (const path of Object.keys(contract.paths)) {
      expect(path).not.toMatch(/^\/(admin\/sagas|payments)(\/|$)/);
    }
  });
});

describe('the evidence', () => {
  it('stands on every property of every schema', () => {
    const properties = nodes.flatMap(({ pointer, node }) =>
      isObject(node.properties)
        ? Object.entries(node.properties).map(([name, property]) => ({
            at: `${pointer}/properties/${name}`,
            mark: (property as Json)['x-evidence'],
          }))
        : [],
    );
    expect(properties.length).toBeGreaterThan(100);
    expect(properties.filter(({ mark }) => !marks.includes(mark as string))).toEqual([]);
  });

  it('stands on every parameter', () => {
    expect(
      pointersWhere((node) => 'in' in node && !marks.includes(String(node['x-evidence']))),
    ).toEqual([]);
  });

  it('accounts for every value of an enum that lists it by value', () => {
    for (const { pointer, node } of nodes.filter(({ node }) => 'x-evidence-values' in node)) {
      const values = node['x-evidence-values'] as Record<string, string[]>;
      expect(marks, pointer).toEqual(expect.arrayContaining(Object.keys(values)));
      expect(Object.values(values).flat(), pointer).toEqual(node.enum);
    }
  });
});

describe('the schemas', () => {
  it('resolve every reference', () => {
    const isDangling = (node: Json) =>
      typeof node.$ref === 'string' && resolve(node.$ref) === undefined;
    expect(pointersWhere(isDangling)).toEqual([]);
  });

  it('require only properties that they have', () => {
    const isWrong = (node: Json) =>
      Array.isArray(node.required) &&
      !node.required.every((name) => String(name) in ((node.properties ?? {}) as Json));
    expect(pointersWhere(isWrong)).toEqual([]);
  });

  it('are closed for requests and open for everything else', () => {
    const references = operations.flatMap(({ operation }) =>
      [...walk(operation.requestBody)].map(({ node }) => node.$ref).filter(Boolean),
    );
    const closed = pointersWhere((node) => node.additionalProperties === false);
    expect(closed.toSorted()).toEqual([...new Set(references)].toSorted());
  });

  it('declare `code` for the 409 of VM creation alone', () => {
    const users = nodes.filter(({ node }) => node.$ref === '#/components/schemas/ApiProblem');
    expect(users).toHaveLength(1);
    const refusals = nodes.filter(
      ({ node }) => node.$ref === '#/components/responses/VmCreationRefused',
    );
    expect(refusals.map(({ pointer }) => pointer)).toEqual([
      '#/paths/~1projects~1{projectId}~1vms/post/responses/409',
    ]);
  });
});

describe('the generated code', () => {
  it('is not stale', () => {
    const script = fileURLToPath(new URL('schemas/generate.mjs', root));
    const result = spawnSync(process.execPath, [script, '--check'], { encoding: 'utf8' });
    expect(result).toMatchObject({ stderr: '', status: 0 });
  });

  it('derives the types of one call from its operation id', () => {
    expectTypeOf<ResponseBody<'getVm'>>().toEqualTypeOf<WireVm>();
    expectTypeOf<ResponseBody<'startVm'>>().toEqualTypeOf<{ commandId: string }>();
    expectTypeOf<ResponseBody<'deleteToken'>>().toEqualTypeOf<undefined>();
    expectTypeOf<ResponseBody<'resizeVm'>>().toEqualTypeOf<undefined>();
    expectTypeOf<RequestBody<'startVm'>>().toEqualTypeOf<undefined>();
    expectTypeOf<RequestBody<'renameVm'>>().toEqualTypeOf<{ name: string }>();
    expectTypeOf<PathParams<'getVm'>>().toEqualTypeOf<{ projectId: string; vmId: string }>();
    expectTypeOf<PathParams<'getLimits'>>().toEqualTypeOf<Record<string, never>>();
    expectTypeOf<Query<'listVms'>>().toEqualTypeOf<{ page?: number; pageSize?: number }>();
    expectTypeOf<Query<'getVm'>>().toEqualTypeOf<Record<string, never>>();
  });
});
