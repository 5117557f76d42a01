import { describe, expect, test } from 'vitest';
import { drawSome } from '../support/budget/budget.ts';
import { endEverywhere, interruptedRuns } from './interrupted-courses.ts';
import { configure, describeFailures, World, type Meddle } from './world.ts';
import { expectApplied } from './expect-built.ts';

describe('a change that is ended in the middle is told truly by the next run', () => {
  test.each(drawSome(interruptedRuns, { short: 2, ci: 6 }, 'interrupted courses'))(
    '$name ($variant)',
    { timeout: 600_000 },
    endEverywhere,
  );
});

const web = (image: string) =>
  configure(
    `projects: { demo: { vms: { web: { image: ${image}, configuration: c1-r1-d20, tariff: monthly } } } }`,
  );

/** A VM whose rebuild the service has just taken when the run is killed. */
async function killDuringRebuild(fails = false) {
  let rebuilds = 0;
  const world = await World.open({
    // Which looks soon after the service has taken it.
    isFirst: true,
    planFailure: ({ type }) => {
      if (type !== 'Rebuild') return null;
      rebuilds += 1;
      return fails && rebuilds === 1 ? 'internal' : null;
    },
  });
  await world.apply(await web('ubuntu-24.04'));
  let isTaken = false;
  const meddle: Meddle = async (request, pass) => {
    const response = await pass();
    isTaken ||= request.url.endsWith('/rebuild');
    return response;
  };
  const desired = await web('debian-12');
  const onStep = ({ kind }: { kind: string }) =>
    isTaken && kind === 'request' ? ('kill' as const) : ('go' as const);
  expect(await world.apply(desired, { meddle, onStep })).toMatchObject({ kind: 'killed' });
  return { world, desired, countRebuilds: () => rebuilds };
}

describe('a rebuild that a killed run has begun', () => {
  test('is told as in progress, awaited and not sent again', async () => {
    const { world, desired, countRebuilds } = await killDuringRebuild();
    const { plan } = await world.plan(desired);
    const note = /^rebuild in progress since \d\d:\d\d, will be awaited$/;
    expect(plan.findings).toMatchObject([
      { code: 'in-progress', summary: expect.stringMatching(note) as string },
    ]);
    const vm = plan.changes.find(({ address }) => address === 'projects.demo.vms.web');
    expect(vm).toMatchObject({ action: 'no-op', losses: [], underway: { command: 'rebuildVm' } });
    await expectApplied(world, desired);
    expect(countRebuilds()).toBe(1);
    const { changes, drift } = (await world.plan(desired)).plan;
    expect(changes.filter(({ action, underway }) => action !== 'no-op' || underway)).toEqual([]);
    expect(drift).toBeUndefined();
  });

  test('and that fails while the next run waits for it fails there, and is planned again', async () => {
    const { world, desired } = await killDuringRebuild(true);
    expect(describeFailures(await world.apply(desired))).toEqual([
      expect.stringContaining('The service accepted rebuildVm and then failed: internal'),
    ]);
    const { plan } = await world.plan(desired);
    expect(plan.changes.map(({ action }) => action)).toEqual(['no-op', 'rebuild']);
    expect(plan.drift).toBeUndefined();
    await expectApplied(world, desired);
  });

  test('and that has failed by the next run is planned again, which is said', async () => {
    const { world, desired } = await killDuringRebuild(true);
    await world.settle();
    const { plan } = await world.plan(desired);
    expect(plan.changes.map(({ action }) => action)).toEqual(['no-op', 'rebuild']);
    expect(plan.findings).toMatchObject([
      { code: 'earlier-run-failed', address: 'projects.demo.vms.web' },
      { code: 'data-loss' },
    ]);
    expect(plan.drift).toBeUndefined();
    await expectApplied(world, desired);
  });

  test('and that somebody asks to go back on is awaited before it is rebuilt again', async () => {
    const { world, countRebuilds } = await killDuringRebuild();
    const former = await web('ubuntu-24.04');
    const { plan } = await world.plan(former);
    const vm = plan.changes.find(({ address }) => address === 'projects.demo.vms.web');
    expect(vm).toMatchObject({ action: 'rebuild', underway: { command: 'rebuildVm' } });
    expect(vm?.drift).toBeUndefined();
    await expectApplied(world, former);
    expect(countRebuilds()).toBe(2);
  });
});

test('one interrupt: a rebuild that is awaited to its end is done, and the next plan is empty', async () => {
  const world = await World.open();
  await world.apply(await web('ubuntu-24.04'));
  const desired = await web('debian-12');
  const interrupt = new AbortController();
  await expectApplied(world, desired, {
    interrupted: interrupt.signal,
    meddle: (request, pass) => {
      if (request.url.endsWith('/rebuild')) interrupt.abort();
      return pass();
    },
  });
  const { plan } = await world.plan(desired);
  expect(plan.findings).toEqual([]);
  expect(plan.drift).toBeUndefined();
});
