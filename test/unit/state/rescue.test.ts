// The state cannot be written where it belongs: nothing that happened is forgotten.
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { explainRescuedState, StateWriteError } from '../../../src/state/faults.ts';
import { stateFileNames, type StateFileName } from '../../../src/state/files/files.ts';
import { openMemoryState, type MemoryStateStore } from '../../../src/state/memory-store.ts';
import type { JournalRecord } from '../../../src/state/journal/records.ts';
import { replayJournalRecords } from '../../../src/state/journal/replay.ts';
import { openStateStore } from '../../../src/state/store.ts';
import { buildIntent, buildVm, countIds, toPlain, wholeRun } from './build-records.ts';
import { openLocalBackend } from '../../../src/state/backends/local.ts';

const full = () => Object.assign(new Error('no space left'), { code: 'ENOSPC' });

/** A store whose nth write and all after it fail. */
async function openFailing(failAt: number, rescue?: Map<StateFileName, string>) {
  const before = await openMemoryState({ createId: countIds() });
  await before.record({ kind: 'settled', resource: buildVm('before') });
  await before.compact();
  let writes = 0;
  const store = await openMemoryState({
    disk: before.readDisk(),
    createId: countIds(),
    ...(rescue && { rescue }),
    onWrite: () => {
      writes += 1;
      if (writes >= failAt) throw full();
    },
  });
  return { store, before };
}

/** Records one after the other; intents may be refused, nothing else. */
async function recordAll(
  store: MemoryStateStore,
  records: readonly JournalRecord[],
): Promise<JournalRecord[]> {
  const refused: JournalRecord[] = [];
  for (const record of records) {
    await store.record(record).catch((error: unknown) => {
      expect(error).toBeInstanceOf(StateWriteError);
      refused.push(record);
    });
  }
  return refused;
}

describe('a write that fails', () => {
  test('at any point: everything recorded is in the rescue, and put back it is the state', async () => {
    for (let failAt = 1; failAt <= wholeRun.length; failAt += 1) {
      const rescue = new Map<StateFileName, string>();
      const { store, before } = await openFailing(failAt, rescue);
      const refused = await recordAll(store, wholeRun);
      expect(refused.every(({ kind }) => kind === 'intent')).toBe(true);
      expect(store.failure?.code).toBe('ENOSPC');
      expect(store.rescue).toBe('memory/state.json');
      // Killed here: the rescue directory alone has it all, in its snapshot and its journal.
      const killed = await openMemoryState({ disk: rescue });
      const all = toPlain(replayJournalRecords(before.state, wholeRun)) as object;
      expect({ ...(toPlain(killed.state) as object), serial: 1 }).toEqual({ ...all, serial: 1 });
      await expect(store.compact()).rejects.toBe(store.failure);
      // As `cp` would put it back: over the snapshot, beside the journal that was left behind.
      const disk = store
        .readDisk()
        .set(stateFileNames.snapshot, rescue.get(stateFileNames.snapshot) ?? '');
      const back = await openMemoryState({ disk });
      expect({ ...(toPlain(back.state) as object), serial: 1 }).toEqual({ ...all, serial: 1 });
      expect(back.state.serial).toBeGreaterThan(before.state.serial);
    }
  });

  test('that removes the journal after the snapshot: the rescue can be put back beside it', async () => {
    const rescue = new Map<StateFileName, string>();
    // The journal, its records, the snapshot, and then the removal.
    const { store, before } = await openFailing(wholeRun.length + 3, rescue);
    await recordAll(store, wholeRun);
    await expect(store.compact()).rejects.toBeInstanceOf(StateWriteError);
    const late = { kind: 'settled', resource: buildVm('late') } as const;
    await store.record(late);
    await expect(store.compact()).rejects.toBe(store.failure);
    const disk = store
      .readDisk()
      .set(stateFileNames.snapshot, rescue.get(stateFileNames.snapshot) ?? '');
    const back = await openMemoryState({ disk });
    const all = toPlain(replayJournalRecords(before.state, [...wholeRun, late])) as object;
    expect({ ...(toPlain(back.state) as object), serial: 1 }).toEqual({ ...all, serial: 1 });
  });

  test('an intent that is not on disk is refused, also one that waits in the same write', async () => {
    const { store } = await openFailing(1, new Map());
    const results = await Promise.allSettled([
      store.record({ kind: 'settled', resource: buildVm('a') }),
      store.record(buildIntent('lan')),
      store.record({ kind: 'settled', resource: buildVm('b') }),
    ]);
    expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
    await expect(store.record(buildIntent('later'))).rejects.toBeInstanceOf(StateWriteError);
  });

  test('without a rescue what happens is kept in memory, and the end says so', async () => {
    const { store } = await openFailing(1);
    await store.record({ kind: 'settled', resource: buildVm('a') });
    await store.record({ kind: 'settled', resource: buildVm('b') });
    expect(store.state.resources.size).toBe(3);
    expect(store.rescue).toBeUndefined();
    await expect(store.compact()).rejects.toBeInstanceOf(StateWriteError);
  });

  test('folding the journal: told, and rescued though the journal still has it', async () => {
    const rescue = new Map<StateFileName, string>();
    const { store } = await openFailing(2, rescue);
    await store.record({ kind: 'settled', resource: buildVm('a') });
    expect(store.failure).toBeUndefined();
    await expect(store.compact()).rejects.toBeInstanceOf(StateWriteError);
    expect(rescue.get(stateFileNames.snapshot)).toContain('vm-a');
    expect(store.readDisk().get('journal.2.jsonl')).toContain('vm-a');
  });
});

describe('on a disk', () => {
  let directory: string;
  let temporary: string | undefined;
  beforeEach(async () => {
    directory = await mkdtemp(join(tmpdir(), 'hostwright-rescue-test-'));
    temporary = process.env.TMPDIR;
    process.env.TMPDIR = directory;
  });
  afterEach(async () => {
    if (temporary === undefined) delete process.env.TMPDIR;
    else process.env.TMPDIR = temporary;
    await rm(directory, { recursive: true });
  });

  test('the rescue is a directory of its own, for its owner alone', async () => {
    const home = join(directory, 'home');
    // A file where the directory of the state belongs.
    await writeFile(home, '');
    const store = await openStateStore(openLocalBackend(home)).catch(() =>
      openStateStore(openLocalBackend(join(directory, 'home2'))),
    );
    await writeFile(join(directory, 'home2'), '');
    await store.record({ kind: 'settled', resource: buildVm('a') });
    expect(store.failure?.code).toBe('ENOTDIR');
    const rescue = store.rescue ?? '';
    expect(rescue.startsWith(directory)).toBe(true);
    expect((await stat(rescue)).mode & 0o777).toBe(0o600);
    expect((await stat(join(rescue, '..'))).mode & 0o777).toBe(0o700);
    expect(await readFile(rescue, 'utf8')).toContain('vm-a');
    await expect(store.compact()).rejects.toBe(store.failure);
    await store.close();
    expect((await readdir(directory)).filter((name) => name.includes('rescue'))).toHaveLength(1);
  });
});

describe('what the user is told', () => {
  const failure = new StateWriteError('.hostwright/journal.1.jsonl', full());
  const say = (rescue: string | undefined) =>
    explainRescuedState(failure, '/w/.hostwright/state.json', rescue).diagnostics[0]!;

  test('where everything is, and how to bring it back', () => {
    const { code, detail, hint } = say('/tmp/r/.hostwright/state.json');
    expect(code).toBe('state-write-failed');
    expect(detail).toContain('The disk is full');
    expect(detail).toContain('/tmp/r/.hostwright/state.json');
    expect(hint).toContain('cp /tmp/r/.hostwright/state.json /w/.hostwright/state.json');
  });

  test('that it could be written nowhere', () => {
    const { detail, hint } = say(undefined);
    expect(detail).toContain('No other place');
    expect(hint).toContain('--adopt');
  });
});
