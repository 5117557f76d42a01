// A state moves from one place to another: whole, compared, and resumed after a kill at any write.
import { describe, expect, test } from 'vitest';
import type { DiagnosticError } from '../../../../src/model/errors.ts';
import type { StateBackend } from '../../../../src/state/backends/backend.ts';
import type { StateFileName } from '../../../../src/state/files/files.ts';
import type { LockFence } from '../../../../src/state/lock/fence.ts';
import type { LockMedium } from '../../../../src/state/lock/lock-medium.ts';
import {
  openMemoryStateFiles,
  type MemoryStateOptions,
} from '../../../../src/state/memory-store.ts';
import {
  migrateState,
  type StateMigrationResult,
  type StateMigrationOptions,
} from '../../../../src/state/moved/migrate.ts';
import { openStateStore } from '../../../../src/state/store.ts';
import { buildIntent, countIds, toPlain, wholeRun } from '../build-records.ts';

const fence: LockFence = {
  epoch: 5,
  lost: undefined,
  verify: () => undefined,
  verifyLease: () => undefined,
};

/** A place in memory. */
const openPlace = (
  place: string,
  disk: Map<StateFileName, string>,
  onWrite?: MemoryStateOptions['onWrite'],
  hasHistory = true,
): StateBackend => ({
  ...{ kind: 'local', place, address: place, lock: undefined as unknown as LockMedium },
  capabilities: { epoch: true, expiry: true, history: hasHistory, compareAndSwap: true },
  openFiles: (held) => openMemoryStateFiles(disk, onWrite, held),
  close: () => Promise.resolve(),
});

async function writeState(disk: Map<StateFileName, string>): Promise<void> {
  const history = { limits: { versions: 9 }, who: 'a', operation: 'apply', now: Date.now };
  const backend = openPlace('old', disk);
  const store = await openStateStore(backend, { createId: countIds(), history });
  for (const record of wholeRun) await store.record(record);
  await store.compact();
  await store.record(wholeRun[1]!);
  await store.compact();
  // Left by a run that was killed.
  await store.record(wholeRun[2]!);
  await store.close();
}

function move(from: StateBackend, to: StateBackend): Promise<StateMigrationResult> {
  const options: StateMigrationOptions = {
    from: { backend: from, fence },
    to: { backend: to, fence },
    who: 'ann@laptop',
    now: Date.UTC(2026, 0, 1),
    async fold() {
      const store = await openStateStore(from, { fence, createId: countIds() });
      await store.compact();
      await store.close();
    },
  };
  return migrateState(options);
}

const read = async (backend: StateBackend) => {
  const store = await openStateStore(backend, { isReadOnly: true });
  return toPlain(store.state) as Record<string, unknown>;
};
const codeOf = (work: Promise<unknown>) =>
  work.then(
    () => 'done',
    (error: unknown) => (error as Partial<DiagnosticError>).diagnostics?.[0]?.code,
  );

describe('a migration', () => {
  test('takes the state with its history, and leaves a marker', async () => {
    const [old, next] = [new Map<StateFileName, string>(), new Map<StateFileName, string>()];
    await writeState(old);
    const before = await read(openPlace('old', old));
    expect(await move(openPlace('old', old), openPlace('new', next))).toEqual({
      versions: 1,
      leftVersions: 0,
    });
    const after = await read(openPlace('new', next));
    expect({ ...after, serial: 0 }).toEqual({ ...before, serial: 0 });
    expect([...next.keys()].sort()).toEqual([
      'history.json',
      'history/1.json',
      'state.json',
      'state.json.backup',
    ]);
    expect(await codeOf(read(openPlace('old', old)))).toBe('state-moved');
    expect(await codeOf(openStateStore(openPlace('old', old), { fence }))).toBe('state-moved');
  });

  test('is over once it is done: what was recorded since is not written over', async () => {
    const [old, next] = [new Map<StateFileName, string>(), new Map<StateFileName, string>()];
    await writeState(old);
    await move(openPlace('old', old), openPlace('new', next));
    const store = await openStateStore(openPlace('new', next), { fence, createId: countIds() });
    await store.record(buildIntent('later'));
    await store.close();
    const later = await read(openPlace('new', next));
    expect(await codeOf(move(openPlace('old', old), openPlace('new', next)))).toBe('state-moved');
    expect(await read(openPlace('new', next))).toEqual(later);
  });

  test('goes back again', async () => {
    const [old, next] = [new Map<StateFileName, string>(), new Map<StateFileName, string>()];
    await writeState(old);
    await move(openPlace('old', old), openPlace('new', next));
    const there = await read(openPlace('new', next));
    await move(openPlace('new', next), openPlace('old', old));
    expect(await read(openPlace('old', old))).toEqual(there);
    expect(await codeOf(read(openPlace('new', next)))).toBe('state-moved');
  });

  test('takes the state alone to a place that keeps no history', async () => {
    const [old, next] = [new Map<StateFileName, string>(), new Map<StateFileName, string>()];
    await writeState(old);
    const moved = await move(openPlace('old', old), openPlace('new', next, undefined, false));
    expect(moved).toEqual({ versions: 0, leftVersions: 1 });
    expect([...next.keys()]).toEqual(['state.json']);
  });

  test('never overwrites another state', async () => {
    const [old, next] = [new Map<StateFileName, string>(), new Map<StateFileName, string>()];
    await writeState(old);
    await writeState(next);
    expect(await codeOf(move(openPlace('old', old), openPlace('new', next)))).toBe(
      'state-not-empty',
    );
    expect(await codeOf(read(openPlace('old', old)))).toBe('done');
  });

  test('does not go on from a place whose state has moved elsewhere', async () => {
    const disks = Array.from({ length: 3 }, () => new Map<StateFileName, string>());
    const [old, next, third] = disks as [
      Map<StateFileName, string>,
      Map<StateFileName, string>,
      Map<StateFileName, string>,
    ];
    await writeState(old);
    await move(openPlace('old', old), openPlace('new', next));
    expect(await codeOf(move(openPlace('old', old), openPlace('third', third)))).toBe(
      'state-moved',
    );
  });

  test('that was killed at any write goes on, and in between no place has half a state', async () => {
    const start = new Map<StateFileName, string>();
    await writeState(start);
    const before = await read(openPlace('old', start));
    let isOver = false;
    for (let killAt = 1; !isOver; killAt += 1) {
      const [old, next] = [new Map(start), new Map<StateFileName, string>()];
      let writes = 0;
      const onWrite = () => {
        writes += 1;
        if (writes === killAt) throw new Error('killed');
      };
      const first = move(openPlace('old', old, onWrite), openPlace('new', next, onWrite));
      isOver = (await codeOf(first.then(() => undefined))) === 'done';
      const usable = await Promise.all(
        [openPlace('old', old), openPlace('new', next)].map((place) =>
          read(place).then(
            (state) => ('resources' in state ? state : undefined),
            () => undefined,
          ),
        ),
      );
      for (const state of usable) {
        if (state && state.service !== null)
          expect({ ...state, serial: 0 }).toEqual({ ...before, serial: 0 });
      }
      if (!isOver) await move(openPlace('old', old), openPlace('new', next));
      const after = await read(openPlace('new', next));
      expect({ ...after, serial: 0 }).toEqual({ ...before, serial: 0 });
      expect(await codeOf(read(openPlace('old', old)))).toBe('state-moved');
    }
  });
});
