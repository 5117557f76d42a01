// Somebody removes the lock by hand, as users of Terraform know it, or puts an earlier one back: the numbers of the locks go
// on from what the state has, nothing that was recorded is forgotten, and of two holders one is told the truth.
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { StateBackend } from '../../../../src/state/backends/backend.ts';
import {
  parseJournalEpoch,
  nameHistoryFile,
  nameJournalFile,
} from '../../../../src/state/files/files.ts';
import { LockLostError } from '../../../../src/state/lock/fence.ts';
import { acquireLock } from '../../../../src/state/lock/lock.ts';
import { openStateStore } from '../../../../src/state/store.ts';
import { openQuickClock } from '../../../support/backends/quick-clock.ts';
import type { PlaceInSmall } from '../../../support/backends/places-in-small.ts';
import { buildIntent, buildNetwork, countIds } from '../../../unit/state/build-records.ts';

/** Declares the course for one backend. */
export function describeDeletedLock(
  name: string,
  openPlace: () => Promise<PlaceInSmall>,
  { isPutBack = true }: { readonly isPutBack?: boolean } = {},
): void {
  let place: PlaceInSmall;
  const opened: StateBackend[] = [];
  const begun: { close(): Promise<void> }[] = [];
  beforeEach(async () => {
    place = await openPlace();
  });
  afterEach(async () => {
    for (const run of begun.splice(0)) await run.close();
    for (const backend of opened.splice(0)) await backend.close();
    await place.close();
  });
  const open = async () => {
    const backend = await place.open();
    opened.push(backend);
    return backend;
  };
  let machines = 0;
  /** The lock, its files and its store as another machine has them. It gives no signs of life but its writes. */
  const begin = async () => {
    const backend = await open();
    machines += 1;
    const who = { pid: process.pid, host: `machine-${machines}`, user: `user-${machines}` };
    const request = { operation: 'apply', version: '0', process: who, leaseMs: 10_000 };
    const time = { repeat: () => () => undefined };
    const lock = await acquireLock(backend.lock, request, { clock: openQuickClock(), time });
    const { fence } = lock;
    const store = await openStateStore(backend, { fence, createId: countIds() });
    const files = backend.openFiles(fence);
    const close = async () => {
      await store.close();
      await files.close();
      await lock.release();
    };
    begun.push({ close });
    return { lock, fence, store, files };
  };
  const read = async () => {
    const store = await openStateStore(await open(), { isReadOnly: true });
    await store.close();
    return store;
  };
  const readTexts = async () => {
    const files = (await open()).openFiles();
    const names = await files.list();
    const texts = await Promise.all(names.map((one) => files.read(one)));
    return Object.fromEntries(names.map((one, index) => [one, texts[index]]));
  };
  const highestEpoch = async () =>
    Math.max(...Object.keys(await readTexts()).map((one) => parseJournalEpoch(one) ?? 0));
  const end = async ({ store, lock }: Awaited<ReturnType<typeof begin>>) => {
    await store.compact();
    await store.close();
    await lock.release();
  };
  const lan = 'projects.shop.networks.lan';

  describe(`${name}: the lock is removed by hand`, () => {
    test('after its holder was killed: the next run goes on from its intents', async () => {
      for (let run = 0; run < 4; run += 1) await end(await begin());
      const killed = await begin();
      await killed.store.record(buildIntent('lan'));
      await place.deleteLock();
      const next = await begin();
      expect(next.fence.epoch).toBeGreaterThan(killed.fence.epoch);
      expect([...next.store.state.pending.keys()]).toEqual([lan]);
      await next.store.record({ kind: 'settled', resource: buildNetwork('lan') });
      expect(next.fence.epoch).toBeGreaterThanOrEqual(await highestEpoch());
      await end(next);
      expect(next.fence.lost).toBeUndefined();
      const { state } = await read();
      expect([[...state.resources.keys()], [...state.pending.keys()]]).toEqual([[lan], []]);
      // And removed once more, where nobody holds it.
      await (await begin()).lock.release();
      if (place.noteLock) await place.deleteLock();
      const last = await begin();
      expect(last.fence.epoch).toBeGreaterThan(next.fence.epoch);
      expect([...last.store.state.resources.keys()]).toEqual([lan]);
      await end(last);
    });

    test.each(['nothing', 'intents', 'a snapshot'] as const)(
      'while its holder lives, which had written %s: that one writes nothing more, and hears why',
      async (what) => {
        await end(await begin());
        const old = await begin();
        if (what !== 'nothing') await old.store.record(buildIntent('lan'));
        if (what === 'a snapshot') await old.store.compact();
        await place.deleteLock();
        const next = await begin();
        const before = await readTexts();
        await expect(old.store.record(buildIntent('dmz'))).rejects.toBeInstanceOf(LockLostError);
        await expect(old.files.replace('state.json', 'late')).rejects.toBeInstanceOf(LockLostError);
        const { epoch } = old.fence;
        const journal = old.files.replace(nameJournalFile(epoch), 'late\n');
        await expect(journal).rejects.toBeInstanceOf(LockLostError);
        expect(await readTexts()).toEqual(before);
        expect(['taken', 'removed']).toContain(old.fence.lost?.loss.kind);
        await old.lock.release();
        // Its successor hears nothing of that.
        await next.store.record(buildIntent('wan'));
        await next.fence.verifyLease();
        await end(next);
        expect(next.fence.lost).toBeUndefined();
        const pending = [...(await read()).state.pending.keys()];
        expect(pending).toEqual([
          ...(what === 'nothing' ? [] : [lan]),
          'projects.shop.networks.wan',
        ]);
      },
    );

    test('while its first holder lives, which had written nothing: the second one is spared', async () => {
      const old = await begin();
      await place.deleteLock();
      const next = await begin();
      await expect(old.files.replace(nameHistoryFile(1), 'late')).rejects.toBeInstanceOf(
        LockLostError,
      );
      await next.store.record(buildIntent('lan'));
      await end(next);
      expect(next.fence.lost).toBeUndefined();
      expect([...(await read()).state.pending.keys()]).toEqual([lan]);
    });

    // A server keeps no lock that somebody else could put there, and the row of a database has its state's number.
    if (!isPutBack) return;
    test('and an earlier one is put back: the numbers do not go back with it', async () => {
      expect(place).toHaveProperty('noteLock');
      const first = await begin();
      const putBack = await place.noteLock?.();
      await end(first);
      const killed = await begin();
      await killed.store.record(buildIntent('lan'));
      await putBack?.();
      const backend = await open();
      const request = {
        ...{ operation: 'apply', version: '0', leaseMs: 10_000 },
        process: { pid: process.pid, host: 'elsewhere', user: 'you' },
      };
      const time = { repeat: () => () => undefined };
      const patience = { clock: openQuickClock(), timeoutMs: 600_000 };
      const lock = await acquireLock(backend.lock, request, { ...patience, time });
      expect(lock.fence.epoch).toBeGreaterThan(killed.fence.epoch);
      const store = await openStateStore(backend, { fence: lock.fence });
      expect([...store.state.pending.keys()]).toEqual([lan]);
      await expect(killed.store.record(buildIntent('dmz'))).rejects.toBeInstanceOf(LockLostError);
      await store.record(buildIntent('wan'));
      await store.compact();
      await store.close();
      await lock.release();
      expect([...(await read()).state.pending.keys()]).toEqual([lan, 'projects.shop.networks.wan']);
    });
  });
}
