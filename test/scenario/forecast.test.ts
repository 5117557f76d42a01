// The downtime that a plan forecasts, and what the records of the service then say.
import { fc } from '@fast-check/vitest';
import { expect, test } from 'vitest';
import type { DesiredGraph } from '../../src/model/resource.ts';
import { planOperationDuration } from '../../src/sandbox/rules/durations.ts';
import type { OperationDurationPlan } from '../../src/sandbox/store/world.ts';
import { countRuns, drawNumber, readBudget } from '../support/budget/budget.ts';
import { makeDesired, type Config, type VmConfig } from '../support/desired.ts';
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

/** Operations take as long as is known, as of an account that was seen often. */
const usual: OperationDurationPlan = (type) => {
  const drawn = Array.from({ length: 20 }, (_, at) =>
    planOperationDuration(type, at, { seed: 1, speed: 1 }),
  );
  const all = drawn.reduce((sum, { queueMs, runMs }) => sum + queueMs + runMs, 0);
  return { queueMs: 0, runMs: Math.round(all / drawn.length) };
};

/** How many outages came to an end, and how far the forecast was off at most. */
interface Figures {
  ended: number;
  worst: number;
}

async function compare(before: Config, after: Config, figures: Figures) {
  const world = await World.open({ planDuration: usual });
  try {
    await world.apply(makeDesired(before));
    let startedAt = 0;
    const desired = makeDesired(after);
    const managed = [...world.store.state.resources.values()];
    const end = await world.apply(desired, {
      parallelism: 1_000,
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
        if (one.endMs === null || forecast.endMs === null) continue;
        const [told, took] = [forecast.endMs - forecast.startMs, one.endMs - one.startMs];
        figures.ended += 1;
        figures.worst = Math.max(figures.worst, Math.abs(told / took - 1));
        expect(Math.abs(told / took - 1), address).toBeLessThan(0.1);
      }
    }
  } finally {
    world.sandbox.close();
  }
}

const plans = countRuns(400, 12);
const seed = readBudget().tier === 'full' ? drawNumber(2 ** 31, 'forecasts') : 7;
const name = `${plans} random plans take out of service what they forecast, within a tenth of the time`;

test(name, { timeout: 900_000 }, async () => {
  const figures: Figures = { ended: 0, worst: 0 };
  const property = fc.asyncProperty(anyStory, (vms) =>
    compare(configOf(vms.map(([vm]) => vm)), configOf(vms.map(([, vm]) => vm)), figures),
  );
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
