import { fc, test as property } from '@fast-check/vitest';
import { describe, expect, it } from 'vitest';
import { ServiceDialect } from '../../../src/api/binding/dialect.ts';
import { toExactNumber, writeJsonExactly } from '../../../src/api/binding/exact-numbers.ts';
import type { WireRequest } from '../../../src/api/contract/types.ts';
import type { Binding } from '../../../src/model/account/binding.ts';
import { parseJsonExactly } from '../../../src/model/text/whole-numbers.ts';

const bind = (lines: Omit<Binding, 'version'>) => new ServiceDialect({ version: 1, ...lines });
const write = (dialect: ServiceDialect, request: object) => {
  const { method, url, body } = dialect.write('https://x/v1', request as WireRequest);
  return `${method} ${url.slice('https://x/v1'.length)}${body === undefined ? '' : ` ${body}`}`;
};

describe('numbers that are ids', () => {
  it('are told apart beyond what a float holds, and written as they came', () => {
    const text =
      '{"items":[{"id":9007199254740993},{"id":9007199254740992,"name":"a 9007199254740993"}]}';
    const read = parseJsonExactly(text) as { items: { id: unknown; name?: string }[] };
    expect(read.items.map(({ id }) => String(id))).toEqual([
      '9007199254740993',
      '9007199254740992',
    ]);
    expect(read.items[1]!.name).toBe('a 9007199254740993');
    const ids = bind({ ids: { default: 'number', network: 'text' } });
    const asked = { params: { projectId: '1', networkId: '9007199254740993' } };
    const attach = { operation: 'attachVm', ...asked, body: { vmId: '9007199254740993' } };
    expect(write(ids, attach)).toBe(
      'POST /projects/1/networks/9007199254740993/vms {"vmId":9007199254740993}',
    );
  });

  property.prop([fc.json()])('any JSON is read as JSON.parse reads it, but for those', (text) => {
    const value = JSON.parse(text);
    const isShort = !/\d{16}/.test(text);
    if (isShort) expect(parseJsonExactly(text)).toEqual(value);
    expect(JSON.parse(writeJsonExactly(value))).toEqual(value);
  });

  const anyText = fc.oneof(
    fc.string({ unit: fc.constantFrom('"', '\\', '\n', ',', ':', ' ', '1234567890123456789') }),
    fc.string(),
  );
  property.prop([fc.array(fc.tuple(anyText, fc.bigInt({ min: -(10n ** 30n), max: 10n ** 30n })))])(
    'strings around them stay as they are, whatever digits they hold',
    (pairs) => {
      const written = pairs.map(([text, number]) => `[${JSON.stringify(text)}, ${number}]`);
      const read = parseJsonExactly(`[${written.join(',')}]`) as [string, unknown][];
      expect(read.map(([text, number]) => [text, String(number)])).toEqual(
        pairs.map(([text, number]) => [text, String(number)]),
      );
    },
  );

  property.prop([fc.bigInt({ min: 0n }), fc.nat(40)])(
    'any whole number stays itself, at any place',
    (number, place) => {
      const text = writeJsonExactly({ id: toExactNumber(String(number)) });
      expect(text).toBe(`{"id":${number}}`);
      const read = parseJsonExactly(' '.repeat(place) + text) as { id: unknown };
      expect(String(read.id)).toBe(String(number));
    },
  );

  it.each(Array.from({ length: 33 }, (_, place) => place))('is found at place %i', (place) => {
    expect(parseJsonExactly(`${' '.repeat(place)}9007199254740993`)).toBe('9007199254740993');
  });
});

describe('a request', () => {
  const params = { projectId: 'p 1', vmId: 'v1' };

  it.each([
    [
      'in a path',
      { getVm: { vmId: 'path serverId' } },
      'GET /servers/{serverId}',
      'GET /servers/v1',
    ],
    [
      'in a query',
      { getVm: { vmId: 'query id' } },
      'GET /projects/{projectId}/vm',
      'GET /projects/p%201/vm?id=v1',
    ],
  ])('says %s what the contract has in its path', (_, parameters, line, expected) => {
    const dialect = bind({ operations: { getVm: line }, parameters });
    expect(write(dialect, { operation: 'getVm', params })).toBe(expected);
  });

  it('has what the contract has in its body elsewhere, nested, or not at all', () => {
    const dialect = bind({
      operations: {
        attachVm: 'PUT /vms/{vmId}/networks/{networkId}',
        rebuildVm: 'POST /vms/{vmId}/rebuild',
      },
      fields: {
        rebuildVm: { imageId: '/image/id', sshKeyIds: '/keys/*/id', deleteBackups: 'none' },
      },
      constants: { rebuildVm: { body: { '/confirm': true }, query: { wait: false } } },
    });
    const attach = {
      operation: 'attachVm',
      params: { projectId: 'p', networkId: 'n' },
      body: { vmId: 'v' },
    };
    expect(write(dialect, attach)).toBe('PUT /vms/v/networks/n');
    const body = { imageId: 'i', sshKeyIds: ['a', 'b'], deleteBackups: true };
    expect(write(dialect, { operation: 'rebuildVm', params, body })).toBe(
      'POST /vms/v1/rebuild?wait=false {"image":{"id":"i"},"keys":[{"id":"a"},{"id":"b"}],"confirm":true}',
    );
  });

  it('is not sent where the service has nothing for it', () => {
    const dialect = bind({ operations: { startVm: 'none', stopVm: 'open' } });
    const ask = (operation: string) => () => write(dialect, { operation, params });
    expect(ask('startVm')).toThrow('startVm is not a part of this service');
    expect(ask('stopVm')).toThrow('stopVm is not bound');
    expect(dialect.listGaps().map(({ operation, why }) => `${operation} ${why}`)).toEqual([
      'startVm none',
      'stopVm open',
    ]);
    const fields = {
      rebuildVm: { imageId: 'none' },
      createVm: { tariffId: 'open', imageId: 'none' },
    };
    expect(
      bind({ fields })
        .listGaps()
        .map(({ line }) => line),
    ).toEqual([
      'fields: { rebuildVm: { imageId: /POINTER } }',
      'fields: { createVm: { tariffId: /POINTER } }',
    ]);
  });

  it('is not sent for a list whose place in its answer is open', () => {
    const items = { items: '/data' };
    const dialect = bind({
      operations: { listSales: 'none' },
      lists: { default: 'open', listVms: items, listProjects: { ...items } },
    });
    expect(write(dialect, { operation: 'listVms', params })).toContain('GET ');
    expect(() => write(dialect, { operation: 'listNetworks', params })).toThrow(
      'listNetworks is not bound',
    );
    const gaps = new Map(dialect.listGaps().map((gap) => [gap.operation, gap]));
    expect(gaps.get('listVms')).toBeUndefined();
    expect(gaps.get('listSales')).toMatchObject({ why: 'none' });
    expect(gaps.get('listImages')).toMatchObject({
      why: 'open',
      line: 'lists: { listImages: { items: /POINTER, page: { by: page | offset | cursor | none } } }',
    });
    const one = bind({ lists: { default: items, listVms: 'open' } }).listGaps();
    expect(one.map(({ operation }) => operation)).toEqual(['listVms']);
  });
});

describe('an answer', () => {
  it('is read as the contract has it', () => {
    const dialect = bind({
      answers: { getVm: '/vm' },
      fields: {
        vm: { imageId: '/image/id', publicIpId: { at: '/ip/id', absent: 'none' }, saleId: 'open' },
      },
      units: { vm: { ram: 'MiB' } },
      enums: { resourceStatus: { active: ['up', 'ready'] } },
    });
    const vm = {
      id: 'v',
      name: 'web',
      status: 'READY',
      image: { id: 'i' },
      ram: 2048,
      saleId: 's',
      more: 1,
    };
    expect(dialect.read('getVm', { vm })).toEqual({
      ...{
        id: 'v',
        name: 'web',
        status: 'active',
        imageId: 'i',
        publicIpId: null,
        ram: 2,
        more: 1,
      },
    });
    expect(dialect.read('getVm', { other: 1 })).toBeUndefined();
  });

  it('of a create is read as what was made, where the service answers that', () => {
    const dialect = bind({ answers: { createVm: '/server' }, fields: { vm: { imageId: '/os' } } });
    const server = { id: 'v', os: 'debian' };
    expect(dialect.read('createVm', { server })).toEqual({ id: 'v', imageId: 'debian' });
    expect(bind({}).read('createVm', { commandId: 'c' })).toEqual({ commandId: 'c' });
    const absent = bind({ fields: { vm: { publicIpId: { at: '/ip/id', absent: 'none' } } } });
    expect(absent.read('createVm', { commandId: 'c' })).toEqual({ commandId: 'c' });
    expect(dialect.read('createVm', { commandId: 'c' })).toEqual({ commandId: 'c' });
  });

  it('keeps what the contract does not know, whatever its name is', () => {
    const dialect = bind({ fields: { vm: { imageId: '/os' } } });
    const vm = JSON.parse('{"__proto__":{"id":1},"os":"debian","constructor":2}');
    const read = dialect.read('getVm', vm) as object;
    expect(Object.getPrototypeOf(read)).toBe(Object.prototype);
    expect(JSON.stringify(read)).toBe('{"__proto__":{"id":1},"constructor":2,"imageId":"debian"}');
  });

  it('is the one that came where nothing is spelled otherwise', () => {
    const vm = { id: 'v', unheard: 'of' };
    expect(new ServiceDialect().read('getVm', vm)).toBe(vm);
  });
});
