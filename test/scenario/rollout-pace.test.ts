// The time of a rollout beside the least that its waves can take: the longest change of each, and its probes.
import { fc } from '@fast-check/vitest';
import { expect, test } from 'vitest';
import type { ResourceAddress } from '../../src/model/address.ts';
import type { RunProbeOnce } from '../../src/model/plan/readiness.ts';
import type { Rollout } from '../../src/model/resource.ts';
import { countRuns, drawNumber } from '../support/budget/budget.ts';
import { makeDesired, type VmConfig } from '../support/desired.ts';
import { World } from './world.ts';

/** One late look, and what the plan itself takes. */
const lookMs = 1_000;

interface Draw {
  readonly count: number;
  readonly atOnce: number;
  /** Durations of the rebuilds, in milliseconds. */
  readonly tookMs: readonly number[];
  /** So long after a rebuild its probe holds; undefined where there is none. */
  readonly readyMs: number | undefined;
  /** Set where an earlier run has seen rebuilds. */
  readonly isKnown: boolean;
}

const anyDraw: fc.Arbitrary<Draw> = fc
  .record({
    meanMs: fc.integer({ min: 4_000, max: 120_000 }),
    percent: fc.integer({ min: 0, max: 40 }),
  })
  .chain(({ meanMs, percent }) =>
    fc.record({
      count: fc.integer({ min: 3, max: 14 }),
      atOnce: fc.integer({ min: 1, max: 4 }),
      tookMs: fc.array(
        fc.integer({
          min: Math.round(meanMs * (1 - percent / 100)),
          max: Math.round(meanMs * (1 + percent / 100)),
        }),
        { minLength: 14, maxLength: 14 },
      ),
      readyMs: fc.option(fc.integer({ min: 0, max: 60_000 }), { nil: undefined, freq: 2 }),
      isKnown: fc.boolean(),
    }),
  );

/** A rollout. @returns its time, the least for it, its requests, and those of polling each rebuild every 50 ms */
async function rollOut({ count, atOnce, tookMs, readyMs, isKnown }: Draw) {
  let rebuilds = 0;
  const world = await World.open({
    isFirst: true,
    planDuration: (type) => ({
      queueMs: 0,
      runMs: type === 'Rebuild' ? tookMs[rebuilds++ % tookMs.length]! : 1_000,
    }),
  });
  const desire = (image: string, rollout?: Rollout) => {
    const vm: VmConfig = { image, ...(rollout && { rollout }) };
    const each = Array.from({ length: count }, (_, at) => [`web[${at}]`, vm] as const);
    return makeDesired({ p: { vms: Object.fromEntries(each) } });
  };
  await world.apply(desire('debian-12'));
  const image = isKnown ? 'debian-12' : 'debian-13';
  if (isKnown) await world.apply(desire('debian-13'));
  const startedAt = world.time.now();
  const askProbe: RunProbeOnce = (_probe, { since }) =>
    Promise.resolve(
      world.time.now() - since < (readyMs ?? 0)
        ? { kind: 'failing', seen: 'starting' }
        : { kind: 'holds' },
    );
  const ready: Rollout['ready'] = {
    probes: [{ kind: 'tcp', address: { kind: 'value', value: '203.0.113.7:22' } }],
    ...{ withinMs: 600_000, settleMs: 0 },
  };
  const rollout: Rollout = {
    ...{ atOnce: { count: atOnce }, onFailure: 'stop' },
    ...(readyMs !== undefined && { ready }),
  };
  let since = 0;
  const requests = world.requests;
  const end = await world.apply(desire(image, rollout), {
    askProbe,
    onPlanned: () => (since = world.time.now()),
  });
  if (end.kind !== 'ended') throw new Error(end.kind);
  const makespanMs = world.time.now() - since;
  const asked = world.requests - requests;
  const ids = new Map(
    [...world.store.state.resources.values()].map(({ id, address }) => [id, address]),
  );
  const [project] = await world.time.run(world.connect().listProjects());
  const operations = await world.time.run(
    world.connect().listOperations(project!.id, { newest: 1_000 }),
  );
  world.sandbox.close();
  const took = new Map<ResourceAddress, number>();
  for (const { type, resourceId, createdAt, completedAt } of operations) {
    const address = ids.get(resourceId ?? '');
    if (type === 'Rebuild' && address && createdAt! >= startedAt)
      took.set(address, completedAt! - createdAt!);
  }
  const ends = new Map<string, number>();
  for (const { id, address, phase, dependsOn } of end.planned.plan.tasks) {
    const after = Math.max(0, ...dependsOn.map(({ on }) => ends.get(on) ?? 0));
    ends.set(id, after + (phase === 'ready' ? readyMs! : took.get(address)!));
  }
  const workMs = [...took.values()].reduce((a, b) => a + b, 0);
  return { makespanMs, boundMs: Math.max(...ends.values()), requests: asked, polls: workMs / 50 };
}

const runs = countRuns(300, { short: 3, ci: 12 });

test(`${runs} rollouts take at most a twentieth longer than their waves must`, async () => {
  const property = fc.asyncProperty(fc.noBias(anyDraw), async (draw) => {
    const { makespanMs, boundMs, requests, polls } = await rollOut(draw);
    expect(makespanMs).toBeLessThanOrEqual(1.05 * boundMs + lookMs);
    expect(requests).toBeLessThan((polls * 2) / 3);
  });
  await fc.assert(property, { numRuns: runs, seed: drawNumber(2 ** 31, 'rollout pace') });
});
