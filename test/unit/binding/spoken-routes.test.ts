// Routes that say in words what is done, and what they must not be taken for.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { deriveBinding } from '../../../src/binding/derive-binding.ts';
import { readApiDocument } from '../../../src/binding/document/read-document.ts';
import { listSchemaLeaves } from '../../../src/binding/match/leaves.ts';
import { findWrongLines } from '../../support/dialects/find-wrong-lines.ts';
import {
  buildDialectDocument,
  type Document,
} from '../../support/dialects/build-dialect-document.ts';

const path = join(import.meta.dirname, 'documents', 'hollerith.json');
const readDocument = async () => JSON.parse(await readFile(path, 'utf8')) as Document;

it('of two ways to end a VM, a person says which one it is', async () => {
  const document = await readDocument();
  const line = { deleteVm: 'POST /deleteServer' };
  expect(deriveBinding(document).binding.operations).toMatchObject(line);
  const twice = { ...document.paths, '/destroyServer': document.paths['/deleteServer'] };
  expect(deriveBinding({ ...document, paths: twice }).binding.operations).toMatchObject({
    deleteVm: 'open',
  });
});

it('beside a DELETE, a person is asked about a deletion by words', async () => {
  const document = await readDocument();
  const paths = { ...document.paths, '/servers/{serverId}/disks': { delete: { responses: {} } } };
  expect(deriveBinding({ ...document, paths }).binding.operations).toMatchObject({
    deleteVm: 'open',
  });
});

it('what takes the id of a VM beside that of a network does not remove the network', async () => {
  const document = await readDocument();
  const { '/disconnectServerFromLan': leave, '/deleteLan': end, ...paths } = document.paths;
  expect(end).toBeDefined();
  const removed = deriveBinding({ ...document, paths: { ...paths, '/lan/remove': leave } });
  expect(removed.binding.operations).not.toMatchObject({ deleteNetwork: 'POST /lan/remove' });
  expect(removed.binding.operations).toMatchObject({ detachVm: 'POST /lan/remove' });
});

const text = { type: 'string' };
const several = { type: 'array', items: text };

/** Routes that look like one of the contract's operations, are another one, and stand in the place of the true one. */
const strangers: readonly (readonly [string, string, Readonly<Record<string, object>>])[] = [
  ['deleteVm', 'POST /servers/delete', { ids: several }],
  ['startVm', 'POST /startServers', { serverIds: several }],
  ['startVm', 'POST /startServer', { id: text, serverId: text }],
  ['deleteVm', 'POST /customers/{id}/servers/delete', { id: text }],
  ['deleteVm', 'POST /servers/{serverId}/delete-attribute', { key: text }],
  ['deleteVm', 'POST /servers/{serverId}/delete-data', {}],
  ['deleteVm', 'POST /deleteServer', { id: text, serverId: text }],
  ['deleteBackup', 'POST /backups/{serverId}/delete', { backupId: text }],
  ['deleteNetwork', 'POST /lan/delete', { lanId: text, serverId: text }],
  ['renameVm', 'POST /servers/{serverId}/set-property', { name: text, value: text }],
  ['renameVm', 'POST /servers/{serverId}/replace', { name: text, plan: text, image: text }],
  ['renameProject', 'POST /projects/{projectId}/set-default', {}],
  ['getBackup', 'GET /backups/{serverId}/get', {}],
  ['getVm', 'GET /servers/{serverId}/output', {}],
  ['getNetwork', 'GET /lan/{lanId}/attached', {}],
  ['createNetwork', 'POST /addLan', { serverId: text, lanId: text }],
  ['startVm', 'POST /servers/{serverId}/boot/order', { devices: several }],
];

it.each(strangers)('%s is not %s with %j', async (operation, route, properties) => {
  const document = await readDocument();
  const bound: Readonly<Record<string, string>> = deriveBinding(document).binding.operations ?? {};
  const taken = bound[operation]?.split(' ')[1] ?? '';
  const { [taken]: own, ...paths } = document.paths;
  const [method = '', path = ''] = route.split(' ');
  const schema = { type: 'object', required: Object.keys(properties), properties };
  const content = { 'application/json': { schema } };
  const parameters = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => ({
    ...{ name, in: 'path', required: true, schema: text },
  }));
  const responses = { 200: { description: 'OK' } };
  const stranger = {
    ...{ parameters, responses },
    ...(method === 'POST' && { requestBody: { content } }),
  };
  const changed = {
    ...document,
    paths: { ...paths, [path]: { [method.toLowerCase()]: stranger } },
  };
  const operations: Readonly<Record<string, string>> =
    deriveBinding(changed).binding.operations ?? {};
  expect(own).toBeDefined();
  expect(operations[operation]?.replaceAll(/\{\w*\}/g, '{}')).not.toBe(
    route.replaceAll(/\{\w*\}/g, '{}'),
  );
});

it('a read by POST alone is no question, for no contract file has it, and tells what the others are about', async () => {
  const document = await readDocument();
  const paths = Object.fromEntries(
    Object.entries(document.paths).map(([route, { get, ...others }]) => [
      route,
      get ? { post: get } : others,
    ]),
  );
  const { binding, rows } = deriveBinding({ ...document, paths });
  expect(binding.operations).toMatchObject({ getVm: 'none', startVm: 'POST /startServer' });
  expect(rows.find(({ line }) => line === 'operations.getVm')?.why).toBe(
    'POST /getServer cannot be it: it only reads, and a read is a GET',
  );
});

it('a place with the very name of one member is no other one', () => {
  const fields = {
    notification: { type: '/category', resourceType: '/targetType', resourceId: '/targetId' },
  };
  const truth = { version: 1, fields } as const;
  const { binding } = deriveBinding(buildDialectDocument(truth, { isInline: true }));
  expect(findWrongLines(binding, truth)).toEqual([]);
});

it('the type of a thing of JSON:API says which kind it is, and nothing of it', () => {
  const attributes = { type: 'object', properties: { type: text } };
  const schema = { type: 'object', properties: { id: text, type: text, attributes } };
  const content = { 'application/json': { schema } };
  const get = { responses: { 200: { description: 'OK', content } } };
  const { document } = readApiDocument({ openapi: '3.0.3', info: {}, paths: { '/a': { get } } });
  const pointers = listSchemaLeaves(document.operations[0]?.answer).map(({ pointer }) => pointer);
  expect(pointers).toEqual(['/id', '/attributes', '/attributes/type']);
});
