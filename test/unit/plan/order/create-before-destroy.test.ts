import { whole } from '../../../support/whole.ts';
import { describe, expect, it } from 'vitest';
import { noPlanOptions, type Plan } from '../../../../src/model/plan/plan.ts';
import { makeDeposedAddress } from '../../../../src/model/address.ts';
import { hasErrors } from '../../../../src/model/diagnostic.ts';
import { resolvePendingCreates } from '../../../../src/plan/reconcile/resolve-pending.ts';
import type { VmConfig } from '../../../support/desired.ts';
import { changeLines, checkedPlanOf, planOf, taskLines } from '../../../support/plan-lines.ts';
import { readStories, readWorld } from '../../../support/read-stories.ts';
import { defer, expressionOf } from '../../../support/defer.ts';
import { applyPlan } from '../../../support/simulate.ts';
import { afterApply, editProject, reconfigure, touch, type World } from '../../../support/world.ts';

const p = 'projects.p';
const first: VmConfig = { createBeforeDestroy: true };
const largerVm: VmConfig = { ...first, configuration: 'c2-r4-d40' };
const edit = editProject;

/** A VM that is created first, before and after it becomes larger. */
const small = (more = '', others = '') => `vms: {web: {createBeforeDestroy: true${more}}${others}}`;
const larger = (more = '', others = '') => small(`, configuration: c2-r4-d40${more}`, others);

describe('what is created before what it replaces is destroyed', () => {
  it.each(
    readStories(`
    a VM: its predecessor steps aside, and goes last
      ${small()} => ${larger()}
      p.vms.web#prepare: renameVm
      p.vms.web#apply: createVm after p.vms.web#prepare
      p.vms.web#destroy: deleteVm after p.vms.web#apply
    nobody steps aside for another name
      ${small()} => ${larger(', name: site')}
      p.vms.web#apply: createVm
      p.vms.web#destroy: deleteVm after p.vms.web#apply
    unless it differs in case alone: the service may take the two for one
      ${small()} => ${larger(', name: WEB')}
      p.vms.web#prepare: renameVm
      p.vms.web#apply: createVm after p.vms.web#prepare
      p.vms.web#destroy: deleteVm after p.vms.web#apply
    unless another takes the old one
      ${small('', ', db')} => ${larger(', name: site', ', db: {name: web}')}
      p.vms.web#apply: createVm after p.vms.web#prepare
      p.vms.web#prepare: renameVm
      p.vms.db#apply: renameVm after p.vms.web#prepare
      p.vms.web#destroy: deleteVm after p.vms.web#apply
    a network that it leaves goes only after it
      networks: {lan}, ${small(', networks: [lan]')} => ${larger(', name: site')}
      p.vms.web#apply: createVm
      p.vms.web#destroy: deleteVm after p.vms.web#apply
      p.networks.lan#destroy: deleteNetwork after p.vms.web#destroy
    a key that is replaced, too, comes first as well
      sshKeys: {a}, ${small(', sshKeys: [a]')} => sshKeys: {a: {publicKey: ssh-ed25519 new}}, ${larger(', sshKeys: [a]')}
      p.sshKeys.a#prepare: renameSshKey
      p.vms.web#prepare: renameVm
      p.sshKeys.a#apply: createSshKey after p.sshKeys.a#prepare
      p.vms.web#apply: createVm after p.sshKeys.a#apply, p.vms.web#prepare
      p.vms.web#destroy: deleteVm after p.vms.web#apply
      p.sshKeys.a#destroy: deleteSshKey after p.sshKeys.a#apply, p.vms.web#apply, p.vms.web#destroy
    not what failed or is on its way out: nobody can use it
      ${small()} & vms.web is {status: failed}
      p.vms.web#destroy: deleteVm
      p.vms.web#apply: createVm after p.vms.web#destroy
    `),
  )('%s', (_what, world, lines) => {
    expect(taskLines(planOf(readWorld(world))).sort()).toEqual([...lines].sort());
  });

  it('with an address of its own each has one for a while', () => {
    const [before, after] = [small(', publicIp: new'), larger(', publicIp: new')];
    const world = readWorld(`${before} => ${after}`);
    const { quotas } = planOf(world);
    expect(quotas.find(({ name }) => name === 'publicIps')).toMatchObject({
      used: 1,
      after: 1,
      peak: 2,
    });
  });
});

const refusals = ({ findings }: Plan) =>
  findings
    .filter(({ code }) => code === 'cannot-create-first')
    .map(({ address = '', detail = '' }) => `${address.replace(`${p}.`, '')}: ${detail}`);

describe('what cannot be created first', () => {
  const holding = (publicIp: string, configuration = 'c1-r1-d20'): VmConfig => ({
    ...first,
    publicIp,
    configuration,
  });

  it('is what holds something that only one can hold', () => {
    const world = edit(
      { publicIps: { edge: {} }, vms: { web: holding('edge') } },
      { publicIps: { edge: {} }, vms: { web: holding('edge', 'c2-r4-d40') } },
    );
    const plan = checkedPlanOf(world);
    expect(hasErrors(plan.findings)).toBe(true);
    expect(refusals(plan)).toEqual([
      'vms.web: Both would have the same publicIp (edge), and only one VM can hold it at a time.',
    ]);
    expect(plan.changes.find(({ kind }) => kind === 'vm')?.isCreatedFirst).toBe(false);
  });

  it('is what waits for itself by way of others', () => {
    const publicIps = { a: {}, b: {} };
    const swapped = edit(
      { publicIps, vms: { x: holding('a'), y: holding('b') } },
      { publicIps, vms: { x: holding('b'), y: holding('a') } },
    );
    expect(refusals(planOf(swapped))).toEqual([
      `vms.x: It would wait for ${p}.vms.y, which must run after the old one is destroyed.`,
      `vms.y: It would wait for ${p}.vms.x, which must run after the old one is destroyed.`,
    ]);
  });

  it('is what stands in a network that failed: that has to go first', () => {
    const both = (vm: VmConfig) => ({
      networks: { lan: {} },
      vms: { web: { ...vm, networks: ['lan'] } },
    });
    const world = touch(edit(both(first), both(largerVm)), `${p}.networks.lan`, {
      status: 'failed',
    });
    expect(refusals(planOf(world))).toEqual([
      `vms.web: It would wait for ${p}.networks.lan, which must run after the old one is destroyed.`,
    ]);
  });

  it('is not what only others read', () => {
    const forwarded = (vm: VmConfig) => ({
      publicIps: { edge: { https: { publicPort: 443, vm: 'web' } } },
      vms: { web: vm },
    });
    const world = edit(forwarded(first), forwarded(largerVm));
    expect(refusals(planOf(world))).toEqual([]);
    expect(changeLines(planOf(world))).toEqual([
      'update p.publicIps.edge.forwards.https: vm',
      'replace p.vms.web: configuration!',
    ]);
  });
});

/** A VM whose predecessor is still there, under an address of its own. */
function withLeftover(): World {
  const done = afterApply({
    p: { networks: { lan: {} }, vms: { web: { ...first, networks: ['lan'] }, old: {} } },
  });
  const resources = new Map(done.state.resources);
  const old = resources.get(`${p}.vms.old`)!;
  resources.delete(old.address);
  const address = makeDeposedAddress(`${p}.vms.web`, old.id);
  resources.set(address, { ...old, address });
  const world = { ...done, state: { ...done.state, resources } };
  return reconfigure(world, {
    p: { networks: { lan: {} }, vms: { web: { ...first, networks: ['lan'] } } },
  });
}

it('what lives in something that was replaced before it could follow is replaced, too', () => {
  const before = {
    publicIps: { edge: { https: { publicPort: 443, vm: 'web' } }, next: {} },
    vms: { web: {} },
  };
  const world = afterApply({ p: before });
  const at = (local: string) => `${p}.publicIps.${local}`;
  const resources = new Map(world.state.resources);
  const [old, next] = [resources.get(at('edge'))!, resources.get(at('next'))!];
  resources.set(at('edge'), { ...next, address: at('edge') });
  resources.set(makeDeposedAddress(at('edge'), old.id), {
    ...old,
    address: makeDeposedAddress(at('edge'), old.id),
  });
  resources.delete(at('next'));
  const stuck = reconfigure(
    { ...world, state: { ...world.state, resources } },
    { p: { ...before, publicIps: { edge: before.publicIps.edge } } },
  );
  expect(changeLines(planOf(stuck))).toEqual([
    'replace p.publicIps.edge.forwards.https (parent-replaced)',
    'delete p.publicIps.edge (deposed object ip-p-edge) (leftover)',
  ]);
});

it('what cannot be told yet steps aside: its replacement may come to have its name', () => {
  const world = readWorld(`networks: {lan}, ${small()} => networks: {lan, wan}, ${larger()}`);
  const reference = `${p}.networks.wan.id`;
  const late = defer(
    world,
    `${p}.vms.web`,
    'name',
    expressionOf(`"net-" + ${reference}`, [reference]),
  );
  expect(taskLines(planOf(late))).toContain(
    'p.vms.web#prepare: renameVm after p.networks.wan#apply',
  );
});

describe('what an earlier run left of a replacement', () => {
  it('is destroyed, and nothing else', () => {
    const world = withLeftover();
    const plan = planOf(world);
    expect(changeLines(plan)).toEqual(['delete p.vms.web (deposed object vm-p-old) (leftover)']);
    const done = applyPlan(world, plan);
    expect(changeLines(planOf(done))).toEqual([]);
    expect([...done.state.resources.keys()]).toEqual([p, `${p}.networks.lan`, `${p}.vms.web`]);
  });

  it('goes with --target of its address, and stays with --exclude', () => {
    const select = (targets: string[], excludes: string[]): World => ({
      ...withLeftover(),
      planOptions: { ...noPlanOptions, selection: { targets, excludes } },
    });
    expect(changeLines(planOf(select([`${p}.vms.web`], [])))).toHaveLength(1);
    expect(changeLines(planOf(select([p], [])))).toHaveLength(1);
    expect(changeLines(planOf(select([`${p}.networks`], [])))).toEqual([]);
    expect(changeLines(planOf(select([], [`${p}.vms.web`])))).toEqual([]);
  });

  it('is none where a run was killed before the address went to the new one', () => {
    const world = afterApply({ p: { vms: { web: first } } });
    const own = world.state.resources.get(`${p}.vms.web`)!;
    const address = makeDeposedAddress(own.address, own.id);
    const resources = new Map([...world.state.resources, [address, { ...own, address }]]);
    expect(changeLines(planOf({ ...world, state: { ...world.state, resources } }))).toEqual([]);
  });

  it('is what stood there when the new one shows up after a kill', () => {
    const world = readWorld(`${small()} => ${larger()}`);
    const stood = whole(world.live.resources.find((one) => one.kind === 'vm')!);
    const made = { ...stood, id: 'vm-new' };
    const address = `${p}.vms.web`;
    const old = world.state.resources.get(address)!;
    const command = {
      kind: 'createVm',
      ...{ project: 'p-p', name: 'web', imageId: stood.imageId },
      ...{ configurationId: stood.configurationId, tariffId: stood.tariffId },
      ...{ sshKeys: stood.sshKeyIds, publicIp: 'none', plugins: [] },
    } as const;
    const pending = new Map([
      [address, { address, command, knownIds: [old.id], at: 0, configured: [] }],
    ]);
    const live = { ...world.live, resources: [...world.live.resources, made] };
    const { state, found } = resolvePendingCreates({ ...world.state, pending }, live);
    expect(state.resources.get(address)?.id).toBe('vm-new');
    const deposed = state.resources.get(makeDeposedAddress(address, old.id));
    expect(deposed).toMatchObject({ id: old.id });
    // What is found is written down before anything else: the old one with it, or nobody knows of it any more.
    expect(found).toEqual([deposed, state.resources.get(address)]);
    const gone = { ...live, resources: [made] };
    const { resources } = resolvePendingCreates({ ...world.state, pending }, gone).state;
    expect([...resources.keys()]).toEqual([p, address]);
  });
});
