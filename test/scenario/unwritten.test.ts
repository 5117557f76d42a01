import { describe, expect, test } from 'vitest';
import { fileNames, type FileName } from '../../src/state/files/files.ts';
import { openMemoryState } from '../../src/state/memory-store.ts';
import { configure, describeFailures, findViolations, World, type Meddle } from './world.ts';

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

/** Every third write that can fail; all of them with HOSTWRIGHT_THOROUGH=1. */
const stride = process.env.HOSTWRIGHT_THOROUGH === '1' ? 1 : 3;

/** Fails every write from one on, for as long as there are any, and says what is wrong after the next run. */
async function failEverywhere(
  goOn: (world: World, rescue: Map<FileName, string>) => Promise<void>,
) {
  const desired = await configure(shop);
  const found: string[] = [];
  let points = 0;
  // The first write says that a run begins: without it there is none.
  for (let fullFrom = 2; ; fullFrom += stride) {
    const world = await World.open();
    const rescue = new Map<FileName, string>();
    const meddle: Meddle = ({ method, url }, pass) => {
      if (method !== 'GET' && world.store.failure)
        found.push(`${fullFrom}: ${method} ${url} went out without its intent`);
      return pass();
    };
    const end = await world.apply(desired, { fullFrom, rescue, meddle });
    if (end.kind !== 'ended' || !world.store.failure) break;
    points += 1;
    const sent = end.summary.changes.filter(({ result }) => result.kind !== 'interrupted');
    // What was begun came to its end, although nothing could be written down where it belongs.
    for (const { address, result } of sent) {
      if (result.kind !== 'applied') found.push(`${fullFrom}: ${address} ended ${result.kind}`);
    }
    await goOn(world, rescue);
    found.push(
      ...describeFailures(await world.apply(desired)).map((line) => `${fullFrom}: ${line}`),
      ...(await findViolations(world, desired)).map((line) => `${fullFrom}: ${line}`),
    );
  }
  return { found, points };
}

describe('a state that can no longer be written', () => {
  test(
    'put back from its rescue, the next run ends what this one began',
    { timeout: 600_000 },
    async () => {
      const { found, points } = await failEverywhere(async (world, rescue) => {
        const disk = world.store.readDisk();
        disk.set(fileNames.snapshot, rescue.get(fileNames.snapshot) ?? '');
        world.store = await openMemoryState({ disk });
      });
      expect(found).toEqual([]);
      expect(points).toBeGreaterThan(4);
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
    const rescue = new Map<FileName, string>();
    const end = await world.apply(await configure(shop), { fullFrom: 3, rescue });
    if (end.kind !== 'ended') throw new Error(end.kind);
    expect(end.summary).toMatchObject({ isUnwritten: true, isInterrupted: false });
    const kinds = end.summary.changes.map(({ result }) => result.kind);
    expect(kinds).toContain('interrupted');
    expect(new Set(kinds)).not.toContain('failed');
  });
});
