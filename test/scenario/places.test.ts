// `--parallelism`: so many changes are at work at once, and those that only wait keep no other one from it.
import { describe, expect, test } from 'vitest';
import { configure, World, type Meddle } from './world.ts';
import { expectApplied, expectBuilt } from './expect-built.ts';

const vm = 'image: debian-12, configuration: c1-r1-d20, tariff: monthly, networks: [lan]';

const many = () =>
  configure(`projects: { demo: { networks: { lan: }, vms: { web: { count: 7, ${vm} } } } }`);

/** How many operations the service worked on at once, at most. */
async function findPeak(world: World): Promise<number> {
  const client = world.connect();
  const spans: [from: number, to: number][] = [];
  for (const { id } of await world.time.run(client.listProjects())) {
    const operations = await world.time.run(client.listOperations(id, { newest: 1e6 }));
    for (const { createdAt, completedAt } of operations) {
      spans.push([createdAt ?? Number.NaN, completedAt ?? Number.NaN]);
    }
  }
  const goingOn = (at: number) => spans.filter(([from, to]) => from <= at && at < to).length;
  return Math.max(...spans.map(([from]) => goingOn(from)));
}

describe.each([1, 2, 3, 5])('%i at once', (parallelism) => {
  test('are never more, and all is done', async () => {
    const world = await World.open();
    const desired = await many();
    await expectBuilt(world, desired, { parallelism });
    expect(await findPeak(world)).toBe(parallelism);
  });

  test('are interrupted between two commands, and gone on with', async () => {
    const desired = await many();
    for (let nth = 2; nth < 12; nth += 3) {
      const world = await World.open();
      const interrupt = new AbortController();
      let attached = 0;
      const meddle: Meddle = (request, pass) => {
        const isAttach = request.method === 'POST' && /networks\/[^/]+\/vms/.test(request.url);
        if (isAttach && (attached += 1) === Math.min(nth, 7)) interrupt.abort();
        return pass();
      };
      const end = await world.apply(desired, {
        ...{ parallelism, meddle },
        interrupted: interrupt.signal,
      });
      expect(end.kind).toBe('ended');
      await expectBuilt(world, desired, { parallelism });
    }
  });
});

describe('one at a time', () => {
  test('what waits for room in the cluster lets others be made', async () => {
    const world = await World.open();
    const desired = await configure(
      `projects: { demo: { networks: { lan: , late: , later: }, vms: { web: { ${vm} } } } }`,
    );
    const made: string[] = [];
    let refusals = 0;
    const meddle: Meddle = (request, pass) => {
      const isVm = request.method === 'POST' && request.url.endsWith('/vms');
      if (!isVm || made.length === 3 || (refusals += 1) > 50) return pass();
      return Promise.resolve(
        Response.json(
          { title: 'No room', status: 409, code: 'insufficientCapacity' },
          { status: 409, headers: { 'content-type': 'application/problem+json' } },
        ),
      );
    };
    await expectApplied(world, desired, {
      ...{ parallelism: 1, meddle, capacityWaitMs: 3_600_000 },
      onEvent: (event) => {
        if (event.kind === 'completed' && event.address.includes('networks'))
          made.push(event.address);
      },
    });
    expect(made).toHaveLength(3);
    expect(refusals).toBeLessThan(20);
  });

  test('what waits for a lock lets others be changed', async () => {
    const world = await World.open({
      planDuration: (type) => ({ queueMs: 0, runMs: type === 'CreateBackup' ? 600_000 : 1_000 }),
    });
    const yaml = (power: string) => `projects:
  demo:
    networks: { lan: }
    vms: { a: { power: ${power}, ${vm} }, b: { power: ${power}, ${vm} }, c: { power: ${power}, ${vm} } }
`;
    await world.apply(await configure(yaml('running')));
    const account = await world.readAccount();
    const locked = account.find((one) => one.kind === 'vm' && one.name === 'a');
    if (locked?.kind !== 'vm') throw new Error('there is no such VM');
    const params = { projectId: locked.projectId, vmId: locked.id };
    await world.time.run(world.connect().call({ operation: 'createBackup', params }));
    const startedAt = world.time.now();
    const after = new Map<string, number>();
    const desired = await configure(yaml('stopped'));
    await expectApplied(world, desired, {
      parallelism: 1,
      onEvent: (event) => {
        if (event.kind === 'completed') after.set(event.address, event.at - startedAt);
      },
    });
    expect(after.get('projects.demo.vms.a')).toBeGreaterThan(500_000);
    expect(after.get('projects.demo.vms.b')).toBeLessThan(60_000);
    expect(after.get('projects.demo.vms.c')).toBeLessThan(60_000);
  });
});
