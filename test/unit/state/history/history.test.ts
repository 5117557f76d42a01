import { describe, expect, test } from 'vitest';
import type { StateFileName } from '../../../../src/state/files/files.ts';
import {
  readStateHistory,
  findDefaultHistoryVersions,
  type StateHistoryLimits,
} from '../../../../src/state/history/history.ts';
import { openMemoryStateFiles } from '../../../../src/state/memory-store.ts';
import { openStateStoreOnFiles } from '../../../../src/state/store.ts';
import { buildNetwork, countIds } from '../build-records.ts';

const day = 86_400_000;

/** So many runs, a day apart, each of which leaves a state. */
async function runDaily(
  disk: Map<StateFileName, string>,
  runs: number,
  limits: StateHistoryLimits = { versions: 100 },
): Promise<number> {
  let now = Date.UTC(2026, 0, 1);
  for (let run = 1; run <= runs; run += 1) {
    now += day;
    const history = { limits, who: `user-${run}@here`, operation: 'apply', now: () => now };
    const store = await openStateStoreOnFiles(openMemoryStateFiles(disk), {
      createId: countIds(),
      history,
    });
    await store.record({ kind: 'settled', resource: buildNetwork(`lan${run}`) });
    await store.compact({ runId: `run-${run}`, counts: { add: run } });
    await store.close();
  }
  return now;
}

describe('the history', () => {
  test('is empty before the first state', async () =>
    expect(await readStateHistory(openMemoryStateFiles(new Map()), 0)).toEqual([]));

  test('has a version for each run, the one of now among them', async () => {
    const disk = new Map<StateFileName, string>();
    await runDaily(disk, 3);
    const versions = await readStateHistory(openMemoryStateFiles(disk), 3);
    expect(versions.map(({ serial, who, runId, counts }) => [serial, who, runId, counts])).toEqual([
      [1, 'user-1@here', 'run-1', { add: 1 }],
      [2, 'user-2@here', 'run-2', { add: 2 }],
      [3, 'user-3@here', 'run-3', { add: 3 }],
    ]);
    expect(versions[0]?.at).toBe('2026-01-02T00:00:00.000Z');
    // The text of each that is no longer the state, as it was.
    expect(disk.get('history/2.json')).toContain('lan2');
    expect(disk.get('history/2.json')).not.toContain('lan3');
    expect(disk.has('history/3.json')).toBe(false);
  });

  test('keeps as many as it may', async () => {
    const disk = new Map<StateFileName, string>();
    await runDaily(disk, 6, { versions: 2 });
    const versions = await readStateHistory(openMemoryStateFiles(disk), 6);
    expect(versions.map(({ serial }) => serial)).toEqual([4, 5, 6]);
    expect(versions.every(({ at }) => at !== undefined)).toBe(true);
  });

  test('keeps none where none is wanted', async () => {
    const disk = new Map<StateFileName, string>();
    await runDaily(disk, 3, { versions: 0 });
    expect([...disk.keys()].sort()).toEqual(['state.json', 'state.json.backup']);
  });

  test('keeps them for as long as it may', async () => {
    const disk = new Map<StateFileName, string>();
    await runDaily(disk, 6, { versions: 100, ageMs: 2.5 * day });
    const versions = await readStateHistory(openMemoryStateFiles(disk), 6);
    expect(versions.map(({ serial }) => serial)).toEqual([4, 5, 6]);
  });

  test.each(['', '{', 'null', '{"formatVersion":9}'])(
    'is shown without its index, or with one that is damaged: %s',
    async (index) => {
      const disk = new Map<StateFileName, string>();
      await runDaily(disk, 3);
      disk.set('history.json', index);
      expect(await readStateHistory(openMemoryStateFiles(disk), 3)).toEqual([
        { serial: 1 },
        { serial: 2 },
        { serial: 3 },
      ]);
    },
  );

  test('is whole after a kill at any write, and so is the state', async () => {
    const disk = new Map<StateFileName, string>();
    await runDaily(disk, 2);
    for (let killAt = 1; killAt <= 12; killAt += 1) {
      const copy = new Map(disk);
      let writes = 0;
      const files = openMemoryStateFiles(copy, () => {
        writes += 1;
        if (writes >= killAt) throw new Error('killed');
      });
      const history = { limits: { versions: 1 }, who: 'a', operation: 'apply', now: Date.now };
      const store = await openStateStoreOnFiles(files, { createId: countIds(), history });
      await store
        .record({ kind: 'settled', resource: buildNetwork('lan3') })
        .catch(() => undefined);
      await store.compact().catch(() => undefined);
      const after = await openStateStoreOnFiles(openMemoryStateFiles(copy), { isReadOnly: true });
      const names = [...after.state.resources.keys()];
      expect(names.slice(0, 2)).toEqual([
        'projects.shop.networks.lan1',
        'projects.shop.networks.lan2',
      ]);
      const versions = await readStateHistory(openMemoryStateFiles(copy), after.snapshotSerial);
      expect(versions.at(-1)?.serial).toBe(after.snapshotSerial);
    }
  });

  test.each([
    [0, 100],
    [1_000, 100],
    [1_000_000, 67],
    [10_000_000, 6],
    [500_000_000, 5],
  ])('keeps fewer of a large state: %i characters', (size, versions) => {
    expect(findDefaultHistoryVersions(size)).toBe(versions);
  });
});
