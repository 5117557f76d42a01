import { expect, test } from 'vitest';
import { findVm, readBackups, web } from './rebuilt-vm.ts';
import { describeFailures, findViolations, World } from './world.ts';

test.each(['strict', 'loose'] as const)(
  'a backup before a rebuild, %s, killed at any step: never rebuilt without one',
  { timeout: 120_000 },
  async (variant) => {
    const desired = await web('debian-12');
    let points = 0;
    for (let killAt = 14; ; killAt += 9) {
      const world = await World.open({ variant });
      await world.apply(await web('ubuntu-24.04'));
      const { imageId } = await findVm(world);
      const end = await world.apply(desired, { killAt });
      if (end.kind !== 'killed') break;
      points += 1;
      await world.settle(points % 2 === 0 ? 0 : 3_600_000);
      expect(describeFailures(await world.apply(desired))).toEqual([]);
      const backups = await readBackups(world);
      // A run that was killed before it saw its backup makes another one; each is of the old disk.
      expect(new Set(backups.map(({ sourceImageId }) => sourceImageId))).toEqual(
        new Set([imageId]),
      );
      expect(backups.length).toBeLessThanOrEqual(2);
      expect(await findViolations(world, desired)).toEqual([]);
    }
    expect(points).toBeGreaterThan(2);
  },
);
