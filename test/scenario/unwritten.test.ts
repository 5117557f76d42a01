import { describe, expect, test } from 'vitest';
import { stateFileNames, type StateFileName } from '../../src/state/files/files.ts';
import { openMemoryState } from '../../src/state/memory-store.ts';
import { walkPoints } from '../support/budget/walk-points.ts';
import {
  configure,
  describeFailures,
  findViolations,
  World,
  type Meddle,
  type Point,
} from './world.ts';

const shop = `
projects:
  demo:
    networks: { backend: }
    publicIps:
      edge: { forwards: { https: { protocol: tcp, publicPort: 443, vm: web, vmPort: 8443 } } }
    vms:
      web: { image: ubuntu-24.04, configuration: c2-r4-d40, tariff: monthly, networks: [backend] }
      bastion: { image: debian-12, configuration: c1-r1-d20, tariff: monthly, publicIp: new }
`;

/** Fails every write from one on, and expects nothing wrong after the next run. @returns how many writes can fail */
async function failEverywhere(
  goOn: (world: World, rescue: Map<StateFileName, string>) => Promise<void>,
): Promise<number> {
  const desired = await configure(shop);
  // The first write says that a run begins: without it there is none.
  return walkPoints({ from: 2 }, async (fullFrom) => {
    const world = await World.open();
    const rescue = new Map<StateFileName, string>();
    let writes = 0;
    const onStep = ({ kind }: Point) => {
      if (kind === 'write') writes += 1;
      return 'go' as const;
    };
    const unannounced: string[] = [];
    const meddle: Meddle = ({ method, url }, pass) => {
      if (method !== 'GET' && world.store.failure)
        unannounced.push(`${method} ${url} went out without its intent`);
      return pass();
    };
    const end = await world.apply(desired, { fullFrom, rescue, onStep, meddle });
    if (end.kind !== 'ended' || !world.store.failure) return { kind: 'past', last: writes };
    const sent = end.summary.changes.filter(({ result }) => result.kind !== 'interrupted');
    // What was begun came to its end, although nothing could be written down where it belongs.
    const cutShort = sent.filter(({ result }) => result.kind !== 'applied');
    await goOn(world, rescue);
    const faults = [
      ...unannounced,
      ...cutShort.map(({ address, result }) => `${address} ended ${result.kind}`),
      ...describeFailures(await world.apply(desired)),
      ...(await findViolations(world, desired)),
    ];
    return { kind: 'tried', faults };
  });
}

describe('a state that can no longer be written', () => {
  test(
    'put back from its rescue, the next run ends what this one began',
    { timeout: 600_000 },
    async () => {
      const points = await failEverywhere(async (world, rescue) => {
        const disk = world.store.readDisk();
        disk.set(stateFileNames.snapshot, rescue.get(stateFileNames.snapshot) ?? '');
        world.store = await openMemoryState({ disk });
      });
      expect(points).toBeGreaterThan(12);
    },
  );

  test('from the first write on: nothing is sent at all', async () => {
    const world = await World.open();
    const run = world.apply(await configure(shop), { fullFrom: 1 });
    await expect(run).rejects.toMatchObject({ code: 'ENOSPC' });
    expect(await world.readAccount()).toEqual([]);
  });

  test('nothing is started any more, and the summary says why', async () => {
    const world = await World.open();
    const rescue = new Map<StateFileName, string>();
    const end = await world.apply(await configure(shop), { fullFrom: 3, rescue });
    if (end.kind !== 'ended') throw new Error(end.kind);
    expect(end.summary).toMatchObject({ isUnwritten: true, isInterrupted: false });
    const kinds = end.summary.changes.map(({ result }) => result.kind);
    expect(kinds).toContain('interrupted');
    expect(new Set(kinds)).not.toContain('failed');
  });
});
