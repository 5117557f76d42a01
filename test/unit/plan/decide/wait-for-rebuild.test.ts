import { describe, expect, it } from 'vitest';
import { isEffectivePlan, noPlanOptions } from '../../../../src/model/plan/plan.ts';
import { makeDesired, type ProjectConfig, type VmConfig } from '../../../support/desired.ts';
import { findingsOf } from '../../../support/findings.ts';
import { defer, expressionOf } from '../../../support/defer.ts';
import { changeLines, planOf, taskLines } from '../../../support/plan-lines.ts';
import { resolveWith } from '../../../support/resolve-with.ts';
import { applyPlan } from '../../../support/simulate.ts';
import {
  afterApply,
  editProject,
  forget,
  lifecycleOf,
  lose,
  patchDesired,
  patchManaged,
  reconfigure,
  type World,
} from '../../../support/world.ts';

const p = 'projects.p';
const web = `${p}.vms.web`;
const keys = { alice: { publicKey: 'ssh-ed25519 A' }, bob: { publicKey: 'ssh-ed25519 B' } };
const rotated = { ...keys, alice: { publicKey: 'ssh-ed25519 C' } };
const before: ProjectConfig = { sshKeys: keys, vms: { web: { sshKeys: ['alice'] } } };

const edited = (vm: VmConfig, sshKeys: ProjectConfig['sshKeys'] = keys): World =>
  editProject(before, { sshKeys, vms: { web: vm } });

const changeOf = (world: World) => planOf(world).changes.find(({ address }) => address === web);

describe('keys that a VM was not built with', () => {
  it.each<[string, World, waiting: readonly string[], lines: string[]]>([
    ['one more', edited({ sshKeys: ['alice', 'bob'] }), ['alice', 'bob'], []],
    ['none', edited({ sshKeys: [] }), [], []],
    ['none that are configured any more', edited({}), [], []],
    [
      'one that is replaced',
      edited({ sshKeys: ['alice'] }, rotated),
      ['alice'],
      ['replace p.sshKeys.alice: publicKey!'],
    ],
    [
      'another for one that goes',
      edited({ sshKeys: ['bob'] }, { bob: keys.bob }),
      ['bob'],
      ['delete p.sshKeys.alice (not-configured)'],
    ],
    [
      'one that was deleted outside',
      lose(edited({ sshKeys: ['alice'] }), `${p}.sshKeys.alice`),
      ['alice'],
      ['create p.sshKeys.alice (deleted-outside)'],
    ],
  ])('wait for its next rebuild: %s', (_what, world, waiting, lines) => {
    const plan = planOf(world);
    const change = changeOf(world);
    expect(changeLines(plan)).toEqual(lines);
    expect(change).toMatchObject({ action: 'no-op', waiting: { sshKeys: waiting }, fields: [] });
    expect(change?.after).toEqual(change?.before);
    expect(plan.tasks.filter(({ address }) => address === web)).toEqual([]);
    expect(isEffectivePlan(plan)).toBe(lines.length > 0);
    // The next plan says the same, and has nothing to do.
    const next = applyPlan(world, plan);
    expect(changeLines(planOf(next))).toEqual([]);
    expect(changeOf(next)?.waiting).toEqual({ sshKeys: waiting });
    expect(findingsOf(next, 'waits-for-rebuild')).toHaveLength(1);
  });

  it.each<[string, World, string[]]>([
    [
      'another image',
      edited({ sshKeys: ['bob'], image: 'debian-13' }),
      ['rebuild p.vms.web: image!, sshKeys'],
    ],
    [
      'another size',
      edited({ sshKeys: ['bob'], configuration: 'c2-r4-d40' }),
      ['replace p.vms.web: configuration!, sshKeys'],
    ],
    [
      'rebuild.on',
      edited({ sshKeys: ['bob'], rebuildOn: ['image', 'sshKeys'] }),
      ['rebuild p.vms.web: sshKeys!'],
    ],
    [
      'rebuild.on, with a key that is replaced',
      edited({ sshKeys: ['alice'], rebuildOn: ['image', 'sshKeys'] }, rotated),
      ['replace p.sshKeys.alice: publicKey!', 'rebuild p.vms.web: sshKeys!'],
    ],
  ])('reach it with what makes its disk anew: %s', (_what, world, lines) => {
    expect(changeLines(planOf(world))).toEqual(lines);
    expect(changeOf(world)?.waiting).toBeUndefined();
    expect(changeOf(applyPlan(world, planOf(world)))).toMatchObject({ action: 'no-op' });
    expect(findingsOf(applyPlan(world, planOf(world)), 'waits-for-rebuild')).toEqual([]);
  });

  it('wait beside another change, which needs none of them', () => {
    const world = edited({ sshKeys: ['bob'], power: 'stopped' }, { bob: keys.bob });
    expect(changeOf(world)).toMatchObject({
      ...{ action: 'update', after: { sshKeys: ['alice'], power: 'stopped' } },
      ...{ fields: [{ name: 'power', effect: 'update' }], waiting: { sshKeys: ['bob'] } },
    });
    const selection = { targets: [web], excludes: [] };
    const planOptions = { ...noPlanOptions, selection };
    expect(taskLines(planOf({ ...world, planOptions }))).toEqual(['p.vms.web#apply: stopVm']);
  });

  it('are left alone altogether where their changes are ignored', () => {
    const ignoring = patchDesired(edited({ sshKeys: ['bob'] }), web, {
      lifecycle: lifecycleOf({ ignoreChanges: ['sshKeys'] }),
    });
    expect(changeOf(ignoring)?.waiting).toBe(undefined);
  });

  it('wait for a VM that is adopted, too', () => {
    const world = forget(edited({ sshKeys: ['bob'] }), web);
    const planOptions = { ...noPlanOptions, adoptsAll: true };
    expect(changeOf({ ...world, planOptions })).toMatchObject({
      ...{ action: 'no-op', isImported: true, waiting: { sshKeys: ['bob'] } },
    });
  });
});

describe('an image that is only known after apply', () => {
  const lan = `${p}.networks.lan`;
  const world = defer(
    editProject(before, {
      ...{ sshKeys: keys, networks: { lan: {} } },
      vms: { web: { sshKeys: ['bob'], power: 'stopped' } },
    }),
    web,
    'image',
    expressionOf('projects.p.networks.lan.id == "n-9" ? "ubuntu-24.04" : "debian-13"', [
      `${lan}.id`,
    ]),
  );
  const resolve = (id: string) => {
    const outcome = resolveWith(world, web, (known) => ({
      ...known,
      values: { ...known.values, id },
      unknown: [],
    }));
    if (outcome.kind !== 'known') throw new Error(JSON.stringify(outcome));
    const commands = [...outcome.commands.values()].flat().map(({ kind }) => kind);
    return { change: outcome.change, commands };
  };

  it('takes the keys along where it is another', () => {
    expect(resolve('n-1')).toMatchObject({
      change: { action: 'rebuild', after: { sshKeys: ['bob'] } },
      commands: ['rebuildVm', 'stopVm'],
    });
  });

  it('wipes nothing for the keys where it is the same', () => {
    expect(resolve('n-9')).toMatchObject({
      change: { action: 'update', after: { sshKeys: ['alice'] }, waiting: { sshKeys: ['bob'] } },
      commands: ['stopVm'],
    });
  });
});

describe('what a VM was built from', () => {
  const applied = afterApply({ p: before });
  const remember = (world: World, id: string): World =>
    patchManaged(world, web, { builtFrom: [{ id, name: 'alice', fingerprint: 'SHA256:old' }] });
  const gone = lose(applied, `${p}.sshKeys.alice`);

  it('is no change outside where a key of it is gone by our own doing', () => {
    const desired = makeDesired({ p: { sshKeys: { bob: keys.bob }, vms: { web: {} } } });
    const world = remember(forget(gone, `${p}.sshKeys.alice`), 'k-p-alice');
    expect(planOf({ ...world, desired }).drift).toBeUndefined();
  });

  it('is one where somebody built it anew', () => {
    const [drift] = planOf(remember(applied, 'k-other')).drift ?? [];
    expect(drift).toMatchObject({ address: web, names: ['sshKeys'] });
  });

  it('names a key that is there no more', () => {
    const world = remember(forget(gone, `${p}.sshKeys.alice`), 'k-p-alice');
    const config = { p: { sshKeys: { bob: keys.bob }, vms: { web: { sshKeys: ['bob'] } } } };
    const [note] = findingsOf(reconfigure(world, config), 'waits-for-rebuild');
    expect(note).toMatchObject({ severity: 'note', address: web });
    expect(note?.detail).toBe(
      [
        'sshKeys = ["bob"] # applies at the next rebuild',
        `  ${web}`,
        'Old keys that still open it: alice (SHA256:old).',
      ].join('\n'),
    );
    expect(note?.hint).toContain('rebuild: { on: [image, sshKeys] }');
  });
});

describe('a key that many VMs were built with', () => {
  const vms = Object.fromEntries(
    Array.from({ length: 19 }, (_, at) => [`web[${at}]`, { sshKeys: ['alice'] }]),
  );
  const world = editProject({ sshKeys: keys, vms }, { sshKeys: rotated, vms });

  it('is one change and one note when it is rotated', () => {
    expect(changeLines(planOf(world))).toEqual(['replace p.sshKeys.alice: publicKey!']);
    const [note, ...others] = findingsOf(world, 'waits-for-rebuild');
    expect(others).toEqual([]);
    expect(note?.summary).toBe('19 VMs keep the sshKeys that they were created with');
    expect(note?.detail).toMatch(
      / and 9 more\nOld keys that still open them: alice .*on 19 VMs\.$/,
    );
  });
});
