// A medium whose round trip takes longer than the lease: nobody else could see in time that the holder lives. The lock is
// refused, with both figures, or a run that had it sends nothing more, and says so. No wait is without end. Time passes with the
// round trips alone, by no clock of this machine.
//
// The heartbeat of a directory takes no round trip, and a lock on a server of Terraform's protocol never expires: there, each
// run goes on however slow its medium is.
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { DiagnosticError } from '../../../../src/model/errors.ts';
import type { StateBackend } from '../../../../src/state/backends/backend.ts';
import { LockLostError } from '../../../../src/state/lock/fence.ts';
import {
  acquireLock,
  readStateLockHolder,
  type StateLock,
} from '../../../../src/state/lock/lock.ts';
import { openStateStore } from '../../../../src/state/store.ts';
import { openQuickClock } from '../../../support/backends/quick-clock.ts';
import type { PlaceInSmall } from '../../../support/backends/places-in-small.ts';
import { buildIntent, buildNetwork, countIds } from '../../../unit/state/build-records.ts';

/** Declares the course for one backend; `isLeased`: others take its lock over when its holder is not seen to live. */
export function describeSlowMedium(
  name: string,
  openPlace: () => Promise<PlaceInSmall>,
  isLeased: boolean,
): void {
  const leaseMs = 2_000;
  let place: PlaceInSmall;
  let backend: StateBackend;
  let tripMs = 0;
  let now = 0;
  const locks: StateLock[] = [];
  const stores: { close(): Promise<void> }[] = [];
  beforeEach(async () => {
    [now, tripMs] = [0, 0];
    place = await openPlace();
    backend = await place.open(() => void (now += tripMs));
  });
  afterEach(async () => {
    for (const store of stores.splice(0)) await store.close();
    for (const lock of locks.splice(0)) await lock.release();
    await backend.close();
    await place.close();
  });
  const lock = async () => {
    const process_ = { pid: process.pid, host: 'here', user: 'me' };
    const request = { operation: 'apply', version: '0', process: process_, leaseMs };
    const taken = await acquireLock(backend.lock, request, {
      clock: openQuickClock(),
      time: { now: () => now, monotonic: () => 0, repeat: () => () => undefined },
    });
    locks.push(taken);
    return taken;
  };
  const openRun = async () => {
    const { fence } = await lock();
    const store = await openStateStore(backend, { fence, createId: countIds() });
    stores.push(store);
    return store;
  };
  const ask = async (work: () => unknown) => {
    await work();
  };

  describe(`${name}: a round trip takes longer than the lease`, () => {
    test('from the start: the lock is refused and nobody has it, or the run goes on', async () => {
      tripMs = 3_100;
      if (!isLeased) {
        const store = await openRun();
        await store.record(buildIntent('lan'));
        await ask(() => store.requireLock());
        return;
      }
      const refused = await lock().catch((error: unknown) => error);
      expect(refused).toBeInstanceOf(DiagnosticError);
      const [said] = (refused as DiagnosticError).diagnostics;
      expect(said).toMatchObject({ code: 'lease-too-short', severity: 'error' });
      expect(said?.detail).toContain('3.1 s');
      expect(said?.detail).toContain('2 s');
      expect(said?.hint).toContain('lease: 13s');
      expect(await readStateLockHolder(backend.lock)).toBeUndefined();
    });

    test('for a moment only: the run goes on', async () => {
      tripMs = 1_500;
      const store = await openRun();
      await store.record(buildIntent('lan'));
      now += 60_000;
      await ask(() => store.requireLock());
      tripMs = 0;
      await store.record({ kind: 'settled', resource: buildNetwork('lan') });
      await ask(() => store.requireLock());
      expect([store.failure, store.refusal]).toEqual([undefined, undefined]);
    });

    test('from some moment on: no request goes out, it is said why, and what ends is written', async () => {
      const store = await openRun();
      await store.record(buildIntent('lan'));
      tripMs = 5_000;
      now += 60_000;
      const asked = ask(() => store.requireLock());
      if (!isLeased) {
        await asked;
        return;
      }
      const refused = await asked.catch((error: unknown) => error);
      expect(refused).toBeInstanceOf(LockLostError);
      const [said] = (refused as LockLostError).diagnostics;
      expect(said?.code).toBe('lock-lost');
      expect(said?.detail).toContain('took 5 s');
      expect(said?.detail).toContain('lease is 2 s');
      expect(said?.hint).toContain('lease: 20s');
      expect(store.refusal).toBe(refused);
      // Nobody has taken over, so far as anybody knows.
      await store.record({ kind: 'settled', resource: buildNetwork('lan') });
      expect(store.failure).toBeUndefined();
      await store.compact();
      await store.close();
      const found = await openStateStore(backend, { isReadOnly: true });
      expect([...found.state.resources.keys()]).toEqual(['projects.shop.networks.lan']);
    });
  });
}
