import { whole } from '../support/whole.ts';
import { describe, expect, test } from 'vitest';
import { drawVariants } from '../support/budget/budget.ts';
import { killEverywhere } from './kill-everywhere.ts';
import { findVm, readBackups, web } from './rebuilt-vm.ts';
import { describeFailures, findViolations, World, type Meddle } from './world.ts';
import { expectApplied } from './expect-built.ts';

const dayMs = 24 * 3_600_000;

/** A person's own work on the first backup of the VM. */
async function workOnBackup(world: World, operation: 'restoreBackup' | 'deleteBackup') {
  const { id: vmId, projectId } = await findVm(world);
  const [backup] = await readBackups(world);
  const params = { projectId, vmId, backupId: backup?.id ?? '' };
  await world.time.run(world.connect().call({ operation, params }));
}

async function backUpByHand(world: World): Promise<void> {
  const { id: vmId, projectId } = await findVm(world);
  const params = { projectId, vmId };
  await world.time.run(world.connect().call({ operation: 'createBackup', params }));
  await world.settle();
}

describe.each(drawVariants('backups first'))('a backup before a rebuild, %s', (variant) => {
  test('is made of the disk that is lost', async () => {
    const world = await World.open({ variant });
    await world.apply(await web('ubuntu-24.04'));
    const { imageId } = await findVm(world);
    const desired = await web('debian-12');
    expect((await world.plan(desired)).plan.changes).toContainEqual(
      expect.objectContaining({ action: 'rebuild', isBackedUpFirst: true }),
    );
    await expectApplied(world, desired);
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

  test('that would be the eighth takes the one that the plan names, and no other', async () => {
    const world = await World.open();
    await world.apply(await web('ubuntu-24.04'));
    for (let count = 0; count < 7; count += 1) await backUpByHand(world);
    const before = await readBackups(world);
    const desired = await web('debian-12');
    const { plan } = await world.plan(desired);
    expect(plan.findings.map(({ code }) => code)).toEqual(['data-loss', 'backup-displaced']);
    expect(plan.findings[0]?.summary).toContain('and 1 backup');
    expect(plan.findings[1]?.detail).toContain(before[0]?.id);
    // A person makes one between the plan and the apply: the next to go is one that nobody has given up.
    let isTaken = false;
    const end = await world.apply(desired, {
      meddle: async (request, pass) => {
        if (request.method === 'GET' && request.url.endsWith('/backups') && !isTaken) {
          isTaken = true;
          const answer = await pass();
          await world.sandbox.fetch(
            new Request(request.url, { method: 'POST', headers: request.headers }),
          );
          return answer;
        }
        return pass();
      },
    });
    expect(describeFailures(end).join()).toContain('changed-since-plan');
    expect((await readBackups(world)).map(({ id }) => id)).toEqual(
      expect.arrayContaining(before.slice(1).map(({ id }) => id)),
    );
    await expectApplied(world, desired);
    const left = await readBackups(world);
    expect(left).toHaveLength(7);
    expect(left).not.toContainEqual(before[1]);
    expect(left).toContainEqual(before[2]);
  });

  test.each<[string, Meddle]>([
    ['tells when it was made', (_request, pass) => pass()],
    [
      'tells no times',
      async (request, pass) => {
        const answer = await pass();
        if (!request.url.includes('/backups')) return answer;
        const text = (await answer.text()).replace(
          /"createdAt":("[^"]*"|\d+)/g,
          '"createdAt":null',
        );
        return new Response(text, { status: answer.status, headers: answer.headers });
      },
    ],
  ])('serves every attempt at it where the service %s', async (_what, meddle) => {
    let isBroken = true;
    const world = await World.open({
      planFailure: ({ type }) => (type === 'Rebuild' && isBroken ? 'internal' : null),
    });
    await world.apply(await web('ubuntu-24.04'));
    const desired = await web('debian-12');
    for (let attempt = 0; attempt < 3; attempt += 1) {
      expect(describeFailures(await world.apply(desired, { meddle })).join()).toContain('internal');
      await world.settle(3_600_000);
    }
    const [kept, ...more] = await readBackups(world);
    expect(more).toEqual([]);
    const { plan } = await world.plan(desired);
    expect(plan.changes.flatMap(({ losses }) => losses)).toContainEqual(
      expect.stringContaining(`The backup of the earlier attempt (${kept?.id}`),
    );
    isBroken = false;
    await expectApplied(world, desired, { meddle });
    expect(await readBackups(world)).toEqual([kept]);
    expect(await findViolations(world, desired)).toEqual([]);
    // The next rebuild is another wish, of another disk.
    await expectApplied(world, await web('ubuntu-22.04'), { meddle });
    expect(await readBackups(world)).toHaveLength(2);
  });

  test.each<[string, (world: World) => Promise<unknown>]>([
    ['a day old', (world) => world.settle(dayMs)],
    ['deleted', (world) => workOnBackup(world, 'deleteBackup')],
    [
      'of what a restore has put another in place of',
      (world) => workOnBackup(world, 'restoreBackup'),
    ],
    ['of a rebuild that was given up', async (world) => world.apply(await web('ubuntu-24.04'))],
  ])('that is %s is not used again', async (_what, pass) => {
    let isBroken = true;
    const world = await World.open({
      planFailure: ({ type }) => (type === 'Rebuild' && isBroken ? 'internal' : null),
    });
    await world.apply(await web('ubuntu-24.04'));
    await world.apply(await web('debian-12'));
    await pass(world);
    await world.settle();
    const before = await readBackups(world);
    isBroken = false;
    await expectApplied(world, await web('debian-12'));
    expect(await readBackups(world)).toHaveLength(before.length + 1);
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

test.each(drawVariants('backups first'))(
  'a backup before a rebuild, %s, killed at any step: rebuilt with exactly one',
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
      expect(backups.map(({ sourceImageId }) => sourceImageId)).toEqual([oldImage]);
      return [...failures, ...(await findViolations(world, desired))];
    };
    expect(await killEverywhere({ open, desired, goOn, from: 14, every: 20 })).toBeGreaterThan(20);
  },
);
