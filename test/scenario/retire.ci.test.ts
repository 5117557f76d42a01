import { fc } from '@fast-check/vitest';
import type { RunProbeOnce } from '../../src/model/plan/readiness.ts';
import { createAnsiStyle } from '../../src/render/format/style.ts';
import { renderEventLine } from '../../src/render/progress/progress-lines.ts';
import { expect, test } from 'vitest';
import type { LiveResource } from '../../src/model/account/live.ts';
import { listSales } from '../../src/api/sales.ts';
import { compareWithApprovedPlan } from '../../src/plan/compare-approved.ts';
import { noPlanOptions } from '../../src/model/plan/plan.ts';
import { selectRestoreTargets } from '../../src/plan/reconcile/bring-back.ts';
import { countRuns, drawNumber } from '../support/budget/budget.ts';
import { learnFromDurations } from '../support/known-durations.ts';
import { killEverywhere } from './kill-everywhere.ts';
import { configure, describeFailures, World, type RunOptions } from './world.ts';
import { expectApplied } from './expect-built.ts';

const hour = 3_600_000;
const vmOf = (size: string, more = '') =>
  `{ image: debian-12, configuration: ${size}, tariff: monthly, networks: [backend], lifecycle: { retire: 24h } ${more} }`;
const shop = (vms: string, more = '') => `
projects:
  demo:
    networks: { backend: }
    publicIps:
      edge: { forwards: { https: { protocol: tcp, publicPort: 443, vm: web, vmPort: 8443 } } }
    vms: { ${vms} }
${more}`;
const small = shop(`web: ${vmOf('c1-r1-d20')}`);
const large = shop(`web: ${vmOf('c1-r2-d20')}`);

type LiveVm = Extract<LiveResource, { kind: 'vm' }>;
const listVms = async (world: World): Promise<LiveVm[]> =>
  (await world.readAccount()).filter((one): one is LiveVm => one.kind === 'vm');
const sum = (vms: readonly LiveVm[]) =>
  vms
    .map(({ name, bootStatus, networks }) => [name, bootStatus, networks?.length].join(' '))
    .sort();

async function openSmall(): Promise<{ world: World; old: string }> {
  const world = await World.open();
  await expectApplied(world, await configure(small));
  const [vm] = await listVms(world);
  return { world, old: vm!.id };
}

async function actionsOf(world: World, yaml: string, options: RunOptions = {}) {
  const { plan } = await world.plan(await configure(yaml), options.mode, options.planOptions);
  return plan.changes
    .filter(({ action }) => action !== 'no-op')
    .map(({ action, address }) => `${action} ${address.replace(/ \(.*/, ' (retired)')}`);
}

test('what is replaced is kept, out of service, until its end, and the first apply after that destroys it', async () => {
  const { world, old } = await openSmall();
  await expectApplied(world, await configure(large));
  expect(sum(await listVms(world))).toEqual(['web Running 1', 'web-retired Stopped 0']);
  const retired = [...world.store.state.resources.values()].find(({ id }) => id === old)!;
  expect(retired.retired).toMatchObject({ name: 'web-retired', forMs: 24 * hour });
  expect(await actionsOf(world, large)).toEqual([]);
  await world.settle(24 * hour);
  expect(await actionsOf(world, large)).toEqual(['expire projects.demo.vms.web (retired)']);
  const selection = { targets: ['projects.demo.networks.backend'], excludes: [] };
  await expectApplied(world, await configure(large), { planOptions: { selection } });
  const [left, ...others] = await listVms(world);
  expect([left?.name, left?.id === old, others]).toEqual(['web', false, []]);
  expect(await actionsOf(world, large)).toEqual([]);
});

test('destroy takes what is retired along', async () => {
  const { world } = await openSmall();
  await expectApplied(world, await configure(large));
  const end = await expectApplied(world, await configure(large), { mode: 'destroy' });
  expect(
    end.kind === 'ended' &&
      end.summary.changes.filter(({ done }) => done.includes('destroy')).length,
  ).toBe(6);
  expect(await world.readAccount()).toEqual([]);
});

const web = 'projects.demo.vms.web';

/** Brings the VM back, as the command does. */
async function restore(world: World, yaml: string, options: RunOptions = {}) {
  const desired = await configure(yaml);
  const planOptions = selectRestoreTargets({ ...noPlanOptions, restore: web }, desired);
  return world.apply(desired, { ...options, planOptions });
}

async function expectBack(world: World, old: string): Promise<readonly string[]> {
  const vms = await listVms(world);
  const back = vms.find(({ id }) => id === old);
  const forward = (await world.readAccount()).find(({ kind }) => kind === 'portForward');
  const names = sum(vms).join(', ');
  const isBack =
    back?.name === 'web' && back.bootStatus === 'Running' && back.networks?.length === 1;
  return [
    ...(isBack && forward && 'vmId' in forward && forward.vmId === old ? [] : [names]),
    ...(names === 'web Running 1, web-retired-2 Stopped 0' ? [] : [names]),
    ...(await actionsOf(world, small)),
  ];
}

async function openRetired() {
  const opened = await openSmall();
  await expectApplied(opened.world, await configure(large));
  return opened;
}

test('a restore brings the very VM back, and the one in its place retires', async () => {
  const { world, old } = await openRetired();
  const steps: string[] = [];
  const onEvent: RunOptions['onEvent'] = (event) => {
    if (event.kind === 'completed')
      steps.push(renderEventLine(event, createAnsiStyle(false)) ?? '');
    if (event.kind === 'started') steps.push(event.step);
  };
  const early = await restore(world, large, { onEvent });
  expect(steps.filter((one) => /^re\w+$/.test(one))).toEqual(['retire', 'restore']);
  expect(
    steps.filter((one) => /vms.web.*: (?:Restore|Retirement) complete after/.test(one)),
  ).toHaveLength(2);
  expect(describeFailures(early)).toEqual([]);
  expect(early.kind === 'ended' && early.planned.plan.findings.map(({ code }) => code)).toContain(
    'restored-otherwise',
  );
  expect(await expectBack(world, old)).toEqual([]);
  await world.settle(25 * hour);
  await expectApplied(world, await configure(small));
  expect((await listVms(world)).map(({ id }) => id)).toEqual([old]);
  const again = await restore(world, small);
  expect(again.kind === 'refused' && again.planned.plan.findings.map(({ code }) => code)).toEqual([
    'not-retired',
  ]);
});

test('a restore takes out of service what its plan says, within a tenth of the time', async () => {
  const planDuration = (type: string) => ({ queueMs: 0, runMs: 3_000 * type.length });
  const learned = { durations: learnFromDurations(planDuration) };
  const world = await World.open({ planDuration, learned });
  for (const yaml of [small, large]) await expectApplied(world, await configure(yaml));
  const since = world.time.now();
  const end = await restore(world, small);
  expect([end.kind, describeFailures(end)]).toEqual(['ended', []]);
  const [project] = await world.time.run(world.connect().listProjects());
  const all = await world.time.run(world.connect().listOperations(project!.id));
  const timeOf = (type: string, at: 'createdAt' | 'completedAt') =>
    all.find((one) => one.type === type && (one.createdAt ?? 0) >= since)?.[at] ?? NaN;
  const stoppedAt = timeOf('Stop', 'createdAt');
  const { blocks, forwards } = (end.kind === 'ended' && end.planned.plan.downtime) || {};
  for (const [told, type] of [
    [blocks, 'Start'],
    [forwards, 'UpdatePortForward'],
  ] as const) {
    const took = timeOf(type, 'completedAt') - stoppedAt;
    expect(told?.map(({ out }) => Math.round(((out.forMs ?? 0) / took) * 5))).toEqual([5]);
  }
});

test('a restore brings a member of a block with probes back, and probes it', async () => {
  const world = await World.open();
  const probed = `rollout: { atOnce: 1, ready: [tcp: '203.0.113.7:22'] }`;
  const yaml = (size: string) => shop(`web: ${vmOf(size, `, ${probed}`)}`);
  const asked: string[] = [];
  const askProbe: RunProbeOnce = (_probe, { address }) => {
    asked.push(address);
    return Promise.resolve({ kind: 'holds' });
  };
  await expectApplied(world, await configure(yaml('c1-r1-d20')), { askProbe });
  const [before] = await listVms(world);
  await expectApplied(world, await configure(yaml('c1-r2-d20')), { askProbe });
  asked.length = 0;
  const end = await restore(world, yaml('c1-r1-d20'), { askProbe });
  expect([end.kind, describeFailures(end), asked]).toEqual(['ended', [], [web]]);
  const names = (await listVms(world)).map(({ id, name }) => [id === before!.id, name]);
  expect(names).toContainEqual([true, 'web']);
});

test('a killed restore goes on, by the next apply too', async () => {
  let old = '';
  const open = async () => {
    const opened = await openRetired();
    old = opened.old;
    return opened.world;
  };
  const desired = await configure(small);
  const options = {
    planOptions: selectRestoreTargets({ ...noPlanOptions, restore: web }, desired),
  };
  const untouched = ['web Running 1', 'web-retired Stopped 0'];
  const goOn = async (world: World, killAt: number) => {
    await world.settle(hour);
    // Until the state has it, nothing was sent, and a plain apply has nothing to go on with.
    const hasBegun = world.store.state.resources.get(web)?.id === old;
    if (!hasBegun) expect(sum(await listVms(world))).toEqual(untouched);
    const goesOnByApply = hasBegun && killAt % 2 === 1;
    const end = goesOnByApply ? await world.apply(desired) : await restore(world, small);
    return [...describeFailures(end), ...(await expectBack(world, old))];
  };
  expect(
    await killEverywhere({ open, desired, options, goOn, from: 20, every: 9 }),
  ).toBeGreaterThan(40);
});

test('a killed retirement goes on, and its end destroys nothing else', async () => {
  let old = '';
  const open = async () => {
    const opened = await openSmall();
    old = opened.old;
    return opened.world;
  };
  const desired = await configure(large);
  const goOn = async (world: World) => {
    await world.settle(hour);
    const failures = describeFailures(await world.apply(desired));
    const vms = await listVms(world);
    const isKept = vms.some(({ id, name }) => id === old && name === 'web-retired');
    const later = await actionsOf(world, large);
    await world.settle(25 * hour);
    await world.apply(desired);
    return [
      ...failures,
      ...(isKept && vms.length === 2 ? [] : sum(vms)),
      ...later,
      ...sum(await listVms(world)).filter((one) => one !== 'web Running 1'),
    ];
  };
  expect(await killEverywhere({ open, desired, goOn, from: 15, every: 9 })).toBeGreaterThan(40);
});

const codesOf = async (world: World, yaml: string, options: RunOptions = {}) => {
  const { plan } = await world.plan(await configure(yaml), options.mode, options.planOptions);
  return plan.findings.flatMap(({ severity, code }) => (severity === 'error' ? [code] : []));
};

test.each([
  [
    'a VM that holds a public IP',
    small,
    shop(`web: ${vmOf('c1-r1-d20', ', publicIp: own')}`, '').replace(
      'publicIps:',
      'publicIps:\n      own:',
    ),
    shop(`web: ${vmOf('c1-r2-d20', ', publicIp: own')}`).replace(
      'publicIps:',
      'publicIps:\n      own:',
    ),
    ['cannot-retire'],
  ],
  [
    'one whose network goes',
    small,
    small,
    `
projects:
  demo:
    networks: { other: }
    vms: { web: ${vmOf('c1-r2-d20').replace('backend', 'other')} }
`,
    ['cannot-retire'],
  ],
  ['one whose project goes', small, small, 'projects: { another: }', ['cannot-retire']],
  [
    'what nobody may destroy',
    small,
    small,
    large.replace('retire: 24h', 'retire: 24h, preventDestroy: true'),
    ['prevent-destroy'],
  ],
  ['what loses data', small, small, `${large}\nguards: { dataLoss: deny }`, ['data-loss']],
])('refused: %s', async (_, __, before, after, codes) => {
  const world = await World.open();
  await expectApplied(world, await configure(before));
  expect(await codesOf(world, after)).toEqual(codes);
});

test('a plan that has no room for both is refused, and one that retires nothing is not', async () => {
  const world = await World.open({ quotas: { ram: 2 } });
  await expectApplied(world, await configure(small));
  expect(await codesOf(world, large)).toEqual(['no-room-to-retire']);
  expect(await codesOf(world, large.replace('lifecycle: { retire: 24h }', ''))).toEqual([]);
});

test('each retirement of an address has a name of its own, and ends by itself', async () => {
  const { world } = await openRetired();
  await world.settle(12 * hour);
  await expectApplied(world, await configure(small));
  expect(sum(await listVms(world))).toEqual([
    'web Running 1',
    'web-retired Stopped 0',
    'web-retired-2 Stopped 0',
  ]);
  expect(await codesOf(world, small, { planOptions: { restore: web } })).toEqual([
    'restore-ambiguous',
  ]);
  await world.settle(12.5 * hour);
  await expectApplied(world, await configure(small));
  expect(sum(await listVms(world))).toEqual(['web Running 1', 'web-retired-2 Stopped 0']);
});

test('what has left the configuration retires by what was last applied, and needs its block to return', async () => {
  const { world, old } = await openSmall();
  const without = `
projects:
  demo:
    networks: { backend: }
`;
  await expectApplied(world, await configure(without));
  expect(sum(await listVms(world))).toEqual(['web-retired Stopped 0']);
  expect(await actionsOf(world, without)).toEqual([]);
  expect(await codesOf(world, without, { planOptions: { restore: web } })).toEqual([
    'restore-unconfigured',
  ]);
  expect(await actionsOf(world, without, { mode: 'refresh' })).toEqual([]);
  const exclusive = without.replace('networks:', 'exclusive: true\n    networks:');
  expect(await actionsOf(world, exclusive)).toEqual([]);
  await expectApplied(world, await configure(small));
  expect((await listVms(world)).map(({ id }) => id)).toContain(old);
});

test('what a killed run was making is kept as that run was told, also where its block is gone', async () => {
  const without = 'projects: { demo: { networks: { backend: } } }';
  let made = 0;
  for (let killAt = 20; killAt <= 40; killAt += 2) {
    for (const lifecycle of ['retire: 24h', 'preventDestroy: true']) {
      const world = await World.open();
      const text = small.replace('retire: 24h', lifecycle);
      const end = await world.apply(await configure(text), { killAt });
      await world.settle(hour);
      const before = await listVms(world);
      made += before.length > 0 && end.kind === 'killed' ? 1 : 0;
      await world.apply(await configure(without));
      const left = (await listVms(world)).map(({ id, name }) => `${name} ${id}`);
      const isRetiring = lifecycle.startsWith('retire');
      expect([killAt, left]).toEqual([
        killAt,
        before.map(({ id, name }) => `${name}${isRetiring ? '-retired' : ''} ${id}`),
      ]);
      world.sandbox.close();
    }
  }
  expect(made).toBeGreaterThan(4);
});

test('a plan that was approved before an end is as it was approved after it', async () => {
  const { world } = await openRetired();
  const wanted = large.replace('backend:', 'backend: , more:');
  const approved = { service: '', lineage: '', serial: 0, fingerprints: {} };
  const { plan: before } = await world.plan(await configure(wanted));
  await world.settle(24 * hour);
  const { plan: after } = await world.plan(await configure(wanted));
  expect(after.changes.map(({ action }) => action)).toContain('expire');
  expect(
    compareWithApprovedPlan({ ...approved, plan: before }, { ...approved, plan: after }),
  ).toEqual([]);
});

test('a renewal ends with the retirement, and begins again with the return', async () => {
  const { world, old } = await openRetired();
  const renewals = async () => {
    const sales = await world.time.run(listSales(world.connect()));
    return sales.filter(({ resourceId }) => resourceId === old).map(({ renewal }) => renewal);
  };
  expect(await renewals()).toEqual(['cancelled']);
  expect(describeFailures(await restore(world, small))).toEqual([]);
  expect(await renewals()).toEqual(['active']);
  // Nobody configures it, so that the next plan has not read it.
  const { findings } = (await world.plan(await configure(small))).plan;
  expect(findings.map(({ code }) => code)).not.toContain('changed-outside');
});

test.each([
  [{ vm: 10 }, 'web', 'we-retired'],
  [{ vm: 20 }, 'größe-der-anwendung', 'größe-der-an-retired'],
  [{ vm: 6 }, 'web-vm', 'web-v1'],
])('the name while it is retired fits %j', async (nameLengths, name, retired) => {
  const world = await World.open({ nameLengths });
  const named = (size: string) => shop(`web: ${vmOf(size, `, name: ${name}`)}`);
  await expectApplied(world, await configure(named('c1-r1-d20')));
  await expectApplied(world, await configure(named('c1-r2-d20')));
  expect((await listVms(world)).map((vm) => vm.name).sort()).toEqual([name, retired].sort());
});

/** One step of a course: an apply of a configuration or a restore, during whose plan so much time may pass; or time alone. */
interface Step {
  readonly kind: 'small' | 'large' | 'without VMs' | 'without project' | 'restore' | 'nothing';
  readonly hours: number;
  readonly isDuringPlan: boolean;
  readonly killAt: number | undefined;
}

interface Course {
  readonly steps: readonly Step[];
  /** Quota of RAM in GB: of little, there is no room for both. */
  readonly ram: number;
  /** Cap of names. */
  readonly nameLength: number;
  /** Durations of operations in ms, one after the other. */
  readonly tookMs: readonly number[];
}

const anyStep: fc.Arbitrary<Step> = fc.record({
  kind: fc.constantFrom(
    ...(['small', 'large', 'large', 'without VMs', 'without project'] as const),
    ...(['restore', 'restore', 'nothing'] as const),
  ),
  hours: fc.integer({ min: 0, max: 30 }),
  isDuringPlan: fc.boolean(),
  killAt: fc.oneof(
    { arbitrary: fc.constant(undefined), weight: 3 },
    { arbitrary: fc.integer({ min: 10, max: 90 }), weight: 1 },
  ),
});
const anyCourse: fc.Arbitrary<Course> = fc.record({
  steps: fc.array(anyStep, { minLength: 4, maxLength: 9 }),
  ram: fc.integer({ min: 2, max: 12 }),
  nameLength: fc.integer({ min: 6, max: 20 }),
  tookMs: fc.array(fc.integer({ min: 500, max: 200_000 }), { minLength: 1, maxLength: 9 }),
});
const texts = {
  small,
  large,
  'without VMs': 'projects: { demo: { networks: { backend: } } }',
  'without project': 'projects: { another: }',
  nothing: small,
};

/** What the courses have seen. */
const figures = { retired: 0, expired: 0, restored: 0, refused: 0, killed: 0, roomless: 0 };

async function runCourse({ steps, ram, nameLength, tookMs }: Course) {
  let planned = 0;
  const world = await World.open({
    ...{ quotas: { ram }, nameLengths: { vm: nameLength } },
    planDuration: () => ({ queueMs: 0, runMs: tookMs[planned++ % tookMs.length]! }),
  });
  /** Ends of what was seen retired, by id. */
  const ends = new Map<string, number>();
  let before: readonly LiveVm[] = [];
  const judge = async (kind: Step['kind'], end: Awaited<ReturnType<World['apply']>>) => {
    const isRestore = kind === 'restore';
    const held = world.store.state.resources;
    for (const { id, retired } of held.values()) {
      if (retired?.until === undefined) continue;
      if (!ends.has(id)) figures.retired += 1;
      ends.set(id, retired.until);
    }
    const vms = await listVms(world);
    const hasProject = (await world.readAccount()).some(
      (one) => one.kind === 'project' && one.name === 'demo',
    );
    // A project that goes takes them along, also where that is killed halfway.
    const mayGo = !hasProject || kind === 'without project';
    for (const { id } of before) {
      if (mayGo || vms.some((one) => one.id === id)) continue;
      // Whatever was killed or refused: nothing is gone before its end.
      expect(ends.get(id) ?? Infinity).toBeLessThanOrEqual(world.time.now());
      figures.expired += 1;
    }
    expect(
      Math.max(0, ...vms.map(({ name }) => Array.from(name ?? '').length)),
    ).toBeLessThanOrEqual(nameLength);
    if (end.kind === 'killed') figures.killed += 1;
    if (end.kind === 'refused') {
      figures.refused += 1;
      expect(vms).toEqual(before);
    } else if (end.kind === 'ended' && describeFailures(end).length === 0) {
      for (const { id, retired } of held.values()) {
        if (retired?.until === undefined) continue;
        expect(vms.find((one) => one.id === id)).toMatchObject({
          bootStatus: 'Stopped',
          networks: [],
        });
      }
      if (isRestore) {
        const back = vms.find(({ id }) => id === held.get(web)?.id);
        expect(before.map(({ id }) => id)).toContain(back?.id);
        expect(back).toMatchObject({ name: 'web', bootStatus: 'Running' });
        figures.restored += 1;
      }
    }
    before = vms;
  };
  const go = async ({ kind, hours, isDuringPlan, killAt }: Step) => {
    if (!isDuringPlan) await world.settle(hours * hour);
    if (kind === 'nothing') return;
    const options: RunOptions = {
      ...(killAt !== undefined && { killAt }),
      onPlanned: () => {
        if (isDuringPlan) world.time.jump(hours * hour);
      },
    };
    const isRestore = kind === 'restore';
    const end = isRestore
      ? await restore(world, small, options)
      : await world.apply(await configure(texts[kind]), options);
    if (end.kind === 'killed') await world.settle(hour);
    await judge(kind, end);
  };
  const calm = { hours: 1, isDuringPlan: false, killAt: undefined };
  await go({ kind: 'small', ...calm });
  for (const step of steps) await go(step);
  // All that was retired comes to its end, and what is wanted stands.
  for (const hours of [31, 1, 1]) await go({ kind: 'small', ...calm, hours });
  await go({ kind: 'small', ...calm, hours: 31 });
  await go({ kind: 'small', ...calm });
  if ((await codesOf(world, small)).includes('no-room-to-retire')) {
    // Both never have room together: nothing changes until somebody gives up the way back.
    expect([ram, await listVms(world)]).toMatchObject([2, [{ configurationId: 'cfg-c1r2d20' }]]);
    figures.roomless += 1;
    await expectApplied(world, await configure(small.replace('lifecycle: { retire: 24h }', '')));
  }
  expect(sum(await listVms(world))).toEqual(['web Running 1']);
  expect(await actionsOf(world, small)).toEqual([]);
  const projects = await world.time.run(world.connect().listProjects());
  const project = projects.find(({ name }) => name === 'demo')!.id;
  const done = await world.time.run(world.connect().listOperations(project, { newest: 1_000 }));
  // No disk was lost on the way.
  expect(done.filter(({ type }) => type === 'Rebuild' || type === 'RestoreBackup')).toEqual([]);
  world.sandbox.close();
}

/** Courses of one of the parts, each of which has a test's time of its own. */
const courses = countRuns(100, { short: 1, ci: 3 });
let gone = 0;

test.each([1, 2, 3])(
  `${courses} courses of retirements, ends, restores and kills lose nothing before its end, part %i`,
  async (part) => {
    const property = fc.asyncProperty(anyCourse, runCourse);
    const seed = drawNumber(2 ** 31, `retirements ${part}`);
    await fc.assert(property, { numRuns: courses, seed });
    gone += courses;
    // A smaller sample need not have seen all of it.
    if (gone < 30) return;
    const { roomless, ...others } = figures;
    expect(Object.entries(others).filter(([, count]) => count < gone / 10)).toEqual([]);
    expect(roomless).toBeGreaterThanOrEqual(Math.floor(gone / 100));
  },
);
