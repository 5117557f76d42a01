import { parse } from 'yaml';
import { describe, expect, it } from 'vitest';
import { listStalePlanReasons } from '../../../src/plan/list-moved.ts';
import { noPlanOptions, type Plan } from '../../../src/model/plan/plan.ts';
import type { Task } from '../../../src/model/plan/task.ts';
import { defer, expressionOf } from '../../support/defer.ts';
import type { Config } from '../../support/desired.ts';
import { planOf } from '../../support/plan-lines.ts';
import {
  afterApply,
  destroyAll,
  forget,
  lose,
  makeWorld,
  reconfigure,
  touch,
  type World,
} from '../../support/world.ts';
import { readRows } from '../../support/read-rows.ts';

const at = (local: string) => `projects.shop.${local}`;
const config: Config = {
  shop: { networks: { lan: {} }, vms: { web: { networks: ['lan'] }, db: {} } },
};
const applied = afterApply(config);
const resized = (world: World) =>
  reconfigure(world, {
    shop: {
      ...config.shop,
      vms: { web: { networks: ['lan'], configuration: 'c2-r4-d40' }, db: {} },
    },
  });
const renamed = (world: World) =>
  reconfigure(world, {
    shop: { ...config.shop, vms: { web: { networks: ['lan'], name: 'site' }, db: {} } },
  });
const stopped = { bootStatus: 'Stopped' } as const;
const plans: Readonly<Record<string, (world: World) => World>> = {
  resize: resized,
  rename: renamed,
  destroy: destroyAll,
  refresh: (world) => ({ ...world, mode: 'refresh' }),
};

/** What a plan that was approved in one world would do otherwise in another. */
const compare = (before: World, after: World): string[] =>
  listStalePlanReasons(planOf(before), planOf(after)).map((line) =>
    line.replace(/^projects\./, ''),
  );

describe('what another plan would do otherwise', () => {
  const moved = { networks: [{ networkId: 'n-shop-lan', internalIp: '10.9.9.9' }] };
  it.each(
    readRows(`
    nothing where nothing moved | resize | vms.web | {} |
    nothing where what moved is not touched | rename | networks.lan | { cidr: 10.9.0.0/24 } |
    nothing where it moved in what the change does not touch, and nobody configures | rename | vms.web | ${JSON.stringify(moved)} |
    an update more | rename | vms.db | { bootStatus: Stopped } | shop.vms.db: no change -> update, shop.vms.db: power "running" -> "stopped"
    an update less: somebody has done it | rename | vms.web | { name: site } | shop.vms.web: update -> no change, shop.vms.web: name "web" -> "site"
    an update of something else | rename | vms.web | { name: by-hand } | shop.vms.web: name "web" -> "by-hand"
    anything of what is destroyed | resize | vms.web | { bootStatus: Stopped } | shop.vms.web: power "running" -> "stopped"
    a name of what is deleted | destroy | networks.lan | { name: by-hand } | shop.networks.lan: name "lan" -> "by-hand"
    what was to be deleted and is gone | destroy | vms.db |  | shop.vms.db: delete -> no change, shop.vms.db: it is gone
    what was to be updated and is gone | rename | vms.web |  | shop.vms.web: update -> create, shop.vms.web: it is gone
    changed since a plan that only refreshes | refresh | vms.web | { name: by-hand } | shop.vms.web: name "web" -> "by-hand"
    gone since one that only refreshes | refresh | vms.web |  | shop.vms.web: it is gone
  `),
  )('%s', (_what, kind, local, patch, lines) => {
    const plan = plans[kind]!;
    const address = at(local);
    const after = patch ? touch(applied, address, parse(patch) as object) : lose(applied, address);
    expect(compare(plan(applied), plan(after)).join(', ')).toBe(lines);
  });

  it('what was to be created and is ours by now', () => {
    const before = reconfigure(forget(applied, at('vms.db')), config);
    expect(compare(before, applied)).toEqual([
      ...['shop.vms.db: create -> no change', 'shop.vms.db: it exists now'],
    ]);
  });

  it('the id of what is deleted', () => {
    const { state, live } = applied;
    const db = { ...state.resources.get(at('vms.db'))!, id: 'vm-other' };
    const after = {
      ...applied,
      state: { ...state, resources: new Map(state.resources).set(at('vms.db'), db) },
      live: {
        ...live,
        resources: live.resources.map((one) =>
          one.id === 'vm-shop-db' ? { ...one, id: db.id } : one,
        ),
      },
    };
    expect(compare(destroyAll(applied), destroyAll(after))).toEqual([
      'shop.vms.db: id "vm-shop-db" -> "vm-other"',
    ]);
  });

  it('what it is to become', () => {
    const vms = { web: { networks: ['lan'], name: 'www' }, db: {} };
    const other = reconfigure(applied, { shop: { ...config.shop, vms } });
    expect(compare(renamed(applied), other)).toEqual([
      'shop.vms.web: name, as planned, "site" -> "www"',
    ]);
  });

  it('is told by the losses, too', () => {
    const plan = planOf(resized(applied));
    const changes = plan.changes.map((one) =>
      one.action === 'replace' ? { ...one, losses: ['Its 3 backups are deleted.'] } : one,
    );
    expect(listStalePlanReasons(plan, { ...plan, changes })).toEqual([
      expect.stringMatching(/^projects\.shop\.vms\.web: data lost \[.*\] -> \["Its 3 backups/),
    ]);
  });

  it('is nothing where a resource is only forgotten or adopted', () => {
    const adopted = (world: World): World => ({
      ...forget(world, at('networks.lan')),
      planOptions: { ...noPlanOptions, adoptsAll: true },
    });
    const before = adopted(applied);
    const after = adopted(touch(applied, at('networks.lan'), { cidr: '10.9.0.0/24' }));
    expect(compare(before, after)).toEqual([]);
    expect(compare(applied, before)).toEqual(['shop.networks.lan: adopted false -> true']);
    const source = { file: 'main.yaml', line: 1, column: 1, endLine: 1, endColumn: 2 };
    const forgotten = (world: World): World => ({
      ...world,
      desired: {
        resources: world.desired.resources.filter(({ address }) => address !== at('vms.db')),
        removed: [{ from: at('vms.db'), destroy: false, source }],
      },
    });
    expect(compare(forgotten(applied), forgotten(touch(applied, at('vms.db'), stopped)))).toEqual(
      [],
    );
  });
});

it('tells of an address that one of them does not have', () => {
  const stand = planOf(afterApply({ shop: {} }));
  const create = planOf(reconfigure(afterApply({ shop: {} }), { shop: { vms: { web: {} } } }));
  expect(listStalePlanReasons(stand, create)).toEqual([
    'projects.shop.vms.web: no change -> create',
  ]);
  expect(listStalePlanReasons(create, stand)).toEqual([
    'projects.shop.vms.web: create -> no change',
  ]);
});

it('a plan that only refreshes compares what was changed outside with what was applied', () => {
  const refresh = plans.refresh!;
  const drifted = touch(applied, at('vms.web'), { name: 'by-hand' });
  const again = touch(applied, at('vms.web'), { name: 'again' });
  expect(compare(refresh(drifted), refresh(drifted))).toEqual([]);
  expect(compare(refresh(drifted), refresh(again))).toEqual([
    'shop.vms.web: name "by-hand" -> "again"',
  ]);
  expect(compare(refresh(drifted), refresh(applied))).toEqual([
    'shop.vms.web: it is as it was last applied',
  ]);
  const back = touch(applied, at('vms.db'), { name: 'other' });
  expect(compare(refresh(lose(applied, at('vms.db'))), refresh(back))).toEqual([
    'shop.vms.db: name null -> "other"',
  ]);
});

describe('what another plan would carry out otherwise', () => {
  const lan = at('networks.lan');
  const world = defer(
    makeWorld({ config }),
    at('vms.web'),
    'name',
    expressionOf(`${lan}.cidr`, [`${lan}.cidr`]),
  );
  const plan = planOf(world);
  const [first, ...others] = plan.tasks as [Task, ...Task[]];
  const deferred = (plan.deferred ?? []).map((one) => ({ ...one, spareName: 'other' }));

  it.each<[string, Partial<Plan>, string[]]>([
    [
      'a command more',
      { tasks: [{ ...first, commands: [...first.commands, ...first.commands] }, ...others] },
      [`${first.address}: other commands would be sent`],
    ],
    ['a task less', { tasks: others }, [`${first.address}: other commands would be sent`]],
    [
      'a command in another phase',
      { tasks: [{ ...first, phase: 'destroy' }, ...others] },
      [`${first.address}: other commands would be sent`],
    ],
    ['no wait less', { tasks: [...plan.tasks, { ...first, id: 'x#apply', commands: [] }] }, []],
    [
      'no other order',
      { tasks: plan.tasks.toReversed().map((task) => ({ ...task, dependsOn: [] })) },
      [],
    ],
    [
      'another decision about deferred values',
      { deferred },
      [`${at('vms.web')}: its deferred values would be resolved otherwise`],
    ],
    [
      'no decision about deferred values',
      { deferred: [] },
      [`${at('vms.web')}: its deferred values would be resolved otherwise`],
    ],
  ])('%s', (_what, other, lines) => {
    expect(listStalePlanReasons(plan, { ...plan, ...other })).toEqual(lines);
    expect(listStalePlanReasons({ ...plan, ...other }, plan)).toEqual(lines);
  });
});
