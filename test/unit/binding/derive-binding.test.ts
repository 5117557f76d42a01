// Bindings derived from the documents of services that are far apart from each other.
import { describe, expect, it, test } from 'vitest';
import { stringify } from 'yaml';
import { type OperationId, routes } from '../../../src/api/contract/routes.ts';
import { deriveBinding } from '../../../src/binding/derive-binding.ts';
import { readBinding } from '../../../src/config/contract/read-binding.ts';
import type { Binding } from '../../../src/model/account/binding.ts';
import {
  buildDialectDocument,
  type DialectStyle,
} from '../../support/dialects/build-dialect-document.ts';
import { actionsByBody, flatServers, renamedCatalog } from '../../support/dialects/dialects.ts';
import { findWrongLines } from '../../support/dialects/find-wrong-lines.ts';
import { addLookAlikes } from '../../support/dialects/spoil-document.ts';

const derive = (binding: Binding, style?: DialectStyle) =>
  deriveBinding(buildDialectDocument(binding, style));

const openLines = (rows: ReturnType<typeof deriveBinding>['rows']) =>
  rows.flatMap(({ is, line }) => (is === 'open' ? [line] : []));

test('a service that spells nothing otherwise needs no line', () => {
  const { binding, questions, faults } = derive({ version: 1 });
  expect({ binding, questions, faults }).toEqual({
    binding: { version: 1 },
    questions: [],
    faults: [],
  });
});

test.each([
  ['renamed catalog', renamedCatalog, []],
  ['flat servers', flatServers, ['operations.rebuildVm']],
  ['actions by body', actionsByBody, []],
])('%s: no wrong line, and these open', (_, { binding, style }, open) => {
  for (const document of [
    buildDialectDocument(binding, style),
    addLookAlikes(buildDialectDocument(binding, style)),
  ]) {
    const derived = deriveBinding(document);
    expect(findWrongLines(derived.binding, binding)).toEqual([]);
    expect(openLines(derived.rows)).toEqual(open);
    expect(readBinding(stringify(derived.binding), 'hosting.contract.yaml').diagnostics).toEqual(
      [],
    );
  }
});

test.each<DialectStyle>([
  { openapi: '3.1', id: () => undefined as unknown as string },
  { openapi: '2.0', id: (one) => one.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`) },
  { isInline: true, saysRequired: false, prefix: '/v2' },
])('it is the same however the document is written: %j', (style) => {
  const { binding } = renamedCatalog;
  const derived = derive(binding, style);
  expect([findWrongLines(derived.binding, binding), derived.questions]).toEqual([[], []]);
});

test('a document of which no name is known says of no operation that the service lacks it', () => {
  const get = { responses: { 200: { description: 'OK' } } };
  const paths = { '/hankkeet': { get }, '/hankkeet/{hankeId}/koneet': { get } };
  const { binding, questions } = deriveBinding({ openapi: '3.0.3', info: {}, paths });
  expect(new Set(Object.values(binding.operations ?? {}))).toEqual(new Set(['open']));
  expect(questions.length).toBeGreaterThanOrEqual(Object.keys(routes).length);
});

describe('what loses something', () => {
  it.each<[OperationId, string]>([
    ['rebuildVm', 'POST /projects/{projectId}/vms/{vmId}/reinstall'],
    ['restoreBackup', 'POST /projects/{projectId}/vms/{vmId}/backups/{backupId}/rollback'],
    ['deleteVm', 'POST /projects/{projectId}/vms/{vmId}/destroy'],
  ])('%s is asked about at a place that only resembles it', (operation, line) => {
    const { binding, questions } = derive({ version: 1, operations: { [operation]: line } });
    expect(binding.operations).toEqual({ [operation]: 'open' });
    expect(questions).toContainEqual({ line: `operations.${operation}`, candidates: [line] });
  });

  it('is bound below a collection that its list and its create were bound to', () => {
    const path = '/projects/{projectId}/public-ips/{publicIpId}/port-mappings';
    expect(derive(renamedCatalog.binding).binding.operations).toMatchObject({
      deletePortForward: `DELETE ${path}/{portForwardId}`,
    });
  });

  it('is asked about where an id says that it is another end', () => {
    const id = (one: string) => (one === 'deleteVm' ? 'archive_server' : one);
    expect(
      derive(
        {
          version: 1,
          operations: {
            deleteVm: 'DELETE /projects/{projectId}/servers/{vmId}',
            getVm: 'GET /projects/{projectId}/servers/{vmId}',
            listVms: 'GET /projects/{projectId}/servers',
          },
        },
        { id },
      ).binding.operations?.deleteVm,
    ).toBe('open');
  });
});

test('an optional part that is missing is none, and no question', () => {
  const operations = {
    getVmMetrics: 'none',
    getNameLengthLimits: 'none',
    listSales: 'none',
    getSale: 'none',
    cancelSaleRenewal: 'none',
    resumeSaleRenewal: 'none',
  };
  const derived = derive({ version: 1, operations });
  expect([derived.binding.operations, derived.questions]).toEqual([operations, []]);
});

test('two that may be the same are both asked about', () => {
  const document = buildDialectDocument({
    version: 1,
    operations: { stopVm: 'POST /projects/{projectId}/vms/{vmId}/shutdown' },
  });
  const path = '/projects/{projectId}/vms/{vmId}';
  document.paths[`${path}/poweroff`] = { ...document.paths[`${path}/shutdown`] };
  const candidates = [`POST ${path}/shutdown`, `POST ${path}/poweroff`];
  expect(deriveBinding(document).questions).toEqual([{ line: 'operations.stopVm', candidates }]);
});

test('a line that a person has answered is kept, and an open one is derived anew', () => {
  const path = '/projects/{projectId}/vms/{vmId}';
  const document = buildDialectDocument({
    version: 1,
    operations: { rebuildVm: `POST ${path}/reinstall` },
  });
  const former: Binding = {
    version: 1,
    operations: { rebuildVm: `POST ${path}/reinstall`, startVm: 'open' },
    fields: { vm: { plugins: 'none' } },
  };
  const { binding, questions, rows } = deriveBinding(document, former);
  expect([questions, binding]).toEqual([
    [],
    {
      version: 1,
      operations: { rebuildVm: `POST ${path}/reinstall` },
      fields: { vm: { plugins: 'none' } },
    },
  ]);
  expect(rows).toContainEqual(
    expect.objectContaining({ line: 'fields.vm.plugins', is: 'none', why: 'the file says so' }),
  );
});

test('what the service requires beyond the contract is listed', () => {
  const document = buildDialectDocument({ version: 1 });
  const create = document.paths['/projects/{projectId}/vms']?.post as {
    requestBody: {
      content: Record<string, { schema: { properties: object; required: string[] } }>;
    };
  };
  const schema = create.requestBody.content['application/json']!.schema;
  Object.assign(schema.properties, { region: { type: 'string', enum: ['eu', 'us'] } });
  schema.required.push('region');
  expect(deriveBinding(document).requiredUnknown).toEqual([
    { operation: 'createVm', at: '/region', in: 'body', type: 'string', words: ['eu', 'us'] },
  ]);
});

describe('a name that says nothing', () => {
  const rename = (from: string, to: string): Binding => {
    const operations = Object.entries(routes).flatMap(([operation, { method, path }]) =>
      path.split('/').includes(from)
        ? [[operation, `${method} ${path.replace(`/${from}`, `/${to}`)}`] as const]
        : [],
    );
    return { version: 1, operations: Object.fromEntries(operations) };
  };

  it('of what is started, stopped and backed up, and looks like one, is of VMs', () => {
    const binding = rename('vms', 'kisten');
    const derived = derive(binding);
    expect([findWrongLines(derived.binding, binding), derived.questions]).toEqual([[], []]);
  });

  it('of what holds all others, and nobody deletes, is asked about, and what it holds is not', () => {
    const binding = rename('projects', 'kisten');
    const { deleteProject = '', ...others } = binding.operations ?? {};
    const without = { ...binding, operations: { ...others, deleteProject: 'none' } };
    const derived = derive(without, { isInline: true });
    expect(deleteProject).not.toBe('');
    expect(findWrongLines(derived.binding, without)).toEqual([]);
    expect(openLines(derived.rows).map((line) => line.replace('operations.', ''))).toEqual(
      expect.arrayContaining(['listProjects', 'deleteProject']),
    );
    expect(openLines(derived.rows).length).toBeLessThan(8);
  });

  it('is learned from one answer', () => {
    const binding = rename('projects', 'kisten');
    const document = buildDialectDocument(binding, { isInline: true });
    const { questions, binding: derived } = deriveBinding(document, {
      version: 1,
      operations: { listProjects: 'GET /kisten' },
    });
    expect([findWrongLines(derived, binding), questions]).toEqual([[], []]);
  });

  it.each<[OperationId, string]>([
    ['cancelSaleRenewal', 'POST /sales/{saleId}/kiste'],
    ['renameVm', 'PATCH /projects/{projectId}/vms/{vmId}/kiste'],
    ['getUnreadNotificationCount', 'GET /notifications/kiste'],
    ['getLimits', 'GET /kiste'],
  ])('is asked about at the place of %s', (operation, line) => {
    const { binding, questions } = derive({ version: 1, operations: { [operation]: line } });
    expect(binding.operations).toEqual({ [operation]: 'open' });
    expect(questions).toEqual([{ line: `operations.${operation}`, candidates: [line] }]);
  });

  it('of an id is asked about', () => {
    const fields = { vm: { imageId: '/kiste' } };
    const { binding, questions } = derive({ version: 1, fields });
    expect(binding.fields).toEqual({ vm: { imageId: 'open' } });
    expect(questions).toEqual([{ line: 'fields.vm.imageId', candidates: ['/kiste'] }]);
  });
});

test('a line of an operation that the contract does not have teaches nothing, and stays', () => {
  const former: Binding = { version: 1, operations: { listServers: 'GET /servers' } };
  const { binding, questions } = deriveBinding(buildDialectDocument({ version: 1 }), former);
  expect([binding, questions]).toEqual([former, []]);
});

test('what may be called so is asked about beside what looks as like', () => {
  const operations = Object.fromEntries(
    ['listNetworks', 'createNetwork', 'getNetwork', 'deleteNetwork'].map((operation) => {
      const { method, path } = routes[operation as OperationId];
      return [operation, `${method} ${path.replace('/networks', '/kisten')}`] as const;
    }),
  );
  const document = addLookAlikes(
    buildDialectDocument({ version: 1, operations }, { isInline: true }),
  );
  expect(deriveBinding(document).binding.operations).toMatchObject({
    ...{ listNetworks: 'open', createNetwork: 'open', getNetwork: 'open', deleteNetwork: 'open' },
  });
});

test('what is ordered elsewhere than it is read is asked about', () => {
  const operations = { createVm: 'POST /projects/{projectId}/kisten' };
  const { binding, questions } = derive({ version: 1, operations });
  expect(binding.operations).toEqual({ createVm: 'open' });
  expect(questions[0]?.candidates).toEqual(['POST /projects/{projectId}/kisten']);
});

test('lists that are all the same have one line, and one beside that line has its own', () => {
  const page = { by: 'page', page: 'page', size: 'pageSize' } as const;
  const all = { items: '/results', total: '/total', page };
  const truth: Binding = { version: 1, lists: { default: all } };
  expect(deriveBinding(buildDialectDocument(truth)).binding).toEqual(truth);
  // A service as the contract has it, and a file that says otherwise of all lists.
  const { binding } = deriveBinding(buildDialectDocument({ version: 1 }), truth);
  expect(binding.lists).toMatchObject({
    ...{ default: all, listVms: { items: '/items', total: '/totalCount' } },
    listSshKeys: { items: '', page: { by: 'none' } },
  });
});

test('records that hold one another in circles are read to an end', () => {
  const names = Array.from({ length: 30 }, (_, at) => `thing${at}`);
  const properties = Object.fromEntries(
    names.map((name) => [name, { $ref: `#/components/schemas/${name}` }]),
  );
  const schemas = Object.fromEntries(names.map((name) => [name, { type: 'object', properties }]));
  const document = buildDialectDocument({ version: 1 });
  const { components } = document as { components?: { schemas: Record<string, object> } };
  Object.assign(components?.schemas ?? {}, schemas);
  Object.assign(components?.schemas.Vm ?? {}, {
    properties: {
      ...(components?.schemas.Vm as { properties: object }).properties,
      around: { $ref: '#/components/schemas/thing0' },
    },
  });
  expect(deriveBinding(document).questions).toEqual([]);
});
