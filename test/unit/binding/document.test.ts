import { expect, test } from 'vitest';
import { applyOpenApiOverlay } from '../../../src/binding/document/apply-overlay.ts';
import { readApiDocument } from '../../../src/binding/document/read-document.ts';

const answering = (schema: unknown) => ({
  responses: { 200: { content: { 'application/json': { schema } } } },
});
const read = (schema: unknown, more: object = {}) => {
  const { document, faults } = readApiDocument({
    paths: { '/a': { get: answering(schema) } },
    ...more,
  });
  return { answer: document.operations[0]?.answer, faults };
};

test.each([
  { type: 'string', nullable: true },
  { type: ['string', 'null'] },
  { type: 'string', 'x-nullable': true },
  { anyOf: [{ type: 'string' }, { type: 'null' }] },
  { oneOf: [{ type: 'string' }, { const: null }] },
  { type: 'string', enum: ['a', null] },
  { allOf: [{ type: 'string' }], nullable: true },
])('%j is a text or null', (schema) =>
  expect(read(schema).answer).toMatchObject({ type: 'string', isNullable: true }),
);

test('schemas that lead to themselves, and parts of parts, are read', () => {
  const schemas = {
    Node: {
      allOf: [
        { $ref: '#/components/schemas/Base' },
        { properties: { next: { $ref: '#/components/schemas/Node' } } },
      ],
    },
    Base: { type: 'object', required: ['id'], properties: { id: { type: 'integer' } } },
  };
  const { answer, faults } = read(
    { $ref: '#/components/schemas/Node' },
    { components: { schemas } },
  );
  expect(faults).toEqual([]);
  expect(answer?.members.get('next')?.schema.members.get('id')).toMatchObject({ isRequired: true });
  expect(answer).toMatchObject({ name: 'Node', type: 'object' });
});

test('every fault of a wrong document is reported at its place, and the rest of it is read', () => {
  const { document, faults } = readApiDocument({
    paths: {
      '/a': {
        get: {
          operationId: 'x',
          parameters: [{ $ref: '#/lost' }, 7, { in: 'query' }],
          ...answering({ type: 'strng', properties: [] }),
        },
      },
      b: { get: { operationId: 'x', responses: {} }, fetch: {} },
      '/c': 'nothing',
      '/d': { post: answering({ $ref: 'other.yaml#/D' }), put: answering({ $ref: '#/e' }) },
    },
    e: { $ref: '#/e' },
  });
  expect(document.operations.map(({ method, path }) => `${method} ${path}`)).toEqual([
    'GET /a',
    'GET /b',
    'POST /d',
    'PUT /d',
  ]);
  expect(faults.map(({ pointer, what }) => `${pointer}: ${what}`).sort()).toMatchInlineSnapshot(`
    [
      "/paths/b/fetch: fetch is no method",
      "/paths/b/get/operationId: Another operation has the id x",
      "/paths/b: A path begins with /",
      "/paths/~1a/get/parameters/0: The reference #/lost leads to nothing",
      "/paths/~1a/get/parameters/1: A parameter is an object",
      "/paths/~1a/get/parameters/2: A parameter has a name",
      "/paths/~1a/get/responses/200/content/application~1json/schema/properties: The members of an object are an object",
      "/paths/~1a/get/responses/200/content/application~1json/schema/type: "strng" is no type",
      "/paths/~1c: A path is an object",
      "/paths/~1d/post/responses/200/content/application~1json/schema: The reference other.yaml#/D leads out of the document",
      "/paths/~1d/put/responses/200/content/application~1json/schema: The reference leads back to itself",
    ]
  `);
});

test.each([
  [
    { servers: [{ url: 'https://x.example/{v}', variables: { v: { default: 'v2' } } }] },
    '/a',
    undefined,
    '/a',
  ],
  [{ servers: [{ url: '/' }] }, '/api/v1/a', undefined, '/a'],
  [{ swagger: '2.0', basePath: '/v1' }, '/a', undefined, '/a'],
  [{ servers: [{ url: '/' }] }, '/v1/a', '', '/v1/a'],
  [{ servers: [{ url: '/v1' }] }, '/x/a', '/v1/x', '/a'],
])('below the base address: %j%s', (head, path, base, expected) =>
  expect(
    readApiDocument({ ...head, paths: { [path]: { get: answering({}) } } }, base).document
      .operations[0]?.path,
  ).toBe(expected),
);

test('an overlay mends a document, and says what of it does nothing', () => {
  const document = {
    paths: { '/a': { get: { tags: ['x'], deprecated: true }, post: {} } },
    list: [{ name: 'a' }, { name: 'b', old: true }, { name: 'c', old: true }],
  };
  const overlay = {
    actions: [
      { target: "$.paths['/a'].get", update: { operationId: 'listA', tags: ['y'] } },
      { target: '$.paths.*.get.deprecated', remove: true },
      { target: '$.list[?@.old == true]', remove: true },
      { target: '$..name', update: 'named' },
      { target: '$.nowhere', remove: true },
      { target: '$.paths[(@.length-1)]', remove: true },
      {},
    ],
  };
  const result = applyOpenApiOverlay(document, overlay);
  expect(result.document).toEqual({
    paths: { '/a': { get: { tags: ['x', 'y'], operationId: 'listA' }, post: {} } },
    list: [{ name: 'named' }],
  });
  expect(result.faults.map(({ pointer }) => pointer)).toEqual([
    '/actions/4/target',
    '/actions/5/target',
    '/actions/6',
  ]);
});
