import { parse } from 'yaml';
import { expect, it, test } from 'vitest';
import type { CommandName } from '../../../../src/model/account/command.ts';
import { makeDeposedAddress } from '../../../../src/model/address.ts';
import { noPlanOptions } from '../../../../src/model/plan/plan.ts';
import type { ManagedResource, UsualCommandDurations } from '../../../../src/model/state/state.ts';
import {
  findPlanDowntime,
  mergeOutages,
  findPeakOutages,
} from '../../../../src/plan/forecast/find-downtime.ts';
import { selectRestoreTargets } from '../../../../src/plan/reconcile/bring-back.ts';
import { viewDowntime } from '../../../../src/render/view/downtime-view.ts';
import { makeDesired, type ProjectConfig, type VmConfig } from '../../../support/desired.ts';
import { planOf } from '../../../support/plan-lines.ts';
import { afterApply, destroyAll, idOf, reconfigure, type World } from '../../../support/world.ts';
import { readRows } from '../../../support/read-rows.ts';

/**
 * A project as `{ web: [old, {}], edge: "web[0]" }`: the instances of a VM, or one of it, and the VM that a forward leads to.
 * `old` and `new` have different images.
 */
function readProject(text: string): ProjectConfig {
  const { edge, networks = {}, ...named } = parse(text) as Record<string, unknown>;
  const images: Readonly<Record<string, VmConfig>> = {
    ...{ old: { image: 'debian-12' }, new: { image: 'debian-13' } },
  };
  const vmOf = (one: unknown) => (typeof one === 'string' ? images[one]! : (one as VmConfig));
  const vms = Object.entries(named).flatMap(([key, value]) =>
    Array.isArray(value)
      ? value.map((one, index) => [`${key}[${index}]`, vmOf(one)] as const)
      : [[key, vmOf(value)] as const],
  );
  const https = { https: { publicPort: 443, vm: edge as string } };
  const publicIps = edge === undefined ? {} : { edge: edge === null ? {} : https };
  return { networks: networks as Record<string, object>, vms: Object.fromEntries(vms), publicIps };
}

/** `p.vms.web: 0 of 2 running for 30s, from 0:00`, a line each, with what the title says beside `expected`. */
function downtimeOf(world: World): string[] {
  const { downtime } = planOf(world);
  const view = downtime && viewDowntime(downtime);
  const lines = (view?.rows ?? []).map(({ label, text }) => `${label.slice(9)}: ${text}`);
  return [...lines, ...(view?.title.includes('assumed') ? ['assumed'] : [])];
}

const lasting = (seconds: Partial<Record<CommandName, number>>): UsualCommandDurations =>
  Object.fromEntries(
    Object.entries(seconds).map(([name, one]) => [name, { meanMs: one * 1_000, deviationMs: 0 }]),
  );
/** Together as long as is assumed. */
const learned = lasting({ rebuildVm: 10, deleteVm: 20, createVm: 30, stopVm: 20 });
const change = (before: string, after: string, known: UsualCommandDurations = learned) => {
  const world = reconfigure(afterApply({ p: readProject(before) }), { p: readProject(after) });
  return { ...world, state: { ...world.state, durations: known } };
};

it.each(
  readRows(`
  nothing where nothing changes | { web: [old] } | { web: [old] } |
  nothing of what is made | { web: [old] } | { web: [old, old] } |
  nothing by a rename | { a: { name: x } } | { a: { name: y } } |
  all members that are rebuilt, and the forward to one | { web: [old, old], edge: "web[0]" } | { web: [new, new], edge: "web[0]" } | p.vms.web: 0 of 2 running for 10s, from 0:00 & p.publicIps.edge forward https: nobody answers for 10s
  some of its members | { web: [old, old, old] } | { web: [old, new, old] } | p.vms.web: 2 of 3 running for 10s, from 0:00
  a rebuild behind its backup | { a: { image: debian-12, backupBeforeRebuild: true } } | { a: { image: debian-13, backupBeforeRebuild: true } } | p.vms.a: 0 of 1 running for 10s, from 1:00
  a replacement, from the delete to the end of the create | { a: {} } | { a: { configuration: c2-r4-d40 } } | p.vms.a: 0 of 1 running for 50s, from 0:00
  nothing where its replacement is made first | { a: { name: x, createBeforeDestroy: true } } | { a: { name: y, createBeforeDestroy: true, configuration: c2-r4-d40 } } |
  what is destroyed, without end | { web: [{}, {}] } | { web: [{}] } | p.vms.web: 1 of 2 running from 0:00 on
  what is destroyed beside what is rebuilt | { web: [old, old, old] } | { web: [new, old] } | p.vms.web: 1 of 3 running for 10s, from 0:00; fewer than 3 from 0:00 on
  what is stopped | { web: [{}, {}] } | { web: [{}, { power: stopped }] } | p.vms.web: 1 of 2 running from 0:00 on
  nothing of what is stopped already | { web: [{ power: stopped }], edge: "web[0]" } | { web: [{ power: stopped, image: debian-13 }], edge: "web[0]" } |
  and counts no member that is stopped | { web: [old, { power: stopped }] } | { web: [new, { power: stopped }] } | p.vms.web: 0 of 1 running for 10s, from 0:00
  a network that goes | { networks: { n: {} }, a: { networks: [n] } } | { networks: { n: {} }, a: { networks: [] } } | p.vms.a: 1 of 1 without a network from 0:00 on
  a network that another one follows | { networks: { n: {}, m: {} }, a: { networks: [n] } } | { networks: { n: {}, m: {} }, a: { networks: [m] } } | p.vms.a: 1 of 1 without a network for 10s, from 0:00 & assumed
  a forward that goes | { a: {}, edge: a } | { a: {}, edge: } | p.publicIps.edge forward https: nobody answers from 0:00 on
  a forward that moves away from what is rebuilt, until it has moved | { a: old, b: {}, edge: a } | { a: new, b: {}, edge: b } | p.vms.a: 0 of 1 running for 10s, from 0:00 & p.publicIps.edge forward https: nobody answers for 3s
`),
)('what a plan takes out of service: %s', (_, before, after, lines) => {
  expect(downtimeOf(change(before, after)).join(' & ')).toBe(lines);
});

const resized = ['{ a: {} }', '{ a: { configuration: c2-r4-d40 } }'] as const;
it.each<[string, World, string[]]>([
  [
    'as long as is assumed where nothing was learned',
    change('{ web: [old] }', '{ web: [new] }', {}),
    ['p.vms.web: 0 of 1 running for 30s, from 0:00', 'assumed'],
  ],
  [
    'as much longer than is assumed as the account is slower',
    change(...resized, lasting({ rebuildVm: 60 })),
    ['p.vms.a: 0 of 1 running for 1m20s, from 0:00', 'assumed'],
  ],
  [
    'what ends as late as it is noticed',
    change(...resized, { ...learned, deleteVm: { meanMs: 20_000, deviationMs: 5_000 } }),
    ['p.vms.a: 0 of 1 running for 55s, from 0:00'],
  ],
  [
    'everything by a destroy',
    destroyAll(afterApply({ p: readProject('{ web: [{}, {}] }') })),
    ['p.vms.web: 0 of 2 running from 0:00 on'],
  ],
])('what a plan takes out of service: %s', (_, world, lines) => {
  expect(downtimeOf(world)).toEqual(lines);
});

/** A VM `web` of another image than is wanted, and one that was retired at its address; with what the state has of that beside. */
function withRetired(power: 'running' | 'stopped', more: Partial<ManagedResource> = {}): World {
  const [web, kept] = ['projects.p.vms.web', 'projects.p.vms.kept'];
  const vms = `{ web: { image: debian-13, power: ${power} }, kept: { power: ${more.gaveWayTo === undefined ? 'stopped' : 'running'} }, edge: web }`;
  const { state, live } = afterApply({ p: readProject(vms) });
  const resources = new Map(state.resources);
  const { id, ...rest } = resources.get(kept)!;
  resources.delete(kept);
  const address = makeDeposedAddress(web, id);
  const retired = { name: 'kept', forMs: 60_000, until: 60_000 };
  resources.set(address, { ...rest, ...{ id, address, retired }, ...more });
  const durations = lasting({ stopVm: 20, renameVm: 5, startVm: 15, deleteVm: 20 });
  const desired = makeDesired({ p: readProject('{ web: old, edge: web }') });
  return { mode: 'apply', live, desired, state: { ...state, resources, durations } };
}

test.each<[string, 'running' | 'stopped', string[]]>([
  [
    'is out until that runs, and the forward until it leads there',
    'running',
    [
      'p.vms.web: 0 of 1 running for 40s, from 0:00',
      'p.publicIps.edge forward https: nobody answers for 46s',
    ],
  ],
  ['is no loss where it does not run', 'stopped', []],
])('the VM that gives way to a restored one %s', (_, power, lines) => {
  const world = withRetired(power);
  const wishes = { ...noPlanOptions, restore: 'projects.p.vms.web' };
  const planOptions = selectRestoreTargets(wishes, world.desired);
  expect(downtimeOf({ ...world, planOptions })).toEqual(lines);
});

test('a VM that has given way serves nobody any more, even where somebody has started it', () => {
  const world = withRetired('running', { gaveWayTo: idOf('projects.p.vms.web') });
  expect(downtimeOf(destroyAll(world))[0]).toBe('p.vms.web: 0 of 1 running from 0:06 on');
});

test('what its probes did not bring back is out until its backup is restored', () => {
  const world = change('{ a: old }', '{ a: new }');
  const plan = planOf(world);
  const run = (command: CommandName | null, from: number, isDone: boolean) => ({
    ...{ address: 'projects.p.vms.a', command, isDone, isAssumed: false },
    ...{ startMs: from * 1_000, endMs: (from + 20) * 1_000 },
  });
  const outOf = (...spans: ReturnType<typeof run>[]) =>
    findPlanDowntime({ plan, live: world.live, known: world.state }, () => spans)?.blocks[0]?.out;
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
  expect(findPeakOutages(outages)).toEqual({ most: 2, least: { startMs: 5, forMs: 5 } });
  expect(findPeakOutages(outages.slice(1, 3)).most).toBe(1);
});
