import { describe, expect, it } from 'vitest';
import type { LiveResource } from '../../../../src/model/account/live.ts';
import { buildPlan } from '../../../../src/plan/build-plan.ts';
import { noPlanOptions, type PlanTargetSelection } from '../../../../src/model/plan/plan.ts';
import { isWholeSelection } from '../../../../src/plan/order/targets.ts';
import type { ProjectConfig } from '../../../support/desired.ts';
import { changeLines, planOf, rearrangedWorld, taskLines } from '../../../support/plan-lines.ts';
import { readList, readRows } from '../../../support/read-rows.ts';
import { readWorld } from '../../../support/read-stories.ts';
import { applyPlan } from '../../../support/simulate.ts';
import {
  afterApply,
  forget,
  lose,
  makeWorld,
  patchDesired,
  reconfigure,
  type World,
} from '../../../support/world.ts';

const p = 'projects.p';
const place = { file: 'main.yaml', line: 1, column: 1, endLine: 1, endColumn: 2 };

/** `vms.web` is targeted, `!vms.web` is excluded; `p` is the project. */
function only(world: World, ...names: string[]): World {
  const address = (name: string) => (name === 'p' ? p : `${p}.${name}`);
  const selection: PlanTargetSelection = {
    targets: names.filter((name) => !name.startsWith('!')).map(address),
    excludes: names.filter((name) => name.startsWith('!')).map((name) => address(name.slice(1))),
  };
  return { ...world, planOptions: { ...noPlanOptions, selection } };
}

const shop: ProjectConfig = {
  sshKeys: { alice: {} },
  networks: { lan: {}, wan: {} },
  publicIps: { edge: { https: { publicPort: 443, vm: 'web' } }, side: {} },
  vms: {
    web: { networks: ['lan'], sshKeys: ['alice'], publicIp: 'edge' },
    db: {},
    'app[0]': {},
    'app[1]': {},
  },
};
const edit = (before: ProjectConfig, after: ProjectConfig): World =>
  reconfigure(afterApply({ p: before }), { p: after });
const fresh = makeWorld({ config: { p: shop } });
const leaving = edit(shop, {});
const create = (...names: string[]) =>
  names.map((name) => (name === 'p' ? 'create p' : `create p.${name}`));
const destroy = (...names: string[]) => names.map((name) => `delete p.${name} (not-configured)`);

describe('what expressions read of the configuration', () => {
  const world = makeWorld({
    config: { p: { networks: { 'n[0]': {}, 'n[1]': {}, o: {} }, vms: { a: {}, b: {} } } },
  });
  const reading = (mention: string) =>
    patchDesired(world, `${p}.vms.a`, { mentions: [`${p}.${mention}`] });
  it.each<[string, World, string[]]>([
    [
      'is taken with a target',
      only(reading('networks.n[1]'), 'vms.a'),
      create('p', 'networks.n[1]', 'vms.a'),
    ],
    [
      'is taken as a group',
      only(reading('networks.n'), 'vms.a'),
      create('p', 'networks.n[0]', 'networks.n[1]', 'vms.a'),
    ],
    [
      'drops what reads it',
      only(reading('networks.o'), '!networks.o'),
      create('p', 'networks.n[0]', 'networks.n[1]', 'vms.b'),
    ],
  ])('%s', (_what, selected, lines) => expect(changeLines(planOf(selected))).toEqual(lines));
});

const edits = {
  fresh,
  leaving,
  letGo: 'networks: {lan}, vms: {web: {networks: [lan]}} => vms: {web: {networks: []}}',
  locked: 'sshKeys: {a}, vms: {web: {sshKeys: [a]}} => vms: {web: {sshKeys: []}}',
  other: 'vms: {old} => vms: {web}',
  renamed: 'networks: {lan}, vms: {old: {networks: [lan]}} => networks: {lan: {name: wan}}',
  passed: 'vms: {a: {name: x}, b: {name: y}, c} => vms: {b: {name: x}}',
};
/** `create p a, delete b`: what is created and what is deleted. */
const readChanges = (cell: string) =>
  cell.split('; ').flatMap((part) => {
    const [verb, ...names] = part.split(' ');
    if (verb === 'create') return create(...names);
    return verb === 'delete' ? destroy(...names) : readList(part);
  });

it.each(
  readRows(`
  what is made, with what it stands in | fresh | networks.wan | create p networks.wan
  what is made, with all that it refers to | fresh | vms.web | create p networks.lan publicIps.edge sshKeys.alice vms.web
  a public IP, with its forwards and what they lead to | fresh | publicIps.edge | create p networks.lan publicIps.edge publicIps.edge.forwards.https sshKeys.alice vms.web
  every instance | fresh | vms.app | create p vms.app[0] vms.app[1]
  one instance | fresh | vms.app[1] | create p vms.app[1]
  several | fresh | vms.db, networks.wan | create p networks.wan vms.db
  nothing that is known | fresh | vms.nobody |
  none whose name only begins alike | fresh | vms.d |
  a delete that nothing waits for | leaving | vms.db | delete vms.db
  a delete, with what stands in it and what refers to it | leaving | publicIps.edge | delete publicIps.edge publicIps.edge.forwards.https vms.web
  the delete of a network, with what is attached to it | leaving | networks.lan | delete networks.lan publicIps.edge.forwards.https vms.web
  the delete of a network, with what only lets go of it | letGo | networks.lan | delete networks.lan; update p.vms.web: networks
  the delete of a key, and not the rebuild of what it opens | locked | sshKeys.a | delete sshKeys.a
  a create, and no delete beside it | other | vms.web | create vms.web
  a rename, and not the deletes of what is attached | renamed | networks.lan | update p.networks.lan: name
  a rename, with whoever lets go of the name | passed | vms.b | delete vms.a; update p.vms.b: name
`),
)('--target: %s', (_what, edited, names, lines) => {
  const start = edits[edited as keyof typeof edits];
  const world = only(typeof start === 'string' ? readWorld(start) : start, ...readList(names));
  expectPart(world, readChanges(lines));
});

it('--target: a project alone: all that it holds', () =>
  expectPart(only(fresh, 'p'), changeLines(planOf(fresh))));

/** Whatever is left out: the service takes what is left in. */
function expectPart(world: World, lines: readonly string[]): void {
  const plan = planOf(world);
  expect(changeLines(plan).sort()).toEqual([...lines].sort());
  applyPlan(rearrangedWorld(world), plan, (count) => count - 1);
}

describe('--exclude', () => {
  const without = (all: readonly string[], ...names: string[]) =>
    all.filter((line) => !names.some((name) => line.split(' ')[1] === `p.${name}`));
  const creates = changeLines(planOf(fresh));
  const deletes = changeLines(planOf(leaving));

  it.each<[string, World, string[]]>([
    ['what nothing needs', only(fresh, '!vms.db'), without(creates, 'vms.db')],
    ['every instance', only(fresh, '!vms.app'), without(creates, 'vms.app[0]', 'vms.app[1]')],
    [
      'what others need, and those with it',
      only(fresh, '!networks.lan'),
      without(creates, 'networks.lan', 'vms.web', 'publicIps.edge.forwards.https'),
    ],
    ['a project, and all that it holds', only(fresh, '!p'), []],
    [
      'a delete that nothing waits for',
      only(leaving, '!networks.wan'),
      without(deletes, 'networks.wan'),
    ],
    [
      'a delete, and those of what it refers to',
      only(leaving, '!vms.web'),
      without(deletes, 'vms.web', 'networks.lan', 'sshKeys.alice', 'publicIps.edge'),
    ],
    [
      'of what is targeted',
      only(fresh, 'vms.db', 'networks.wan', '!vms.db'),
      create('p', 'networks.wan'),
    ],
    [
      'of what a target needs: the target too',
      only(fresh, 'vms.web', '!networks.lan'),
      create('p', 'publicIps.edge', 'sshKeys.alice'),
    ],
    ['of what is not there', only(fresh, '!vms.nobody'), creates],
  ])('%s', (_what, world, lines) => expectPart(world, lines));
});

describe('a plan of a part', () => {
  const forgetting: World = {
    ...edit(shop, shop),
    desired: {
      resources: edit(shop, shop).desired.resources.filter(
        ({ address }) => address !== `${p}.vms.db`,
      ),
      removed: [{ from: `${p}.vms.db`, destroy: false, source: place }],
    },
  };

  it('is told from a whole one', () => {
    expect(isWholeSelection({ targets: [], excludes: [] })).toBe(true);
    expect(isWholeSelection({ targets: [p], excludes: [] })).toBe(false);
    expect(isWholeSelection({ targets: [], excludes: [p] })).toBe(false);
  });

  it('does not tell of what it does not look at', () => {
    const gone = reconfigure(lose(afterApply({ p: { vms: { a: {}, b: {} } } }), `${p}.vms.a`), {
      p: { vms: { b: {} } },
    });
    expect(planOf(gone).gone).toEqual([`${p}.vms.a`]);
    expect(planOf(only(gone, 'vms.b')).gone).toEqual([]);
    expect(changeLines(planOf(forgetting))).toEqual(['forget p.vms.db']);
    expect(changeLines(planOf(only(forgetting, 'vms.web')))).toEqual([]);
  });

  it('keeps in the state what it does not tell of', () => {
    const { resources } = rearrangedWorld(only(forgetting, 'vms.web')).state;
    expect(resources.has(`${p}.vms.db`)).toBe(true);
  });

  it('has the tasks of that part only', () => {
    expect(taskLines(planOf(only(fresh, 'networks.wan')))).toEqual([
      'p#apply: createProject',
      'p.networks.wan#apply: createNetwork after p#apply',
    ]);
  });
});

describe('what a plan of a part leaves out', () => {
  const applied = afterApply({ p: { networks: { lan: {}, wan: {} }, vms: { web: {} } } });
  const unknown = (...names: string[]): World =>
    forget(applied, ...names.map((name) => (name === 'p' ? p : `${p}.${name}`)));
  const adopt = (world: World, ...names: string[]): World => {
    const { planOptions } = only(world, ...names);
    return { ...world, planOptions: { ...planOptions!, adoptsAll: true } };
  };
  const known = (world: World) => [...buildPlan(world).known.resources.keys()];

  it('is not adopted', () => {
    const world = adopt(unknown('networks.lan', 'networks.wan'), 'networks.wan');
    expect(planOf(world).changes.filter(({ isImported }) => isImported)).toHaveLength(1);
    expect(known(world)).not.toContain(`${p}.networks.lan`);
    expect(known(world)).toContain(`${p}.networks.wan`);
  });

  it('does not part what is adopted from what holds it', () => {
    const world = adopt(unknown('p', 'networks.lan', 'networks.wan', 'vms.web'), 'networks.wan');
    expect(known(world)).toEqual([p, `${p}.networks.wan`]);
  });

  it('stays in the state as it was, where another would take its place', () => {
    const lost = lose(applied, `${p}.networks.lan`);
    const found = { kind: 'network', id: 'n-other', projectId: 'p-p', name: 'lan' } as const;
    const other = { ...found, cidr: '10.0.0.0/24', status: 'active' } as LiveResource;
    const world = { ...lost, live: { ...lost.live, resources: [...lost.live.resources, other] } };
    const idIn = (one: World) => buildPlan(one).known.resources.get(`${p}.networks.lan`)?.id;
    expect(idIn(adopt(world, 'networks.lan'))).toBe('n-other');
    expect(idIn(adopt(world, 'networks.wan'))).toBe('n-p-lan');
  });

  it('is ours all the same, where quotas are counted', () => {
    const quotas = planOf(only(applied, 'vms.web')).quotas;
    expect(quotas.find(({ name }) => name === 'networks')).toMatchObject({ used: 2, ours: 2 });
  });
});
