// What a document leaves unsaid is a question for a person, and never a line that says the service lacks it.
import { describe, expect, it } from 'vitest';
import { stringify } from 'yaml';
import { findBoundListLine } from '../../../src/api/contract/find-list-line.ts';
import { ServiceDialect } from '../../../src/api/binding/dialect.ts';
import { routes } from '../../../src/api/contract/routes.ts';
import { deriveBinding } from '../../../src/binding/derive-binding.ts';
import { readBinding } from '../../../src/config/contract/read-binding.ts';
import type { Binding, ListEnvelopeLine } from '../../../src/model/account/binding.ts';
import { buildDialectDocument } from '../../support/dialects/build-dialect-document.ts';

/** A document of which each operation takes and answers what is said. */
function writeDocument(lines: Readonly<Record<string, Described>>) {
  const paths: Record<string, Record<string, object>> = {};
  for (const [line, { query = [], body, answer }] of Object.entries(lines)) {
    const [method = '', path = ''] = line.split(' ');
    const content = (schema: object) => ({ content: { 'application/json': { schema } } });
    (paths[path] ??= {})[method.toLowerCase()] = {
      parameters: query.map((name) => ({ name, in: 'query', schema: { type: 'integer' } })),
      ...(body && { requestBody: content(object(body)) }),
      responses: { 200: { description: 'OK', ...(answer && content(answer)) } },
    };
  }
  return { openapi: '3.0.3', info: {}, paths };
}

interface Described {
  readonly query?: readonly string[];
  readonly body?: Readonly<Record<string, object>>;
  readonly answer?: object;
}

const text = { type: 'string' };
const object = (properties: object) => ({ type: 'object', properties });
const record = (more: object = {}) => object({ id: text, name: text, ...more });
const vmList = '/projects/{projectId}/vms';

describe('a slash at the end of a path', () => {
  const operations = { listProjects: 'GET /projects/', createProject: 'POST /projects/' };

  it('is kept, and is requested', () => {
    const { binding, questions } = deriveBinding(buildDialectDocument({ version: 1, operations }));
    expect([binding.operations, questions]).toEqual([operations, []]);
    expect(readBinding(stringify(binding), 'a.contract.yaml').diagnostics).toEqual([]);
    const request = { operation: 'listProjects', params: {}, query: {} } as const;
    expect(new ServiceDialect(binding).write('https://a.example/v1/', request).url).toBe(
      'https://a.example/v1/projects/',
    );
  });
});

describe('what could be an operation makes it a question', () => {
  it.each([
    ['renameVm', `PATCH ${vmList}/{vmId}/hostname`],
    ['createVm', `PUT ${vmList}/{vmId}`],
    ['listConfigurations', 'GET /locations/{location}/vm-sizes'],
    ['startVm', `POST ${vmList}/{vmId}/frobnicate`],
  ] as const)('%s: %s', (operation, line) => {
    const spoilt = (place?: string) => {
      const document = buildDialectDocument({ version: 1 });
      const own = routes[operation];
      const item = document.paths[own.path] ?? {};
      const { [own.method.toLowerCase()]: moved = {}, ...rest } = item;
      document.paths[own.path] = rest;
      const [method = '', path = ''] = place?.split(' ') ?? [];
      if (place) document.paths[path] = { ...document.paths[path], [method.toLowerCase()]: moved };
      return deriveBinding(document);
    };
    const { binding, questions } = spoilt(line);
    expect(binding.operations).toMatchObject({ [operation]: 'open' });
    const question = questions.find((one) => one.line === `operations.${operation}`);
    expect(question?.candidates.map((one) => one.replace(/\(.*/, '').trim())).toContain(line);
    expect(spoilt().binding.operations).toMatchObject({ [operation]: 'none' });
  });

  it('but offers no answer that a contract file must not have', () => {
    const document = buildDialectDocument({ version: 1 });
    const { path } = routes.cancelSaleRenewal;
    const { post, ...rest } = document.paths[path] ?? {};
    document.paths[path] = rest;
    document.paths['/sales/{saleId}/renewal'] = { delete: post ?? {} };
    const { binding, rows, questions } = deriveBinding(document);
    const line = 'operations.cancelSaleRenewal';
    expect(questions.find((one) => one.line === line)).toEqual({ line, candidates: [] });
    expect(rows.find((one) => one.line === line)?.why).toBe(
      'DELETE /sales/{saleId}/renewal cannot be it: it loses nothing, and a DELETE does',
    );
    expect(binding.operations).toMatchObject({ cancelSaleRenewal: 'open' });
  });

  it('below a network by a parameter that is called as the VM is', () => {
    const members = '/projects/{projectId}/networks/{networkId}/members';
    const operations = {
      listNetworkVms: `GET ${members}`,
      attachVm: `POST ${members}`,
      updateAttachment: `PATCH ${members}/{vmId}`,
      detachVm: `DELETE ${members}/{vmId}`,
    };
    const param = (name: string) => name.replace(/Id$/, '');
    expect(
      deriveBinding(buildDialectDocument({ version: 1, operations }, { param })).binding.operations,
    ).toEqual(operations);
  });

  it('and never an end of VMs a detachment, where what holds them has no name that is known', () => {
    const held = '/orgs/{orgId}/instances';
    const answer = record({ status: text, image_id: text, vcpus: { type: 'integer' } });
    const { binding } = deriveBinding(
      writeDocument({
        [`GET ${held}`]: { answer: { type: 'array', items: answer } },
        [`GET ${held}/{id}`]: { answer },
        [`DELETE ${held}/{id}`]: {},
        [`POST ${held}/{id}/reboot`]: {},
        [`POST ${held}/{id}/start`]: {},
      }),
    );
    expect(binding.operations).toMatchObject({ detachVm: 'open', listNetworkVms: 'open' });
  });
});

describe('a member', () => {
  const derived = (name: string, change: (properties: Record<string, object>) => object) => {
    const document = buildDialectDocument({ version: 1 });
    const { schemas } = document.components as { schemas: Record<string, Properties> };
    schemas[name] = { properties: change({ ...schemas[name]?.properties }) } as Properties;
    return deriveBinding(document).binding;
  };
  interface Properties {
    readonly properties: Record<string, object>;
  }

  it('of an enum is asked about where a place without words may be another as well', () => {
    const { fields } = derived('Vm', ({ operation, operationStatus, ...rest }) => ({
      ...rest,
      task_state: operation && operationStatus && text,
    }));
    expect(fields?.vm).toMatchObject({ operation: 'open', operationStatus: 'open' });
    const told = derived('Vm', ({ operationStatus, ...rest }) => ({
      ...rest,
      operation_status: operationStatus && text,
    }));
    expect(told.fields?.vm).toMatchObject({ operationStatus: '/operation_status' });
  });

  it('is read of the whole answer where a part of it has no id', () => {
    const { answers } = derived('Network', ({ id, name, ...rest }) => ({
      metadata: object({ id, name }),
      spec: object(rest),
    }));
    expect(answers).toBeUndefined();
  });
});

describe('a list', () => {
  const vms = (query: readonly string[], envelope: object = {}, lists?: Binding['lists']) => {
    const document = buildDialectDocument({ version: 1 });
    const items = { type: 'array', items: { $ref: '#/components/schemas/Vm' } };
    const answer = object({ content: items, ...envelope });
    const line = `GET ${vmList}`;
    const { paths } = writeDocument({ [line]: { query, answer } });
    Object.assign(document.paths[vmList] ?? {}, paths[vmList]);
    return deriveBinding(document, { version: 1, ...(lists && { lists }) });
  };
  const count = { type: 'integer' };

  it('in the pages of Spring Data is counted from 0', () => {
    const envelope = { number: count, totalElements: count, totalPages: count };
    const page = { by: 'page', page: 'page', size: 'size' } as const;
    const line = (one: object) => findBoundListLine(vms(['page', 'size'], one).binding, 'listVms');
    expect(line(envelope)).toEqual({
      ...{ items: '/content', total: '/totalElements', page: { ...page, first: 0 } },
    });
    expect(line({ totalElements: count })).toMatchObject({ page });
  });

  it('in pages of which nothing says how the next is asked for is asked about', () => {
    const { questions, binding } = vms(['limit']);
    expect(questions.map(({ line }) => line)).toEqual(['lists.listVms']);
    expect(binding.lists).toEqual({ listVms: 'open' });
    expect(readBinding(stringify(binding), 'a.contract.yaml').diagnostics).toEqual([]);
    const request = { operation: 'listVms', params: { projectId: 'p' }, query: {} } as const;
    expect(() => new ServiceDialect(binding).write('https://a.example/v1', request)).toThrow(
      'listVms is not bound',
    );
    expect(vms([]).binding.lists?.listVms).toEqual({ items: '/content', page: { by: 'none' } });
  });

  it('without a line is answered by the line for all lists, though other lists have their own', () => {
    const all: ListEnvelopeLine = { items: '/content', page: { by: 'none' } };
    const answered = vms(['limit'], {}, { default: all });
    expect(answered.questions).toEqual([]);
    expect(findBoundListLine(answered.binding, 'listVms')).toEqual(all);
    const lists = { default: all, listVms: 'open' } as const;
    expect(vms(['limit'], {}, lists).questions.map(({ line }) => line)).toEqual(['lists.listVms']);
    expect(vms(['limit'], {}, { default: 'open' }).questions.map(({ line }) => line)).toEqual([
      'lists.listVms',
    ]);
  });
});

describe('a line that a person has left open', () => {
  const document = () => {
    const made = buildDialectDocument({ version: 1 });
    const { schemas } = made.components as { schemas: Record<string, { properties: object }> };
    const { bootStatus, ...others } = Object(schemas.Vm?.properties) as Record<string, object>;
    const told = { type: 'string', enum: ['up', 'zzz'] };
    if (schemas.Vm) schemas.Vm.properties = { ...others, tila: bootStatus && told, muu: text };
    return made;
  };
  const lines = (former: Omit<Binding, 'version'>) => {
    const { binding, questions } = deriveBinding(document(), { version: 1, ...former });
    return { enums: binding.enums, asked: questions.map(({ line }) => line) };
  };

  it('stays a question where the document is silent', () => {
    const enums = { vmBootStatus: { Rebooting: 'open' } };
    expect(lines({ fields: { vm: { bootStatus: '/muu' } }, enums })).toEqual({
      enums,
      asked: ['enums.vmBootStatus.Rebooting'],
    });
    const fields = { apiProblem: { code: 'open' } };
    expect(deriveBinding(document(), { version: 1, fields }).binding.fields).toMatchObject(fields);
  });

  it('is answered by the words of a place that a person has named', () => {
    const { enums, asked } = lines({ fields: { vm: { bootStatus: '/tila' } } });
    expect(enums?.vmBootStatus).toMatchObject({ Running: 'up', Stopped: 'open' });
    expect(asked).toContain('enums.vmBootStatus.Stopped');
  });
});
