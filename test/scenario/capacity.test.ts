import { describe, expect, test } from 'vitest';
import type { ApplyEvent, ChangeResult } from '../../src/model/plan/result.ts';
import { killEverywhere } from './kill-everywhere.ts';
import {
  configure,
  describeFailures,
  findViolations,
  World,
  type Meddle,
  type RunEnd,
} from './world.ts';
import { expectApplied, expectBuilt, expectSettled } from './expect-built.ts';

const web = 'projects.demo.vms.web';
const oneVm = (more = '') => `
projects:
  demo:
    vms:
      web: { image: ubuntu-24.04, configuration: c2-r4-d40, tariff: monthly${more} }
`;

const isVmCreate = ({ method, url }: Request) =>
  method === 'POST' && /\/vms$/.test(new URL(url).pathname);

const refuseRoom = () =>
  Response.json(
    { title: 'No room', status: 409, code: 'insufficientCapacity' },
    { status: 409, headers: { 'content-type': 'application/problem+json' } },
  );

/** Refuses the create of a VM so many times, as the service does when the cluster is full. */
function fullFor(times: number): Meddle & { count: number } {
  const meddle = Object.assign(
    async (request: Request, pass: () => Promise<Response>) => {
      if (!isVmCreate(request) || meddle.count >= times) return pass();
      meddle.count += 1;
      return refuseRoom();
    },
    { count: 0 },
  );
  return meddle;
}

/** A service that takes the create and lets it fail so many times. */
function openFailing(times: number): Promise<World> {
  let failures = 0;
  return World.open({
    planFailure: ({ type }) =>
      type === 'Provision' && (failures += 1) <= times ? 'insufficientCapacity' : null,
  });
}

function resultOf(end: RunEnd): ChangeResult | undefined {
  if (end.kind !== 'ended') throw new Error(end.kind);
  return end.summary.changes.find(({ address }) => address === web)?.result;
}

const halfAnHour = 30 * 60_000;

describe('no room in the cluster', () => {
  test.each([
    ['said at once', () => World.open(), fullFor(99)],
    ['said after it was accepted', () => openFailing(99), fullFor(0)],
  ])('%s: fails at once, and names configurations that have room', async (_, open, meddle) => {
    const world = await open();
    const end = await world.apply(await configure(oneVm()), { meddle });
    const result = resultOf(end);
    if (result?.kind !== 'failed') throw new Error(JSON.stringify(result));
    expect(result.diagnostic.detail).toContain(
      'there is room for: c2-r8-d80 (2 cores, 8 GB RAM, 80 GB disk), c4-r8-d80 (4 cores, 8 GB RAM, 80 GB disk), c4-r16-d160 (4 cores, 16 GB RAM, 160 GB disk). By its tariff, each costs 5.00 EUR a month, whatever its size.',
    );
    expect(result.diagnostic.hint).toMatch(
      /^Choose another configuration, or .*--capacity-wait 30m/,
    );
    expect(meddle.count).toBeLessThanOrEqual(1);
  });

  test('waited for: tried again with growing pauses, and told', async () => {
    const world = await World.open();
    const meddle = fullFor(4);
    const events: ApplyEvent[] = [];
    const desired = await configure(oneVm());
    const start = world.time.now();
    await expectApplied(world, desired, {
      meddle,
      capacityWaitMs: halfAnHour,
      onEvent: (event) => events.push(event),
    });
    expect(meddle.count).toBe(4);
    expect(world.time.now() - start).toBeGreaterThan(35_000);
    const told = events.flatMap((event) => ('status' in event ? [event.status] : []));
    expect(
      told.filter((status) => /^no room: trying again in \d+s, for 30m at most$/.test(status))
        .length,
    ).toBe(4);
    expect(await findViolations(world, desired)).toEqual([]);
  });

  test.each(['', ', publicIp: new'])(
    'waited for after it was accepted%s: the remains go first, and nothing is left over',
    async (more) => {
      const world = await openFailing(3);
      await expectBuilt(world, await configure(oneVm(more)), { capacityWaitMs: halfAnHour });
    },
  );

  test.each(['', ', publicIp: new'])(
    'waited for longer than a create may take%s: the remains of a late attempt still have time to go',
    async (more) => {
      const world = await openFailing(3);
      const timeouts = `, timeouts: { create: 60s, delete: 5m }`;
      const desired = await configure(oneVm(more + timeouts));
      await expectBuilt(world, desired, { capacityWaitMs: halfAnHour });
    },
  );

  test('waited for by the successor of a VM: the VM stays until that has its place', async () => {
    const world = await World.open();
    const first = ', lifecycle: { createBeforeDestroy: true }';
    await expectApplied(world, await configure(oneVm(first)));
    const desired = await configure(oneVm(first).replace('c2-r4-d40', 'c1-r1-d20'));
    const full = fullFor(2);
    const sent: string[] = [];
    const meddle: Meddle = (request, pass) => {
      const isOfVm = /\/vms(\/[^/]+)?$/.test(new URL(request.url).pathname);
      if (isOfVm && request.method !== 'GET') sent.push(request.method);
      return full(request, pass);
    };
    await expectApplied(world, desired, { meddle, capacityWaitMs: halfAnHour });
    expect(sent).toEqual(['POST', 'POST', 'POST', 'DELETE']);
    expect(await findViolations(world, desired)).toEqual([]);
  });

  test('refused for the successor of a VM: no other size is advised, which would lose the disk', async () => {
    const world = await World.open();
    const first = ', lifecycle: { createBeforeDestroy: true }';
    await expectApplied(world, await configure(oneVm(first)));
    const desired = await configure(oneVm(first).replace('c2-r4-d40', 'c1-r1-d20'));
    const result = resultOf(await world.apply(desired, { meddle: fullFor(99) }));
    if (result?.kind !== 'failed') throw new Error(JSON.stringify(result));
    expect(result.diagnostic.detail).toContain('there is room for: c1-r2-d20 (1 core,');
    expect(result.diagnostic.hint).toBe('Let apply wait for room: --capacity-wait 30m.');
  });

  test('refused, and what stands there has come to life since: it is not removed', async () => {
    const world = await openFailing(1);
    let hasFailed = false;
    let deletes = 0;
    const meddle: Meddle = async (request, pass) => {
      if (request.method === 'DELETE') deletes += 1;
      const response = await pass();
      const { pathname } = new URL(request.url);
      if (request.method !== 'GET' || !/\/vms\/[^/]+$/.test(pathname)) return response;
      const vm = (await response.clone().json()) as { status: string };
      if (hasFailed) return Response.json({ ...vm, status: 'active' });
      hasFailed = vm.status === 'failed';
      return response;
    };
    const end = await world.apply(await configure(oneVm()), { meddle, capacityWaitMs: halfAnHour });
    expect(resultOf(end)).toMatchObject({ kind: 'failed' });
    expect(hasFailed).toBe(true);
    expect(deletes).toBe(0);
  });

  test('the wait comes to its end, without a storm of requests', async () => {
    const world = await World.open();
    const meddle = fullFor(999);
    const start = world.time.now();
    const end = await world.apply(await configure(oneVm()), { meddle, capacityWaitMs: halfAnHour });
    const result = resultOf(end);
    if (result?.kind !== 'failed') throw new Error(JSON.stringify(result));
    expect(result.diagnostic.detail).toContain('It was tried again for 30 minutes.');
    const waitedMs = world.time.now() - start;
    expect(waitedMs).toBeGreaterThanOrEqual(halfAnHour);
    expect(waitedMs).toBeLessThan(halfAnHour + 60_000);
    expect(meddle.count).toBeLessThan(40);
  });

  test('an interrupt ends the wait at once, however long the pause', async () => {
    const world = await World.open();
    const interrupt = new AbortController();
    let refusals = 0;
    let interruptedAt = 0;
    const end = await world.apply(await configure(oneVm()), {
      meddle: fullFor(999),
      capacityWaitMs: halfAnHour,
      interrupted: interrupt.signal,
      onEvent: (event) => {
        if (!('status' in event) || !event.status.startsWith('no room')) return;
        refusals += 1;
        if (refusals < 6) return;
        interruptedAt = world.time.now();
        interrupt.abort();
      },
    });
    expect(resultOf(end)).toEqual({ kind: 'interrupted', isBegun: false });
    expect(world.time.now() - interruptedAt).toBeLessThan(1_000);
  });

  test('the answer to the create was lost, and the next is refused: it is looked for, and not sent again', async () => {
    const world = await World.open({ variant: 'loose' });
    const desired = await configure(oneVm());
    let creates = 0;
    let late: Request | undefined;
    const meddle: Meddle = async (request, pass) => {
      if (!isVmCreate(request)) return pass();
      creates += 1;
      if (creates > 1) return refuseRoom();
      late = request.clone();
      const cause = Object.assign(new Error('reset'), { code: 'ECONNRESET' });
      throw new TypeError('fetch failed', { cause });
    };
    const end = await world.apply(desired, { meddle, capacityWaitMs: halfAnHour });
    expect(resultOf(end)).toMatchObject({ kind: 'unknown' });
    expect(creates).toBe(2);
    // It had taken the last room, and shows only now.
    await world.time.run(Promise.resolve(world.sandbox.fetch(late as Request)));
    await expectApplied(world, desired);
    await expectSettled(world, desired);
  });

  test('killed while the remains are removed, the next runs end it', async () => {
    const desired = await configure(oneVm());
    const options = { capacityWaitMs: halfAnHour };
    const goOn = async (world: World) => {
      // The first may find a create that fails only now: the plan after it replaces what that left.
      await world.apply(desired, options);
      const resumed = await world.apply(desired, options);
      return [...describeFailures(resumed), ...(await findViolations(world, desired))];
    };
    const points = { from: 20, every: 7, to: 80 };
    const open = () => openFailing(2);
    expect(await killEverywhere({ open, desired, options, goOn, ...points })).toBeGreaterThan(25);
  });
});
