import { expect, test } from 'vitest';
import { findVm, readBackups, web } from './rebuilt-vm.ts';
import { killEverywhere } from './kill-everywhere.ts';
import { describeFailures, findViolations, World } from './world.ts';

test.each(['strict', 'loose'] as const)(
  'a backup before a rebuild, %s, killed at any step: never rebuilt without one',
  { timeout: 120_000 },
  async (variant) => {
    const desired = await web('debian-12');
    let oldImage = '';
    const open = async () => {
      const world = await World.open({ variant });
      await world.apply(await web('ubuntu-24.04'));
      oldImage = (await findVm(world)).imageId;
      return world;
    };
    const goOn = async (world: World, killAt: number) => {
      await world.settle(killAt % 2 === 0 ? 0 : 3_600_000);
      const failures = describeFailures(await world.apply(desired));
      const backups = await readBackups(world);
      // A run that was killed before it saw its backup makes another one; each is of the old disk.
      expect(new Set(backups.map(({ sourceImageId }) => sourceImageId))).toEqual(
        new Set([oldImage]),
      );
      expect(backups.length).toBeLessThanOrEqual(2);
      return [...failures, ...(await findViolations(world, desired))];
    };
    expect(await killEverywhere({ open, desired, goOn, from: 14, step: 9 })).toBeGreaterThan(2);
  },
);
