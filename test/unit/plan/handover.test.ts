import { describe, expect, it } from 'vitest';
import type { ProjectConfig } from '../../support/desired.ts';
import { expectTasks } from '../../support/expect-tasks.ts';
import { planOf } from '../../support/plan-lines.ts';
import { readList, readRows } from '../../support/read-rows.ts';
import { readStories, readWorld } from '../../support/read-stories.ts';
import { applyPlan } from '../../support/simulate.ts';
import {
  afterApply,
  editProject,
  makeWorld,
  reconfigure,
  type World,
} from '../../support/world.ts';

const named = (names: Readonly<Record<string, string>>): ProjectConfig => ({
  vms: Object.fromEntries(Object.entries(names).map(([key, name]) => [key, { name }])),
});
/** Forwards of one public IP to one VM, each to a port of its own. */
const ports = (...given: readonly number[]) =>
  `vms: {web}, publicIps: {edge: {${given.map((port, at) => `f${at}: {publicPort: ${port}, vm: web, vmPort: ${at + 1}}`).join(', ')}}}`;

describe('what one lets go of and another takes', () => {
  it.each(
    readStories(`
    a name, from one that is deleted
      vms: {a: {name: x}, b: {name: y}} => vms: {b: {name: x}}
      p.vms.a#destroy: deleteVm
      p.vms.b#apply: renameVm after p.vms.a#destroy
    a name, from one that is renamed
      vms: {a: {name: x}, b: {name: y}} => vms: {a: {name: z}, b: {name: x}}
      p.vms.a#apply: renameVm
      p.vms.b#apply: renameVm after p.vms.a#apply
    a name, from one that is replaced under another
      vms: {a: {name: x}} => vms: {a: {name: z, tariff: yearly}, b: {name: x}}
      p.vms.a#destroy: deleteVm
      p.vms.a#apply: createVm after p.vms.a#destroy
      p.vms.b#apply: createVm after p.vms.a#destroy
    a port
      ${ports(80, 443)} => ${ports(443, 8443)}
      p.publicIps.edge.forwards.f1#apply: updatePortForward
      p.publicIps.edge.forwards.f0#apply: updatePortForward after p.publicIps.edge.forwards.f1#apply
    a public IP
      publicIps: {edge}, vms: {a: {publicIp: edge}, b} => publicIps: {edge}, vms: {a, b: {publicIp: edge}}
      p.vms.a#destroy: deleteVm
      p.vms.b#destroy: deleteVm
      p.vms.a#apply: createVm after p.vms.a#destroy
      p.vms.b#apply: createVm after p.vms.a#destroy, p.vms.b#destroy
    two names that are swapped: one steps aside
      vms: {a: {name: x}, b: {name: y}} => vms: {a: {name: y}, b: {name: x}}
      p.vms.a#prepare: renameVm
      p.vms.b#apply: renameVm after p.vms.a#prepare
      p.vms.a#apply: renameVm after p.vms.a#prepare, p.vms.b#apply
    three names in a circle: one steps aside
      networks: {a: {name: x}, b: {name: y}, c: {name: z}} => networks: {a: {name: y}, b: {name: z}, c: {name: x}}
      p.networks.a#prepare: renameNetwork
      p.networks.c#apply: renameNetwork after p.networks.a#prepare
      p.networks.b#apply: renameNetwork after p.networks.c#apply
      p.networks.a#apply: renameNetwork after p.networks.a#prepare, p.networks.b#apply
    two ports that are swapped: one forward is replaced
      ${ports(80, 443)} => ${ports(443, 80)}
      p.publicIps.edge.forwards.f0#destroy: deletePortForward
      p.publicIps.edge.forwards.f1#apply: updatePortForward after p.publicIps.edge.forwards.f0#destroy
      p.publicIps.edge.forwards.f0#apply: createPortForward after p.publicIps.edge.forwards.f0#destroy, p.publicIps.edge.forwards.f1#apply
    three ports in a circle: one forward is replaced
      ${ports(53, 80, 443)} => ${ports(80, 443, 53)}
      p.publicIps.edge.forwards.f0#destroy: deletePortForward
      p.publicIps.edge.forwards.f2#apply: updatePortForward after p.publicIps.edge.forwards.f0#destroy
      p.publicIps.edge.forwards.f1#apply: updatePortForward after p.publicIps.edge.forwards.f2#apply
      p.publicIps.edge.forwards.f0#apply: createPortForward after p.publicIps.edge.forwards.f0#destroy, p.publicIps.edge.forwards.f1#apply
    `),
  )('%s', (_what, world, expected) => expectTasks(readWorld(world), expected));

  it('a name of a project', () =>
    expectTasks(
      reconfigure(afterApply({ a: { name: 'x', vms: { web: {} } } }), { b: { name: 'x' } }),
      [
        'a.vms.web#destroy: deleteVm',
        'a#destroy: deleteProject after a.vms.web#destroy',
        'b#apply: createProject after a#destroy',
      ],
    ));

  const asideNames = (world: World) =>
    planOf(world)
      .tasks.filter(({ phase }) => phase === 'prepare')
      .flatMap(({ commands }) => commands.map((one) => ('name' in one ? one.name : one.kind)));

  /** VMs of such names, of which each two swap theirs. */
  const swapped = (...names: readonly string[]) => {
    const pairs = names.map((name, at) => [`vm${at}`, { name }] as const);
    const turned = names.map((_, at) => [`vm${at}`, { name: names[at ^ 1]! }] as const);
    return [{ vms: Object.fromEntries(pairs) }, { vms: Object.fromEntries(turned) }] as const;
  };

  it.each(
    readRows(`
    x, y | y-aside
    x, ${'🚀'.repeat(40)} | ${'🚀'.repeat(12)}-aside
    production-web-1, production-web-2, production-db-1, production-db-2 | production-d-aside, production-w-aside
    production-1, production-2, production-web-1, production-web-2 | production-2-aside, production-w-aside
    a-long-prefix-1, a-long-prefix-2, a-long-prefix-3, a-long-prefix-4 | a-long-prefi-aside, a-long-prefi-aside-2
  `).map((cells) => cells.map(readList)),
  )('the name in between of names that are swapped: %j', (names = [], expected = []) => {
    const world = editProject(...swapped(...names));
    expect(asideNames(world).sort()).toEqual(expected);
    applyPlan(world, planOf(world));
  });

  const [xy, yx] = [named({ a: 'x', b: 'y' }), named({ a: 'y', b: 'x' })];
  const third = { c: { name: 'y-aside' } };
  it.each<[string, World, string[]]>([
    [
      'a name that another has already',
      editProject({ vms: { ...xy.vms, ...third } }, { vms: { ...yx.vms, ...third } }),
      ['y-aside-2'],
    ],
    [
      'in two projects',
      reconfigure(afterApply({ p: xy, q: xy }), { p: yx, q: yx }),
      ['y-aside', 'y-aside'],
    ],
  ])('the name in between: %s', (_what, world, names) => {
    expect(asideNames(world)).toEqual(names);
    applyPlan(world, planOf(world));
  });

  const capped = (vm: number, before: ProjectConfig, after: ProjectConfig) =>
    reconfigure(afterApply({ p: before }, { nameLengths: { vm } }), { p: after });
  it.each<[number, readonly string[], string[]]>([
    [18, ['a', 'production-web'], ['production-w-aside']],
    [17, ['a', 'production-web'], ['production--aside']],
    [12, ['a', 'web-frontend'], ['web-fr-aside']],
    [7, ['a', 'b-23456'], ['b-aside']],
    [6, ['a', 'b-2345'], ['b-2341']],
    [6, ['a', 'b-2345', 'c', 'b-2346'], ['b-2341', 'b-2342']],
    [8, ['a', 'be-first', 'c', 'be-secnd'], ['be-aside', 'be-secn2']],
    [1, ['a', 'b'], ['1']],
  ])('the name in between keeps a cap of %i: %j', (cap, names, expected) => {
    const world = capped(cap, ...swapped(...names));
    const aside = asideNames(world);
    expect(aside.every((name) => Array.from(name).length <= cap)).toBe(true);
    expect(new Set(aside).size).toBe(aside.length);
    expect([...aside].sort()).toEqual(expected);
    applyPlan(world, planOf(world));
  });

  it('the name in between keeps a cap for a replacement that comes first', () => {
    const first = { createBeforeDestroy: true, name: 'web-frontend' };
    const [before, after] = [
      { vms: { web: first } },
      { vms: { web: { ...first, tariff: 'yearly' } } },
    ];
    expect(asideNames(capped(12, before, after))).toEqual(['web-fr-aside']);
  });

  it('the name in between is none that something else in the account has', () => {
    const beside = { 'vm-9': { name: 'Y-Aside' }, 'vm-10': { name: 'y-aside-2' } };
    const world = makeWorld({
      config: { p: named({ a: 'y', b: 'x' }) },
      account: {
        projects: { 'p-1': { name: 'p', vms: { a: { name: 'x' }, b: { name: 'y' }, ...beside } } },
      },
      memory: {
        resources: { 'projects.p': 'p-1', 'projects.p.vms.a': 'a', 'projects.p.vms.b': 'b' },
      },
    });
    expect(asideNames(world)).toEqual(['y-aside-3']);
  });
});
