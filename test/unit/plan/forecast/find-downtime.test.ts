import { expect, it, test } from 'vitest';
import type { CommandName } from '../../../../src/model/account/command.ts';
import type { Durations } from '../../../../src/model/state/state.ts';
import { findDowntime } from '../../../../src/plan/forecast/find-downtime.ts';
import { mergeOutages, sweepOutages } from '../../../../src/plan/forecast/sum-outages.ts';
import { viewDowntime } from '../../../../src/render/view/downtime-view.ts';
import type { Config, ProjectConfig, VmConfig } from '../../../support/desired.ts';
import { planOf } from '../../../support/plan-lines.ts';
import { afterApply, destroyAll, reconfigure, type World } from '../../../support/world.ts';

const project = (one: ProjectConfig): Config => ({ p: one });
/** Instances of `web`, the same but for what is given. */
const web = (...each: VmConfig[]) =>
  Object.fromEntries(each.map((one, index) => [`web[${index}]`, one] as const));
const edge = (vm: string, publicPort = 443) => ({ edge: { https: { publicPort, vm } } });
const [old, other] = [{ image: 'debian-12' }, { image: 'debian-13' }];
const bigger = { configuration: 'c2-r4-d40' };

/** `p.vms.web: 0 of 2 running for 30s, from 0:00`, a line each, with what the title says beside `expected`. */
function downtimeOf(world: World): string[] {
  const { downtime } = planOf(world);
  const view = downtime && viewDowntime(downtime);
  const lines = (view?.rows ?? []).map(({ label, text }) => `${label.slice(9)}: ${text}`);
  return [...lines, ...(view?.title.includes('assumed') ? ['assumed'] : [])];
}

const lasting = (seconds: Partial<Record<CommandName, number>>): Durations =>
  Object.fromEntries(
    Object.entries(seconds).map(([name, one]) => [name, { meanMs: one * 1_000, deviationMs: 0 }]),
  );
/** Together as long as is assumed. */
const learned = lasting({ rebuildVm: 10, deleteVm: 20, createVm: 30, stopVm: 20 });
const change = (before: ProjectConfig, after: ProjectConfig, known: Durations = learned) => {
  const world = reconfigure(afterApply(project(before)), project(after));
  return { ...world, state: { ...world.state, durations: known } };
};

it.each<[string, World, string[]]>([
  ['nothing where nothing changes', change({ vms: web(old) }, { vms: web(old) }), []],
  ['nothing of what is made', change({ vms: web(old) }, { vms: web(old, old) }), []],
  ['nothing by a rename', change({ vms: { a: { name: 'x' } } }, { vms: { a: { name: 'y' } } }), []],
  [
    'all members that are rebuilt, and the forward to one',
    change(
      { vms: web(old, old), publicIps: edge('web[0]') },
      { vms: web(other, other), publicIps: edge('web[0]') },
    ),
    [
      'p.vms.web: 0 of 2 running for 10s, from 0:00',
      'p.publicIps.edge forward https: nobody answers for 10s',
    ],
  ],
  [
    'some of its members',
    change({ vms: web(old, old, old) }, { vms: web(old, other, old) }),
    ['p.vms.web: 2 of 3 running for 10s, from 0:00'],
  ],
  [
    'as long as is assumed where nothing was learned',
    change({ vms: web(old) }, { vms: web(other) }, {}),
    ['p.vms.web: 0 of 1 running for 30s, from 0:00', 'assumed'],
  ],
  [
    'as much longer than is assumed as the account is slower',
    change({ vms: { a: {} } }, { vms: { a: bigger } }, lasting({ rebuildVm: 60 })),
    ['p.vms.a: 0 of 1 running for 1m20s, from 0:00', 'assumed'],
  ],
  [
    'what ends as late as it is noticed',
    change(
      { vms: { a: {} } },
      { vms: { a: bigger } },
      { ...learned, deleteVm: { meanMs: 20_000, deviationMs: 5_000 } },
    ),
    ['p.vms.a: 0 of 1 running for 55s, from 0:00'],
  ],
  [
    'a rebuild behind its backup',
    change(
      { vms: { a: { ...old, backupBeforeRebuild: true } } },
      { vms: { a: { ...other, backupBeforeRebuild: true } } },
    ),
    ['p.vms.a: 0 of 1 running for 10s, from 1:00'],
  ],
  [
    'a replacement, from the delete to the end of the create',
    change({ vms: { a: {} } }, { vms: { a: bigger } }),
    ['p.vms.a: 0 of 1 running for 50s, from 0:00'],
  ],
  [
    'nothing where its replacement is made first',
    change(
      { vms: { a: { name: 'x', createBeforeDestroy: true } } },
      { vms: { a: { name: 'y', createBeforeDestroy: true, ...bigger } } },
    ),
    [],
  ],
  [
    'what is destroyed, without end',
    change({ vms: web({}, {}) }, { vms: web({}) }),
    ['p.vms.web: 1 of 2 running from 0:00 on'],
  ],
  [
    'what is destroyed beside what is rebuilt',
    change({ vms: web(old, old, old) }, { vms: web(other, old) }),
    ['p.vms.web: 1 of 3 running for 10s, from 0:00; fewer than 3 from 0:00 on'],
  ],
  [
    'what is stopped',
    change({ vms: web({}, {}) }, { vms: web({}, { power: 'stopped' }) }),
    ['p.vms.web: 1 of 2 running from 0:00 on'],
  ],
  [
    'nothing of what is stopped already',
    change(
      { vms: web({ power: 'stopped' }), publicIps: edge('web[0]') },
      { vms: web({ power: 'stopped', ...other }), publicIps: edge('web[0]') },
    ),
    [],
  ],
  [
    'and counts no member that is stopped',
    change({ vms: web(old, { power: 'stopped' }) }, { vms: web(other, { power: 'stopped' }) }),
    ['p.vms.web: 0 of 1 running for 10s, from 0:00'],
  ],
  [
    'a network that goes',
    change(
      { networks: { n: {} }, vms: { a: { networks: ['n'] } } },
      { networks: { n: {} }, vms: { a: { networks: [] } } },
    ),
    ['p.vms.a: 1 of 1 without a network from 0:00 on'],
  ],
  [
    'a network that another one follows',
    change(
      { networks: { n: {}, m: {} }, vms: { a: { networks: ['n'] } } },
      { networks: { n: {}, m: {} }, vms: { a: { networks: ['m'] } } },
    ),
    ['p.vms.a: 1 of 1 without a network for 10s, from 0:00', 'assumed'],
  ],
  [
    'a forward that goes',
    change({ vms: { a: {} }, publicIps: edge('a') }, { vms: { a: {} }, publicIps: { edge: {} } }),
    ['p.publicIps.edge forward https: nobody answers from 0:00 on'],
  ],
  [
    'a forward that moves away from what is rebuilt, until it has moved',
    change(
      { vms: { a: old, b: {} }, publicIps: edge('a') },
      { vms: { a: other, b: {} }, publicIps: edge('b') },
    ),
    [
      'p.vms.a: 0 of 1 running for 10s, from 0:00',
      'p.publicIps.edge forward https: nobody answers for 3s',
    ],
  ],
  [
    'everything by a destroy',
    destroyAll(afterApply(project({ vms: web({}, {}) }))),
    ['p.vms.web: 0 of 2 running from 0:00 on'],
  ],
])('what a plan takes out of service: %s', (_, world, lines) => {
  expect(downtimeOf(world)).toEqual(lines);
});

test('what its probes did not bring back is out until its backup is restored', () => {
  const world = change({ vms: { a: old } }, { vms: { a: other } });
  const plan = planOf(world);
  const run = (command: CommandName | null, from: number, isDone: boolean) => ({
    ...{ address: 'projects.p.vms.a', command, isDone, isAssumed: false },
    ...{ startMs: from * 1_000, endMs: (from + 20) * 1_000 },
  });
  const outOf = (...spans: ReturnType<typeof run>[]) =>
    findDowntime({ plan, live: world.live, known: world.state }, () => spans)?.blocks[0]?.out;
  const unready = [run('rebuildVm', 0, true), run(null, 20, false)];
  expect(outOf(...unready)).toMatchObject({ startMs: 0, forMs: null });
  expect(outOf(...unready, run('restoreBackup', 40, true))).toMatchObject({ forMs: 60_000 });
  expect(outOf(run('rebuildVm', 0, false), run('restoreBackup', 30, true))).toMatchObject({
    forMs: 50_000,
  });
});

test('outages that overlap are one, and what most of them share is found', () => {
  const outages = [
    { startMs: 0, endMs: 10 },
    { startMs: 5, endMs: 20 },
    { startMs: 20, endMs: 30 },
    { startMs: 40, endMs: null },
  ];
  expect(mergeOutages(outages)).toEqual([
    { startMs: 0, endMs: 30 },
    { startMs: 40, endMs: null },
  ]);
  expect(sweepOutages(outages)).toEqual({ most: 2, least: { startMs: 5, forMs: 5 } });
  expect(sweepOutages(outages.slice(1, 3)).most).toBe(1);
});
