import { describe, expect, it } from 'vitest';
import type { DesiredResource, Lifecycle } from '../../../src/model/resource.ts';
import type { ProjectConfig, VmConfig } from '../../support/desired.ts';
import { changeLines, planOf, taskLines } from '../../support/plan-lines.ts';
import {
  destroyAll,
  afterApply,
  lose,
  reconfigure,
  touch,
  type World,
} from '../../support/world.ts';

const p = 'projects.p';

/** Gives resources a lifecycle, by their address below the project. */
function live(world: World, lifecycles: Readonly<Record<string, Partial<Lifecycle>>>): World {
  const none = {
    ...{ preventDestroy: false, createBeforeDestroy: false },
    ...{ ignoreChanges: [], replaceTriggeredBy: [] },
  };
  const resources = world.desired.resources.map((one): DesiredResource => {
    const given = lifecycles[one.address.slice(p.length + 1)];
    return given ? { ...one, lifecycle: { ...none, ...given } } : one;
  });
  return { ...world, desired: { ...world.desired, resources } };
}

const replacing = (world: World, ...replace: string[]): World => ({
  ...world,
  planOptions: {
    ...{ adoptsAll: false, isForced: false },
    replace: replace.map((one) => `${p}.${one}`),
    selection: { targets: [], excludes: [] },
  },
});

const edit = (before: ProjectConfig, after: ProjectConfig): World =>
  reconfigure(afterApply({ p: before }), { p: after });
const vm = (given: VmConfig): ProjectConfig => ({ vms: { web: given } });

describe('ignoreChanges', () => {
  const ignoring = (world: World, ...ignoreChanges: string[]) =>
    live(world, { 'vms.web': { ignoreChanges } });
  const edited = edit(vm({ image: 'debian-12', power: 'running' }), vm({ image: 'debian-13' }));

  it.each<[string, World, string[]]>([
    ['of nothing', ignoring(edited), ['rebuild p.vms.web: image!']],
    ['of the field that the configuration changes', ignoring(edited, 'image'), []],
    ['of another field', ignoring(edited, 'name'), ['rebuild p.vms.web: image!']],
    [
      'of a field that somebody changed outside',
      ignoring(
        touch(afterApply({ p: vm({}) }), `${p}.vms.web`, { bootStatus: 'Stopped' }),
        'power',
      ),
      [],
    ],
    [
      'of a field that leaves the configuration',
      ignoring(edit(vm({ plugins: ['monitoring'] }), vm({})), 'plugins'),
      [],
    ],
    [
      'beside a field that counts',
      ignoring(edit(vm({}), vm({ name: 'w', image: 'debian-12' })), 'image'),
      ['update p.vms.web: name'],
    ],
    [
      'of one that is made anew: it is given all the same',
      ignoring(lose(edited, `${p}.vms.web`), 'image'),
      ['create p.vms.web (deleted-outside)'],
    ],
  ])('%s', (_what, world, lines) => expect(changeLines(planOf(world))).toEqual(lines));

  it('keeps what is live, also where the resource changes otherwise', () => {
    const world = ignoring(edit(vm({}), vm({ name: 'w', image: 'debian-12' })), 'image');
    const change = planOf(world).changes.find(({ address }) => address === `${p}.vms.web`);
    expect(change?.after).toMatchObject({ name: 'w', image: 'ubuntu-24.04' });
    expect(change).not.toHaveProperty('drift');
  });

  it('gives what is configured to a resource that is made', () => {
    const plan = planOf(ignoring(lose(edited, `${p}.vms.web`), 'image'));
    const change = plan.changes.find(({ address }) => address === `${p}.vms.web`);
    expect(change?.after).toMatchObject({ image: 'debian-13' });
  });
});

describe('replaceTriggeredBy', () => {
  const triggered = (world: World, ...triggers: string[]) =>
    live(world, { 'vms.web': { replaceTriggeredBy: triggers.map((one) => `${p}.${one}`) } });
  const shop = (given: Partial<ProjectConfig> = {}): ProjectConfig => ({
    networks: { lan: {} },
    publicIps: { edge: {} },
    vms: { web: {}, db: {}, 'app[0]': {}, 'app[1]': {}, zoo: {} },
    ...given,
  });
  const renamed = (vms: Record<string, VmConfig>) =>
    edit(shop(), shop({ vms: { ...shop().vms, ...vms } }));
  const web = 'replace p.vms.web (triggered)';

  it.each<[string, World, string[]]>([
    ['nothing, where nothing changes', triggered(edit(shop(), shop()), 'networks.lan'), []],
    [
      'an update of what is needed',
      triggered(edit(shop(), shop({ networks: { lan: { name: 'wan' } } })), 'networks.lan'),
      ['update p.networks.lan: name', web],
    ],
    [
      'a rebuild',
      triggered(renamed({ db: { image: 'debian-12' } }), 'vms.db'),
      ['rebuild p.vms.db: image!', web],
    ],
    [
      'a replacement',
      triggered(renamed({ db: { tariff: 'yearly' } }), 'vms.db'),
      ['replace p.vms.db: tariff!', web],
    ],
    [
      'one that stands behind it in the alphabet',
      triggered(renamed({ zoo: { name: 'z' } }), 'vms.zoo'),
      [web, 'update p.vms.zoo: name'],
    ],
    [
      'one instance',
      triggered(renamed({ 'app[1]': { name: 'a' } }), 'vms.app[1]'),
      ['update p.vms.app[1]: name', web],
    ],
    [
      'another instance than the one that is named',
      triggered(renamed({ 'app[1]': { name: 'a' } }), 'vms.app[0]'),
      ['update p.vms.app[1]: name'],
    ],
    [
      'any instance, where none is named',
      triggered(renamed({ 'app[1]': { name: 'a' } }), 'vms.app'),
      ['update p.vms.app[1]: name', web],
    ],
    [
      'one that is made anew, since it was deleted outside',
      triggered(lose(edit(shop(), shop()), `${p}.networks.lan`), 'networks.lan'),
      ['create p.networks.lan (deleted-outside)', web],
    ],
    [
      'not a resource that is new',
      triggered(edit({ vms: { web: {} } }, shop({ vms: { web: {} } })), 'networks.lan'),
      ['create p.networks.lan', 'create p.publicIps.edge'],
    ],
    [
      'not a resource that it does not name',
      triggered(renamed({ db: { name: 'd' } }), 'networks.lan'),
      ['update p.vms.db: name'],
    ],
    [
      'one that is triggered itself',
      live(edit(shop(), shop({ networks: { lan: { name: 'wan' } } })), {
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
    publicIps: { edge: { https: { publicPort: 443, vm: 'web' } } },
    vms: { web: { networks: ['lan'] }, db: {} },
  };
  const applied = afterApply({ p: shop });

  it.each<[string, World, string[]]>([
    ['nothing', replacing(applied), []],
    [
      'a VM: what points at it follows',
      replacing(applied, 'vms.web'),
      ['update p.publicIps.edge.forwards.https: vm', 'replace p.vms.web (requested)'],
    ],
    [
      'a public IP: its forwards are made again',
      replacing(applied, 'publicIps.edge'),
      [
        'replace p.publicIps.edge (requested)',
        'replace p.publicIps.edge.forwards.https (parent-replaced)',
      ],
    ],
    [
      'a network: what is attached lets go and comes back',
      replacing(applied, 'networks.lan'),
      ['replace p.networks.lan (requested)', 'update p.vms.web: networks'],
    ],
    ['what is not there', replacing(applied, 'vms.nobody'), []],
    [
      'what is gone: it is only made',
      replacing(lose(applied, `${p}.vms.db`), 'vms.db'),
      ['create p.vms.db (deleted-outside)'],
    ],
    [
      'what failed says so first',
      replacing(touch(applied, `${p}.networks.lan`, { status: 'failed' }), 'networks.lan'),
      ['replace p.networks.lan (creation-failed)', 'update p.vms.web: networks'],
    ],
  ])('%s', (_what, world, lines) => expect(changeLines(planOf(world))).toEqual(lines));

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
  const remembered = (world: World): World => {
    const address = `${p}.vms.web`;
    const managed = world.state.resources.get(address)!;
    const resources = new Map(world.state.resources).set(address, {
      ...managed,
      isProtected: true,
    });
    return { ...world, state: { ...world.state, resources } };
  };
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
