import { resolve } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { loadConfiguration } from '../../../src/config/load-configuration.ts';
import { haveAllRehearsalsSucceeded } from '../../../src/model/plan/rehearsal.ts';
import type { DesiredGraph } from '../../../src/model/resource.ts';
import { describeRehearsal } from '../../../src/render/view/rehearsal-words.ts';
import type { UsualCommandDurations } from '../../../src/model/state/state.ts';
import { emptyFaultScript } from '../../../src/sandbox/faults/script.ts';
import { readFaultScript } from '../../../src/sandbox/faults/read-script.ts';
import { openMemoryState } from '../../../src/state/memory-store.ts';
import { drawSome } from '../../support/budget/budget.ts';
import { configure, describeFailures, World } from '../world.ts';
import { lengthOf, rehearseIn } from './rehearse-in.ts';

async function readExample(name: string): Promise<DesiredGraph> {
  const directory = resolve(import.meta.dirname, '../../../examples', name);
  const { configuration } = await loadConfiguration({ directory, workingDirectory: directory });
  if (!configuration) throw new Error(`${name} is no configuration`);
  return configuration.graph;
}

const vm = (more = '', image = 'debian-12') =>
  `{ image: ${image}, configuration: c2-r4-d40, tariff: monthly${more} }`;

const web = 'projects.demo.vms.web';

const inProject = (lines: readonly string[]) =>
  configure(`projects:\n  demo:\n${lines.map((line) => `    ${line}\n`).join('')}`);

/** What is said of a plan that does not end whole, or may not. */
async function tellProblems(world: World, desired: DesiredGraph): Promise<readonly string[]> {
  const rehearsal = await rehearseIn(world, await world.plan(desired));
  if (!rehearsal) throw new Error('there was nothing to rehearse');
  const { headline, lines } = describeRehearsal(rehearsal);
  const problems = lines.filter(({ isProblem }) => isProblem);
  return [headline, ...problems.map(({ label, text }) => `${label}: ${text}`)];
}

/** A world in which a VM stands, and somebody has begun a backup of it that takes an hour. */
async function openLocked(): Promise<World> {
  const world = await World.open();
  await world.apply(await inProject([`vms: { web: ${vm()} }`]));
  const { id, projectId } = world.store.state.resources.get(web) ?? { id: '', projectId: '' };
  const slow = {
    name: 'a long backup',
    when: { operations: ['createBackup'] },
    then: { kind: 'slow', factor: 60 },
  } as const;
  world.sandbox.faults.restart({ rules: [slow], edits: [] });
  await world.time.run(world.connect().send({ kind: 'createBackup', project: projectId, vm: id }));
  world.sandbox.faults.restart(emptyFaultScript);
  return world;
}

describe('the time that an apply takes', () => {
  let shop: DesiredGraph;
  let durations: UsualCommandDurations = {};

  beforeAll(async () => {
    shop = await readExample('shop');
    const first = await World.open({ seed: 3, isFirst: true });
    await first.apply(shop);
    durations = first.store.state.durations ?? {};
  });

  test.each(drawSome([11, 12], { short: 1, ci: 2 }, 'sandboxes'))(
    'is foretold for another sandbox, of seed %i',
    async (seed) => {
      const world = await World.open({ seed, isFirst: true });
      const fresh = world.store.state;
      world.store = await openMemoryState({ state: { ...fresh, durations } });
      const rehearsal = await rehearseIn(world, await world.plan(shop));
      if (!rehearsal) throw new Error('there was nothing to rehearse');
      expect(haveAllRehearsalsSucceeded(rehearsal)).toBe(true);
      expect(rehearsal.durations.assumed).toEqual([]);

      let beganAt = 0;
      const end = await world.apply(shop, { onPlanned: () => (beganAt = world.time.now()) });
      expect(describeFailures(end)).toEqual([]);
      const ratio = lengthOf(rehearsal) / (world.time.now() - beganAt);
      expect(Math.abs(ratio - 1)).toBeLessThan(0.15);
    },
  );

  test('is assumed before anything was seen to end, and that is said', async () => {
    const world = await World.open({ isFirst: true });
    const planned = await world.plan(await inProject([`vms: { web: ${vm()} }`]));
    const rehearsal = await rehearseIn(world, planned);
    expect(rehearsal?.durations).toEqual({ learned: [], assumed: ['createVm'] });
    const lines = rehearsal ? describeRehearsal(rehearsal).lines : [];
    expect(lines.find(({ label }) => label === 'Durations')?.text).toBe('assumed for VM create');
  });
});

describe('beforehand is told', () => {
  test('that a stranger has used up a quota', async () => {
    const world = await World.open({ quotas: { networks: 2 } });
    const client = world.connect();
    await world.time.run(client.send({ kind: 'createProject', name: 'theirs' }));
    const [theirs] = await world.time.run(client.listProjects());
    for (const name of ['one', 'two']) {
      const command = { kind: 'createNetwork', project: theirs?.id ?? '', name } as const;
      await world.time.run(client.send(command));
    }
    const desired = await inProject(['networks: { ours: }']);
    expect(await tellProblems(world, desired)).toEqual([
      expect.stringMatching(/ all the same, 1 of 2 changes fails\./),
      expect.stringMatching(/^Fails: projects\.demo\.networks\.ours \(create\): .*quota networks/),
      expect.stringMatching(/^Afterwards: .*networks/),
      'Left for a second plan: create projects.demo.networks.ours',
    ]);
  });

  test('that an image has vanished', async () => {
    const world = await World.open();
    const desired = await inProject([`vms: { web: ${vm('', 'debian-9')} }`]);
    expect(await tellProblems(world, desired)).toEqual([
      expect.stringMatching(/ all the same, 1 of 2 changes fails\./),
      expect.stringMatching(/^Fails: projects\.demo\.vms\.web \(create\): .*image/),
      expect.stringMatching(/^Afterwards: .*debian-9/),
      `Left for a second plan: create ${web}`,
    ]);
  });

  test('that a VM is locked, and when that is expected to end', async () => {
    const world = await openLocked();
    const desired = await inProject([`vms: { web: ${vm('', 'debian-13')} }`]);
    expect(await tellProblems(world, desired)).toEqual([
      expect.stringMatching(/^1 change ends in 1m[23]\ds, and a second plan has no changes\.$/),
      expect.stringMatching(
        /^Locked: projects\.demo\.vms\.web is locked by CreateBackup since .*expected to end at/,
      ),
    ]);
  });

  test('that it has been locked for longer than usual', async () => {
    const world = await openLocked();
    await world.settle(600_000);
    const desired = await inProject([`vms: { web: ${vm('', 'debian-13')} }`]);
    expect(await tellProblems(world, desired)).toEqual([
      expect.stringMatching(/^1 change ends in/),
      expect.stringMatching(/^Locked: .* longer than usual, so its end is unknown\.$/),
    ]);
  });
});

const both = ['networks: { lan: }', `vms: { web: { count: 4, networks: [lan], ${vm().slice(2)} }`];

describe('a network is as large as those of the account', () => {
  test.each([
    [28, '2 changes end'],
    [29, '1 of 2 changes fails'],
  ])('whose prefix is %i: %s', async (networkPrefix, headline) => {
    const world = await World.open({ networkPrefix });
    await world.apply(await inProject(both));
    const desired = await inProject([
      both[0] ?? '',
      (both[1] ?? '').replace('count: 4', 'count: 6'),
    ]);
    const [told] = await tellProblems(world, desired);
    expect(told).toContain(headline);
    const end = await world.apply(desired);
    expect(describeFailures(end)).toHaveLength(networkPrefix === 29 ? 1 : 0);
  });
});

test('no room is only doubted where the catalog says so: that is advisory', async () => {
  const world = await World.open();
  const vms =
    'vms: { web: { count: 4, image: debian-12, configuration: g8-r64-d640, tariff: monthly } }';
  expect(await tellProblems(world, await inProject([vms]))).toEqual([
    expect.stringMatching(/^5 changes end in .*, and a second plan has no changes\.$/),
    expect.stringMatching(/^May fail: This plan creates 4 VMs of .* has room for 2 at the moment/),
  ]);
});

test('what reads an address that the service assigns is not judged', async () => {
  const rules = `checks:
  range: { assert: "projects.demo.networks.lan.cidr == '10.9.0.0/24'", message: wrong, severity: deny }
  size: { assert: "projects.demo.networks.lan.name == 'lan'", message: wrong, severity: deny }
policies:
  named: { for: vms, assert: "after.name.startsWith('web-10-9')", message: wrong }
projects:
  demo:
    networks: { lan: }
    vms: { web: { name: 'web-\${replace(cidrHost(projects.demo.networks.lan.cidr, 0), ".", "-")}', ${vm().slice(2)} }
`;
  const world = await World.open();
  const desired = await configure(rules);
  const rehearsal = await rehearseIn(world, await world.plan(desired));
  expect(rehearsal).toMatchObject({ undecided: ['range'], failures: [], findings: [] });
  expect(rehearsal && haveAllRehearsalsSucceeded(rehearsal)).toBe(true);
  const end = await world.apply(desired);
  expect(describeFailures(end)).toHaveLength(1);
});

test('each fault is told with how often it happened, in all rehearsals, or why it never did', async () => {
  const script = await readFaultScript(
    `rules:
  - { name: slow, when: { operation: createVm }, then: { slow: 2 } }
  - { name: far, when: { operation: createVm, nth: 99 }, then: hang }
  - { name: other, when: { operation: deleteVm }, then: hang }
edits:
  - { name: rename, do: renameNetwork, on: { project: demo, network: lan }, body: { name: lan }, keepsTrying: true }
  - { name: misspelled, do: stopVm, on: { project: demo, vm: webb }, afterRequest: 5 }
  - { name: late, do: createProject, at: 5h }
`,
    'x.yaml',
  );
  const world = await World.open();
  const planned = await world.plan(await inProject(both));
  const faults = { file: 'x.yaml', script };
  const rehearsal = await rehearseIn(world, planned, { faults, times: 2 });
  expect(rehearsal?.faults?.each).toEqual([
    { name: 'slow', count: 8 },
    { name: 'far', count: 0, why: expect.stringMatching(/^4 requests matched/) as string },
    { name: 'other', count: 0, why: 'no request matched its `when`' },
    { name: 'rename', count: 2 },
    {
      name: 'misspelled',
      count: 0,
      why: expect.stringMatching(/^it was refused with 404: .*webb/) as string,
    },
    { name: 'late', count: 0, why: 'it was not due' },
  ]);
});
