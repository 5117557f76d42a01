// A rollout, as the records of the service tell it: never more of a block out of service than may be.
import { fc } from '@fast-check/vitest';
import { describe, expect, it, test } from 'vitest';
import { makeVmPowerCommand } from '../../src/kinds/vm/requests.ts';
import { parseDeposedAddress, type ResourceAddress } from '../../src/model/address.ts';
import type { LiveOperation } from '../../src/model/account/operation.ts';
import { addToGroup } from '../../src/model/group-by.ts';
import type { OutagePeriod } from '../../src/model/plan/downtime.ts';
import type { RunProbeOnce, ReadinessConditions } from '../../src/model/plan/readiness.ts';
import type { DesiredGraph, Rollout } from '../../src/model/resource.ts';
import { countRuns, drawNumber } from '../support/budget/budget.ts';
import { makeDesired, type Config, type VmConfig } from '../support/desired.ts';
import { joinOutages, readMemberOutages } from '../support/service-outages.ts';
import { describeFailures, World, type Meddle, type RunEnd, type RunOptions } from './world.ts';

const address = (at: number): ResourceAddress => `projects.p.vms.web[${at}]`;

function configOf(vms: readonly (VmConfig | undefined)[], rollout?: Rollout): Config {
  const each = vms.flatMap((vm, at) =>
    vm ? [[`web[${at}]`, { ...vm, ...(rollout && { rollout }) }] as const] : [],
  );
  return { p: { vms: Object.fromEntries(each) } };
}

/** A member before and after, undefined where there is none; what befell it in between; and when it answers. */
interface Member {
  readonly before: VmConfig | undefined;
  readonly after: VmConfig | undefined;
  readonly befallen: 'nothing' | 'stopped' | 'failed';
  readonly isSelected: boolean;
  /** So long after its change it answers; `never`: not until its next one. */
  readonly answers: number | 'never';
}

interface Course {
  readonly members: readonly Member[];
  readonly atOnce: Rollout['atOnce'];
  readonly isProbed: boolean;
  readonly isCreatedFirst: boolean;
  readonly isTargeted: boolean;
  /** Durations of operations in ms, one after the other. */
  readonly tookMs: readonly number[];
  /** Rebuilds and provisions that fail, by the last digit of their numbers. */
  readonly failing: readonly number[];
  readonly kills: readonly number[];
}

const [old, other] = [{ image: 'debian-12' }, { image: 'debian-13' }];
const anyMember: fc.Arbitrary<Member> = fc
  .record({
    sides: fc.constantFrom<readonly (VmConfig | undefined)[]>(
      [old, other],
      [old, other],
      [{ configuration: 'c1-r1-d20' }, { configuration: 'c2-r4-d40' }],
      [{ power: 'running' }, { power: 'stopped' }],
      [{ power: 'stopped' }, { power: 'running' }],
      [
        { ...old, power: 'stopped' },
        { ...other, power: 'stopped' },
      ],
      [old, undefined],
      [undefined, other],
      [{}, {}],
    ),
    befallen: fc.constantFrom('nothing', 'nothing', 'nothing', 'stopped', 'failed'),
    isSelected: fc.boolean(),
    answers: fc.oneof(
      { arbitrary: fc.integer({ min: 0, max: 90_000 }), weight: 5 },
      { arbitrary: fc.constant('never' as const), weight: 1 },
    ),
  })
  .map(({ sides: [before, after], ...rest }) => ({ before, after, ...rest }));

const anyCourse: fc.Arbitrary<Course> = fc.record({
  // A block that leaves the configuration takes its rollout along.
  members: fc
    .array(anyMember, { minLength: 2, maxLength: 7 })
    .filter((members) => members.some(({ after }) => after !== undefined)),
  atOnce: fc.oneof(
    fc.record({ count: fc.integer({ min: 1, max: 3 }) }),
    fc.record({ percent: fc.integer({ min: 1, max: 60 }) }),
  ),
  isProbed: fc.boolean(),
  isCreatedFirst: fc.boolean(),
  isTargeted: fc.boolean(),
  tookMs: fc.array(fc.integer({ min: 1_000, max: 400_000 }), { minLength: 1, maxLength: 9 }),
  failing: fc.uniqueArray(fc.nat({ max: 9 }), { maxLength: 2 }),
  kills: fc.array(fc.integer({ min: 1, max: 80 }), { maxLength: 3 }),
});

/** An outage of a member, and the operation that began it: a creation takes nobody out of service. */
interface MemberOutage extends OutagePeriod {
  readonly isLoss: boolean;
}

/** The ids under each address of the block, and when the members answered. */
class Observer {
  readonly #ids = new Map<ResourceAddress, Set<string>>();
  readonly #heldAt = new Map<ResourceAddress, number[]>();
  readonly #course: Course;

  constructor(course: Course) {
    this.#course = course;
  }

  note({ store }: World): void {
    for (const { address: at, id } of store.state.resources.values()) {
      const base = parseDeposedAddress(at)?.base ?? at;
      this.#ids.set(base, (this.#ids.get(base) ?? new Set()).add(id));
    }
  }

  ask(world: World): RunProbeOnce {
    const { time } = world;
    return (_probe, { address: at, since }) => {
      const { answers } = this.#course.members[Number(/\d+/.exec(at)?.[0])]!;
      const image = world.store.state.resources.get(at)?.attributes.image;
      const isUp = answers === 'never' ? image !== other.image : time.now() - since >= answers;
      if (isUp) addToGroup(this.#heldAt, at, time.now());
      return Promise.resolve(isUp ? { kind: 'holds' } : { kind: 'failing', seen: 'starting' });
    };
  }

  /**
   * The waves of a run, by the records of the service: members whose changes overlap, each from its first request until it
   * answers. What is made, and what nobody misses, is in none.
   */
  async listWaves(world: World, { startMs, endMs }: Span): Promise<readonly number[]> {
    const all = await readOperations(world);
    const outages = await this.list(world, startMs);
    const { isCreatedFirst } = this.#course;
    const spans = this.#course.members.flatMap(({ before, after, befallen }, at): Span[] => {
      const ids = this.#ids.get(address(at));
      const ofMember = all
        .filter(({ resourceId }) => ids?.has(resourceId ?? '') === true)
        .sort((a, b) => (a.createdAt ?? 0) - (b.createdAt ?? 0));
      const isLeaving = after === undefined || after.power === 'stopped';
      // Nobody misses the old one, once the new one answers.
      const isMissed = (type: string) => isLeaving || !isCreatedFirst || type !== 'Delete';
      const own = ofMember.filter(({ type, createdAt }) => {
        const isOfRun = createdAt !== null && createdAt >= startMs && createdAt <= endMs;
        return isOfRun && isMissed(type);
      });
      const [first] = own;
      if (!before || !first) return [];
      const isOut = outages[at]!.some(isOutAt(startMs - 1));
      if (first.type === 'Provision' && isOut) return [];
      const wasRunning = befallen === 'nothing' && before.power !== 'stopped';
      if (isLeaving && (!wasRunning || ofMember.some((one) => isGoing(one, startMs)))) return [];
      const doneMs = Math.max(...own.map(({ completedAt }) => completedAt ?? endMs));
      const isJudged = this.#course.isProbed && !isLeaving;
      const heldMs = this.#heldAt.get(address(at))?.find((one) => one >= doneMs) ?? endMs;
      return [{ startMs: first.createdAt!, endMs: isJudged ? Math.max(doneMs, heldMs) : doneMs }];
    });
    const waves: { members: number; endMs: number }[] = [];
    for (const span of spans.sort((a, b) => a.startMs - b.startMs)) {
      const last = waves.at(-1);
      if (!last || span.startMs >= last.endMs) waves.push({ members: 1, endMs: span.endMs });
      else
        Object.assign(last, { members: last.members + 1, endMs: Math.max(last.endMs, span.endMs) });
    }
    return waves.map(({ members }) => members);
  }

  /** The outages of each member, in the records of the service. One that was changed goes on until the member answers. */
  async list(world: World, since: number): Promise<readonly (readonly MemberOutage[])[]> {
    const operations = await readOperations(world);
    return this.#course.members.map(({ before, after }, at) => {
      if (before?.power === 'stopped' && after?.power === 'stopped') return [];
      const all = [...(this.#ids.get(address(at)) ?? [])];
      const isLeaving = after === undefined || after.power === 'stopped';
      // One that is made to be stopped runs until it is, and nobody misses it.
      const ids = isLeaving ? all.slice(0, 1) : all;
      const { isProbed } = this.#course;
      const read = readMemberOutages(operations, ids, { runsUnbuilt: !isProbed });
      const outages = read.map(({ startMs, endMs }): MemberOutage => {
        const begun = operations.find(
          (one) => one.createdAt === startMs && ids.includes(one.resourceId ?? ''),
        );
        const isLoss = begun !== undefined && begun.type !== 'Provision';
        // What is to be out counts while it goes.
        if (isLeaving) return { isLoss, startMs, endMs: begun?.completedAt ?? startMs };
        const isJudged = isProbed && endMs !== null && endMs >= since;
        const heldAt = this.#heldAt.get(address(at))?.find((one) => one >= (endMs ?? Infinity));
        return { isLoss, startMs, endMs: isJudged ? (heldAt ?? null) : endMs };
      });
      return joinOutages(outages);
    });
  }
}

interface Span {
  readonly startMs: number;
  readonly endMs: number;
}

const isOutAt = (atMs: number) => (outage: OutagePeriod) =>
  outage.startMs <= atMs && (outage.endMs === null || outage.endMs > atMs);

const isGoing = ({ type, createdAt }: LiveOperation, beforeMs: number) =>
  (type === 'Stop' || type === 'Delete') && (createdAt ?? 0) < beforeMs;

async function readOperations(world: World) {
  const client = world.connect();
  const projects = await world.time.run(client.listProjects());
  const read = projects.map(({ id }) => client.listOperations(id, { newest: 1_000 }));
  return (await Promise.all(read.map((one) => world.time.run(one)))).flat();
}

/** The VMs of the account as anybody can see them, but for what the service made up. */
async function describeVms(world: World): Promise<readonly string[]> {
  const all = await world.readAccount();
  return all
    .flatMap((one) =>
      one.kind === 'vm'
        ? [[one.name, one.imageId, one.configurationId, one.bootStatus, one.status].join(' ')]
        : [],
    )
    .sort();
}

/** Brings the members to where the rollout finds them. */
async function prepare(course: Course, options: Parameters<typeof World.open>[0] = {}) {
  let isBroken = false;
  const world = await World.open({
    ...options,
    planFailure: (operation) =>
      isBroken && operation.type === 'Provision'
        ? 'internal'
        : (options.planFailure?.(operation) ?? null),
  });
  const { members } = course;
  const without = members.map(({ before, befallen }) =>
    befallen === 'failed' ? undefined : before,
  );
  await world.apply(makeDesired(configOf(without)));
  isBroken = true;
  await world.apply(makeDesired(configOf(members.map(({ before }) => before))));
  isBroken = false;
  for (const [at, { before, befallen }] of members.entries()) {
    const managed = world.store.state.resources.get(address(at));
    if (befallen !== 'stopped' || !managed || before?.power === 'stopped') continue;
    const stop = makeVmPowerCommand('stop', { projectId: managed.projectId, vmId: managed.id });
    await world.time.run(world.connect().send(stop));
  }
  await world.settle();
  return world;
}

/** Tells whether nothing was left to do, or whether what is not ready holds the rest back. */
function isAtRest(end: RunEnd): boolean {
  if (end.kind !== 'ended') return false;
  return end.summary.changes.every(({ result: { kind, ...result } }) =>
    kind === 'failed'
      ? 'diagnostic' in result && result.diagnostic.code === 'not-ready'
      : kind === 'applied' || kind === 'skipped',
  );
}

/** Numbers of what the courses have seen. */
const figures = { outages: 0, failures: 0, kills: 0, down: 0, waves: 0, repairs: 0 };

async function rollOut(course: Course): Promise<void> {
  const { members, atOnce, isProbed, isCreatedFirst, isTargeted, tookMs, failing, kills } = course;
  let [planned, isFailing] = [0, false];
  const world = await prepare(course, {
    planDuration: () => ({ queueMs: 0, runMs: tookMs[planned++ % tookMs.length]! }),
    planFailure: ({ type, sequence }) =>
      isFailing && (type === 'Rebuild' || type === 'Provision') && failing.includes(sequence % 10)
        ? 'internal'
        : null,
  });
  const twin = await prepare(course);
  const observer = new Observer(course);
  observer.note(world);
  const since = world.time.now();
  const rollout: Rollout = {
    ...{ atOnce, onFailure: 'stop' },
    ...(isProbed && { ready: readyOf('203.0.113.7:22') }),
  };
  const desire = (own: Rollout | undefined, image?: string) =>
    makeDesired(
      configOf(
        members.map(
          ({ after }) =>
            after && {
              ...after,
              ...(image !== undefined && { image }),
              ...(isCreatedFirst && { createBeforeDestroy: true }),
            },
        ),
        own,
      ),
    );
  const targets = members.flatMap(({ isSelected }, at) => (isSelected ? [address(at)] : []));
  const configured = members.filter(({ after }) => after !== undefined).length;
  const most = 'count' in atOnce ? atOnce.count : Math.floor((atOnce.percent * configured) / 100);
  const go = async (desired: DesiredGraph, options: RunOptions = {}) => {
    const startMs = world.time.now();
    const end = await world.apply(desired, { ...options, askProbe: observer.ask(world) });
    observer.note(world);
    const waves = await observer.listWaves(world, { startMs, endMs: world.time.now() });
    expect(Math.max(0, ...waves)).toBeLessThanOrEqual(Math.max(1, most));
    if (waves.length > 1) figures.waves += 1;
    if (end.kind === 'killed') figures.kills += 1;
    if (end.kind === 'ended' && describeFailures(end).length > 0) figures.failures += 1;
    return end;
  };
  const isSelecting = isTargeted && targets.length > 0;
  if (isSelecting) {
    const planOptions = { selection: { targets, excludes: [] } };
    isFailing = true;
    for (const killAt of [...kills, undefined])
      await go(desire(rollout), { planOptions, ...(killAt !== undefined && { killAt }) });
  }
  const wholeSince = world.time.now();
  for (const [at, killAt] of [...kills, ...Array<undefined>(8).fill(undefined)].entries()) {
    // Failures are over in the end.
    isFailing = at <= kills.length;
    const end = await go(desire(rollout), killAt === undefined ? {} : { killAt });
    if (killAt === undefined && isAtRest(end)) break;
  }
  const isStuck = [...world.store.state.resources.values()].some(({ isNotReady }) => isNotReady);
  const image = isStuck ? 'ubuntu-24.04' : undefined;
  // What answers after its change is never left behind: only a member that does not answer is in need of another one.
  if (isStuck) expect(members.map(({ answers }) => answers)).toContain('never');
  if (isStuck) figures.repairs += 1;
  isFailing = false;
  if (isStuck) await go(desire(rollout, image));

  const outages = await observer.list(world, since);
  const before = outages.map((own) => own.some(isOutAt(since)));
  figures.down += before.filter(Boolean).length;
  for (const own of outages) {
    for (const { startMs, isLoss } of own) {
      if (startMs < since || !isLoss) continue;
      figures.outages += 1;
      const isLeft = (_: unknown, at: number) =>
        isSelecting && startMs < wholeSince && !members[at]!.isSelected && before[at];
      const left = outages.filter(isLeft).length;
      const out = outages.filter((one) => one.some(isOutAt(startMs))).length;
      expect(out).toBeLessThanOrEqual(Math.max(1, most, left + 1));
    }
  }
  expect((await world.plan(desire(rollout, image))).plan.tasks).toEqual([]);
  await twin.apply(desire(undefined, image));
  expect(await describeVms(world)).toEqual(await describeVms(twin));
  world.sandbox.close();
  twin.sandbox.close();
}

const readyOf = (probe: string, settleMs = 0): ReadinessConditions => ({
  probes: [{ kind: 'tcp', address: { kind: 'value', value: probe } }],
  withinMs: 600_000,
  settleMs,
});

/** Rollouts of one of the parts, each of which has a test's time of its own. */
const runs = countRuns(250, { short: 2, ci: 6 });
let gone = 0;

test.each([1, 2, 3, 4])(
  `${runs} rollouts of any durations, with failures and kills, leave as many in service, and end as without, part %i`,
  async (part) => {
    const property = fc.asyncProperty(anyCourse, rollOut);
    await fc.assert(property, { numRuns: runs, seed: drawNumber(2 ** 31, `rollouts ${part}`) });
    gone += runs;
    // A smaller sample need not have seen all of it.
    if (gone < 16) return;
    const { outages, waves, ...others } = figures;
    const least = gone < 100 ? 0 : gone / 20;
    expect(Math.min(outages, waves)).toBeGreaterThan(least);
    expect(Object.entries(others).filter(([, count]) => count < least)).toEqual([]);
  },
);

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
