import { describe, expect, it } from 'vitest';
import type { Config, VmConfig } from '../../support/desired.ts';
import { findingsOf } from '../../support/findings.ts';
import { afterApply, destroyAll, makeWorld, reconfigure, type World } from '../../support/world.ts';

const vms = (...given: readonly VmConfig[]): Config => ({
  p: { vms: Object.fromEntries(given.map((one, at) => [`vm${at}`, one])) },
});
const edit = (before: Config, after: Config) => reconfigure(afterApply(before), after);
const rebuilt = { image: 'debian-12' };
const wiped = { ...rebuilt, deleteBackupsOnRebuild: true };
const address = (at: number) => `projects.p.vms.vm${at}`;

describe('disks and backups that a plan loses', () => {
  it.each<[string, World, string | undefined, string | undefined]>([
    ['none of what is made', makeWorld({ config: vms({}, {}) }), undefined, undefined],
    ['none of what is renamed', edit(vms({}), vms({ name: 'x' })), undefined, undefined],
    ['none of a network', edit({ p: { networks: { a: {} } } }, { p: {} }), undefined, undefined],
    [
      'of one that is rebuilt',
      edit(vms({}), vms(rebuilt)),
      'This plan loses the disk of 1 VM (20 GB)',
      `It is: ${address(0)}.`,
    ],
    [
      'of one that is rebuilt without its backups',
      edit(vms({}), vms(wiped)),
      'This plan loses the disk of 1 VM (20 GB)',
      `It is: ${address(0)}. Its backups go with it.`,
    ],
    [
      'of one that is destroyed',
      edit(vms({}), { p: {} }),
      'This plan loses the disk of 1 VM (20 GB)',
      `It is: ${address(0)}. Its backups go with it.`,
    ],
    [
      'of several, summed up',
      edit(vms({}, { configuration: 'c2-r4-d40' }), { p: {} }),
      'This plan loses the disks of 2 VMs (60 GB)',
      `They are: ${address(0)}, ${address(1)}. Their backups go with them.`,
    ],
    [
      'of several, and the backups of some',
      edit(vms({}, {}, {}), vms(rebuilt, {})),
      'This plan loses the disks of 2 VMs (40 GB)',
      `They are: ${address(0)}, ${address(2)}. The backups of 1 of them go with them.`,
    ],
    [
      'of more than one wants to read',
      destroyAll(afterApply(vms({}, {}, {}, {}, {}, {}, {}))),
      'This plan loses the disks of 7 VMs (140 GB)',
      `They are: ${[0, 1, 2, 3, 4].map(address).join(', ')} and 2 more. Their backups go with them.`,
    ],
  ])('%s', (_what, world, summary, detail) => {
    const [finding, ...others] = findingsOf(world, 'data-loss');
    expect(others).toEqual([]);
    expect([finding?.summary, finding?.detail]).toEqual([summary, detail]);
    if (finding)
      expect(finding).toMatchObject({
        severity: 'warning',
        hint: 'Save what is needed before you apply.',
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
    ['none', [0], { p: {} }, 'the disk of 1 VM (20 GB)', `It is: ${address(0)}.`],
    ['one', [1], { p: {} }, 'the disk of 1 VM (20 GB) and 1 backup', `It is: ${address(0)}.`],
    [
      'several of several VMs',
      [2, 3],
      vms(wiped, rebuilt),
      'the disks of 2 VMs (40 GB) and 2 backups',
      `They are: ${address(0)}, ${address(1)}.`,
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
    expect(finding?.detail).toContain('The backups of 1 of them go with them.');
  });

  it('an eighth pushes out the oldest, a seventh none', () => {
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
