import { describe, expect, test } from 'vitest';
import type { JournalRecord } from '../../../src/state/journal/records.ts';
import { createEmptyState, replayJournalRecords } from '../../../src/state/journal/replay.ts';
import {
  openMemoryState,
  type MemoryDiskContent,
  type MemoryStateStore,
} from '../../../src/state/memory-store.ts';
import {
  buildIntent,
  buildNetwork,
  buildVm,
  countIds,
  toPlain,
  wholeRun,
} from './build-records.ts';

const secondRun: readonly JournalRecord[] = [
  { kind: 'begin', runId: 'r-2', version: '0.1.0', service: 'https://api.test/v1', at: 9 },
  { kind: 'bound', resource: buildNetwork('lost') },
  { kind: 'settled', resource: buildVm('new') },
  { kind: 'end', runId: 'r-2', at: 10 },
];

/** Everything that a kill during `run` may leave behind: the disk before each write, in its midst, and at the end. */
async function collectDisks(
  disk: MemoryDiskContent,
  run: (store: MemoryStateStore) => Promise<void>,
): Promise<MemoryDiskContent[]> {
  const disks: MemoryDiskContent[] = [];
  const store = await openMemoryState({
    disk,
    createId: countIds(),
    onWrite: ({ kind, name, text }) => {
      const before = store.readDisk();
      disks.push(before);
      if (kind !== 'append') return;
      for (let cut = 1; cut < text.length; cut += 13) {
        disks.push(new Map(before).set(name, (before.get(name) ?? '') + text.slice(0, cut)));
      }
    },
  });
  await run(store);
  return [...disks, store.readDisk()];
}

async function recordAll(
  store: MemoryStateStore,
  records: readonly JournalRecord[],
): Promise<void> {
  for (const record of records) await store.record(record);
}

/** A state without its serial: a kill decides whether it has grown. */
function comparable(state: Parameters<typeof toPlain>[0]): unknown {
  return { ...(toPlain(state) as object), serial: undefined };
}

describe('a kill', () => {
  test('during a run leaves a prefix of its records', async () => {
    const disks = await collectDisks(new Map(), (store) => recordAll(store, wholeRun));
    const prefixes = wholeRun.map((_record, index) => wholeRun.slice(0, index));
    const reachable = [...prefixes, wholeRun].map((records) =>
      JSON.stringify(comparable(replayJournalRecords(createEmptyState('id-1'), records))),
    );
    let last = 0;
    for (const disk of disks) {
      const { state } = await openMemoryState({ disk, createId: countIds() });
      const place = reachable.indexOf(JSON.stringify(comparable(state)), 0);
      expect(place).toBeGreaterThanOrEqual(0);
      last = Math.max(last, place);
    }
    expect(last).toBeGreaterThanOrEqual(wholeRun.length - 1);
  });

  test.each([
    ['the first compaction', []],
    ['a later compaction', wholeRun],
  ])('during %s leaves the same state', async (_name, before) => {
    const first = await openMemoryState({ createId: countIds() });
    await recordAll(first, before);
    if (before.length > 0) await first.compact();
    await recordAll(first, secondRun);
    const disks = await collectDisks(first.readDisk(), (store) => store.compact());
    expect(disks.length).toBeGreaterThanOrEqual(3);
    for (const disk of disks) {
      const store = await openMemoryState({ disk, createId: countIds() });
      expect(comparable(store.state)).toEqual(comparable(first.state));
      // And it goes on from there: nothing is lost or doubled by what follows.
      await store.record({ kind: 'settled', resource: buildVm('third') });
      const killed = await store.reopen();
      expect(comparable(killed.state)).toEqual(comparable(store.state));
      await killed.compact();
      expect(toPlain((await killed.reopen()).state)).toEqual(toPlain(killed.state));
    }
  });

  test('of a process is not seen by it: what it writes later stays its own', async () => {
    const store = await openMemoryState();
    await store.record(buildIntent('a'));
    const next = await store.reopen();
    await store.record(buildIntent('b'));
    expect(next.state.pending.size).toBe(1);
    expect((await next.reopen()).state.pending.size).toBe(1);
  });
});

describe('a state in memory', () => {
  test('begins with the state it is given', async () => {
    const state = replayJournalRecords(createEmptyState('given'), wholeRun);
    const store = await openMemoryState({ state });
    expect(toPlain(store.state)).toEqual(toPlain(state));
    expect(store.diagnostics).toEqual([]);
    await store.close();
  });

  test('knows what is not durable yet, and a kill forgets it', async () => {
    let letThrough = (): void => undefined;
    const store = await openMemoryState({
      onWrite: () => new Promise<void>((resolve) => (letThrough = resolve)),
    });
    const written = store.record(buildIntent('a'));
    expect(store.state.pending.size).toBe(1);
    expect((await store.reopen()).state.pending.size).toBe(0);
    letThrough();
    await written;
    expect((await store.reopen({ isReadOnly: true })).state.pending.size).toBe(1);
  });

  test.each([1, 2, 3])(
    'a disk that is full at write %i of a compaction loses nothing',
    async (nth) => {
      let count = 0;
      const state = replayJournalRecords(createEmptyState('given'), wholeRun);
      const store = await openMemoryState({
        state,
        onWrite: () => {
          count += 1;
          if (count === nth + 1) throw Object.assign(new Error('full'), { code: 'ENOSPC' });
        },
      });
      await store.record({ kind: 'settled', resource: buildVm('a') });
      await expect(store.compact()).rejects.toMatchObject({ code: 'ENOSPC' });
      await expect(store.record(buildIntent('b'))).rejects.toMatchObject({ code: 'ENOSPC' });
      const next = await openMemoryState({ disk: store.readDisk() });
      expect(next.state.resources.has(buildVm('a').address)).toBe(true);
    },
  );
});
