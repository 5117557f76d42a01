import { describe, expect, it } from 'vitest';
import type { Rollout } from '../../../../src/model/resource.ts';
import type { PlanOptions } from '../../../../src/model/plan/plan.ts';
import { noPlanOptions } from '../../../../src/model/plan/plan.ts';
import { buildPlan } from '../../../../src/plan/build-plan.ts';
import { listRolloutWaves } from '../../../../src/plan/order/rollout.ts';
import type { VmConfig } from '../../../support/desired.ts';
import { afterApply, reconfigure, touch, type World } from '../../../support/world.ts';

type Bound = Rollout['atOnce'];
const [old, other] = [{ image: 'debian-12' }, { image: 'debian-13' }];
const bigger = { configuration: 'c2-r4-d40' };
const rolled = (atOnce: Bound, onFailure: Rollout['onFailure'] = 'stop') => ({
  rollout: { atOnce, onFailure },
});

/** `web` before and after: the rollout is that of the configuration now. */
function change(before: readonly VmConfig[], after: readonly VmConfig[]): World {
  const vms = (each: readonly VmConfig[]) => ({
    p: { vms: Object.fromEntries(each.map((one, index) => [`web[${index}]`, one] as const)) },
  });
  return reconfigure(afterApply(vms(before)), vms(after));
}

const times = (count: number, ...each: VmConfig[]): VmConfig[] =>
  Array.from({ length: count }, () => Object.assign({}, ...each) as VmConfig);
const down = (world: World, ...indexes: number[]) =>
  indexes.reduce(
    (changed, index) => touch(changed, `projects.p.vms.web[${index}]`, { bootStatus: 'Stopped' }),
    world,
  );

/** Who goes in which wave: `0 1 | 2 3`; empty where nothing of the block waits for another. */
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
  return groups.map((group) => group.sort((a, b) => Number(a) - Number(b)).join(' ')).join(' | ');
}

describe('a rollout', () => {
  const [two, third] = [rolled({ count: 2 }), rolled({ percent: 34 })];
  const targets = (...indexes: number[]): PlanOptions => ({
    ...noPlanOptions,
    selection: { targets: indexes.map((at) => `projects.p.vms.web[${at}]`), excludes: [] },
  });

  it.each<[string, World, string]>([
    ['goes in waves', change(times(5, old), times(5, other, two)), '0 1 | 2 3 | 4'],
    ['lets all go without it', change(times(3, old), times(3, other)), ''],
    ['needs no waves where all may go', change(times(2, old), times(2, other, two)), ''],
    [
      'takes a share of the block',
      change(times(6, old), times(6, other, third)),
      '0 1 | 2 3 | 4 5',
    ],
    [
      'lets one through, however small the share',
      change(times(3, old), times(3, other, rolled({ percent: 1 }))),
      '0 | 1 | 2',
    ],
    ['orders replacements', change(times(3, {}), times(3, bigger, two)), '0 1 | 2'],
    [
      'orders replacements that are made first',
      change(times(3, {}), times(3, bigger, two, { createBeforeDestroy: true })),
      '0 1 | 2',
    ],
    ['orders stops', change(times(3, {}), times(3, { power: 'stopped' }, two)), '0 1 | 2'],
    [
      'orders deletions of a part, before what else changes',
      change(times(5, old), times(2, other, two)),
      '2 3 | 0 4 | 1',
    ],
    [
      'leaves updates that stop nothing alone',
      change(
        ['a', 'b', 'c'].map((name) => ({ name })),
        ['d', 'e', 'f'].map((name) => ({ name, ...two })),
      ),
      '',
    ],
    ['leaves what is made alone', change(times(1, old), times(5, old, two)), ''],
    [
      'makes what is missing before it takes others out',
      change(
        [old, old],
        [other, other, old].map((vm) => ({ ...vm, ...two })),
      ),
      '2 | 0 1',
    ],
    [
      'waits for what the service is still at',
      touch(
        change(times(3, old), [...times(2, other, two), ...times(1, old, two)]),
        'projects.p.vms.web[2]',
        { status: 'updating' },
      ),
      '2 | 0 1',
    ],
    [
      'loses none while the service is still at another',
      touch(change(times(3, old), times(2, old, two)), 'projects.p.vms.web[0]', {
        status: 'updating',
      }),
      '0 | 2',
    ],
    [
      'begins with what is out already',
      down(change(times(4, old), times(4, other, rolled({ count: 1 }))), 2),
      '2 | 0 | 1 | 3',
    ],
    [
      'brings back what is out before the block loses another',
      down(change(times(4, old), times(3, other, rolled({ count: 1 }))), 1),
      '1 | 3 | 0 | 2',
    ],
    [
      'begins with what has failed',
      touch(change(times(3, old), times(3, other, two)), 'projects.p.vms.web[2]', {
        status: 'failed',
      }),
      '0 2 | 1',
    ],
    [
      'counts what somebody has stopped, and stays so',
      down(
        change(times(4, old), [
          ...times(3, other, two),
          { ...old, ...two, ignoreChanges: ['power'] },
        ]),
        3,
      ),
      '0 | 1 | 2',
    ],
    [
      'counts what is out and not selected',
      { ...down(change(times(4, old), times(4, other, two)), 3), planOptions: targets(0, 1) },
      '0 | 1',
    ],
    [
      'waits for one that is started by the same plan',
      down(change(times(3, old), [...times(2, other, two), ...times(1, old, two)]), 2),
      '0 2 | 1',
    ],
    [
      'does not count what is stopped on purpose',
      down(
        change(times(4, old), [...times(3, other, two), { ...old, ...two, power: 'stopped' }]),
        3,
      ),
      '0 1 | 2',
    ],
    [
      'has no wave that is larger than 50, since each waits for each',
      change(times(101, old), times(101, other, rolled({ percent: 100 }))),
      [
        [0, 50],
        [50, 100],
        [100, 101],
      ]
        .map(([from, to]) =>
          times(to! - from!)
            .map((_, at) => from! + at)
            .join(' '),
        )
        .join(' | '),
    ],
  ])('%s', (_, world, expected) => expect(wavesOf(world)).toBe(expected));

  it('tells how many go in each wave', () => {
    const { plan } = buildPlan(change(times(5, old), times(5, other, two)));
    expect(listRolloutWaves(plan)).toEqual(new Map([['projects.p.vms.web', [2, 2, 1]]]));
    expect(plan.downtime?.blocks).toMatchObject([{ running: 5, minRunning: 3, waves: [2, 2, 1] }]);
  });

  it('goes on after a failure where it is asked to', () => {
    const world = change(times(2, old), times(2, other, rolled({ count: 1 }, 'continue')));
    const waits = buildPlan(world).plan.tasks.flatMap(({ dependsOn }) => dependsOn);
    expect(waits).toEqual([
      { on: 'projects.p.vms.web[0]#apply', reason: 'rollout', mayFail: true },
    ]);
  });
});
