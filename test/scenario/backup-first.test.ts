import { whole } from '../support/whole.ts';
import { describe, expect, test } from 'vitest';
import { killEverywhere } from './kill-everywhere.ts';
import { findVm, readBackups, web } from './rebuilt-vm.ts';
import { describeFailures, findViolations, World } from './world.ts';

async function backUpByHand(world: World): Promise<void> {
  const { id: vmId, projectId } = await findVm(world);
  const params = { projectId, vmId };
  await world.time.run(world.connect().call({ operation: 'createBackup', params }));
  await world.settle();
}

describe.each(['strict', 'loose'] as const)('a backup before a rebuild, %s', (variant) => {
  test('is made of the disk that is lost', async () => {
    const world = await World.open({ variant });
    await world.apply(await web('ubuntu-24.04'));
    const { imageId } = await findVm(world);
    const desired = await web('debian-12');
    expect((await world.plan(desired)).plan.changes).toContainEqual(
      expect.objectContaining({ action: 'rebuild', isBackedUpFirst: true }),
    );
    expect(describeFailures(await world.apply(desired))).toEqual([]);
    expect((await readBackups(world)).map(({ sourceImageId }) => sourceImageId)).toEqual([imageId]);
    expect(await findViolations(world, desired)).toEqual([]);
  });

  test('that fails leaves the VM as it is, whatever older backups there are', async () => {
    let isBroken = false;
    const world = await World.open({
      variant,
      planFailure: ({ type }) => (type === 'CreateBackup' && isBroken ? 'internal' : null),
    });
    await world.apply(await web('ubuntu-24.04'));
    await backUpByHand(world);
    isBroken = true;
    const { imageId } = await findVm(world);
    const end = await world.apply(await web('debian-12'));
    expect(describeFailures(end).join()).toContain('backup-failed');
    expect(await findVm(world)).toMatchObject({ imageId, status: 'active' });
  });
});

describe('a backup before a rebuild', () => {
  test("is not mistaken for somebody else's that ended in between", async () => {
    let isBroken = false;
    let made = 0;
    const world = await World.open({
      // The first is the other person's and comes about, the second is ours and does not.
      planFailure: ({ type }) =>
        type === 'CreateBackup' && isBroken && (made += 1) > 1 ? 'internal' : null,
    });
    await world.apply(await web('ubuntu-24.04'));
    isBroken = true;
    const { imageId, id: vmId, projectId } = await findVm(world);
    let isTaken = false;
    const end = await world.apply(await web('debian-12'), {
      meddle: async (request, pass) => {
        if (request.method === 'POST' && request.url.endsWith('/backups') && !isTaken) {
          isTaken = true;
          await world.sandbox.fetch(
            new Request(`http://sandbox/v1/projects/${projectId}/vms/${vmId}/backups`, {
              method: 'POST',
              headers: { authorization: `Bearer ${world.sandbox.token}` },
            }),
          );
        }
        return pass();
      },
    });
    expect(describeFailures(end).join()).toContain('backup-failed');
    expect(await findVm(world)).toMatchObject({ imageId });
    expect(await readBackups(world)).toHaveLength(1);
  });

  test('that would be the eighth is announced with the one that it pushes out', async () => {
    const world = await World.open();
    await world.apply(await web('ubuntu-24.04'));
    for (let count = 0; count < 7; count += 1) await backUpByHand(world);
    const [oldest] = await readBackups(world);
    const desired = await web('debian-12');
    const { plan } = await world.plan(desired);
    expect(plan.findings.map(({ code }) => code)).toEqual(['data-loss', 'backup-displaced']);
    expect(plan.findings[1]?.detail).toContain(oldest?.id);
    expect(describeFailures(await world.apply(desired))).toEqual([]);
    const left = await readBackups(world);
    expect(left).toHaveLength(7);
    expect(left).not.toContainEqual(oldest);
  });

  test('backups that go with their VM are counted', async () => {
    const world = await World.open();
    const desired = await web('ubuntu-24.04');
    await world.apply(desired);
    await backUpByHand(world);
    await backUpByHand(world);
    const { plan } = await world.plan(desired, 'destroy');
    expect(plan.changes.flatMap(({ losses }) => losses)).toContain(
      'Its 2 backups are deleted with it.',
    );
  });
});

test.each(['strict', 'loose'] as const)(
  'a backup before a rebuild, %s, killed at any step: never rebuilt without one',
  async (variant) => {
    const desired = await web('debian-12');
    let oldImage = '';
    const open = async () => {
      const world = await World.open({ variant });
      await world.apply(await web('ubuntu-24.04'));
      oldImage = whole(await findVm(world)).imageId;
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
    expect(await killEverywhere({ open, desired, goOn, from: 14, every: 20 })).toBeGreaterThan(20);
  },
);
