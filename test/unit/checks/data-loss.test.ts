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
