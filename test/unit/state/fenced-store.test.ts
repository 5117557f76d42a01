// A holder that loses its lock at any moment: what it was told is written, its successor knows; what it writes after
// that, nobody sees. On a disk, and in memory.
import { cpSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { explainLostLock, LockLostError, type LockFence } from '../../../src/state/lock/fence.ts';
import type { StateFileName } from '../../../src/state/files/files.ts';
import { acquireLock, forceUnlock, type StateLock } from '../../../src/state/lock/lock.ts';
import { openMemoryStateFiles } from '../../../src/state/memory-store.ts';
import { createEmptyState, replayJournalRecords } from '../../../src/state/journal/replay.ts';
import type { JournalRecord } from '../../../src/state/journal/records.ts';
import { replaceState } from '../../../src/state/replace-state.ts';
import {
  openStateStore,
  openStateStoreOnFiles,
  type StateStore,
} from '../../../src/state/store.ts';
import {
  buildIntent,
  buildNetwork,
  buildVm,
  countIds,
  toPlain,
  wholeRun,
} from './build-records.ts';
import { openLocalBackend } from '../../../src/state/backends/local.ts';

let directory: string;
let folder: string;
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'hostwright-fence-'));
  folder = join(directory, 'run', '.hostwright');
});
afterEach(() => rm(directory, { recursive: true }));

const taker = {
  ID: 'taker',
  Who: 'ann@there',
  Operation: 'apply',
  Created: '2026-01-01T00:05:00Z',
};

/** When a fence is asked, counted from 1: the moment right before the answer, or right after it. */
interface Moment {
  readonly nth: number;
  readonly side: 'before' | 'after';
}

/** A place for a state whose lock passes to another at a moment. */
interface Place {
  /** In memory nothing comes between the answer and the write. */
  readonly sides: readonly Moment['side'][];
  /** Opens the state of the holder; its lock is lost at the moment, or never. */
  open(moment: Moment | undefined): Promise<StateStore>;
  /** How often the fence was asked. */
  readonly asked: number;
  /** The state as the successor found it. */
  openAtTakeover(): Promise<StateStore>;
  /** What the successor, and whoever looks, finds there now. */
  openNow(): Promise<StateStore>;
  /** Everything but the journal of the holder's own epoch. */
  readOthers(): Record<string, string>;
  readOthersAtTakeover(): Record<string, string>;
}

/** Counts how often the fence is asked, and takes over at the moment. */
function watchFence(fence: LockFence, moment: Moment | undefined, takeOver: () => void) {
  const seen = { asked: 0 };
  const watched: LockFence = {
    epoch: fence.epoch,
    get lost() {
      return fence.lost;
    },
    verify() {
      seen.asked += 1;
      const isNow = seen.asked === moment?.nth;
      if (isNow && moment.side === 'before') takeOver();
      fence.verify();
      if (isNow && moment.side === 'after') takeOver();
    },
    verifyLease: () => fence.verifyLease(),
  };
  return { seen, watched };
}

/** What a successor does in one go: its mark, the temporary files of others away, then it reads. */
function markAndSweep(id: string): void {
  writeFileSync(join(folder, `lock.${id}.json`), JSON.stringify(taker));
  for (const name of readdirSync(folder)) {
    if (name.endsWith('.tmp')) rmSync(join(folder, name));
  }
}

const acquire = async (): Promise<StateLock> =>
  acquireLock(
    openLocalBackend(join(directory, 'run')).lock,
    { operation: 'apply', version: '0', process: { pid: process.pid, host: 'here', user: 'me' } },
    { clock: { now: Date.now, sleep: () => Promise.resolve() } },
  );

const locks: StateLock[] = [];
afterEach(async () => {
  for (const lock of locks.splice(0)) await lock.release();
});

function openDiskPlace(): Place {
  let seen = { asked: 0 };
  const copy = join(directory, 'copy');
  const readFolder = (path: string) =>
    Object.fromEntries(
      readdirSync(path)
        .filter((name) => !/^journal|^lock/.test(name))
        .map((name) => [name, readFileSync(join(path, name), 'utf8')]),
    );
  return {
    sides: ['before', 'after'],
    async open(moment) {
      rmSync(directory, { recursive: true, force: true });
      const lock = await acquire();
      locks.push(lock);
      const takeOver = () => {
        markAndSweep(lock.info.ID);
        cpSync(folder, join(copy, '.hostwright'), { recursive: true });
      };
      const fence = watchFence(lock.fence, moment, takeOver);
      seen = fence.seen;
      const options = { createId: countIds(), fence: fence.watched };
      return openStateStore(openLocalBackend(join(directory, 'run')), options);
    },
    get asked() {
      return seen.asked;
    },
    openAtTakeover: () => openStateStore(openLocalBackend(copy), { isReadOnly: true }),
    openNow: () => openStateStore(openLocalBackend(join(directory, 'run')), { isReadOnly: true }),
    readOthers: () => readFolder(folder),
    readOthersAtTakeover: () => readFolder(join(copy, '.hostwright')),
  };
}

function openMemoryPlace(): Place {
  let seen = { asked: 0 };
  let contents = new Map<StateFileName, string>();
  let copy = new Map<StateFileName, string>();
  const readAll = (files: Map<StateFileName, string>) =>
    Object.fromEntries([...files].filter(([name]) => !name.startsWith('journal')));
  const openReadOnly = (files: Map<StateFileName, string>) =>
    openStateStoreOnFiles(openMemoryStateFiles(files), { isReadOnly: true });
  return {
    sides: ['before'],
    open(moment) {
      contents = new Map();
      let lost: LockLostError | undefined;
      const fence: LockFence = {
        epoch: 1,
        get lost() {
          return lost;
        },
        verify() {
          if (lost) throw lost;
        },
        verifyLease: () => undefined,
      };
      const watching = watchFence(fence, moment, () => {
        lost = new LockLostError({ kind: 'taken', by: taker });
        copy = new Map(contents);
      });
      seen = watching.seen;
      const options = { createId: countIds(), fence: watching.watched };
      return openStateStoreOnFiles(
        openMemoryStateFiles(contents, undefined, watching.watched),
        options,
      );
    },
    get asked() {
      return seen.asked;
    },
    openAtTakeover: () => openReadOnly(copy),
    openNow: () => openReadOnly(contents),
    readOthers: () => readAll(contents),
    readOthersAtTakeover: () => readAll(copy),
  };
}

/** A run of a holder: records, a snapshot, records again. What was acknowledged is returned. */
async function goOn(
  store: StateStore,
): Promise<{ kept: JournalRecord[]; refused: JournalRecord[] }> {
  const kept: JournalRecord[] = [];
  const refused: JournalRecord[] = [];
  const record = async (one: JournalRecord) => {
    try {
      await store.record(one);
      if (!store.failure) kept.push(one);
    } catch (error) {
      expect(error).toBeInstanceOf(LockLostError);
      expect(error).toBe(store.failure);
      refused.push(one);
    }
  };
  for (const one of wholeRun.slice(0, 5)) await record(one);
  await store.compact().catch((error: unknown) => expect(error).toBe(store.failure));
  for (const one of wholeRun.slice(5)) await record(one);
  await record({ kind: 'settled', resource: buildVm('late') });
  await record(buildIntent('last'));
  await store.compact().catch((error: unknown) => expect(error).toBe(store.failure));
  await store.close();
  return { kept, refused };
}

/** Without what a kill decides. */
const comparable = (store: Pick<StateStore, 'state'>) => ({
  ...(toPlain(store.state) as object),
  serial: undefined,
  lineage: undefined,
});

describe.each([
  ['on a disk', openDiskPlace],
  ['in memory', openMemoryPlace],
] as const)('%s', (_name, openPlace) => {
  test('a lock that is lost at any moment: what was acknowledged is known to the successor, the rest to nobody', async () => {
    const place = openPlace();
    const whole = await goOn(await place.open(undefined));
    expect(whole.refused).toEqual([]);
    const moments = place.asked;
    expect(moments).toBeGreaterThan(10);
    for (let nth = 1; nth <= moments; nth += 1) {
      for (const side of place.sides) {
        const { kept } = await goOn(await place.open({ nth, side }));
        const found = await place.openAtTakeover();
        // The next one may have been written and not acknowledged.
        const all = [...whole.kept];
        const possible = [kept.length, kept.length + 1].map((length) =>
          comparable({
            state: replayJournalRecords(createEmptyState('any'), all.slice(0, length)),
          }),
        );
        expect(possible, `${side} ${nth}`).toContainEqual(comparable(found));
        // Snapshot and backup are as they were.
        expect(place.readOthers(), `${side} ${nth}`).toEqual(place.readOthersAtTakeover());
        const now = comparable(await place.openNow());
        expect(possible, `${side} ${nth}`).toContainEqual(now);
      }
    }
  });

  test('from then on intents are refused, all else is kept in memory, and the end says why', async () => {
    const place = openPlace();
    const store = await place.open({ nth: 4, side: 'before' });
    await store.record(buildIntent('a'));
    await store.record({ kind: 'bound', resource: buildNetwork('a') });
    expect(store.failure).toBeUndefined();
    await store.record({ kind: 'settled', resource: buildVm('b') });
    expect(store.failure).toBeInstanceOf(LockLostError);
    expect(store.rescue).toBeUndefined();
    await store.record({ kind: 'settled', resource: buildVm('c') });
    expect([...store.state.resources.values()].map(({ id }) => id)).toEqual([
      'n-a',
      'vm-b',
      'vm-c',
    ]);
    await expect(store.record(buildIntent('d'))).rejects.toBe(store.failure);
    await expect(store.compact()).rejects.toBe(store.failure);
    await store.close();
  });

  test('intents of one write are all refused', async () => {
    const place = openPlace();
    const store = await place.open({ nth: 1, side: 'before' });
    const results = await Promise.allSettled([
      store.record(buildIntent('a')),
      store.record({ kind: 'settled', resource: buildVm('b') }),
      store.record(buildIntent('c')),
    ]);
    expect(results.map(({ status }) => status)).toEqual(['rejected', 'fulfilled', 'rejected']);
    await store.close();
  });
});

describe('on a disk, with the locks of two runs', () => {
  const run = () => join(directory, 'run');

  test('a run that lost its lock to force-unlock leaves what the next one writes alone', async () => {
    const first = await acquire();
    const paused = await openStateStore(openLocalBackend(run()), { fence: first.fence });
    await paused.record({ kind: 'settled', resource: buildVm('first') });
    await forceUnlock(openLocalBackend(run()).lock, first.info.ID);
    const second = await acquire();
    expect(second.info.Epoch).toBe(2);
    const next = await openStateStore(openLocalBackend(run()), { fence: second.fence });
    await next.record({ kind: 'settled', resource: buildVm('second') });

    await paused.record({ kind: 'removed', address: buildVm('first').address });
    await expect(paused.compact()).rejects.toMatchObject({ code: 'lock-lost' });
    expect(() => paused.requireLock()).toThrow(LockLostError);
    await paused.close();
    await first.release();

    expect(() => next.requireLock()).not.toThrow();
    await next.compact();
    await next.close();
    await second.release();
    const { state } = await openStateStore(openLocalBackend(run()), { isReadOnly: true });
    expect([...state.resources.values()].map(({ id }) => id)).toEqual(['vm-first', 'vm-second']);
    expect(readdirSync(folder)).toEqual(['state.json']);
  });

  test('what an earlier holder still writes is not read any more, though the next one has written nothing', async () => {
    const first = await acquire();
    const paused = await openStateStore(openLocalBackend(run()), { fence: first.fence });
    await paused.record({ kind: 'settled', resource: buildVm('first') });
    await forceUnlock(openLocalBackend(run()).lock, first.info.ID);
    const second = await acquire();
    const next = await openStateStore(openLocalBackend(run()), { fence: second.fence });
    expect(readdirSync(folder).sort()).toEqual(['journal.2.jsonl', 'lock.json']);
    // As a write that was on its way.
    writeFileSync(join(folder, 'journal.1.jsonl'), 'too late');
    const { state } = await openStateStore(openLocalBackend(run()), { isReadOnly: true });
    expect([...state.resources.values()].map(({ id }) => id)).toEqual(['vm-first']);
    await paused.close();
    await next.close();
    await first.release();
    await second.release();
  });

  test('a run that lost its lock before its first record makes no journal', async () => {
    const first = await acquire();
    const paused = await openStateStore(openLocalBackend(run()), { fence: first.fence });
    await forceUnlock(openLocalBackend(run()).lock, first.info.ID);
    await expect(paused.record(buildIntent('a'))).rejects.toMatchObject({ code: 'lock-lost' });
    await paused.close();
    await first.release();
    expect(readdirSync(folder)).toEqual([]);
  });

  test('state push is refused once the lock is lost', async () => {
    const lock = await acquire();
    await forceUnlock(openLocalBackend(run()).lock, lock.info.ID);
    const before = createEmptyState('l');
    const replacing = replaceState(
      openLocalBackend(run()),
      { before, after: before, version: '0' },
      lock.fence,
    );
    await expect(replacing).rejects.toMatchObject({ code: 'lock-lost' });
    await lock.release();
    expect(readdirSync(folder)).toEqual([]);
  });
});

test('the end of an apply says who took the lock, what is open, and what the next run does', () => {
  const lost = new LockLostError({ kind: 'taken', by: taker });
  const [diagnostic] = explainLostLock(lost, 3).diagnostics;
  expect(diagnostic?.summary).toContain('taken over by ann@there (apply)');
  expect(diagnostic?.detail).toContain('2026-01-01T00:05:00Z');
  expect(diagnostic?.detail).toContain('whose end is not known: 3.');
  expect(diagnostic?.detail).toContain('the next run looks it up');
  expect(explainLostLock(lost, 0).diagnostics[0]?.detail).toContain('All changes were finished.');
});
