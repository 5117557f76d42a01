// A VM is made while its networks are, and attached once they are there.
import { describe, expect, test } from 'vitest';
import type { ApplyEvent } from '../../src/model/plan/result.ts';
import { configure, findViolations, World, type Meddle } from './world.ts';
import { expectApplied, expectBuilt } from './expect-built.ts';

const desired = () =>
  configure(`
projects:
  demo:
    networks: { lan: , wan: }
    publicIps: { edge: { forwards: { ssh: { protocol: tcp, publicPort: 22, vm: web, vmPort: 22 } } } }
    vms: { web: { image: ubuntu-24.04, configuration: c2-r4-d40, tariff: monthly, networks: [lan, wan] } }
`);

/** Takes down what is asked for, in order. */
function recording(): { readonly asked: string[]; readonly meddle: Meddle } {
  const asked: string[] = [];
  return {
    asked,
    meddle: (request, pass) => {
      if (request.method !== 'GET') {
        const path = new URL(request.url).pathname.replace(/[a-z]+-[a-z0-9]{8}/g, '*');
        asked.push(`${request.method} ${path.replace('/v1/projects', '')}`);
      }
      return pass();
    },
  };
}

describe('a VM and the networks that are made with it', () => {
  test('are made at the same time', async () => {
    const world = await World.open();
    const graph = await desired();
    const { asked, meddle } = recording();
    const endedAt = new Map<string, number>();
    const startedAt = new Map<string, number>();
    const onEvent = (event: ApplyEvent) => {
      if (event.kind === 'completed') endedAt.set(event.address, event.at);
      if (event.kind === 'started') startedAt.set(event.address, event.at);
    };
    await expectApplied(world, graph, { meddle, onEvent });
    const vm = startedAt.get('projects.demo.vms.web') ?? Number.NaN;
    expect(vm).toBeLessThan(endedAt.get('projects.demo.networks.lan') ?? Number.NaN);
    const network = asked.lastIndexOf('POST /*/networks');
    expect(asked.indexOf('POST /*/vms')).toBeGreaterThan(network);
    expect(await findViolations(world, graph)).toEqual([]);
  });

  test('one at a time are made one after the other', async () => {
    const world = await World.open();
    const graph = await desired();
    await expectBuilt(world, graph, { parallelism: 1 });
  });

  test('a network that is refused keeps the VM from being made', async () => {
    const world = await World.open();
    const graph = await desired();
    const { asked, meddle } = recording();
    let isRefused = true;
    const refusing: Meddle = (request, pass) =>
      meddle(request, () => {
        const isNetwork = request.method === 'POST' && request.url.endsWith('/networks');
        if (!isNetwork || !isRefused) return pass();
        return Promise.resolve(Response.json({ title: 'Not allowed' }, { status: 403 }));
      });
    const end = await world.apply(graph, { meddle: refusing });
    if (end.kind !== 'ended') throw new Error(end.kind);
    const skipped = end.summary.changes.filter(({ result }) => result.kind === 'skipped');
    expect(skipped.map(({ address }) => address)).toEqual([
      'projects.demo.publicIps.edge.forwards.ssh',
      'projects.demo.vms.web',
    ]);
    expect(asked).not.toContain('POST /*/vms');
    isRefused = false;
    await expectBuilt(world, graph);
  });

  test('a network that fails on the way leaves a VM that the next apply attaches', async () => {
    let isBroken = true;
    const world = await World.open({
      planFailure: ({ type }) => (type === 'CreateNetwork' && isBroken ? 'internal' : null),
    });
    const graph = await desired();
    const end = await world.apply(graph);
    if (end.kind !== 'ended') throw new Error(end.kind);
    const vm = end.summary.changes.find(({ address }) => address === 'projects.demo.vms.web');
    expect(vm?.result).toMatchObject({
      kind: 'failed',
      diagnostic: {
        code: 'needed-failed',
        summary: 'The rest was skipped, because projects.demo.networks.lan was not applied',
        detail: 'Done: create. Not done: attach, attach.',
      },
    });
    const { plan } = await world.plan(graph);
    const action = plan.changes.find(({ address }) => address === 'projects.demo.vms.web')?.action;
    expect(action).toBe('update');
    isBroken = false;
    await expectBuilt(world, graph);
  });

  test('an interrupt while the VM waits for its network leaves both to the next apply', async () => {
    const world = await World.open({
      planDuration: (type) => ({ queueMs: 0, runMs: type === 'CreateNetwork' ? 120_000 : 2_000 }),
    });
    const graph = await desired();
    const interrupt = new AbortController();
    const waited: string[] = [];
    const end = await world.apply(graph, {
      interrupted: interrupt.signal,
      onEvent: (event) => {
        if (event.kind !== 'progress' || !event.status.startsWith('waiting for')) return;
        waited.push(`${event.address} ${event.status}`);
        interrupt.abort();
      },
    });
    expect(waited).toEqual(['projects.demo.vms.web waiting for projects.demo.networks.lan']);
    if (end.kind !== 'ended') throw new Error(end.kind);
    expect(end.summary.isInterrupted).toBe(true);
    const vm = end.summary.changes.find(({ address }) => address === 'projects.demo.vms.web');
    expect(vm?.result).toEqual({ kind: 'interrupted', isBegun: true });
    await world.settle();
    await expectBuilt(world, graph);
  });
});
