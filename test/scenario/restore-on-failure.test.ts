// A rebuild that fails, or is not ready in time, is taken back by its backup, at the service and in the state.
import { describe, expect, it } from 'vitest';
import type { RunProbeOnce } from '../../src/model/plan/readiness.ts';
import { drawSome, drawVariants } from '../support/budget/budget.ts';
import { findVm, readBackups } from './rebuilt-vm.ts';
import { killEverywhere } from './kill-everywhere.ts';
import { configure, World, type RunOptions } from './world.ts';

const address = 'projects.demo.vms.web';

const probed = 'rollout: { atOnce: 1, ready: [command: [./check]] }';

/** The VM, whose rebuild is taken back where it fails. */
const web = (image: string, rest = '', others = '') =>
  configure(`projects: { demo: { vms: { web: { image: ${image}, configuration: c1-r1-d20, tariff: monthly,
    power: running, rebuild: { backupFirst: true, restoreOnFailure: true }, ${rest} } }${others} } }`);

/** Holds for what was made and for what was restored, and never for what a rebuild has made. */
const failAfterRebuild =
  (world: World): RunProbeOnce =>
  (_probe, { isRestored }) => {
    const isRebuilt = world.store.state.resources.get(address)?.wayBack !== undefined;
    return Promise.resolve(
      isRebuilt && !isRestored ? { kind: 'failing', seen: 'no answer' } : { kind: 'holds' },
    );
  };

async function apply(
  world: World,
  image: string,
  rest: string,
  options: RunOptions = {},
  others = '',
) {
  const end = await world.apply(await web(image, rest, others), options);
  if (end.kind !== 'ended') throw new Error(end.kind);
  const change = end.summary.changes.find((one) => one.address === address);
  return { plan: end.planned.plan, change, summary: end.summary };
}

describe.each(drawVariants('what is taken back'))('a rebuild that is taken back, %s', (variant) => {
  it.each([
    ['fails', '', 'operation-failed'],
    ['fails, and has probes', probed, 'operation-failed'],
    ['is not ready', probed, 'not-ready'],
  ])('where it %s', async (_what, rest, code) => {
    let isBroken = code === 'operation-failed';
    const world = await World.open({
      variant,
      planFailure: ({ type }) => (type === 'Rebuild' && isBroken ? 'internal' : null),
    });
    const askProbe = failAfterRebuild(world);
    await apply(world, 'ubuntu-24.04', rest, { askProbe });
    const before = await findVm(world);
    const { change } = await apply(world, 'debian-12', rest, { askProbe });
    const [backup] = await readBackups(world);
    expect(change).toMatchObject({
      done: [],
      result: { kind: 'failed', restoredFrom: backup?.id, diagnostic: { code } },
    });
    expect(JSON.stringify(change?.result)).toContain(
      `restored: it has the image \\"ubuntu-24.04\\" again${rest === '' ? '' : ', and is ready'}.`,
    );
    expect(await findVm(world)).toMatchObject({ imageId: before.imageId, bootStatus: 'Running' });
    const managed = world.store.state.resources.get(address);
    expect(managed).toMatchObject({
      attributes: { image: 'ubuntu-24.04' },
      failedTarget: { image: 'debian-12' },
    });
    expect([managed?.isNotReady, managed?.wayBack]).toEqual([undefined, undefined]);

    const again = await apply(world, 'debian-12', rest, { askProbe });
    expect(again.plan.tasks).toEqual([]);
    expect(again.plan.findings.map(({ code: one }) => one)).toEqual(['tried-before']);

    isBroken = false;
    const retried = await apply(world, 'debian-12', rest, {
      askProbe: () => Promise.resolve({ kind: 'holds' }),
      planOptions: { retriesFailed: true },
    });
    expect(retried.change?.result.kind).toBe('applied');
    expect(world.store.state.resources.get(address)?.failedTarget).toBeUndefined();
    expect((await world.plan(await web('debian-12', rest))).plan.findings).toEqual([]);
    world.sandbox.close();
  });

  it('is probed as it is: what was restored by its own image, which the plan of the rebuild does not ask for', async () => {
    const reading = (more: string) =>
      `rollout: { atOnce: 1, ready: [command: [./check, "\${self.image}${more}"]] }`;
    for (const more of ['', ` \${projects.demo.publicIps.later.address}`]) {
      const world = await World.open({ variant });
      const asked: string[] = [];
      const askProbe: RunProbeOnce = (probe) => {
        const image = probe.kind === 'command' ? probe.words[1]!.split(' ')[0]! : '';
        asked.push(image);
        const serves = image === 'ubuntu-24.04';
        return Promise.resolve(serves ? { kind: 'holds' } : { kind: 'failing', seen: 'no answer' });
      };
      await apply(world, 'ubuntu-24.04', reading(''), { askProbe });
      asked.length = 0;
      const later = more === '' ? '' : ', publicIps: { later: }';
      const { change } = await apply(world, 'debian-12', reading(more), { askProbe }, later);
      expect(JSON.stringify(change?.result)).toContain('again, and is ready.');
      expect([asked[0], asked.at(-1)]).toEqual(['debian-12', 'ubuntu-24.04']);
      world.sandbox.close();
    }
  });

  it('is unknown where the restore fails, too, and is taken up by the next apply', async () => {
    const failing = new Set(['Rebuild', 'RestoreBackup']);
    const world = await World.open({
      variant,
      planFailure: ({ type }) => (failing.has(type) ? 'internal' : null),
    });
    await apply(world, 'ubuntu-24.04', '');
    const { change } = await apply(world, 'debian-12', '');
    expect(change?.result).toMatchObject({
      kind: 'unknown',
      diagnostic: {
        code: 'restore-failed',
        detail: expect.stringMatching(/accepted rebuildVm.*accepted restoreBackup/s) as string,
      },
    });
    const again = await apply(world, 'debian-12', '');
    expect(again.change).toMatchObject({
      action: 'update',
      result: { kind: 'unknown', diagnostic: { code: 'restore-failed' } },
    });
    failing.clear();
    expect((await apply(world, 'debian-12', '')).change?.result.kind).toBe('applied');
    const { findings, tasks } = (await world.plan(await web('debian-12'))).plan;
    expect([tasks, findings.map(({ code }) => code)]).toEqual([[], ['tried-before']]);
    world.sandbox.close();
  });

  const causes = [
    ['fails', ''],
    ['is not ready', probed],
  ] as const;
  const killed = drawSome(causes, { short: 1, ci: causes.length }, 'what is taken back once');
  it.each(killed)(
    'is taken back once, where it %s, whenever the run is killed',
    async (what, rest) => {
      const open = async () => {
        const world = await World.open({
          variant,
          planFailure: ({ type }) => (type === 'Rebuild' && what === 'fails' ? 'internal' : null),
        });
        await apply(world, 'ubuntu-24.04', rest, { askProbe: failAfterRebuild(world) });
        return world;
      };
      const goOn = async (world: World, killAt: number) => {
        if (killAt % 2 === 0) await world.settle();
        const askProbe = failAfterRebuild(world);
        const results: string[] = [];
        for (let count = 0; count < 3; count += 1) {
          const { plan, change } = await apply(world, 'debian-12', rest, { askProbe });
          if (plan.tasks.length > 0) results.push(change?.result.kind ?? 'nothing');
        }
        const { projectId, imageId } = await findVm(world);
        const done = await world.time.run(world.connect().listOperations(projectId));
        const count = (type: string) => done.filter((one) => one.type === type).length;
        const { image } = world.store.state.resources.get(address)?.attributes ?? {};
        const [backup] = await readBackups(world);
        const end = {
          backups: count('CreateBackup'),
          rebuilds: count('Rebuild'),
          restores: count('RestoreBackup'),
          image,
          isBack: imageId === backup?.sourceImageId,
        };
        const { findings, tasks } = (await world.plan(await web('debian-12', rest))).plan;
        const told = [
          JSON.stringify(end),
          results.join(),
          tasks.length,
          ...findings.map(({ code }) => code),
        ].join(' ');
        const expected = JSON.stringify({
          backups: 1,
          rebuilds: 1,
          restores: 1,
          image: 'ubuntu-24.04',
          isBack: true,
        });
        return new RegExp(`^${expected} (failed|applied|) 0 tried-before$`).test(told)
          ? []
          : [told];
      };
      const askedBy = {
        askProbe: (() => Promise.resolve({ kind: 'failing', seen: 'no' })) as RunProbeOnce,
      };
      const desired = await web('debian-12', rest);
      expect(
        await killEverywhere({ open, desired, goOn, options: askedBy, from: 14, every: 12 }),
      ).toBeGreaterThan(20);
    },
  );
});
