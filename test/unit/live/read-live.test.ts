import { describe, expect, test } from 'vitest';
import { readLiveSnapshot } from '../../../src/live/read-live.ts';
import { connect, failureOf, json, problem, type Reply, type Seen } from '../api/fake-service.ts';

const page = (...items: object[]) =>
  json({ items, page: 1, pageSize: 100, totalCount: items.length });

/** All that lists tell of each, so that nothing is read singly. */
const key = { id: 'k1', name: 'me', publicKey: 'ssh-ed25519 A', fingerprint: null };
const lan = { id: 'n1', name: 'lan', status: 'active', cidr: null };
const ip = { status: 'active', address: null, vmId: null };
const forward = { id: 'f1', vmId: 'v1', protocol: 'tcp', publicPort: 443, vmPort: 443 };
const web = {
  ...{ id: 'v1', name: 'web', status: 'active', bootStatus: 'Running', imageId: 'i1' },
  ...{ configurationId: 'c1', tariffId: 't1', cpu: 1, ram: 1, disk: 1, publicIpId: null },
  ...{ networks: [], sshKeyIds: [], plugins: [] },
};

/** Two projects in scope, one that is not. */
const account: Readonly<Record<string, () => Reply>> = {
  '/limits': () => json({ maxSshKeysPerProject: 5 }),
  '/limits/name-lengths': () => json({ maxVmNameLength: 63 }),
  '/configurations': () => json([{ id: 'c1', name: 'small' }]),
  '/images': () => json([{ id: 'i1', name: 'Debian' }]),
  '/tariffs': () => json([]),
  '/projects': () =>
    page({ id: 'p1', name: 'shop' }, { id: 'p2', name: 'blog' }, { id: 'p3', name: 'private' }),
  '/projects/p1/ssh-keys': () => json([key]),
  '/projects/p1/networks': () => page(lan),
  '/projects/p1/public-ips': () => page({ id: 'ip1', ...ip }, { id: 'ip2', ...ip }),
  '/projects/p1/public-ips/ip1/port-forwards': () => json([forward]),
  '/projects/p1/public-ips/ip2/port-forwards': () => json([]),
  '/projects/p1/vms': () => page(web),
  '/projects/p2/ssh-keys': () => json([]),
  '/projects/p2/networks': () => page(),
  '/projects/p2/public-ips': () => page(),
  '/projects/p2/vms': () => page(),
};
const scope = { projectIds: ['p1', 'gone'], projectNames: ['blog'] };

function open(changes: Readonly<Record<string, () => Reply>> = {}) {
  const routes: Readonly<Record<string, () => Reply>> = { ...account, ...changes };
  return connect(({ path }) => routes[pathOf({ path })]?.() ?? problem(404));
}
const pathOf = ({ path }: Pick<Seen, 'path'>) => path.replace(/\?.*/, '');

describe('the account', () => {
  test('is read in one request a list, and only what concerns us', async () => {
    const { client, seen } = open();
    const live = await readLiveSnapshot(client, scope);
    expect(live.projects.map(({ name }) => name)).toEqual(['shop', 'blog', 'private']);
    expect(live.resources.map(({ kind, id }) => `${kind} ${id}`)).toEqual([
      'sshKey k1',
      'network n1',
      'publicIp ip1',
      'publicIp ip2',
      'portForward f1',
      'vm v1',
    ]);
    expect(live.resources.find(({ id }) => id === 'f1')).toMatchObject({
      projectId: 'p1',
      publicIpId: 'ip1',
    });
    expect(live.readProjectIds).toEqual(['p1', 'p2']);
    expect(live.catalog.configurations).toHaveLength(1);
    expect(live.limits.maxSshKeysPerProject).toBe(5);
    expect(live.nameLengths.vm).toBe(63);
    // Each list once, and nothing of the third project.
    expect(seen.map(pathOf).sort()).toEqual(Object.keys(account).sort());
  });

  test('is also what is ours and stands there, although a list lags', async () => {
    const { client, seen } = open({
      '/projects': () => page({ id: 'p2', name: 'blog' }),
      '/projects/p1': () => json({ id: 'p1', name: 'shop' }),
      '/projects/p1/vms': () => page(),
      '/projects/p1/vms/v1': () => json({ id: 'v1', name: 'web' }),
      '/projects/p1/public-ips': () => page({ id: 'ip1', ...ip }),
      '/projects/p1/public-ips/ip2': () => json({ id: 'ip2' }),
      '/projects/p1/public-ips/ip2/port-forwards/f2': () => json({ id: 'f2', vmId: 'v1' }),
    });
    const projectId = 'p1';
    const live = await readLiveSnapshot(client, {
      ...scope,
      known: [
        { kind: 'project', id: 'p1', projectId },
        { kind: 'vm', id: 'v1', projectId },
        { kind: 'vm', id: 'v9', projectId },
        { kind: 'network', id: 'n1', projectId },
        { kind: 'publicIp', id: 'ip2', projectId },
        { kind: 'portForward', id: 'f1', projectId, publicIpId: 'ip1' },
        { kind: 'portForward', id: 'f2', projectId, publicIpId: 'ip2' },
        { kind: 'vm', id: 'v1', projectId: 'p9' },
        { kind: 'project', id: 'p9', projectId: 'p9' },
      ],
    });
    expect(live.projects.map(({ id }) => id)).toEqual(['p2', 'p1']);
    expect(live.resources.map(({ kind, id }) => `${kind} ${id}`)).toEqual([
      'sshKey k1',
      'network n1',
      'publicIp ip1',
      'publicIp ip2',
      'portForward f1',
      'portForward f2',
      'vm v1',
    ]);
    // What is gone is asked for once; what a list shows, and what lies in a project that is gone, is not.
    const single = seen.map(pathOf).filter((path) => !(path in account));
    expect(single.sort()).toEqual([
      '/projects/p1',
      '/projects/p1/public-ips/ip2',
      '/projects/p1/public-ips/ip2/port-forwards/f2',
      '/projects/p1/vms/v1',
      '/projects/p1/vms/v9',
      '/projects/p9',
    ]);
  });

  test('with nothing in scope is only its names', async () => {
    const { client, seen } = open();
    const live = await readLiveSnapshot(client, { projectIds: [], projectNames: [] });
    expect(live).toMatchObject({ resources: [], readProjectIds: [] });
    expect(live.projects).toHaveLength(3);
    expect(seen).toHaveLength(6);
  });

  test('has what lies in no project where it is wanted', async () => {
    const { client, seen } = open({
      '/tokens': () => page({ id: 't1', name: 'ci', scopes: [], expiresAt: null }),
    });
    const live = await readLiveSnapshot(client, {
      ...{ projectIds: [], projectNames: [], outsideKinds: ['accessToken'] },
      known: [{ kind: 'accessToken', id: 't2', projectId: 'account' }],
    });
    expect(live.resources.map(({ id }) => id)).toEqual(['t1']);
    // What the list of tokens does not show is gone.
    expect(seen).toHaveLength(7);
  });

  test('two projects of one name are both read', async () => {
    const { client } = open({
      '/projects': () => page({ id: 'p1', name: 'blog' }, { id: 'p2', name: 'blog' }),
    });
    const live = await readLiveSnapshot(client, { projectIds: [], projectNames: ['blog'] });
    expect(live.readProjectIds).toEqual(['p1', 'p2']);
  });

  test('a project whose name differs in case alone is read', async () => {
    const { client } = open();
    const live = await readLiveSnapshot(client, { projectIds: [], projectNames: ['Blog'] });
    expect(live.readProjectIds).toEqual(['p2']);
  });
});

describe('what goes away meanwhile', () => {
  const gone = () => problem(404);
  /** A list that is another one when it is read again. */
  const once = (first: Response, then: Response) => {
    let isFirst = true;
    return () => {
      const answer = isFirst ? first : then;
      isFirst = false;
      return answer.clone();
    };
  };

  test('a public IP has no forwards', async () => {
    const { client } = open({
      '/projects/p1/public-ips/ip1/port-forwards': gone,
      '/projects/p1/public-ips': once(page({ id: 'ip1', ...ip }, { id: 'ip2', ...ip }), page()),
    });
    const live = await readLiveSnapshot(client, scope);
    expect(live.resources.filter(({ kind }) => kind === 'portForward')).toEqual([]);
    expect(live.resources).toHaveLength(5);
  });

  test('a project is not there any more', async () => {
    const before = page({ id: 'p1', name: 'shop' }, { id: 'p2', name: 'blog' });
    const { client } = open({
      '/projects/p2/vms': gone,
      '/projects': once(before, page({ id: 'p1', name: 'shop' })),
    });
    const live = await readLiveSnapshot(client, scope);
    expect(live.projects.map(({ id }) => id)).toEqual(['p1']);
    expect(live.readProjectIds).toEqual(['p1']);
  });

  test.each([
    ['a project that still stands', '/projects/p2/vms', '/projects/p2', 'listVms'],
    [
      'a public IP that still stands',
      '/projects/p1/public-ips/ip1/port-forwards',
      '/projects/p1/public-ips/ip1',
      'listPortForwards',
    ],
    ['a project that only its list still shows', '/projects/p2/vms', '/nowhere', 'listVms'],
    [
      'a public IP that only its list still shows',
      '/projects/p1/public-ips/ip1/port-forwards',
      '/nowhere',
      'listPortForwards',
    ],
  ])('a list that is missing in %s is a failure', async (_, list, holder, operation) => {
    const { client } = open({
      [list]: gone,
      [holder]: () => json({ id: holder.slice(holder.lastIndexOf('/') + 1) }),
      '/projects/p1': () => json({ id: 'p1' }),
    });
    await expect(readLiveSnapshot(client, scope)).rejects.toMatchObject({ status: 404, operation });
  });
});

describe('a failure', () => {
  test('gives up all that is still under way', async () => {
    const { client, seen, clock } = open({
      '/limits': () => problem(401),
      '/images': () => json({ title: 'Busy' }, 503, { 'retry-after': '60' }),
    });
    const begun = clock.now();
    await expect(readLiveSnapshot(client, scope)).rejects.toMatchObject({ status: 401 });
    const count = seen.length;
    await clock.sleep(100_000);
    expect(seen).toHaveLength(count);
    expect(clock.now() - begun).toBe(100_000);
  });

  test('in a project is not hidden', async () => {
    const { client } = open({
      '/projects/p1/vms': () => problem(403),
      '/projects/p1/public-ips/ip1/port-forwards': () => problem(403),
    });
    await expect(readLiveSnapshot(client, scope)).rejects.toMatchObject({ status: 403 });
  });

  test('of what the token may not read of its limits plans without them', async () => {
    const { client } = open({
      '/limits': () => problem(403),
      '/limits/name-lengths': () => problem(403),
    });
    const { limits, gaps } = await readLiveSnapshot(client, scope);
    expect(limits).toEqual({ quotas: {}, maxSshKeysPerProject: null });
    expect(gaps?.map(({ operation, why }) => [operation, why])).toEqual([
      ['getLimits', 'forbidden'],
      ['getNameLengthLimits', 'forbidden'],
    ]);
  });

  test('of the limits for another reason is not hidden', async () => {
    const { client } = open({ '/limits': () => problem(401) });
    await expect(readLiveSnapshot(client, scope)).rejects.toMatchObject({ status: 401 });
  });

  test('from outside stops the reading', async () => {
    const reason = new Error('enough');
    const { client, seen } = open();
    const error = await failureOf(
      readLiveSnapshot(client, scope, { signal: AbortSignal.abort(reason) }),
    );
    expect(error).toBe(reason);
    expect(seen).toEqual([]);
  });
});
