import { describe, expect, test } from 'vitest';
import { readDataCandidates } from '../../../src/live/read-data.ts';
import { readLiveSnapshot } from '../../../src/live/read-live.ts';
import { shareListReads } from '../../../src/live/share-reads.ts';
import type { DataQuery } from '../../../src/model/data.ts';
import { connect, failureOf, json, problem, type Reply, type Seen } from '../api/fake-service.ts';

const page = (...items: object[]) =>
  json({ items, page: 1, pageSize: 100, totalCount: items.length });

const account: Readonly<Record<string, () => Reply>> = {
  '/limits': () => json({}),
  '/limits/name-lengths': () => json({}),
  '/configurations': () => json([{ id: 'c1', name: 'small', cpu: 2, ram: 4, disk: 40 }]),
  '/images': () =>
    json([
      { id: 'i1', name: 'Debian', os: 'linux' },
      { id: 'i2', name: 'BSD' },
    ]),
  '/tariffs': () =>
    json([{ id: 't1', name: 'monthly', price: 5, currency: 'EUR', period: 'month' }]),
  '/projects': () =>
    page({ id: 'p1', name: 'shop' }, { id: 'p2', name: 'shared' }, { id: 'p3', name: 'shop' }),
  '/projects/p2/networks': () =>
    page(
      { id: 'n1', name: 'core', cidr: '10.0.0.0/24', status: 'active' },
      { id: 'n2', name: 'old', cidr: null, status: 'deleting' },
    ),
  '/projects/p2/networks/n1': () => json({ id: 'n1', name: 'core', cidr: '10.0.0.0/24' }),
  '/projects/p2/public-ips': () =>
    page({ id: 'ip1', address: null }, { id: 'ip2', address: '203.0.113.7' }),
  '/projects/p2/vms': () =>
    page({
      ...{ id: 'v1', name: 'web', imageId: 'i1', configurationId: 'c1', tariffId: 't1' },
      ...{ cpu: 2, ram: 4, disk: 40, sshKeyIds: ['k1'], publicIpId: 'ip2', plugins: [] },
      networks: [{ networkId: 'n1', internalIp: '10.0.0.2' }],
    }),
};

function open(changes: Readonly<Record<string, () => Reply>> = {}) {
  const routes: Readonly<Record<string, () => Reply>> = { ...account, ...changes };
  return connect(({ path }) => routes[pathOf({ path })]?.() ?? problem(404));
}
const pathOf = ({ path }: Pick<Seen, 'path'>) => path.replace(/\?.*/, '');

const source = { file: 'a.yaml', line: 1, column: 1, endLine: 1, endColumn: 2 };
const query = (given: Partial<DataQuery>): DataQuery => ({
  ...{ name: 'data.x', kind: 'network', project: 'shared', isNewest: false, source },
  selector: { attribute: 'name', value: 'core' },
  ...given,
});

describe('what data asks for', () => {
  test('is one list of the project that it names, and nothing of others', async () => {
    const { client, seen } = open();
    const [listing] = await readDataCandidates(client, [query({})]);
    expect(listing).toEqual({
      kind: 'candidates',
      projectName: 'shared',
      candidates: [
        {
          ...{ id: 'n1', key: 'core', createdAt: null },
          values: { id: 'n1', name: 'core', cidr: '10.0.0.0/24' },
        },
      ],
    });
    expect(seen.map(pathOf)).toEqual(['/projects', '/projects/p2/networks']);
  });

  test('is the entry alone where it is asked for by its id, in a project by its id', async () => {
    const { client, seen } = open();
    const selector = { attribute: 'id', value: 'n1' };
    const [listing] = await readDataCandidates(client, [query({ project: 'p2', selector })]);
    expect(listing).toMatchObject({ candidates: [{ id: 'n1' }], projectName: 'shared' });
    expect(seen.map(pathOf)).toEqual(['/projects', '/projects/p2/networks/n1']);
  });

  test('is the list, too, where there is nothing of that id', async () => {
    const { client } = open();
    const selector = { attribute: 'id', value: 'n9' };
    const [listing] = await readDataCandidates(client, [query({ selector })]);
    expect(listing).toMatchObject({ candidates: [{ id: 'n1' }] });
  });

  test('has what it refers to by id, and sizes and images by name', async () => {
    const [vms] = await readDataCandidates(open().client, [query({ kind: 'vm' })]);
    expect(vms).toMatchObject({
      candidates: [
        {
          key: 'web',
          values: {
            ...{ image: 'Debian', configuration: 'small', tariff: 'monthly', cpu: 2 },
            ...{ networks: ['n1'], sshKeys: ['k1'], publicIp: 'ip2', internalIp: '10.0.0.2' },
          },
        },
      ],
    });
  });

  test('has no key while a public IP has no address', async () => {
    const [ips] = await readDataCandidates(open().client, [query({ kind: 'publicIp' })]);
    expect(ips).toMatchObject({ candidates: [{ key: null }, { key: '203.0.113.7' }] });
  });

  test('is what the service offers, with all that it tells', async () => {
    const kinds = ['image', 'configuration', 'tariff'] as const;
    const { client, seen } = open();
    const listings = await readDataCandidates(
      shareListReads(client),
      kinds.map((kind) => query({ kind })),
    );
    expect(
      listings.map((one) => (one.kind === 'candidates' ? one.candidates[0]?.values : one)),
    ).toEqual([
      { id: 'i1', name: 'Debian', os: 'linux' },
      { id: 'c1', name: 'small', cpu: 2, ram: 4, disk: 40, availability: null, maxCount: null },
      { id: 't1', name: 'monthly', price: 5, currency: 'EUR', period: 'month' },
    ]);
    expect(seen.map(pathOf).sort()).toEqual(['/configurations', '/images', '/tariffs']);
  });

  test('is asked for once, also for the account that is read after it', async () => {
    const { client, seen } = open({
      '/projects/p2/ssh-keys': () => json([]),
      '/projects/p2/public-ips': () => page(),
    });
    const shared = shareListReads(client);
    await readDataCandidates(shared, [
      query({}),
      query({}),
      query({ kind: 'image' }),
      query({ kind: 'project' }),
    ]);
    await readLiveSnapshot(shared, { projectIds: ['p2'], projectNames: [] });
    const paths = seen.map(pathOf);
    expect(paths).toEqual([...new Set(paths)]);
  });

  test('is asked for once in each place', async () => {
    const { client, seen } = open({
      '/projects/p2/ssh-keys': () => json([]),
      '/projects/p2/networks': () => page(),
      '/projects/p2/vms': () => page(),
      '/projects/p2/public-ips': () => page({ id: 'ip1' }, { id: 'ip2' }),
      '/projects/p2/public-ips/ip1/port-forwards': () => json([{ id: 'f1', vmId: 'v1' }]),
      '/projects/p2/public-ips/ip2/port-forwards': () => json([]),
    });
    const live = await readLiveSnapshot(shareListReads(client), {
      projectIds: ['p2'],
      projectNames: [],
    });
    expect(live.resources.map(({ kind, id }) => `${kind} ${id}`)).toEqual([
      ...['publicIp ip1', 'publicIp ip2', 'portForward f1'],
    ]);
    const forwards = seen.map(pathOf).filter((path) => path.endsWith('/port-forwards'));
    expect(forwards).toHaveLength(2);
  });
});

describe('what data cannot read', () => {
  test.each([
    ['none', 'nowhere', []],
    ['several', 'shop', ['p1', 'p3']],
  ])('is told where %s of the projects is meant', async (_what, project, ids) => {
    const [listing] = await readDataCandidates(open().client, [query({ project })]);
    expect(listing).toMatchObject({
      kind: 'project-unclear',
      found: ids.map((id) => ({ id })),
      all: ['shop', 'shared', 'shop'],
    });
  });

  test.each([
    [403, 'forbidden', '`data.x` cannot be read: the access token does not allow this'],
    [
      404,
      'not-found',
      '`data.x` cannot be read: the service does not have this resource (any more)',
    ],
  ])('is told where the service answers %i', async (status, code, summary) => {
    const { client } = open({ '/projects/p2/networks': () => problem(status) });
    const [listing] = await readDataCandidates(client, [query({})]);
    expect(listing).toMatchObject({ kind: 'refused', fault: { code, summary, field: 'project' } });
  });

  test('fails where not even the projects can be read', async () => {
    const { client } = open({ '/projects': () => problem(403) });
    expect(await failureOf(readDataCandidates(client, [query({}), query({})]))).toMatchObject({
      status: 403,
    });
  });
});
