// A rollout, as the records of the service tell it: never more of a block out of service than may be.
import { fc } from '@fast-check/vitest';
import { describe, expect, it, test } from 'vitest';
import type { ResourceAddress } from '../../src/model/address.ts';
import { addToGroup } from '../../src/model/group-by.ts';
import type { Outage } from '../../src/model/plan/downtime.ts';
import type { RunProbeOnce, Readiness } from '../../src/model/plan/readiness.ts';
import type { Rollout } from '../../src/model/resource.ts';
import { findPeakOutages } from '../../src/plan/forecast/find-downtime.ts';
import { countRuns, drawNumber } from '../support/budget/budget.ts';
import { makeDesired, type Config, type VmConfig } from '../support/desired.ts';
import { readOutages } from '../support/service-outages.ts';
import { describeFailures, World, type Meddle, type RunOptions } from './world.ts';

const address = (at: number): ResourceAddress => `projects.p.vms.web[${at}]`;

function configOf(vms: readonly VmConfig[], rollout?: Rollout): Config {
  const each = vms.map((vm, at) => [`web[${at}]`, { ...vm, ...(rollout && { rollout }) }] as const);
  return { p: { vms: Object.fromEntries(each) } };
}

/** The outages of each member since a moment, in the records of the service. */
async function listOutages(world: World, members: readonly (readonly string[])[], since: number) {
  const client = world.connect();
  const projects = await world.time.run(client.listProjects());
  const read = projects.map(({ id }) => client.listOperations(id, { newest: 1_000 }));
  const all = (await Promise.all(read.map((one) => world.time.run(one)))).flat();
  const operations = all.filter(({ createdAt }) => (createdAt ?? 0) >= since);
  return members.map((ids) => readOutages(operations, ids));
}

/** A member before and after. */
const anyMember: fc.Arbitrary<readonly [VmConfig, VmConfig]> = fc.constantFrom(
  [{ image: 'debian-12' }, { image: 'debian-13' }],
  [{ image: 'debian-12' }, { image: 'debian-13' }],
  [{ configuration: 'c1-r1-d20' }, { configuration: 'c2-r4-d40' }],
  [{ power: 'running' }, { power: 'stopped' }],
  [{ name: 'a' }, { name: 'b' }],
  [{}, {}],
);

/** Ids that stood under the addresses of a block, one run after the other. */
class Members {
  readonly #ids = new Map<ResourceAddress, Set<string>>();

  note({ store }: World): void {
    for (const { address: at, id } of store.state.resources.values()) {
      this.#ids.set(at, (this.#ids.get(at) ?? new Set()).add(id));
    }
  }

  list(count: number): readonly (readonly string[])[] {
    return Array.from({ length: count }, (_, at) => [...(this.#ids.get(address(at)) ?? [])]);
  }
}

/** Members that answer so long after they are asked first, and when each of them did. */
class Answers {
  readonly #heldAt = new Map<ResourceAddress, number[]>();
  readonly #delays: readonly number[];

  constructor(delays: readonly number[]) {
    this.#delays = delays;
  }

  ask({ time }: World): RunProbeOnce {
    return (_probe, { address: at, since }) => {
      const now = time.now();
      const delay = this.#delays[Number(/\d+/.exec(at)?.[0]) % this.#delays.length] ?? 0;
      if (now - since < delay) return Promise.resolve({ kind: 'failing', seen: 'starting' });
      addToGroup(this.#heldAt, at, now);
      return Promise.resolve({ kind: 'holds' });
    };
  }

  /** An outage goes on until the member has answered. */
  extend(at: ResourceAddress, { startMs, endMs }: Outage): Outage {
    const held = this.#heldAt.get(at)?.find((one) => endMs !== null && one >= endMs);
    return { startMs, endMs: held ?? null };
  }
}

const readyOf = (probe: string, settleMs = 0): Readiness => ({
  probes: [{ kind: 'tcp', address: { kind: 'value', value: probe } }],
  withinMs: 600_000,
  settleMs,
});

async function rollOut(
  stories: readonly (readonly [VmConfig, VmConfig])[],
  atOnce: number,
  kills: readonly number[],
  delays: readonly number[] = [],
) {
  const world = await World.open({ seed: stories.length });
  try {
    const named = (vm: VmConfig, at: number) =>
      vm.name === undefined ? vm : { ...vm, name: `${vm.name}-${at}` };
    const [before, after] = [0, 1].map((side) =>
      stories.map((story, at) => named(story[side]!, at)),
    ) as [VmConfig[], VmConfig[]];
    await world.apply(makeDesired(configOf(before)));
    const members = new Members();
    members.note(world);
    const since = world.time.now();
    const answers = delays.length > 0 ? new Answers(delays) : undefined;
    const desired = makeDesired(
      configOf(after, {
        ...{ atOnce: { count: atOnce }, onFailure: 'stop' },
        ...(answers && { ready: readyOf('203.0.113.7:22') }),
      }),
    );
    for (const killAt of [...kills, undefined]) {
      const end = await world.apply(desired, {
        ...(killAt !== undefined && { killAt }),
        ...(answers && { askProbe: answers.ask(world) }),
      });
      members.note(world);
      if (end.kind === 'killed') continue;
      expect(describeFailures(end)).toEqual([]);
    }
    const outages = await listOutages(world, members.list(stories.length), since);
    // What is stopped on purpose is out for good, and counts no longer.
    const wanted = outages.map((own, at) =>
      own.flatMap((one) => {
        const isMeant = after[at]!.power === 'stopped';
        return isMeant ? [] : [answers?.extend(address(at), one) ?? one];
      }),
    );
    expect(findPeakOutages(wanted.flat()).most).toBeLessThanOrEqual(atOnce);
    const { plan } = await world.plan(desired);
    expect(plan.changes.filter(({ action }) => action !== 'no-op')).toEqual([]);
    expect(plan.tasks).toEqual([]);
    return outages.flat().length;
  } finally {
    world.sandbox.close();
  }
}

const runs = countRuns(300, 10);

test.each([
  ['', fc.constant([])],
  [
    ' that are ready',
    fc.array(fc.integer({ min: 0, max: 90_000 }), { minLength: 1, maxLength: 4 }),
  ],
])(
  `${runs} rollouts, killed and gone on with, leave as many in service%s`,
  async (_, anyDelays) => {
    let seen = 0;
    const property = fc.asyncProperty(
      fc.array(anyMember, { minLength: 2, maxLength: 7 }),
      fc.integer({ min: 1, max: 3 }),
      fc.array(fc.integer({ min: 1, max: 80 }), { maxLength: 3 }),
      anyDelays,
      async (stories, atOnce, kills, delays) => {
        seen += await rollOut(stories, atOnce, kills, delays);
      },
    );
    await fc.assert(property, { numRuns: runs, seed: drawNumber(2 ** 31, 'rollouts') });
    expect(seen).toBeGreaterThan(runs);
  },
);

test(`${runs} rollouts of any durations, with failures and kills, leave as many in service`, async () => {
  let failed = 0;
  const property = fc.asyncProperty(
    fc.integer({ min: 2, max: 7 }),
    fc.integer({ min: 1, max: 3 }),
    fc.array(fc.integer({ min: 1_000, max: 400_000 }), { minLength: 1, maxLength: 9 }),
    fc.uniqueArray(fc.nat({ max: 9 }), { maxLength: 3 }),
    fc.array(fc.integer({ min: 1, max: 80 }), { maxLength: 2 }),
    async (count, atOnce, durations, failing, kills) => {
      let planned = 0;
      const world = await World.open({
        planDuration: () => ({ queueMs: 0, runMs: durations[planned++ % durations.length]! }),
        planFailure: ({ type, sequence }) =>
          type === 'Rebuild' && failing.includes(sequence % 10) ? 'internal' : null,
      });
      const vms = (image: string) => Array.from({ length: count }, () => ({ image }));
      await world.apply(makeDesired(configOf(vms('debian-12'))));
      const members = new Members();
      members.note(world);
      const since = world.time.now();
      const rollout = { atOnce: { count: atOnce }, onFailure: 'stop' } as const;
      const desired = makeDesired(configOf(vms('debian-13'), rollout));
      for (const killAt of [...kills, ...Array<undefined>(6).fill(undefined)]) {
        const end = await world.apply(desired, killAt === undefined ? {} : { killAt });
        members.note(world);
        if (end.kind === 'ended' && describeFailures(end).length > 0) failed += 1;
      }
      const outages = await listOutages(world, members.list(count), since);
      expect(findPeakOutages(outages.flat()).most).toBeLessThanOrEqual(atOnce);
      expect((await world.plan(desired)).plan.tasks).toEqual([]);
      world.sandbox.close();
    },
  );
  await fc.assert(property, { numRuns: runs, seed: drawNumber(2 ** 31, 'rollout durations') });
  expect(failed).toBeGreaterThan(0);
});

describe('of a block of which one cannot be rebuilt', () => {
  const refuse: Meddle = async (request, pass) => {
    const isRebuild = request.method === 'POST' && request.url.endsWith('/rebuild');
    return isRebuild && request.url.includes(refused)
      ? Response.json({ code: 'no', message: 'No.' }, { status: 400 })
      : pass();
  };
  let refused = '';

  it.each(['stop', 'continue'] as const)('on failure: %s', async (onFailure) => {
    const world = await World.open();
    const vms = Array.from({ length: 6 }, () => ({ image: 'debian-12' }));
    await world.apply(makeDesired(configOf(vms)));
    refused = world.store.state.resources.get(address(2))!.id;
    const later = vms.map(() => ({ image: 'debian-13' }));
    const rollout: Rollout = { atOnce: { count: 2 }, onFailure };
    const options: RunOptions = { meddle: refuse };
    const end = await world.apply(makeDesired(configOf(later, rollout)), options);
    world.sandbox.close();
    if (end.kind !== 'ended') throw new Error(end.kind);
    const results = end.summary.changes
      .filter(({ address: one }) => one.includes('web'))
      .map(({ result }) => result.kind);
    const rest = onFailure === 'stop' ? 'skipped' : 'applied';
    expect(results).toEqual(['applied', 'applied', 'failed', 'applied', rest, rest]);
  });
});
