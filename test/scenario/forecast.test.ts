// The downtime that a plan forecasts, and what the records of the service then say.
import { fc } from '@fast-check/vitest';
import { expect, test } from 'vitest';
import type { ResourceAddress } from '../../src/model/address.ts';
import { addToGroup } from '../../src/model/group-by.ts';
import type { RunProbeOnce } from '../../src/model/plan/readiness.ts';
import type { DesiredGraph, Rollout } from '../../src/model/resource.ts';
import { countRuns, drawNumber, readBudget } from '../support/budget/budget.ts';
import { makeDesired, type Config, type VmConfig } from '../support/desired.ts';
import { learnFromDurations } from '../support/known-durations.ts';
import { readOutages } from '../support/service-outages.ts';
import { rehearseIn } from './rehearsal/rehearse-in.ts';
import { World } from './world.ts';

const anyVm: fc.Arbitrary<VmConfig> = fc.record({
  image: fc.constantFrom('debian-12', 'debian-13'),
  configuration: fc.constantFrom('c1-r1-d20', 'c2-r4-d40'),
  power: fc.constantFrom('running', 'running', 'running', 'stopped'),
  networks: fc.subarray(['n', 'm']),
  backupBeforeRebuild: fc.boolean(),
});

/** Instances before and after; undefined where there is none. */
const anyStory = fc.array(
  fc.tuple(...[anyVm, anyVm].map((one) => fc.option(one, { nil: undefined, freq: 4 }))),
  { minLength: 1, maxLength: 5 },
);

/** A project with these VMs, and a forward to the first of them. */
function configOf(vms: readonly (VmConfig | undefined)[]): Config {
  const each = vms.flatMap((vm, at) => (vm ? [[`web[${at}]`, vm] as const] : []));
  const [first] = each;
  const forwards = first && { https: { publicPort: 443, vm: first[0] } };
  return {
    p: {
      networks: { n: {}, m: {} },
      vms: Object.fromEntries(each),
      publicIps: { edge: { ...forwards } },
    },
  };
}

/** So long operations take, by their types, after which a VM is ready, and so many of them go at once. */
interface Course {
  readonly tookMs: readonly number[];
  /** Undefined where there are no probes. */
  readonly readyMs: number | undefined;
  readonly atOnce: number;
}

const anyCourse: fc.Arbitrary<Course> = fc.record({
  tookMs: fc.array(fc.integer({ min: 3_000, max: 150_000 }), { minLength: 11, maxLength: 11 }),
  readyMs: fc.option(fc.integer({ min: 1_000, max: 90_000 }), { nil: undefined, freq: 2 }),
  atOnce: fc.integer({ min: 1, max: 5 }),
});

const block: ResourceAddress = 'projects.p.vms.web';
const ready: Rollout['ready'] = {
  probes: [{ kind: 'tcp', address: { kind: 'value', value: '203.0.113.7:22' } }],
  ...{ withinMs: 600_000, settleMs: 0 },
};

/** The service as an account knows it that was seen often. */
async function openKnown({ tookMs, readyMs }: Course): Promise<World> {
  const planDuration = (type: string) => ({
    queueMs: 0,
    runMs: tookMs[(type.length + type.charCodeAt(0)) % tookMs.length]!,
  });
  const durations = learnFromDurations(planDuration);
  const readyTimes = readyMs === undefined ? {} : { [block]: { meanMs: readyMs, deviationMs: 0 } };
  return World.open({ planDuration, learned: { durations, readyTimes } });
}

/** How many outages came to an end, and how far the forecast was off at most. */
interface Figures {
  ended: number;
  worst: number;
}

async function compare(course: Course, before: Config, after: Config, figures: Figures) {
  const { readyMs = 0 } = course;
  const world = await openKnown(course);
  const heldAt = new Map<ResourceAddress, number[]>();
  const askProbe: RunProbeOnce = (_probe, { address, since }) => {
    const now = world.time.now();
    if (now - since < readyMs) return Promise.resolve({ kind: 'failing', seen: 'starting' });
    addToGroup(heldAt, address, now);
    return Promise.resolve({ kind: 'holds' });
  };
  try {
    await world.apply(makeDesired(before), { askProbe });
    let startedAt = 0;
    const desired = makeDesired(after);
    const managed = [...world.store.state.resources.values()];
    const end = await world.apply(desired, {
      ...{ parallelism: 1_000, askProbe },
      onPlanned: () => (startedAt = world.time.now()),
    });
    fc.pre(end.kind === 'ended');
    const { downtime, changes } = end.planned.plan;
    const ids = new Map(managed.map(({ address, id }) => [address, id]));
    const client = world.connect();
    const projects = await world.time.run(client.listProjects());
    const operations = (
      await Promise.all(
        projects.map(({ id }) => world.time.run(client.listOperations(id, { newest: 1_000 }))),
      )
    ).flat();
    const since = operations.filter(({ createdAt }) => (createdAt ?? 0) >= startedAt);
    const told = (downtime?.blocks ?? []).flatMap(({ outages }) =>
      outages.filter(({ loses }) => loses === 'power'),
    );
    const running = end.planned.live.resources.flatMap((one) =>
      one.kind === 'vm' && one.bootStatus === 'Running' ? [one.id] : [],
    );
    for (const { address, kind, project, id, isCreatedFirst } of changes) {
      if (kind !== 'vm' || id === null || isCreatedFirst || !running.includes(id)) continue;
      // What goes with its project leaves no records.
      const projectId = world.store.state.resources.get(project)?.id;
      if (ids.get(project) !== projectId) continue;
      const now = world.store.state.resources.get(address)?.id ?? id;
      const actual = readOutages(since, [id, now]);
      const expected = told.filter((one) => one.address === address);
      expect(expected.map(({ endMs }) => endMs !== null)).toEqual(
        actual.map(({ endMs }) => endMs !== null),
      );
      for (const [at, one] of actual.entries()) {
        const forecast = expected[at]!;
        const { startMs, endMs } = one;
        if (endMs === null || forecast.endMs === null) continue;
        const upMs = heldAt.get(address)?.find((held) => held >= endMs) ?? endMs;
        const [told, took] = [forecast.endMs - forecast.startMs, upMs - startMs];
        figures.ended += 1;
        figures.worst = Math.max(figures.worst, Math.abs(told / took - 1));
        expect(Math.abs(told / took - 1), address).toBeLessThan(0.1);
      }
    }
  } finally {
    world.sandbox.close();
  }
}

const plans = countRuns(400, { short: 6, ci: 20 });
const seed = readBudget().tier === 'full' ? drawNumber(2 ** 31, 'forecasts') : 7;
const name = `${plans} random plans take out of service what they forecast, within a tenth of the time`;

test(name, { timeout: 900_000 }, async () => {
  const figures: Figures = { ended: 0, worst: 0 };
  const property = fc.asyncProperty(anyCourse, anyStory, (course, vms) => {
    const { atOnce, readyMs } = course;
    const rollout: Rollout = {
      ...{ atOnce: { count: atOnce }, onFailure: 'stop' },
      ...(readyMs !== undefined && { ready }),
    };
    const rolled = (vm: VmConfig | undefined) => vm && { ...vm, rollout };
    const [before, after] = [0, 1].map((side) => configOf(vms.map((vm) => rolled(vm[side]))));
    return compare(course, before!, after!, figures);
  });
  await fc.assert(property, { numRuns: plans, seed });
  expect(figures.ended).toBeGreaterThan(plans / 4);
});

test('a rehearsal tells the same, and several of them how far it may be off', async () => {
  const [before, after] = ['debian-12', 'debian-13'].map((image) =>
    makeDesired(configOf([{ image }, { image }])),
  ) as [DesiredGraph, DesiredGraph];
  const world = await World.open();
  await world.apply(before);
  const planned = await world.plan(after);
  const [forecast] = planned.plan.downtime?.blocks ?? [];
  const [one, many] = await Promise.all([
    rehearseIn(world, planned),
    rehearseIn(world, planned, { times: 6 }),
  ]);
  expect(one?.downtime).toMatchObject({ rehearsals: 1, forwards: [{ isAssumed: false }] });
  const [block] = one?.downtime?.blocks ?? [];
  expect(block).toMatchObject({ running: 2, minRunning: 0, isAssumed: false });
  expect(block).not.toHaveProperty('p95Ms');
  const ratio = (block?.out.forMs ?? 0) / (forecast?.out.forMs ?? 0);
  expect(Math.abs(ratio - 1)).toBeLessThan(0.2);
  const [median] = many?.downtime?.blocks ?? [];
  expect(median?.p95Ms).toBeGreaterThan(median?.out.forMs ?? Infinity);
});
