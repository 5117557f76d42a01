import { parse } from 'yaml';
import { describe, expect, it } from 'vitest';
import { noPlanOptions } from '../../../../src/model/plan/plan.ts';
import type { ManagedResource } from '../../../../src/model/state/state.ts';
import { describeResourceChange } from '../../../../src/render/json/change-json.ts';
import { listDeclaredAddresses } from '../../../../src/render/view/change-reason.ts';
import { checkedPlanOf } from '../../../support/plan-lines.ts';
import { readList, readRows } from '../../../support/read-rows.ts';
import { afterApply, patchManaged, reconfigure, type World } from '../../../support/world.ts';

const address = 'projects.p.vms.web';
const config = (image: string, restoresFailedRebuild = true, name = 'web') => ({
  p: { vms: { web: { image, restoresFailedRebuild, name } } },
});

const before = { image: 'ubuntu-24.04', sshKeys: [] };
const target = { image: 'debian-12', sshKeys: [] };
const wayBack = { backup: 'b-1', asked: before, target };

/** The VM as it was applied, with what the state has of a rebuild, and what is wanted now. */
function world(memory: Partial<ManagedResource>, wanted: object, image = before.image): World {
  return reconfigure(patchManaged(afterApply(config(image)), address, memory), wanted as never);
}

function planOf(given: World, retriesFailed = false) {
  const plan = checkedPlanOf({ ...given, planOptions: { ...noPlanOptions, retriesFailed } });
  const change = plan.changes.find((one) => one.address === address)!;
  const commands = plan.tasks.flatMap((task) => task.commands.map(({ kind }) => kind));
  const codes = plan.findings.map(({ code }) => code);
  const json = describeResourceChange(change, listDeclaredAddresses(plan)).hostwright;
  return { plan, change, commands, codes, json };
}

describe('a rebuild that was taken back', () => {
  it.each(
    readRows(`
    is not tried again | {} | [debian-12] |  | tried-before
    names no sensitive image | { sensitive: [image] } | [debian-12] |  | tried-before
    is no reason to leave out another one | {} | [debian-13] | createBackup, rebuildVm, startVm | data-loss
    is no news where nobody wants it any more | {} | [ubuntu-24.04] |  |
    is tried again where nobody wants it back | {} | [debian-12, false] | rebuildVm, startVm | data-loss
    holds nothing else up | {} | [debian-12, true, www] | renameVm | tried-before
  `),
  )('%s', (_what, memory, wanted, commands, codes) => {
    const remembered = { failedTarget: target, ...(parse(memory) as Partial<ManagedResource>) };
    const seen = planOf(world(remembered, config(...(parse(wanted) as [string]))));
    expect([seen.commands, seen.codes]).toEqual([readList(commands), readList(codes)]);
    expect(seen.json.triedBefore).toBe(codes.includes('tried-before') ? true : undefined);
  });

  it('is tried again with --retry-failed', () => {
    const seen = planOf(world({ failedTarget: target }, config('debian-12')), true);
    expect(seen.change).toMatchObject({ action: 'rebuild', restoresOnFailure: true });
  });

  it('is not tried again either where the account still shows its image', () => {
    const shown = {
      failedTarget: target,
      attributes: { name: 'web', ...before },
      shown: { image: 'debian-12' },
    };
    const seen = planOf(world(shown, config('debian-12'), 'debian-12'));
    expect(seen.commands).toEqual([]);
    expect(seen.codes).toContain('tried-before');
  });
});

describe('a rebuild that is still to be taken back', () => {
  const failed = { wayBack: { ...wayBack, hasFailed: true as const } };

  it.each([
    ['before it is tried again', 'debian-12', 'debian-12'],
    ['before another one', 'debian-13', 'ubuntu-24.04'],
    ['where its image is shown', 'debian-12', 'ubuntu-24.04'],
  ])('is restored %s', (_what, wanted, live) => {
    const seen = planOf(world(failed, config(wanted), live), true);
    expect(seen.commands).toEqual(['restoreBackup', 'startVm']);
    expect(seen.change).toMatchObject({
      action: 'update',
      reason: 'rebuild-failed',
      after: { image: 'ubuntu-24.04' },
    });
    expect(seen.json).toMatchObject({ action: 'update', restores: 'b-1' });
    expect(seen.codes).not.toContain('waits-for-rebuild');
  });

  it('is left where nobody wants it back any more', () => {
    expect(planOf(world(failed, config('debian-12', false))).commands[0]).toBe('rebuildVm');
  });

  it('is forgotten where it was never sent', () => {
    const seen = planOf(world({ wayBack }, config('debian-12')));
    expect(seen.change.action).toBe('rebuild');
  });
});
