import { describe, expect, test } from 'vitest';
import { ServiceDialect } from '../../../src/api/binding/dialect.ts';
import { connect, failureOf, html, json, problem } from './fake-service.ts';

const place = { projectId: 'p1' };
/** No item is read singly. */
const asListed = { needsWhole: () => false };

describe('a list', () => {
  test('is asked for by pages where the contract pages it', async () => {
    const { client, seen } = connect(({ path }) =>
      path.includes('page=2')
        ? json({ items: [{ id: 'c' }], totalCount: 3 })
        : json({ items: [{ id: 'a' }, { id: 'b' }], totalCount: 3 }),
    );
    const vms = await client.list('vm', place, asListed);
    expect(vms.map(({ id }) => id)).toEqual(['a', 'b', 'c']);
    expect(seen.map(({ path }) => path)).toEqual([
      '/projects/p1/vms?page=1&pageSize=100',
      '/projects/p1/vms?page=2&pageSize=100',
    ]);
  });

  test('in another envelope shows the keys that came', async () => {
    const { client } = connect(() => json({ data: [], meta: { total: 0 } }));
    for (const reading of [client.list('network', place), client.getLimits()]) {
      const error = await failureOf(reading);
      expect(error).toMatchObject({ code: 'not-the-service', keys: ['data', 'meta'] });
    }
  });

  test('is empty where a 204 says so, paged or not', async () => {
    const { client, seen } = connect(() => new Response(null, { status: 204 }));
    expect(await client.list('vm', place)).toEqual([]);
    expect(await client.list('sshKey', place)).toEqual([]);
    expect(seen).toHaveLength(2);
    // A record is never empty.
    await expect(client.get('vm', place, 'v')).rejects.toMatchObject({ lost: 'half-answer' });
  });

  test('keeps the service’s own page size where the contract has an array', async () => {
    const { client, seen } = connect(({ path }) =>
      json({ items: [{ id: path }], page: 1, pageSize: 1, totalCount: 2 }),
    );
    expect(await client.list('sshKey', place, asListed)).toHaveLength(2);
    expect(seen.map(({ path }) => path)).toEqual([
      '/projects/p1/ssh-keys',
      '/projects/p1/ssh-keys?page=2',
    ]);
  });

  test('that proved to come whole is asked for once from then on', async () => {
    const { client, seen } = connect(() => json([{ id: 'a' }]));
    await client.list('network', place, asListed);
    await client.list('network', { projectId: 'p2' }, asListed);
    await client.list('vm', place, asListed);
    expect(seen.map(({ path }) => path.replace(/&.*/, ''))).toEqual([
      '/projects/p1/networks?page=1',
      '/projects/p1/networks?page=2',
      '/projects/p2/networks?page=1',
      '/projects/p1/vms?page=1',
      '/projects/p1/vms?page=2',
    ]);
  });

  test.each<[string, unknown, string]>([
    ['an object', { data: [] }, 'an object with data instead of a list'],
    ['a record without an id', [{ name: 'web' }], 'a VM without an id'],
    ['texts', ['v1'], 'a string instead of a VM'],
  ])('of %s is not the service’s', async (_, body, message) => {
    const { client } = connect(() => json(body));
    const error = await failureOf(client.list('vm', place));
    expect(error).toMatchObject({ code: 'not-the-service', operation: 'listVms', status: 200 });
    expect(error.message).toContain(message);
  });

  test('that fails at once fails as it is', async () => {
    const { client } = connect(() => problem(403));
    await expect(client.listProjects()).rejects.toMatchObject({ status: 403 });
  });

  test.each([
    ['project', '/projects?page=1&pageSize=100'],
    ['publicIp', '/projects/p1/public-ips?page=1&pageSize=100'],
    ['portForward', '/projects/p1/public-ips/ip1/port-forwards'],
  ] as const)('of %s', async (kind, path) => {
    const { client, seen } = connect(() => json({ items: [{ id: 'x' }], totalCount: 1 }));
    const found = await client.list(kind, { projectId: 'p1', publicIpId: 'ip1' });
    expect(found).toMatchObject([{ kind, id: 'x' }]);
    expect(seen[0]?.path).toBe(path);
  });

  test('of forwards without a public IP is not sent', async () => {
    const { client } = connect(() => json([]));
    await expect(client.list('portForward', place)).rejects.toThrow('cannot be publicIpId');
    await expect(client.get('portForward', place, 'f')).rejects.toThrow('cannot be publicIpId');
  });
});

describe('one resource', () => {
  test.each([
    ['project', 'p1', '/projects/p1'],
    ['sshKey', 'x', '/projects/p1/ssh-keys/x'],
    ['network', 'x', '/projects/p1/networks/x'],
    ['publicIp', 'x', '/projects/p1/public-ips/x'],
    ['vm', 'x', '/projects/p1/vms/x'],
    ['portForward', 'x', '/projects/p1/public-ips/ip1/port-forwards/x'],
  ] as const)('%s', async (kind, id, path) => {
    const { client, seen } = connect(() => json({ id }));
    const found = await client.get(kind, { projectId: 'p1', publicIpId: 'ip1' }, id);
    expect(found).toMatchObject({ kind, id });
    expect(seen).toMatchObject([{ method: 'GET', path }]);
  });

  test('that is gone is undefined', async () => {
    const { client } = connect(() => problem(404));
    expect(await client.get('vm', place, 'v')).toBeUndefined();
    expect(await client.getOperation('p1', 'o')).toBeUndefined();
  });

  test('is not gone because a proxy says so', async () => {
    const { client } = connect(() => html(404, 'Not found'));
    await expect(client.get('vm', place, 'v')).rejects.toMatchObject({ code: 'not-the-service' });
  });

  test('that is none is not the service’s', async () => {
    const { client } = connect(() => json([]));
    await expect(client.get('vm', place, 'v')).rejects.toThrow('a list instead of a VM');
  });
});

describe('operation records', () => {
  const records = (from: number, count: number) =>
    Array.from({ length: count }, (_, index) => ({
      id: `o${from + index}`,
      type: 'Start',
      status: 'Running',
      resourceId: index % 2 === 0 ? 'v1' : 'v2',
    }));

  test('the newest hundred', async () => {
    const { client, seen } = connect(() => json({ items: records(0, 100), totalCount: 500 }));
    expect(await client.listOperations('p1')).toHaveLength(100);
    expect(seen).toHaveLength(1);
  });

  test('of one resource, also when the service does not filter', async () => {
    const { client, seen } = connect(() => json({ items: records(0, 4), totalCount: 4 }));
    const found = await client.listOperations('p1', { resourceId: 'v1', newest: 4 });
    expect(found.map(({ id }) => id)).toEqual(['o0', 'o2']);
    expect(seen[0]?.path).toBe('/projects/p1/operations?resourceId=v1&page=1&pageSize=100');
  });

  test('of small pages, as many as are wanted', async () => {
    const { client, seen } = connect((_, count) =>
      json({ items: records(count * 7, 7), totalCount: 90 }),
    );
    expect(await client.listOperations('p1', { newest: 20 })).toHaveLength(21);
    expect(seen).toHaveLength(3);
  });

  test('one', async () => {
    const { client } = connect(() => json({ id: 'o1', status: 'Odd' }));
    expect(await client.getOperation('p1', 'o1')).toMatchObject({ id: 'o1', status: 'Odd' });
  });

  test('one, where only the list has it, among the newest', async () => {
    const operations = { getOperation: 'none' } as const;
    const dialect = new ServiceDialect({ version: 1, operations });
    const { client, seen } = connect(
      (_, count) => json({ items: records((count - 1) * 100, 100), totalCount: 900 }),
      { dialect },
    );
    expect(await client.getOperation('p1', 'o7')).toMatchObject({ id: 'o7' });
    expect(await client.getOperation('p1', 'o999')).toBeUndefined();
    expect(seen).toHaveLength(2);
  });
});

test('the catalog, the limits and the name lengths', async () => {
  const { client, seen } = connect(({ path }) => {
    if (path === '/limits') return json({ networks: { limit: 3, used: 1, remaining: 2 } });
    if (path === '/limits/name-lengths') return json({ maxVmNameLength: 63 });
    return json([{ id: path, name: 'x', cpu: 2 }]);
  });
  expect(await client.getCatalog()).toMatchObject({
    configurations: [{ id: '/configurations', cpu: 2 }],
    images: [{ id: '/images' }],
    tariffs: [{ id: '/tariffs' }],
  });
  expect((await client.getLimits()).quotas.networks?.remaining).toBe(2);
  expect((await client.getNameLengths()).vm).toBe(63);
  expect(seen).toHaveLength(5);
});
