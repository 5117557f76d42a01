import { parse } from 'yaml';
import { describe, expect, it } from 'vitest';
import { noPlanOptions } from '../../../src/model/plan/plan.ts';
import type { DesiredResource, Lifecycle } from '../../../src/model/resource.ts';
import type { ProjectConfig, VmConfig } from '../../support/desired.ts';
import { changeLines, planOf, taskLines } from '../../support/plan-lines.ts';
import {
  afterApply,
  destroyAll,
  lifecycleOf,
  lose,
  patchManaged,
  reconfigure,
  touch,
  type World,
} from '../../support/world.ts';
import { readList, readRows } from '../../support/read-rows.ts';

const p = 'projects.p';

/** Gives resources a lifecycle, by their address below the project. */
function live(world: World, lifecycles: Readonly<Record<string, Partial<Lifecycle>>>): World {
  const resources = world.desired.resources.map((one): DesiredResource => {
    const given = lifecycles[one.address.slice(p.length + 1)];
    return given ? { ...one, lifecycle: lifecycleOf(given) } : one;
  });
  return { ...world, desired: { ...world.desired, resources } };
}

const replacing = (world: World, ...replace: string[]): World => ({
  ...world,
  planOptions: {
    ...noPlanOptions,
    replace: replace.map((one) => `${p}.${one}`),
  },
});

const edit = (before: ProjectConfig, after: ProjectConfig): World =>
  reconfigure(afterApply({ p: before }), { p: after });
const vm = (given: VmConfig): ProjectConfig => ({ vms: { web: given } });

describe('ignoreChanges', () => {
  const ignoring = (world: World, ...ignoreChanges: string[]) =>
    live(world, { 'vms.web': { ignoreChanges } });
  const edited = edit(vm({ image: 'debian-12', power: 'running' }), vm({ image: 'debian-13' }));

  it.each(
    readRows(`
    of nothing |  | rebuild p.vms.web: image!
    of the field that the configuration changes | image |
    of another field | name | rebuild p.vms.web: image!
  `),
  )('%s', (_what, ignored, lines) => {
    expect(changeLines(planOf(ignoring(edited, ...readList(ignored))))).toEqual(readList(lines));
  });

  it('of a field that somebody changed outside', () => {
    const stopped = touch(afterApply({ p: vm({}) }), `${p}.vms.web`, { bootStatus: 'Stopped' });
    expect(changeLines(planOf(ignoring(stopped, 'power')))).toEqual([]);
  });

  it('of a field that leaves the configuration', () => {
    const world = edit(vm({ plugins: ['monitoring'] }), vm({}));
    expect(changeLines(planOf(ignoring(world, 'plugins')))).toEqual([]);
  });

  it('keeps what is live, also where the resource changes otherwise', () => {
    const world = ignoring(edit(vm({}), vm({ name: 'w', image: 'debian-12' })), 'image');
    expect(changeLines(planOf(world))).toEqual(['update p.vms.web: name']);
    const change = planOf(world).changes.find(({ address }) => address === `${p}.vms.web`);
    expect(change?.after).toMatchObject({ name: 'w', image: 'ubuntu-24.04' });
    expect(change).not.toHaveProperty('drift');
  });

  it('gives what is configured to a resource that is made', () => {
    const plan = planOf(ignoring(lose(edited, `${p}.vms.web`), 'image'));
    expect(changeLines(plan)).toEqual(['create p.vms.web (deleted-outside)']);
    const change = plan.changes.find(({ address }) => address === `${p}.vms.web`);
    expect(change?.after).toMatchObject({ image: 'debian-13' });
  });
});

describe('replaceTriggeredBy', () => {
  const triggered = (world: World, ...triggers: string[]) =>
    live(world, { 'vms.web': { replaceTriggeredBy: triggers.map((one) => `${p}.${one}`) } });
  const shop: ProjectConfig = {
    networks: { lan: {} },
    publicIps: { edge: {} },
    vms: { web: {}, db: {}, 'app[0]': {}, 'app[1]': {}, zoo: {} },
  };
  const renamed = (vms: Record<string, VmConfig>) =>
    edit(shop, { ...shop, vms: { ...shop.vms, ...vms } });
  const otherNetwork = edit(shop, { ...shop, networks: { lan: { name: 'wan' } } });
  const web = 'replace p.vms.web (triggered)';

  it.each(
    readRows(`
    nothing, where nothing changes | {} | networks.lan |
    a rebuild | { db: { image: debian-12 } } | vms.db | rebuild p.vms.db: image!, ${web}
    a replacement | { db: { tariff: yearly } } | vms.db | replace p.vms.db: tariff!, ${web}
    one that stands behind it in the alphabet | { zoo: { name: z } } | vms.zoo | ${web}, update p.vms.zoo: name
    one instance | { 'app[1]': { name: a } } | vms.app[1] | update p.vms.app[1]: name, ${web}
    another instance than the one that is named | { 'app[1]': { name: a } } | vms.app[0] | update p.vms.app[1]: name
    any instance, where none is named | { 'app[1]': { name: a } } | vms.app | update p.vms.app[1]: name, ${web}
    not a resource that it does not name | { db: { name: d } } | networks.lan | update p.vms.db: name
  `),
  )('%s', (_what, vms, trigger, lines) => {
    const world = renamed(parse(vms) as Record<string, VmConfig>);
    expect(changeLines(planOf(triggered(world, trigger)))).toEqual(readList(lines));
  });

  it.each<[string, World, string[]]>([
    [
      'an update of what is needed',
      triggered(otherNetwork, 'networks.lan'),
      ['update p.networks.lan: name', web],
    ],
    [
      'one that is made anew, since it was deleted outside',
      triggered(lose(edit(shop, shop), `${p}.networks.lan`), 'networks.lan'),
      ['create p.networks.lan (deleted-outside)', web],
    ],
    [
      'not a resource that is new',
      triggered(edit({ vms: { web: {} } }, { ...shop, vms: { web: {} } }), 'networks.lan'),
      ['create p.networks.lan', 'create p.publicIps.edge'],
    ],
    [
      'one that is triggered itself',
      live(otherNetwork, {
        'vms.db': { replaceTriggeredBy: [`${p}.networks.lan`] },
        'vms.web': { replaceTriggeredBy: [`${p}.vms.db`] },
      }),
      ['update p.networks.lan: name', 'replace p.vms.db (triggered)', web],
    ],
  ])('%s', (_what, world, lines) => expect(changeLines(planOf(world))).toEqual(lines));

  it('says what is lost with it', () => {
    const world = triggered(renamed({ db: { name: 'd' } }), 'vms.db');
    const change = planOf(world).changes.find(({ address }) => address === `${p}.vms.web`);
    expect(change?.losses).not.toEqual([]);
    expect(change?.unknown).toContain('id');
  });
});

describe('--replace', () => {
  const shop: ProjectConfig = {
    networks: { lan: {} },
    publicIps: { edge: { https: { publicPort: 443, vm: 'web' } }, spare: {} },
    vms: { web: { networks: ['lan'] }, db: { publicIp: 'spare' } },
  };
  const applied = afterApply({ p: shop });
  const worlds: Readonly<Record<string, World>> = {
    gone: lose(applied, `${p}.vms.db`),
    failed: touch(applied, `${p}.networks.lan`, { status: 'failed' }),
  };

  it.each(
    readRows(`
    nothing |  |  |
    a VM: what points at it follows |  | vms.web | update p.publicIps.edge.forwards.https: vm, replace p.vms.web (requested)
    a public IP: its forwards are made again |  | publicIps.edge | replace p.publicIps.edge (requested), replace p.publicIps.edge.forwards.https (parent-replaced)
    a public IP: the VM that has it, too |  | publicIps.spare | replace p.publicIps.spare (requested), replace p.vms.db: publicIp!
    a network: what is attached lets go and comes back |  | networks.lan | replace p.networks.lan (requested), update p.vms.web: networks
    what is not there |  | vms.nobody |
    what is gone: it is only made | gone | vms.db | create p.vms.db (deleted-outside)
    what failed says so first | failed | networks.lan | replace p.networks.lan (creation-failed), update p.vms.web: networks
  `),
  )('%s', (_what, world, names, lines) => {
    const of = replacing(worlds[world] ?? applied, ...readList(names));
    expect(changeLines(planOf(of))).toEqual(readList(lines));
  });

  it('of a project replaces everything in it', () => {
    const world = { ...applied, planOptions: replacing(applied).planOptions };
    const [project, ...others] = changeLines(
      planOf({ ...world, planOptions: { ...world.planOptions!, replace: [p] } }),
    );
    expect(project).toBe('replace p (requested)');
    expect(others).toHaveLength(applied.state.resources.size - 1);
    for (const line of others) expect(line).toMatch(/^replace .* \(parent-replaced\)$/);
  });

  it('is carried out as destroy and create', () => {
    expect(taskLines(planOf(replacing(applied, 'vms.db')))).toEqual([
      'p.vms.db#destroy: deleteVm',
      'p.vms.db#apply: createVm after p.vms.db#destroy',
    ]);
  });
});

const removal = (from: string) => ({
  ...{ from, destroy: true },
  source: { file: 'main.yaml', line: 1, column: 1, endLine: 1, endColumn: 2 },
});

describe('preventDestroy', () => {
  const protect = { preventDestroy: true };
  const applied = afterApply({ p: { vms: { web: {} } } });
  /** As applied with the flag in the state. */
  const remembered = (world: World) => patchManaged(world, `${p}.vms.web`, { isProtected: true });
  const isProtected = (world: World) =>
    planOf(world).changes.find(({ address }) => address === `${p}.vms.web`)?.isProtected;

  it.each<[string, World, true | undefined]>([
    ['is not there unless asked for', applied, undefined],
    ['holds for what stands', live(applied, { 'vms.web': protect }), true],
    ['holds for what is made', live(lose(applied, `${p}.vms.web`), { 'vms.web': protect }), true],
    ['holds without its block', remembered(reconfigure(applied, { p: {} })), true],
    ['is lifted by a block that no longer asks for it', remembered(applied), undefined],
    ['is lifted by it when everything is to go', destroyAll(remembered(applied)), undefined],
    [
      'holds without its block when everything is to go',
      destroyAll(remembered(reconfigure(applied, { p: {} }))),
      true,
    ],
  ])('%s', (_what, world, expected) => expect(isProtected(world)).toBe(expected));

  it.each<[string, Partial<World['desired']>, 'held' | 'lifted']>([
    ['holds without its block', {}, 'held'],
    [
      'is lifted by a block that has no such instance any more',
      { unprotected: [`${p}.vms.web`] },
      'lifted',
    ],
    [
      'is lifted by removed, which has it destroyed',
      { removed: [removal(`${p}.vms.web`)] },
      'lifted',
    ],
    ['is not lifted by removed of what holds it', { removed: [removal(p)] }, 'held'],
  ])('of what leaves: it %s', (_what, given, expected) => {
    for (const mode of ['apply', 'destroy'] as const) {
      const world = remembered(reconfigure(applied, { p: {} }));
      const plan = planOf({ ...world, mode, desired: { ...world.desired, ...given } });
      const change = plan.changes.find(({ address }) => address === `${p}.vms.web`);
      expect(change).toMatchObject(
        expected === 'held' ? { isProtected: true } : { isProtectionLifted: true },
      );
    }
  });
});
