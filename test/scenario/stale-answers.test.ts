// Lists that lag and single answers that are wrong, both at once: what they hide is not made a second time.
import { describe, expect, test } from 'vitest';
import { recordPendingCreateResult } from '../../src/commands/state/resolve-create.ts';
import { openMemoryState } from '../../src/state/memory-store.ts';
import { configure, describeFailures, findViolations, World, type Meddle } from './world.ts';
import { everyKind } from './every-kind.ts';
import { expectApplied, expectSettled } from './expect-built.ts';

const vm = 'image: debian-12, configuration: c1-r1-d20, tariff: monthly';
const isRead = ({ method, url }: Request, path: RegExp) =>
  method === 'GET' && path.test(new URL(url).pathname);
const missing = () =>
  Response.json({ code: 'notFound', message: 'No such thing' }, { status: 404 });
const empty = () => Response.json([]);

const kindsIn = async (world: World) =>
  (await world.readAccount()).map(({ kind }) => kind).toSorted();

test('a project that lists and single reads hide is not created again while what it holds can be read', async () => {
  const desired = await configure(`projects: { shop: { vms: { web: { ${vm} } } } }`);
  const world = await World.open({ variant: 'loose' });
  await expectApplied(world, desired);
  await world.settle();
  const before = await kindsIn(world);
  const hidden: Meddle = (request, pass) => {
    if (isRead(request, /\/projects$/)) return Promise.resolve(empty());
    return isRead(request, /\/projects\/[^/]+$/) ? Promise.resolve(missing()) : pass();
  };
  await expect(world.apply(desired, { meddle: hidden })).rejects.toThrow('exists after all');
  expect(await kindsIn(world)).toEqual(before);
  expect(await findViolations(world, desired)).toEqual([]);
});

describe('a network that was just created and is hidden', () => {
  const desired = 'projects: { shop: { networks: { lan: {} } } }';
  const hidden: Meddle = (request, pass) => {
    if (isRead(request, /\/networks$/)) return Promise.resolve(empty());
    return isRead(request, /\/networks\/[^/]+$/) ? Promise.resolve(missing()) : pass();
  };

  test('is not created again: the records show its create and no deletion', async () => {
    const graph = await configure(desired);
    const world = await World.open({ variant: 'loose' });
    await expectApplied(world, graph);
    await world.settle(60_000);
    const refused = await world.apply(graph, { meddle: hidden });
    expect(describeFailures(refused).join()).toContain('hidden-or-deleted');
    expect(await kindsIn(world)).toEqual(['network', 'project']);
  });

  test('is created again when the records show that it was deleted', async () => {
    const graph = await configure(desired);
    const world = await World.open({ variant: 'loose' });
    await expectApplied(world, graph);
    const live = await world.readAccount();
    const [network, project] = ['network', 'project'].map(
      (kind) => live.find((one) => one.kind === kind)?.id ?? '',
    );
    const params = { projectId: project ?? '', networkId: network ?? '' };
    await world.time.run(world.connect().call({ operation: 'deleteNetwork', params }));
    await world.settle(60_000);
    await expectApplied(world, graph);
    expect(await kindsIn(world)).toEqual(['network', 'project']);
  });
});

describe('state resolve --gone of a create that was sent again', () => {
  test('settles what is there now, and what comes later is reported all the same', async () => {
    const graph = await configure('projects: { shop: { networks: { lan: {} } } }');
    const world = await World.open({ variant: 'loose' });
    expect(describeFailures(await world.apply(await configure('projects: { shop: {} }')))).toEqual(
      [],
    );
    const [project] = await world.readAccount();
    const params = { projectId: project?.id ?? '' };
    const createByHand = () =>
      world.time.run(
        world.connect().call({ operation: 'createNetwork', params, body: { name: 'lan' } }),
      );
    let isLost = false;
    await expectApplied(world, graph, {
      meddle: (request, pass) => {
        if (isLost || request.method !== 'POST' || !request.url.endsWith('/networks'))
          return pass();
        isLost = true;
        return Promise.reject(new TypeError('fetch failed', { cause: { code: 'ECONNRESET' } }));
      },
    });
    const codesOf = async () => (await world.plan(graph)).plan.findings.map(({ code }) => code);
    await createByHand();
    expect(await codesOf()).toContain('create-doubled');

    world.store = await openMemoryState({ disk: world.store.readDisk() });
    const resolution = { address: 'projects.shop.networks.lan', id: undefined };
    await world.time.run(recordPendingCreateResult(world.store, world.connect(), resolution));
    await world.store.compact();
    expect(await codesOf()).not.toContain('create-doubled');
    await createByHand();
    expect(await codesOf()).toContain('create-doubled');
  });

  test('settles it too where what it was to stand in is gone', async () => {
    const forward = 'forwards: { web: { protocol: tcp, publicPort: 80, vm: web, vmPort: 80 } }';
    const text = (what: string) =>
      `projects: { shop: { vms: { web: { ${vm} } }, publicIps: { edge: { ${what} } } } }`;
    const world = await World.open({ variant: 'loose' });
    await expectApplied(world, await configure(text('')));
    const lost: Meddle = (request, pass) =>
      request.method === 'POST' && request.url.endsWith('/port-forwards')
        ? Promise.reject(new TypeError('fetch failed', { cause: { code: 'ECONNRESET' } }))
        : pass();
    await world.apply(await configure(text(forward)), { meddle: lost });
    const address = [...world.store.state.pending.keys()][0];
    expect(address).toBe('projects.shop.publicIps.edge.forwards.web');
    const edge = (await world.readAccount()).find((one) => one.kind === 'publicIp');
    const params = { projectId: edge?.projectId ?? '', publicIpId: edge?.id ?? '' };
    await world.time.run(world.connect().call({ operation: 'deletePublicIp', params }));
    await world.settle(60_000);
    await world.time.run(
      recordPendingCreateResult(world.store, world.connect(), {
        address: address ?? '',
        id: undefined,
      }),
    );
    expect(world.store.state.pending.size).toBe(0);
  });
});

/** A service that answers 404 to single reads of one path, although its lists show the resource. */
const hidingSingly =
  (path: RegExp): Meddle =>
  (request, pass) =>
    isRead(request, path) ? Promise.resolve(missing()) : pass();

test('what a list shows, and a single read does not, was deleted by nobody', async () => {
  const world = await World.open();
  const desired = await configure(everyKind);
  const meddle = hidingSingly(/\/(public-ips|networks|vms)\/[^/]+$/);
  await expectApplied(world, desired, { meddle });
  await expectSettled(world, desired);
});

test('what is busy, in a list that shows it, is waited for although a single read has nothing', async () => {
  const world = await World.open();
  const desired = await configure(everyKind);
  await expectApplied(world, desired);
  const web = (await world.readAccount()).find((one) => one.kind === 'vm' && one.name === 'web');
  if (!web) throw new Error('no VM');
  const { projectId: project } = web;
  await world.time.run(world.connect().send({ kind: 'rebootVm', project, vm: web.id }, {}));
  await expectApplied(world, desired, { meddle: hidingSingly(/\/vms\/[^/]+$/) });
  await expectSettled(world, desired);
});
