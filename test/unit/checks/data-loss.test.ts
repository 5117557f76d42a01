import { describe, expect, it } from 'vitest';
import type { LiveResource } from '../../../src/model/account/live.ts';
import { noPlanOptions } from '../../../src/model/plan/plan.ts';
import { checkedPlanOf } from '../../support/plan-lines.ts';
import { readRows } from '../../support/read-rows.ts';
import { readWorld } from '../../support/read-stories.ts';
import type { Config, VmConfig } from '../../support/desired.ts';
import { findingsOf } from '../../support/findings.ts';
import { afterApply, destroyAll, reconfigure, type World } from '../../support/world.ts';

const vms = (...given: readonly VmConfig[]): Config => ({
  p: { vms: Object.fromEntries(given.map((one, at) => [`vm${at}`, one])) },
});
const edit = (before: Config, after: Config) => reconfigure(afterApply(before), after);
const rebuilt = { image: 'debian-12' };
const wiped = { ...rebuilt, deleteBackupsOnRebuild: true };
const first = 'Affected: projects.p.vms.vm0';
const address = (at: number) => `projects.p.vms.vm${at}`;
const five = [0, 1, 2, 3, 4].map(address).join(', ');

it.each(
  readRows(`
  none of what is made | empty => vms: {vm0, vm1} |
  none of what is renamed | vms: {vm0} => vms: {vm0: {name: x}} |
  none of a network | networks: {a} => |
  of one that is rebuilt | vms: {vm0} => vms: {vm0: {image: debian-12}} | the disk of 1 VM (20 GB). ${first}.
  of one that is rebuilt without its backups | vms: {vm0} => vms: {vm0: {image: debian-12, deleteBackupsOnRebuild: true}} | the disk of 1 VM (20 GB). ${first}. Its backups go with it.
  of one that is destroyed | vms: {vm0} => | the disk of 1 VM (20 GB). ${first}. Its backups go with it.
  of several, summed up | vms: {vm0, vm1: {configuration: c2-r4-d40}} => | the disks of 2 VMs (60 GB). ${first}, ${address(1)}. Their backups go with them.
  of several, and the backups of some | vms: {vm0, vm1, vm2} => vms: {vm0: {image: debian-12}, vm1} | the disks of 2 VMs (40 GB). ${first}, ${address(2)}. The backups of 1 VM go with it.
  of more than one wants to read | vms: {vm0, vm1, vm2, vm3, vm4, vm5, vm6} & destroy | the disks of 7 VMs (140 GB). Affected: ${five} and 2 more. Their backups go with them.
`),
)('disks and backups that a plan loses: %s', (_what, world, said) => {
  const found = findingsOf(readWorld(world), 'data-loss');
  const lines = found.map(({ summary, detail, hint = '' }) => `${summary}. ${detail} ${hint}`);
  const advice = 'Save what is needed before you apply.';
  expect(lines).toEqual(said === '' ? [] : [`This plan loses ${said} ${advice}`]);
});

describe('what nobody gets back', () => {
  const ips = (...keys: readonly string[]): Config => ({
    p: { publicIps: Object.fromEntries(keys.map((key) => [key, {}])) },
  });

  it('is the address of a public IP, too', () => {
    const both = { p: { ...vms({}).p, ...ips('a', 'b').p } };
    const said = (before: Config, after: Config) =>
      findingsOf(edit(before, after), 'data-loss').map(({ summary }) => summary);
    expect(said(both, { p: {} })).toEqual([
      'This plan loses the disk of 1 VM (20 GB) and 2 public IPs',
    ]);
    expect(said(ips('a', 'b'), ips('a'))).toEqual(['This plan loses 1 public IP']);
    expect(said(ips('a'), ips('a', 'b'))).toEqual([]);
  });

  it('is nothing where the creation failed', () => {
    const world = afterApply(vms({}));
    const fail = (one: LiveResource) =>
      one.kind === 'vm' ? { ...one, status: 'failed' as const } : one;
    const failed = { ...world, live: { ...world.live, resources: world.live.resources.map(fail) } };
    for (const after of [vms({}), vms({ tariff: 'yearly' }), { p: {} }]) {
      const lost = checkedPlanOf(reconfigure(failed, after)).changes.flatMap((one) => one.losses);
      expect(lost).toEqual([]);
    }
    expect(findingsOf(destroyAll(failed), 'data-loss')).toEqual([]);
  });
});

describe('guards.dataLoss', () => {
  const source = { file: 'main.yaml', line: 9, column: 3, endLine: 9, endColumn: 4 };
  const guarded = (world: World, dataLoss: 'warn' | 'deny', planOptions = {}): World => ({
    ...world,
    desired: { ...world.desired, guards: { dataLoss, source } },
    planOptions: { ...noPlanOptions, ...planOptions },
  });
  const severities = (world: World) =>
    findingsOf(world, 'data-loss').map(({ severity }) => severity);
  const losing = edit(vms({}), vms(rebuilt));

  it.each<[string, World, string[]]>([
    ['warns', guarded(losing, 'warn'), ['warning']],
    ['refuses a rebuild', guarded(losing, 'deny'), ['error']],
    ['refuses a replacement', guarded(edit(vms({}), vms({ tariff: 'x' })), 'deny'), ['error']],
    ['refuses a deletion', guarded(edit(vms({}), { p: {} }), 'deny'), ['error']],
    ['refuses a destroy', guarded(destroyAll(afterApply(vms({}))), 'deny'), ['error']],
    ['refuses with --force, too', guarded(losing, 'deny', { isForced: true }), ['error']],
    ['lets pass what was allowed', guarded(losing, 'deny', { allowsDataLoss: true }), ['warning']],
    [
      'lets pass what loses nothing',
      guarded(edit({ p: { networks: { a: {} } } }, { p: {} }), 'deny'),
      [],
    ],
  ])('%s', (_what, world, expected) => expect(severities(world)).toEqual(expected));

  it('says where it is set, and the way past', () => {
    expect(findingsOf(guarded(losing, 'deny'), 'data-loss')[0]).toMatchObject({
      summary: 'This plan loses the disk of 1 VM (20 GB), and guards.dataLoss is deny',
      hint: 'Save what is needed, then add --allow-data-loss.',
      source,
    });
  });
});

describe('backups that were counted', () => {
  const edited = (backups: readonly number[], after: Config) => {
    const world = edit(vms(...backups.map(() => ({}))), after);
    const made = (count: number) =>
      Array.from({ length: count }, (_, at) => ({
        ...{ id: `bkp-${at}`, status: 'active', createdAt: at === 0 ? null : at },
        ...{ size: 8, sourceImageId: null },
      }));
    const counted = backups.map((count, at) => [`vm-p-vm${at}`, made(count)] as const);
    return { ...world, live: { ...world.live, backups: new Map(counted) } };
  };

  it.each<[string, readonly number[], Config, string, string]>([
    ['none', [0], { p: {} }, 'the disk of 1 VM (20 GB)', `Affected: ${address(0)}.`],
    ['one', [1], { p: {} }, 'the disk of 1 VM (20 GB) and 1 backup', `Affected: ${address(0)}.`],
    [
      'several of several VMs',
      [2, 3],
      vms(wiped, rebuilt),
      'the disks of 2 VMs (40 GB) and 2 backups',
      `Affected: ${address(0)}, ${address(1)}.`,
    ],
  ])('%s', (_what, backups, after, summary, detail) => {
    const [finding] = findingsOf(edited(backups, after), 'data-loss');
    expect(finding).toMatchObject({ summary: `This plan loses ${summary}`, detail });
  });

  it('and only some of them, for the rest was not asked', () => {
    const world = edited([2], { p: {} });
    const both = { ...world, ...destroyAll(afterApply(vms({}, {}))) };
    const [finding] = findingsOf(
      { ...both, live: { ...both.live, ...{ backups: world.live.backups } } },
      'data-loss',
    );
    expect(finding?.summary).toBe('This plan loses the disks of 2 VMs (40 GB) and 2 backups');
    expect(finding?.detail).toContain('The backups of 1 VM go with it.');
  });

  it('an eighth deletes the oldest, a seventh none', () => {
    const after = vms({ ...rebuilt, backupBeforeRebuild: true });
    expect(findingsOf(edited([6], after), 'backup-displaced')).toEqual([]);
    expect(findingsOf(edited([7], after), 'data-loss')[0]?.summary).toContain('and 1 backup');
    expect(findingsOf(edited([7], after), 'backup-displaced')).toMatchObject([
      {
        severity: 'warning',
        address: address(0),
        detail: 'Its oldest backup (bkp-0) is deleted for the new one: the service keeps 7.',
      },
    ]);
  });
});
