import { fc, test as propertyTest } from '@fast-check/vitest';
import { describe, expect, test } from 'vitest';
import { listBackups } from '../../src/api/backups.ts';
import { compareWithApprovedPlan } from '../../src/plan/compare-approved.ts';
import { listStalePlanReasons } from '../../src/plan/list-moved.ts';
import { countRuns } from '../support/budget/budget.ts';
import { killEverywhere } from './kill-everywhere.ts';
import { expectApplied } from './expect-built.ts';
import { lengthOf, rehearseIn } from './rehearsal/rehearse-in.ts';
import { findVm, readBackups } from './rebuilt-vm.ts';
import { configure, describeFailures, World, type Meddle, type RunOptions } from './world.ts';

const hour = 3_600_000;
const yaml = (more = '', size = '') => `
projects:
  demo:
    vms:
      web: { image: debian-12, configuration: c1-r1-d20, tariff: monthly ${size} ${more} }
`;
const aged = (age: string, more = '') => configure(yaml(`, backups: { maxAge: ${age} }`, more));
const web = 'projects.demo.vms.web';

async function openAged(age = '1d', more = '', options = {}) {
  const world = await World.open(options);
  await expectApplied(world, await configure(yaml()));
  return { world, desired: await aged(age, more) };
}

/** Asks the service for something about the VM, as a person would, and does not wait. */
async function ask(world: World, operation: 'createBackup' | 'rebootVm') {
  const { id: vmId, projectId } = await findVm(world);
  await world.time.run(world.connect().call({ operation, params: { projectId, vmId } }));
}

async function makeBackups(world: World, count: number) {
  for (let made = 0; made < count; made += 1) {
    await ask(world, 'createBackup');
    await world.settle();
  }
}

const countPosts =
  (counts: { posts: number }): Meddle =>
  (request, pass) => {
    if (request.method === 'POST' && request.url.endsWith('/backups')) counts.posts += 1;
    return pass();
  };

async function changeOf(world: World, ...args: Parameters<World['plan']>) {
  const { plan } = await world.plan(...args);
  return { plan, change: plan.changes.find(({ address }) => address === web)! };
}

describe('a backup that is due', () => {
  test('is made where the newest is older, and changes nothing', async () => {
    const { world, desired } = await openAged();
    const first = await changeOf(world, desired);
    expect(first.change).toMatchObject({ action: 'due', dueBackup: { newestAt: null } });
    await expectApplied(world, desired);
    const [made] = await readBackups(world);
    expect((await changeOf(world, desired)).change.action).toBe('no-op');
    await world.settle(23 * hour);
    expect((await changeOf(world, desired)).change.action).toBe('no-op');
    await world.settle(2 * hour);
    const { change } = await changeOf(world, desired);
    expect(change).toMatchObject({ action: 'due', dueBackup: { newestAt: made?.createdAt } });
    await expectApplied(world, desired);
    expect(await readBackups(world)).toHaveLength(2);
    for (const mode of ['destroy', 'refresh'] as const) {
      await world.settle(25 * hour);
      const { plan } = await changeOf(world, desired, mode);
      expect(plan.changes.filter(({ dueBackup }) => dueBackup)).toEqual([]);
    }
  });

  test('goes with an update, and a rebuild leaves it to the next plan', async () => {
    const { world } = await openAged();
    const renamed = await aged('1d', ', name: web-2');
    const { change } = await changeOf(world, renamed);
    expect(change).toMatchObject({ action: 'update', dueBackup: { maxAgeMs: 24 * hour } });
    await expectApplied(world, renamed);
    expect([(await findVm(world)).name, (await readBackups(world)).length]).toEqual(['web-2', 1]);
    await world.settle(25 * hour);
    const yamlOf = yaml(', backups: { maxAge: 1d }', ', name: web-2');
    const rebuilt = await configure(yamlOf.replace('debian-12', 'ubuntu-24.04'));
    expect((await changeOf(world, rebuilt)).change).toMatchObject({ action: 'rebuild' });
    await expectApplied(world, rebuilt);
    expect((await changeOf(world, rebuilt)).change.action).toBe('due');
  });

  test('takes the oldest of seven, which the plan names, and none that it does not', async () => {
    const { world, desired } = await openAged();
    await makeBackups(world, 7);
    await world.settle(25 * hour);
    const [oldest, second] = await readBackups(world);
    const { plan, change } = await changeOf(world, desired);
    expect(change).toMatchObject({ displacedBackup: oldest?.id, lostBackups: 1 });
    expect(plan.findings.map(({ summary }) => summary)).toEqual([
      'This plan loses 1 backup',
      `The backup of ${web} that is due pushes out its oldest one`,
    ]);
    const denied = await configure(
      `${yaml(', backups: { maxAge: 1d }')}\nguards: { dataLoss: deny }`,
    );
    const { kind } = await world.apply(denied);
    expect(kind).toBe('refused');
    // Somebody takes the oldest out of the way of another one, right before ours.
    const meddle: Meddle = async (request, pass) => {
      if (request.method !== 'GET' || !/\/backups$/.test(request.url)) return pass();
      const answer = (await (await pass()).json()) as { id: string }[];
      return Response.json(
        answer.map((one) => (one.id === oldest?.id ? { ...one, id: 'b-0' } : one)),
      );
    };
    const planned = { isSeen: false };
    const other = await world.apply(desired, {
      onPlanned: () => (planned.isSeen = true),
      meddle: (request, pass) => (planned.isSeen ? meddle(request, pass) : pass()),
    });
    expect(describeFailures(other).join()).toContain('changed-since-plan');
    await expectApplied(world, desired, { planOptions: { allowsDataLoss: true } });
    const left = await readBackups(world);
    expect(left.map(({ id }) => id)).not.toContain(oldest?.id);
    expect([left.length, left[0]?.id]).toEqual([7, second?.id]);
  });

  test('is not made twice: not by a run behind another one, nor where a person was faster', async () => {
    const { world, desired } = await openAged();
    const counts = { posts: 0 };
    let isAsked = false;
    const meddle: Meddle = async (request, pass) => {
      if (request.url.endsWith('/backups') && request.method === 'POST' && !isAsked) {
        isAsked = true;
        await world.sandbox.fetch(
          new Request(request.url, { method: 'POST', headers: request.headers }),
        );
      }
      return countPosts(counts)(request, pass);
    };
    await expectApplied(world, desired, { meddle });
    expect([counts.posts, (await readBackups(world)).length]).toEqual([1, 1]);
  });

  test('waits while something else locks the VM', async () => {
    const { world, desired } = await openAged();
    await ask(world, 'rebootVm');
    const { plan } = await world.plan(desired);
    expect(plan.findings.map(({ code }) => code)).toEqual(['vm-busy']);
    const counts = { posts: 0 };
    await expectApplied(world, desired, { meddle: countPosts(counts) });
    expect([counts.posts, (await readBackups(world)).length]).toEqual([1, 1]);
  });

  test('is rehearsed, though the plan changes nothing', async () => {
    const { world, desired } = await openAged();
    const rehearsal = await rehearseIn(world, await world.plan(desired));
    expect(rehearsal).toMatchObject({ changes: 1, failures: [], remaining: [] });
    expect(lengthOf(rehearsal!)).toBeGreaterThan(10_000);
    expect(await readBackups(world)).toHaveLength(0);
    await expectApplied(world, desired);
    expect(await rehearseIn(world, await world.plan(desired))).toBeUndefined();
  });

  test('that fails is due again, and says so', async () => {
    let isBroken = true;
    const planFailure = ({ type }: { type: string }) =>
      type === 'CreateBackup' && isBroken ? ('internal' as const) : null;
    const { world, desired } = await openAged('1d', '', { planFailure });
    const end = await world.apply(desired);
    expect(describeFailures(end).join()).toMatch(/backup-failed.*and one is due/);
    isBroken = false;
    await expectApplied(world, desired);
    expect(await readBackups(world)).toHaveLength(1);
  });

  test('is no backup of the disk that a later rebuild loses', async () => {
    const { world, desired } = await openAged();
    await expectApplied(world, desired);
    const rebuilt = await configure(
      yaml(', backups: { maxAge: 1d }, rebuild: { backupFirst: true }')
        .replace('debian', 'ubuntu')
        .replace('12', '24.04'),
    );
    expect((await changeOf(world, rebuilt)).change.isBackedUpFirst).toBe(true);
    await expectApplied(world, rebuilt);
    expect(await readBackups(world)).toHaveLength(2);
  });

  test.each([
    [
      'has no times',
      (one: object) => ({ ...one, createdAt: undefined }),
      200,
      'The service does not say when it made them.',
    ],
    ['hides them', (one: object) => one, 403, 'It cannot see its backups.'],
  ])('is made by nobody where the service %s', async (_, edit, status, detail) => {
    const { world, desired } = await openAged('1d', '', { validateAnswers: false });
    await makeBackups(world, 1);
    const counts = { posts: 0 };
    const end = await world.apply(desired, {
      meddle: async (request, pass) => {
        if (request.method !== 'GET' || !request.url.endsWith('/backups'))
          return countPosts(counts)(request, pass);
        if (status !== 200) return Response.json({ code: 'forbidden', message: '' }, { status });
        return Response.json(((await (await pass()).json()) as object[]).map(edit));
      },
    });
    const findings = end.kind === 'ended' ? end.planned.plan.findings : [];
    expect([findings.map((one) => [one.code, one.detail]), counts.posts]).toEqual([
      [['backup-age-unknown', detail]],
      0,
    ]);
  });

  test('does not make a saved plan stale, nor one that was approved', async () => {
    const { world } = await openAged();
    const renamed = await aged('1d', ', name: web-2');
    await makeBackups(world, 1);
    const { plan: before } = await world.plan(renamed);
    await world.settle(25 * hour);
    const { plan: after } = await world.plan(renamed);
    expect(
      [before, after].map(({ changes }) => changes.filter((one) => one.dueBackup).length),
    ).toEqual([0, 1]);
    const approved = { service: '', lineage: '', serial: 0, fingerprints: {} };
    expect([
      listStalePlanReasons(before, after),
      compareWithApprovedPlan({ ...approved, plan: before }, { ...approved, plan: after }),
    ]).toEqual([[], []]);
  });

  test('is made alone where a server asks for nothing else', async () => {
    const { world } = await openAged();
    const more = await configure(`${yaml(', backups: { maxAge: 1d }')}    networks: { lan: }\n`);
    const selection = { targets: [], excludes: [], onlyDue: true as const };
    const end = await expectApplied(world, more, { planOptions: { selection } });
    expect(end.kind === 'ended' && end.summary.changes.map(({ action }) => action)).toEqual([
      'due',
    ]);
    expect(await readBackups(world)).toHaveLength(1);
    const { plan } = await world.plan(more);
    expect(plan.changes.map(({ action }) => action).sort()).toEqual(['create', 'no-op', 'no-op']);
  });

  test('a configuration without backups asks for none', async () => {
    const world = await World.open();
    await expectApplied(world, await configure(yaml()));
    const asked: string[] = [];
    const meddle: Meddle = (request, pass) => (asked.push(request.url), pass());
    await expectApplied(world, await configure(yaml()), { meddle });
    expect(asked.filter((url) => url.includes('backups'))).toEqual([]);
  });

  test('a killed apply makes no second one', async () => {
    let posts = 0;
    const desired = await aged('1d');
    const meddle: Meddle = (request, pass) => {
      if (request.method === 'POST' && request.url.endsWith('/backups')) posts += 1;
      return pass();
    };
    const options: RunOptions = { meddle };
    const open = async () => {
      posts = 0;
      return (await openAged()).world;
    };
    const goOn = async (world: World) => {
      const failures = describeFailures(await world.apply(desired, options));
      await world.settle(2 * hour);
      const { change } = await changeOf(world, desired);
      const backups = await readBackups(world);
      const state = world.store.state.resources.get(web);
      return [
        ...failures,
        ...(backups.length === 1 ? [] : [`${backups.length} backups of ${posts} requests`]),
        ...(change.action === 'no-op' ? [] : [change.action]),
        ...(state?.rebuildBackup ? ['a rebuild would take it for its own'] : []),
      ];
    };
    expect(await killEverywhere({ open, desired, options, goOn })).toBeGreaterThan(10);
  });
});

/** Days of a course, and how many there are. */
const days = countRuns(30, { short: 2, ci: 8 });
const checks = days * 24;

/** An account that is checked each hour; some applies are killed and made again, and some find the VM locked. */
const course = fc.record({
  ageHours: fc.integer({ min: 1, max: 2 * days }),
  trouble: fc.array(
    fc.record({
      at: fc.integer({ min: 0, max: checks - 1 }),
      killAt: fc.option(fc.integer({ min: 1, max: 25 }), { nil: undefined }),
      isLocked: fc.boolean(),
    }),
    { maxLength: 2 * days },
  ),
});

propertyTest.prop([course], { numRuns: countRuns(5, { short: 1, ci: 2 }) })(
  `checked each hour for ${days} days, the newest backup is never older than its age and an hour, and never made twice`,
  async ({ ageHours, trouble }) => {
    const { world, desired } = await openAged(`${ageHours}h`);
    const seen = new Map<string, number>();
    const { id: vmId, projectId } = await findVm(world);
    for (let check = 0; check < checks; check += 1) {
      for (const { killAt, isLocked } of trouble.filter(({ at }) => at === check)) {
        if (isLocked) await ask(world, 'rebootVm').catch(() => undefined);
        if (killAt !== undefined) await world.apply(desired, { killAt });
      }
      await expectApplied(world, desired);
      const held = await world.time.run(listBackups(world.connect(), { projectId, vmId }));
      expect(held.length).toBeLessThanOrEqual(7);
      for (const { id, createdAt } of held) seen.set(id, createdAt ?? 0);
      await world.settle(hour - (world.time.now() % hour));
      const newest = Math.max(...seen.values());
      expect(world.time.now() - newest).toBeLessThanOrEqual((ageHours + 1) * hour);
    }
    const times = [...seen.values()].sort((a, b) => a - b);
    const gaps = times.slice(1).map((at, index) => at - (times[index] ?? 0));
    expect(Math.min(...gaps, Infinity)).toBeGreaterThan(ageHours * hour);
    expect(seen.size).toBeGreaterThan(Math.floor(checks / (ageHours + 2)) - 1);
  },
);
