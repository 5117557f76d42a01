import { fc, test } from '@fast-check/vitest';
import { parse } from 'yaml';
import { describe, expect, it } from 'vitest';
import type { Rollout } from '../../../../src/model/resource.ts';
import { noPlanOptions } from '../../../../src/model/plan/plan.ts';
import { buildPlan } from '../../../../src/plan/build-plan.ts';
import { listRolloutWaves } from '../../../../src/plan/order/rollout.ts';
import { countRuns } from '../../../support/budget/budget.ts';
import type { VmConfig } from '../../../support/desired.ts';
import { readList, readRows } from '../../../support/read-rows.ts';
import { afterApply, reconfigure, touch, type World } from '../../../support/world.ts';

const web = 'projects.p.vms.web';
const configs: Readonly<Record<string, VmConfig>> = {
  plain: {},
  old: { image: 'debian-12' },
  new: { image: 'debian-13' },
  bigger: { configuration: 'c2-r4-d40' },
  biggerFirst: { configuration: 'c2-r4-d40', createBeforeDestroy: true },
  stopped: { power: 'stopped' },
  oldStopped: { image: 'debian-12', power: 'stopped' },
  oldWithoutPower: { image: 'debian-12', ignoreChanges: ['power'] },
};

/** `3 new, 1 old`: the instances of a block in their order. */
const readVms = (cell: string, given: VmConfig = {}) =>
  readList(cell)
    .flatMap((part) => {
      const [count, name = ''] = part.split(' ');
      return Array.from({ length: Number(count) }, () => ({ ...configs[name]!, ...given }));
    })
    .map((vm, index) => [`web[${index}]`, vm] as const);

/** `5 old => 5 new` in waves of at most so many, and what has happened to one since: `2 Stopped`, `2 failed`. */
function readChange(
  change: string,
  atOnce: Rollout['atOnce'] | undefined,
  happened = '',
  onFailure: Rollout['onFailure'] = 'stop',
): World {
  const [before = '', after = ''] = change.split(' => ');
  const rollout = atOnce && { rollout: { atOnce, onFailure } };
  const world = reconfigure(afterApply({ p: { vms: Object.fromEntries(readVms(before)) } }), {
    p: { vms: Object.fromEntries(readVms(after, rollout)) },
  });
  const [index, status = ''] = happened.split(' ');
  if (!index) return world;
  const patch = status === 'Stopped' ? { bootStatus: status } : { status };
  return touch(world, `${web}[${index}]`, patch);
}

/** Who goes in which wave: `0 1 / 2 3`; empty where nothing of the block waits for another. */
function wavesOf(world: World): string {
  const { tasks } = buildPlan(world).plan;
  const waves = new Map<string, number>();
  for (const { address, dependsOn } of tasks) {
    for (const { on, reason } of dependsOn) {
      if (reason !== 'rollout') continue;
      const before = tasks.find(({ id }) => id === on)!.address;
      waves.set(before, waves.get(before) ?? 0);
      waves.set(address, waves.get(before)! + 1);
    }
  }
  const groups: string[][] = [];
  for (const [address, wave] of waves) (groups[wave] ??= []).push(/\d+/.exec(address)![0]);
  return groups.map((group) => group.sort((a, b) => Number(a) - Number(b)).join(' ')).join(' / ');
}

describe('a rollout', () => {
  const two = { count: 2 };

  it.each(
    readRows(`
    goes in waves | 5 old => 5 new | { count: 2 } |  | 0 1 / 2 3 / 4
    lets all go without it | 3 old => 3 new |  |  |
    needs no waves where all may go | 2 old => 2 new | { count: 2 } |  |
    takes a share of the block | 6 old => 6 new | { percent: 34 } |  | 0 1 / 2 3 / 4 5
    lets one through, however small the share | 3 old => 3 new | { percent: 1 } |  | 0 / 1 / 2
    orders replacements | 3 plain => 3 bigger | { count: 2 } |  | 0 1 / 2
    orders replacements that are made first | 3 plain => 3 biggerFirst | { count: 2 } |  | 0 1 / 2
    orders stops | 3 plain => 3 stopped | { count: 2 } |  | 0 1 / 2
    orders deletions of a part, before what else changes | 5 old => 2 new | { count: 2 } |  | 2 3 / 0 4 / 1
    leaves what is made alone | 1 old => 5 old | { count: 2 } |  |
    makes what is missing before it takes others out | 2 old => 2 new, 1 old | { count: 2 } |  | 2 / 0 1
    waits for what the service is still at | 3 old => 2 new, 1 old | { count: 2 } | 2 updating | 2 / 0 1
    loses none while the service is still at another | 3 old => 2 old | { count: 2 } | 0 updating | 0 / 2
    loses none while the service is still deleting another | 3 old => 1 new, 1 old | { count: 1 } | 2 deleting | 2 / 0
    begins with what is out already | 4 old => 4 new | { count: 1 } | 2 Stopped | 2 / 0 / 1 / 3
    brings back what is out before the block loses another | 4 old => 3 new | { count: 1 } | 1 Stopped | 1 / 3 / 0 / 2
    begins with what has failed | 3 old => 3 new | { count: 2 } | 2 failed | 0 2 / 1
    counts what somebody has stopped, and stays so | 4 old => 3 new, 1 oldWithoutPower | { count: 2 } | 3 Stopped | 0 / 1 / 2
    waits for one that is started by the same plan | 3 old => 2 new, 1 old | { count: 2 } | 2 Stopped | 0 2 / 1
    does not count what is stopped on purpose | 4 old => 3 new, 1 oldStopped | { count: 2 } | 3 Stopped | 0 1 / 2
  `),
  )('%s', (_, change, atOnce, happened, expected) => {
    const bound = (parse(atOnce) as Rollout['atOnce'] | null) ?? undefined;
    expect(wavesOf(readChange(change, bound, happened))).toBe(expected);
  });

  it('leaves updates that stop nothing alone', () => {
    const named = (names: readonly string[], given: VmConfig) => ({
      p: { vms: Object.fromEntries(names.map((name, at) => [`web[${at}]`, { name, ...given }])) },
    });
    const rollout = { atOnce: two, onFailure: 'stop' } as const;
    const applied = afterApply(named(['a', 'b', 'c'], {}));
    expect(wavesOf(reconfigure(applied, named(['d', 'e', 'f'], { rollout })))).toBe('');
  });

  describe('of a block whose first goes, and whose last is made', () => {
    const rollout = { atOnce: { count: 1 }, onFailure: 'stop' } as const;
    const vmsOf = (vms: Readonly<Record<string, VmConfig>>) => ({
      p: {
        vms: Object.fromEntries(Object.entries(vms).map(([key, vm]) => [key, { ...vm, rollout }])),
      },
    });
    /** What waits for what, where a limit leaves room for so many cores more. */
    const waits = (
      before: Readonly<Record<string, VmConfig>>,
      after: Readonly<Record<string, VmConfig>>,
      room: number,
    ) => {
      const world = reconfigure(afterApply(vmsOf(before)), vmsOf(after));
      const { limits } = world.live;
      const used = limits.quotas.vmCpu?.used ?? 0;
      const vmCpu = { limit: used + room, used, remaining: room };
      const quotas = { ...limits.quotas, vmCpu };
      const live = { ...world.live, limits: { ...limits, quotas } };
      const { plan } = buildPlan({ ...world, live });
      const [{ peak, limit } = { peak: 1, limit: 0 }] = plan.quotas.filter(
        ({ name }) => name === 'vmCpu',
      );
      expect(peak).toBeLessThanOrEqual(limit);
      return plan.tasks.flatMap(({ id, dependsOn }) =>
        dependsOn.map(({ on, reason }) =>
          `${id} after ${on}: ${reason}`.replaceAll('projects.p.vms.', ''),
        ),
      );
    };
    const [a, b, c] = [{ name: 'a' }, { name: 'b' }, { name: 'c' }];
    const webs = { 'web[0]': a, 'web[1]': b };

    it('it goes once the last is made, where there is room', () => {
      expect(waits(webs, { 'web[1]': b, 'web[2]': c }, 1)).toEqual([
        'web[0]#destroy after web[2]#apply: rollout',
      ]);
    });

    it('it leaves its room where there is none', () => {
      expect(waits(webs, { 'web[1]': b, 'web[2]': c }, 0)).toEqual([
        'web[2]#apply after web[0]#destroy: quota',
      ]);
    });

    it('it leaves its name where the last is called so', () => {
      expect(waits(webs, { 'web[1]': b, 'web[2]': a }, 1)).toEqual([
        'web[2]#apply after web[0]#destroy: claim',
      ]);
    });

    it('it goes later in one of two blocks, where that is enough', () => {
      const { bigger } = configs;
      const before = { ...webs, 'db[0]': { ...bigger, name: 'd' } };
      const after = { 'web[1]': b, 'web[2]': c, 'db[1]': { ...bigger, name: 'e' } };
      expect(waits(before, after, 1)).toEqual([
        'db[1]#apply after web[0]#destroy: quota',
        'db[0]#destroy after db[1]#apply: rollout',
        'web[2]#apply after db[0]#destroy: quota',
      ]);
    });
  });

  it('counts what is out and not selected', () => {
    const selection = { targets: [`${web}[0]`, `${web}[1]`], excludes: [] };
    const world = readChange('4 old => 4 new', two, '3 Stopped');
    expect(wavesOf({ ...world, planOptions: { ...noPlanOptions, selection } })).toBe('0 / 1');
  });

  it('orders what goes where only that is selected', () => {
    const selection = { targets: [`${web}[1]`, `${web}[2]`], excludes: [] };
    const world = readChange('3 old => 1 new', { count: 1 });
    expect(wavesOf({ ...world, planOptions: { ...noPlanOptions, selection } })).toBe('1 / 2');
  });

  it('has no wave that is larger than 50, since each waits for each', () => {
    const waves = wavesOf(readChange('101 old => 101 new', { percent: 100 })).split(' / ');
    const all = Array.from({ length: 101 }, (_, at) => String(at));
    expect(waves.map((wave) => wave.split(' ').length)).toEqual([50, 50, 1]);
    expect(waves.join(' ')).toBe(all.join(' '));
  });

  it('tells how many go in each wave', () => {
    const { plan } = buildPlan(readChange('5 old => 5 new', two));
    expect(listRolloutWaves(plan)).toEqual(new Map([[web, [2, 2, 1]]]));
    expect(plan.downtime?.blocks).toMatchObject([{ running: 5, minRunning: 3, waves: [2, 2, 1] }]);
  });

  it.each(
    readRows(`
    is renamed, and was not seen ready before | 3 | unready
    is first and renamed, and was not seen ready before | 0 | unready
    is renamed, and is still being changed | 3 | updating
  `),
  )('counts no wave for one that %s', (_, index, happened) => {
    const at = Number(index);
    const ready = { probes: [], withinMs: 1, settleMs: 0 };
    const rollout = { atOnce: { count: 1 }, onFailure: 'stop', ready } as const;
    const given = readVms('4 old');
    const wanted = given.map(([key, vm], one) => {
      const changed = one === at ? { ...vm, name: 'other' } : { ...vm, image: 'debian-13' };
      return [key, { ...changed, rollout }] as const;
    });
    const world = reconfigure(afterApply({ p: { vms: Object.fromEntries(given) } }), {
      p: { vms: Object.fromEntries(wanted) },
    });
    const address = `${web}[${at}]`;
    const resources = new Map(world.state.resources);
    const isUnready = happened === 'unready';
    if (isUnready) resources.set(address, { ...resources.get(address)!, isNotReady: true });
    const left = { ...world, state: { ...world.state, resources } };
    const { plan } = buildPlan(isUnready ? left : touch(left, address, { status: happened }));
    expect(listRolloutWaves(plan)).toEqual(new Map([[web, [1, 1, 1]]]));
  });

  const anyMember = fc.record({
    sides: fc.constantFrom(
      'old => new',
      'old => old',
      'old => stopped',
      'plain => bigger',
      '=> old',
    ),
    happened: fc.constantFrom('', '', 'unready', 'updating', 'failed', 'Stopped'),
    isRenamed: fc.boolean(),
  });

  test.prop([fc.array(anyMember, { minLength: 2, maxLength: 9 }), fc.integer({ min: 1, max: 4 })], {
    numRuns: countRuns(2_000, 100),
  })('has no wave in a plan that is larger than may be', (members, atOnce) => {
    const ready = { probes: [], withinMs: 1, settleMs: 0 };
    const rollout = { atOnce: { count: atOnce }, onFailure: 'stop', ready } as const;
    const sidesOf = (at: number) => members[at]!.sides.split('=> ').map((side) => side.trim());
    const vmsOf = (side: number, more: (at: number) => VmConfig) => ({
      p: {
        vms: Object.fromEntries(
          members.flatMap((_, at) => {
            const config = configs[sidesOf(at)[side]!];
            return config ? [[`web[${at}]`, { ...config, ...more(at) }]] : [];
          }),
        ),
      },
    });
    let world = reconfigure(
      afterApply(vmsOf(0, () => ({}))),
      vmsOf(1, (at) => ({ rollout, ...(members[at]!.isRenamed && { name: `other-${at}` }) })),
    );
    for (const [at, { happened }] of members.entries()) {
      const address = `${web}[${at}]`;
      const managed = world.state.resources.get(address);
      // Nobody misses one that is stopped while it is out: it goes before all others.
      if (!managed || happened === '' || sidesOf(at)[1] === 'stopped') continue;
      if (happened === 'unready') {
        const unready = { ...managed, isNotReady: true } as const;
        const resources = new Map(world.state.resources).set(address, unready);
        world = { ...world, state: { ...world.state, resources } };
      } else {
        const patch = happened === 'Stopped' ? { bootStatus: happened } : { status: happened };
        world = touch(world, address, patch);
      }
    }
    const waves = listRolloutWaves(buildPlan(world).plan).get(web) ?? [];
    expect(Math.max(0, ...waves)).toBeLessThanOrEqual(atOnce);
    expect(waves.every((size) => size > 0)).toBe(true);
    expect(waves.length).not.toBe(1);
  });

  it('counts one that is stopped while it is out as a wave of its own', () => {
    const ready = { probes: [], withinMs: 1, settleMs: 0 };
    const world = readChange('4 old => 1 new, 1 oldStopped, 2 new', { count: 1 });
    const desired = world.desired.resources.map((one) =>
      one.rollout ? { ...one, rollout: { ...one.rollout, ready } } : one,
    );
    const address = `${web}[1]`;
    const unready = { ...world.state.resources.get(address)!, isNotReady: true } as const;
    const resources = new Map(world.state.resources).set(address, unready);
    const { plan } = buildPlan({
      ...world,
      desired: { ...world.desired, resources: desired },
      state: { ...world.state, resources },
    });
    expect(listRolloutWaves(plan)).toEqual(new Map([[web, [1, 1, 1, 1]]]));
  });

  it('counts no wave for one that is made to be stopped', () => {
    const { plan } = buildPlan(readChange('2 old => 2 new, 1 oldStopped', { count: 1 }));
    expect(listRolloutWaves(plan)).toEqual(new Map([[web, [1, 1]]]));
  });

  it('goes on after a failure where it is asked to', () => {
    const world = readChange('2 old => 2 new', { count: 1 }, '', 'continue');
    const waits = buildPlan(world).plan.tasks.flatMap(({ dependsOn }) => dependsOn);
    expect(waits).toEqual([{ on: `${web}[0]#apply`, reason: 'rollout', mayFail: true }]);
  });
});
