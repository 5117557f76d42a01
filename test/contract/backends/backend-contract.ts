// What every backend of the state promises, as tests. Each runs on a place of its own.
import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { DiagnosticError } from '../../../src/model/errors.ts';
import type { StateBackend } from '../../../src/state/backends/backend.ts';
import {
  nameHistoryFile,
  nameJournalFile,
  type StateFiles,
} from '../../../src/state/files/files.ts';
import { LockLostError } from '../../../src/state/lock/fence.ts';
import {
  acquireLock,
  findLockHolderAfterWait,
  forceUnlock,
  readStateLockHolder,
} from '../../../src/state/lock/lock.ts';
import type { StateLock, LockOptions } from '../../../src/state/lock/lock.ts';
import { openStateStore, type StateStore } from '../../../src/state/store.ts';
import { createEmptyState, replayJournalRecords } from '../../../src/state/journal/replay.ts';
import { buildIntent, countIds, toPlain, wholeRun } from '../../unit/state/build-records.ts';
import { openQuickClock } from '../../support/backends/quick-clock.ts';
import { describeDamagedJournal } from './courses/damaged-journal.ts';

/** Where one state is kept. */
export interface BackendPlace {
  /** Another client of it, as another machine has one. */
  open(): Promise<StateBackend>;
  close(): Promise<void>;
}

let count = 0;

/** Takes the lock as somebody else each time: a process that lives. */
async function lockFrom(
  backend: StateBackend,
  options: Partial<LockOptions> = {},
): Promise<StateLock> {
  count += 1;
  const who = { pid: process.pid, host: `machine-${count}`, user: `user-${count}` };
  const request = { operation: 'apply', version: '0', process: who, leaseMs: 10_000 };
  return acquireLock(backend.lock, request, {
    clock: openQuickClock(),
    timeoutMs: 300_000,
    ...options,
  });
}

const codeOf = (work: Promise<unknown>) =>
  work.then(
    () => 'passed',
    (error: unknown) => (error as DiagnosticError).diagnostics[0]?.code,
  );

/** Declares the contract for one backend. */
export function describeBackend(name: string, openPlace: () => Promise<BackendPlace>): void {
  let place: BackendPlace;
  const opened: StateBackend[] = [];
  const stores: { close(): Promise<void> }[] = [];
  const runs: { readonly lock: StateLock; readonly files: StateFiles }[] = [];
  const open = async () => {
    const backend = await place.open();
    opened.push(backend);
    return backend;
  };
  beforeEach(async () => {
    place = await openPlace();
  });
  afterEach(async () => {
    for (const store of stores.splice(0)) await store.close();
    for (const { lock, files } of runs.splice(0)) {
      await files.close();
      await lock.release();
    }
    for (const backend of opened.splice(0)) await backend.close();
    await place.close();
  });

  /** A lock with the files and the store that are written under it. */
  const openRun = async (options: Partial<LockOptions> = {}) => {
    const backend = await open();
    const lock = await lockFrom(backend, options);
    const run = { backend, lock, files: backend.openFiles(lock.fence) };
    runs.push(run);
    return run;
  };
  /** The run after one that ended without a word: where silence ends no lock, somebody removes it. */
  const openNext = async ({ backend, lock }: { backend: StateBackend; lock: StateLock }) => {
    if (!backend.capabilities.expiry) await forceUnlock((await open()).lock, lock.info.ID);
    return openRun();
  };
  const openStoreOf = async ({ backend, lock }: { backend: StateBackend; lock: StateLock }) => {
    const store = await openStateStore(backend, { fence: lock.fence, createId: countIds() });
    stores.push(store);
    return store;
  };
  const readAll = async (): Promise<Record<string, string | undefined>> => {
    const files = (await open()).openFiles();
    const names = (await files.list()).toSorted();
    const texts = await Promise.all(names.map((one) => files.read(one)));
    await files.close();
    return Object.fromEntries(names.map((one, index) => [one, texts[index]]));
  };

  describe(`${name}: a damaged journal`, () => describeDamagedJournal(name, open));

  describe(`${name}: texts`, () => {
    test('there are none at first, and looking makes none', async () => {
      expect(await readAll()).toEqual({});
      const files = (await open()).openFiles();
      expect(await files.read('state.json')).toBeUndefined();
      expect(await readStateLockHolder((await open()).lock)).toBeUndefined();
      expect(await readAll()).toEqual({});
    });

    test('are kept as they are, whatever is in them', async () => {
      const { files, backend } = await openRun();
      const odd = 'Grüße 🚀 \u2028 \\ "\'`$1 ; -- \r\n\t %s';
      await files.replace('state.json', odd);
      await files.replace('state.json.backup', '');
      const large = `${'0123456789abcdef'.repeat(131_072)}\n`;
      await files.replace(nameHistoryFile(7), large);
      expect(await readAll()).toEqual({
        'state.json': odd,
        ...(backend.capabilities.history && { 'state.json.backup': '' }),
        'history/7.json': large,
      });
    });

    test('take the place of one another, and go', async () => {
      const { files } = await openRun();
      await files.replace('state.json', 'one');
      await files.replace('state.json', 'two');
      await files.remove('state.json.backup');
      expect(await readAll()).toEqual({ 'state.json': 'two' });
      await files.remove('state.json');
      expect(await readAll()).toEqual({});
      await files.replace('state.json', 'three');
      expect(await readAll()).toEqual({ 'state.json': 'three' });
    });

    test('grow in the order of the calls, and start anew after they were removed', async () => {
      const { files, lock } = await openRun();
      const journal = nameJournalFile(lock.fence.epoch);
      await files.replace(journal, 'a\n');
      for (let line = 0; line < 12; line += 1) await files.append(journal, `${line} ü\n`);
      const lines = Array.from({ length: 12 }, (_, line) => `${line} ü\n`).join('');
      expect((await readAll())[journal]).toBe(`a\n${lines}`);
      await files.remove(journal);
      expect((await readAll())[journal]).toBeUndefined();
      await files.replace(journal, 'b\n');
      await files.append(journal, 'c\n');
      expect((await readAll())[journal]).toBe('b\nc\n');
    });
  });

  describe(`${name}: the store`, () => {
    test('remembers what was recorded, with and without a snapshot', async () => {
      const run = await openRun();
      const store = await openStoreOf(run);
      await Promise.all(wholeRun.map((record) => store.record(record)));
      const wanted = toPlain(replayJournalRecords(createEmptyState('id-1'), wholeRun)) as object;
      const found = await openStateStore(await open(), { isReadOnly: true });
      expect(toPlain(found.state)).toEqual(wanted);
      await store.compact();
      await store.close();
      await run.lock.release();
      const again = await openStateStore(await open(), { isReadOnly: true });
      expect(toPlain(again.state)).toEqual({ ...wanted, serial: 1 });
      expect(again.diagnostics).toEqual([]);
    });

    test('goes on from a run that was killed at any moment of its writing', async () => {
      const run = await openRun();
      const store = await openStoreOf(run);
      await store.record(buildIntent('lan'));
      // Its lock is left behind; its successor carries the journal over.
      const next = await openNext(run);
      const successor = await openStoreOf(next);
      expect([...successor.state.pending.keys()]).toEqual(['projects.shop.networks.lan']);
      await successor.record(buildIntent('dmz'));
      const last = await openNext(next);
      const third: StateStore = await openStoreOf(last);
      expect([...third.state.pending.keys()]).toEqual([
        'projects.shop.networks.lan',
        'projects.shop.networks.dmz',
      ]);
    });
  });

  describe(`${name}: the lock`, () => {
    test('is held by one, shown to the others, and free again once it is released', async () => {
      const { lock, files } = await openRun();
      await files.replace(nameJournalFile(lock.fence.epoch), 'a\n');
      const backend = await open();
      // Its heartbeat is fresh.
      const clock = { now: Date.now, sleep: () => Promise.resolve() };
      expect(await codeOf(lockFrom(backend, { clock, timeoutMs: 0 }))).toBe('state-locked');
      const found = await findLockHolderAfterWait(backend.lock, 'elsewhere', {
        clock,
        isThorough: true,
      });
      if (!backend.lock.isBlind) {
        expect(found?.by.info).toMatchObject({ ID: lock.info.ID, Who: lock.info.Who });
      }
      await lock.release();
      expect(await readStateLockHolder(backend.lock)).toBeUndefined();
      expect((await openRun()).lock.fence.epoch).toBeGreaterThan(lock.fence.epoch);
    });

    test('goes to exactly one of many who want it at once', async () => {
      const backends = await Promise.all(Array.from({ length: 6 }, open));
      const clock = { now: Date.now, sleep: () => Promise.resolve() };
      const ended = await Promise.allSettled(
        backends.map((one) => lockFrom(one, { clock, timeoutMs: 0 })),
      );
      const winners = ended.flatMap((one) => (one.status === 'fulfilled' ? one.value : []));
      expect(winners).toHaveLength(1);
      for (const lock of winners) await lock.release();
    });

    test('of a silent holder is taken over, and the overtaken one can write nothing more', async () => {
      const lost: LockLostError[] = [];
      const old = await openRun({ onLost: (error) => lost.push(error) });
      const oldJournal = nameJournalFile(old.lock.fence.epoch);
      await old.files.replace('state.json', 'before');
      await old.files.replace(oldJournal, 'a\n');
      const next = await openNext(old);
      const { expiry } = old.backend.capabilities;
      expect(next.lock.fence.epoch).toBeGreaterThan(old.lock.fence.epoch);
      expect(next.lock.diagnostics[0]?.code).toBe(expiry ? 'lock-taken-over' : undefined);
      const before = await readAll();
      const late: readonly ((files: StateFiles) => Promise<void>)[] = [
        (files) => files.append(oldJournal, 'late\n'),
        (files) => files.replace('state.json', 'late'),
        (files) => files.replace(oldJournal, 'late\n'),
        (files) => files.remove('state.json'),
      ];
      for (const write of late) {
        await expect(write(old.files)).rejects.toBeInstanceOf(LockLostError);
        expect(await readAll()).toEqual(before);
      }
      expect(lost).toHaveLength(1);
      const taken = { kind: 'taken', by: { Who: next.lock.info.Who } };
      expect(lost[0]?.loss).toMatchObject(expiry ? taken : { kind: expect.any(String) as string });
      await old.lock.release();
      if (!next.backend.lock.isBlind) {
        expect((await readStateLockHolder(next.backend.lock))?.info.ID).toBe(next.lock.info.ID);
      }
      await next.files.replace('state.json', 'after');
      expect((await readAll())['state.json']).toBe('after');
    });

    test('each write of an overtaken holder is refused, also the first that it makes', async () => {
      const firsts: readonly ((
        files: StateFiles,
        journal: `journal.${number}.jsonl`,
      ) => unknown)[] = [
        (files) => files.replace('state.json', 'late'),
        (files, journal) => files.replace(journal, 'late\n'),
        (files) => files.remove('state.json'),
      ];
      for (const write of firsts) {
        const old = await openRun();
        const next = await openNext(old);
        const journal = `journal.${old.lock.fence.epoch}.jsonl` as const;
        const before = await readAll();
        await expect(write(old.files, journal)).rejects.toBeInstanceOf(LockLostError);
        expect(await readAll()).toEqual(before);
        await old.lock.release();
        await next.lock.release();
      }
    });

    test('a holder that slept past its lease may go on where nobody took over, and else not', async () => {
      const at = { now: 0 };
      const time = { now: () => at.now, monotonic: () => 0, repeat: () => () => undefined };
      const old = await openRun({ time });
      at.now += 120_000;
      await old.lock.fence.verifyLease();
      // Nothing but a write tells that the lock is gone.
      if (!old.backend.capabilities.expiry) return;
      await openRun();
      at.now += 120_000;
      await expect((async () => old.lock.fence.verifyLease())()).rejects.toBeInstanceOf(
        LockLostError,
      );
    });

    test('is removed by its ID, and by no other', async () => {
      const { lock, files } = await openRun();
      await files.replace(nameJournalFile(lock.fence.epoch), 'a\n');
      const backend = await open();
      expect(await codeOf(forceUnlock(backend.lock, randomUUID()))).toBe('lock-id-mismatch');
      const { isBlind = false } = backend.lock;
      const unlocked = await forceUnlock(backend.lock, lock.info.ID);
      expect(unlocked.Who).toBe(isBlind ? undefined : lock.info.Who);
      const code = isBlind ? 'lock-id-mismatch' : 'not-locked';
      expect(await codeOf(forceUnlock(backend.lock, lock.info.ID))).toBe(code);
      await expect(files.replace('state.json', 'late')).rejects.toBeInstanceOf(LockLostError);
      expect((await openRun()).lock.fence.epoch).toBeGreaterThan(lock.fence.epoch);
      expect(Object.values(await readAll())).toEqual(['a\n']);
    });

    test('what an unlocked holder writes after its successor has begun is seen by nobody', async () => {
      const old = await openRun();
      await old.files.replace('state.json', 'before');
      const journal = `journal.${old.lock.fence.epoch}.jsonl` as const;
      await old.files.replace(journal, 'a\n');
      await forceUnlock((await open()).lock, old.lock.info.ID);
      const next = await openRun();
      const before = await readAll();
      await expect(old.files.append(journal, 'late\n')).rejects.toBeInstanceOf(LockLostError);
      await expect(old.files.replace('state.json', 'late')).rejects.toBeInstanceOf(LockLostError);
      expect(await readAll()).toEqual(before);
      await next.lock.release();
    });
  });
}
