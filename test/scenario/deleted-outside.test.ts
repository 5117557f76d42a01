// What somebody deletes outside of Hostwright, with all that it holds: it is made again, or forgotten, and nothing else waits.
import { describe, expect, test } from 'vitest';
import type { PlanMode } from '../../src/model/plan/plan.ts';
import type { DesiredGraph } from '../../src/model/resource.ts';
import { openMemoryState } from '../../src/state/memory-store.ts';
import { drawSome } from '../support/budget/budget.ts';
import { configure, describeFailures, findViolations, World, type Meddle } from './world.ts';
import { expectApplied, expectBuilt } from './expect-built.ts';

const minuteMs = 60_000;
const vm = 'image: debian-12, configuration: c1-r1-d20, tariff: monthly';
const edge = (forwards: string) => `edge: { forwards: { ${forwards} } }`;
const forward = (port: number) =>
  `f${port}: { protocol: tcp, publicPort: ${port}, vm: web, vmPort: 80 }`;
const shop = (networks: string, forwards = forward(80)) =>
  configure(
    `projects: { other: { networks: { lan: {} } }, shop: { networks: { ${networks} }, publicIps: { ${edge(forwards)} }, vms: { web: { ${vm}, publicIp: new, networks: [lan] } } } }`,
  );

const select = (...targets: string[]) => ({ selection: { targets, excludes: [] } });
type Disk = ReturnType<World['store']['readDisk']>;

/** Deletes what an address stands for, as somebody does who has an old copy of the state: the state knows nothing of it. */
async function deleteOutside(
  world: World,
  desired: DesiredGraph,
  target: string,
  copy: Disk = world.store.readDisk(),
) {
  const kept = new Map(world.store.readDisk());
  world.store = await openMemoryState({ disk: new Map(copy) });
  await expectApplied(world, desired, { mode: 'destroy', planOptions: select(target) });
  world.store = await openMemoryState({ disk: kept });
}

describe.each(drawSome(['projects.shop', 'projects.shop.publicIps.edge'], 1, 'what is deleted'))(
  '%s with its contents',
  (parent) => {
    test.each<[PlanMode, string]>([
      ['apply', 'is made again'],
      ['destroy', 'is forgotten'],
      ['refresh', 'is forgotten'],
    ])('by %s %s', async (mode) => {
      const desired = await shop('lan: {}');
      const world = await World.open({ variant: 'loose' });
      await expectApplied(world, desired);
      await deleteOutside(world, desired, parent);
      await expectApplied(world, desired, { mode });
      if (mode === 'apply') expect(await findViolations(world, desired)).toEqual([]);
      if (mode === 'destroy') expect(await world.readAccount()).toEqual([]);
      const left = [...world.store.state.resources.keys()].filter((one) => one.startsWith(parent));
      expect(left.length > 0).toBe(mode === 'apply');
    });

    test.each([[true], [false]])(
      'and with an open create in it, accepted: %s',
      async (isAccepted) => {
        const isWhole = parent === 'projects.shop';
        const before = await shop('lan: {}');
        const desired = await shop(
          `lan: {}${isWhole ? ', late: {}' : ''}`,
          `${forward(80)}, ${forward(81)}`,
        );
        const world = await World.open({ variant: 'loose' });
        await expectApplied(world, before);
        const copy = new Map(world.store.readDisk());
        const lost: Meddle = (request, pass) => {
          if (request.method !== 'POST') return pass();
          if (isAccepted)
            return Promise.resolve(Response.json({ commandId: 'c-1' }, { status: 202 }));
          return Promise.reject(new TypeError('fetch failed', { cause: { code: 'ECONNRESET' } }));
        };
        const end = await world.apply(desired, { meddle: lost });
        expect(describeFailures(end)).toHaveLength(isWhole ? 2 : 1);
        expect(describeFailures(end).join()).toContain('create-not-seen');
        await deleteOutside(world, before, parent, copy);
        await expectBuilt(world, desired);
      },
    );
  },
);

describe('a VM that was just created and is deleted without a record', () => {
  const address = 'projects.shop.vms.web';
  const text = (more = '') =>
    configure(
      `projects: { shop: { networks: { lan: {}${more} }, vms: { web: { ${vm} } } }, other: { networks: { lan: {} } } }`,
    );
  /** The service keeps no records of deletions. */
  const meddle: Meddle = async (request, pass) => {
    const answer = await pass();
    if (!/\/operations\b/.test(request.url)) return answer;
    const body = (await answer.json()) as { items: { type: string }[] };
    return Response.json({ ...body, items: body.items.filter(({ type }) => type !== 'Delete') });
  };
  const open = async () => {
    const desired = await text();
    const world = await World.open();
    await expectApplied(world, desired);
    await world.settle(2 * minuteMs);
    await deleteOutside(world, desired, address);
    return { world, desired };
  };
  const kindsIn = async (world: World) =>
    (await world.readAccount()).map(({ kind }) => kind).toSorted();

  test.each<[PlanMode]>([['apply'], ['destroy']])(
    'is told by the plan to %s, with the time from which on it counts as deleted',
    async (mode) => {
      const { world, desired } = await open();
      const before = await kindsIn(world);
      const end = await world.apply(desired, { mode, meddle });
      const told = 'planned' in end ? end.planned.plan.findings : [];
      const [finding, ...others] = told.filter(({ severity }) => severity === 'error');
      expect([end.kind, others]).toEqual(['refused', []]);
      const place = mode === 'apply' ? { source: { line: 2 } } : {};
      expect(finding).toMatchObject({ code: 'hidden-or-deleted', address, ...place });
      expect(finding?.detail).toMatch(/at .*, and no deletion.* from .* on, in 13 minutes/);
      expect(finding?.hint).toContain(`hostwright state rm '${address}'`);
      expect(await kindsIn(world)).toEqual(before);
      await world.settle(15 * minuteMs);
      await expectApplied(world, desired, { mode, meddle });
      if (mode === 'apply') expect(await findViolations(world, desired)).toEqual([]);
      else expect(await world.readAccount()).toEqual([]);
    },
  );

  test.each([
    ['--target', { targets: ['projects.shop.networks.late'], excludes: [] }],
    ['--exclude', { targets: [], excludes: [address] }],
  ])('blocks nothing where %s leaves it out', async (_flag, selection) => {
    const { world } = await open();
    const startedAt = world.time.now();
    await expectApplied(world, await text(', late: {}'), { planOptions: { selection }, meddle });
    expect(await kindsIn(world)).toEqual(['network', 'network', 'network', 'project', 'project']);
    // Nobody has to wait until it is believed, either.
    expect(world.time.now() - startedAt).toBeLessThan(10_000);
    expect(world.store.state.resources.has(address)).toBe(true);
  });

  test('stays in the state after a refresh, which warns of it', async () => {
    const { world, desired } = await open();
    const end = await world.apply(desired, { mode: 'refresh', meddle });
    const told = 'planned' in end ? end.planned.plan.findings : [];
    expect(describeFailures(end)).toEqual([]);
    expect(told).toMatchObject([{ severity: 'warning', code: 'hidden-or-deleted', address }]);
    expect(world.store.state.resources.has(address)).toBe(true);
    await world.settle(15 * minuteMs);
    await expectApplied(world, desired, { mode: 'refresh', meddle });
    expect(world.store.state.resources.has(address)).toBe(false);
  });
});
