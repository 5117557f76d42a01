// What keeps a state goes back to an earlier moment while a run holds it: a failover to a copy that lacks the last writes,
// a restore. Nothing is written over the gap, nothing more is sent, and the next run knows all that this one knew. As
// tests, for each backend.
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { StateBackend } from '../../../../src/state/backends/backend.ts';
import type { StateFileName } from '../../../../src/state/files/files.ts';
import { LockLostError } from '../../../../src/state/lock/fence.ts';
import { acquireLock, forceUnlock, type StateLock } from '../../../../src/state/lock/lock.ts';
import type { OwnLockHandle } from '../../../../src/state/lock/lock-medium.ts';
import { openMemoryStateFiles } from '../../../../src/state/memory-store.ts';
import { hasRescuedState, uploadRescuedState } from '../../../../src/state/rescue/upload-rescue.ts';
import { openStateStore, type StateStore } from '../../../../src/state/store.ts';
import { openQuickClock } from '../../../support/backends/quick-clock.ts';
import { buildIntent, buildVm } from '../../../unit/state/build-records.ts';
import type { BackendPlace } from '../backend-contract.ts';
import { drawSome } from '../../../support/budget/budget.ts';

/** Where one state is kept, by something that can be restored. */
export interface SetBackPlace extends BackendPlace {
  /** Takes a copy of all that is there; what it resolves with puts that back, whatever was written since. */
  copy(): Promise<() => Promise<void>>;
  /** The ID of the lock that is held, where no silence ends it. */
  readonly heldBy?: () => string | undefined;
}

/** What a backend can do about it. */
export interface SetBackWays {
  /** Each write is the whole state: while the lock is held, the next one makes good what is gone. */
  readonly isWhole?: boolean;
  /** What does not show there, or is another course, with the reason. */
  readonly except?: Readonly<Partial<Record<Moment | Way, string>>>;
}

const moments = [
  'before there was a state',
  'before its lock',
  'before the first write under it',
  'by several writes',
  'by one write',
] as const;
type Moment = (typeof moments)[number];

const ways = ['a write', 'a sign of life', 'the release'] as const;
type Way = (typeof ways)[number];

/** Declares the courses for one backend. */
export function describeSetBack(
  name: string,
  openPlace: () => Promise<SetBackPlace>,
  { isWhole = false, except = {} }: SetBackWays = {},
): void {
  let place: SetBackPlace;
  const opened: { close(): Promise<void> }[] = [];
  let machines = 0;
  beforeEach(async () => {
    place = await openPlace();
  });
  afterEach(async () => {
    for (const one of opened.splice(0)) await one.close();
    await place.close();
  });

  const openRun = async () => {
    const backend: StateBackend = await place.open();
    opened.push(backend);
    machines += 1;
    const who = { pid: process.pid, host: `machine-${machines}`, user: 'anna' };
    const request = { operation: 'apply', version: '1', process: who };
    const time = { repeat: () => () => undefined };
    const waits = { clock: openQuickClock(), timeoutMs: 600_000, time };
    return { backend, lock: await acquireLock(backend.lock, request, waits) };
  };
  const rescue = new Map<StateFileName, string>();
  const openStore = async ({ backend, lock }: { backend: StateBackend; lock: StateLock }) => {
    const openRescue = () => Promise.resolve(openMemoryStateFiles(rescue));
    return openStateStore(backend, { fence: lock.fence, openRescue });
  };
  const readAll = async () => {
    const backend = await place.open();
    const files = backend.openFiles();
    const names = (await files.list()).toSorted();
    const texts = await Promise.all(names.map((one) => files.read(one)));
    await backend.close();
    return names.map((one, index) => [one, texts[index]]);
  };

  /** What a run knows: an earlier one has left a VM, and this one has sent three requests. */
  const knownOf = ({ state: { pending, resources } }: StateStore) => ({
    ids: [...resources.values()].map(({ id }) => id).toSorted(),
    pending: [...pending.keys()].toSorted(),
  });
  const sent = ['lan1', 'lan2', 'lan3'];
  const known = { ids: ['vm-before'], pending: sent.map((one) => `projects.shop.networks.${one}`) };

  /** A run that has sent its requests, over a place that then goes back to a moment. */
  const runUntilSetBack = async (moment: Moment, isCompact: boolean) => {
    rescue.clear();
    const copies = new Map<Moment, () => Promise<void>>();
    const copyAt = async (at: Moment) => copies.set(at, await place.copy());
    await copyAt('before there was a state');
    const earlier = await openRun();
    const before = await openStore(earlier);
    await before.record({ kind: 'settled', resource: buildVm('before') });
    await before.compact();
    await before.close();
    await earlier.lock.release();
    await copyAt('before its lock');
    const run = await openRun();
    const store = await openStore(run);
    await copyAt('before the first write under it');
    for (const [index, one] of sent.entries()) {
      await store.record(buildIntent(one));
      await (run.lock.fence as OwnLockHandle).beat();
      if (index === 0) await copyAt('by several writes');
      if (index === sent.length - 2) await copyAt('by one write');
    }
    if (isCompact) await store.compact().then(() => store.close());
    await copies.get(moment)?.();
    return { ...run, store, there: await readAll() };
  };

  /** Has the run find out. Resolves with what it is told, if it is told anything. */
  const notice = async ({ lock, store }: { lock: StateLock; store: StateStore }, way: Way) => {
    const work: Record<Way, () => Promise<unknown>> = {
      'a write': () => store.record(buildIntent('lan4')),
      'a sign of life': () => (lock.fence as OwnLockHandle).beat(),
      'the release': () => lock.release(),
    };
    return work[way]().then(
      () => undefined,
      (error: unknown) => error,
    );
  };

  const findNext = async () => {
    const held = place.heldBy?.();
    if (held !== undefined) await forceUnlock((await place.open()).lock, held);
    const next = await openRun();
    const { backend, lock } = next;
    const files = openMemoryStateFiles(rescue);
    if (await hasRescuedState(files)) {
      const told = await uploadRescuedState({
        ...{ backend, rescue: files, fence: lock.fence, version: '1', history: undefined },
      });
      expect(told.code).toBe('rescue-uploaded');
    }
    const successor = await openStore(next);
    const found = knownOf(successor);
    await successor.close();
    await lock.release();
    return found;
  };

  describe(`${name} goes back`, () => {
    const cases = moments.flatMap((moment) => ways.map((way) => [moment, way] as const));
    const tried = cases.filter((one) => one.every((part) => except[part] === undefined));
    test.each(drawSome(tried, 3, `set back: ${name}`))('%s, and %s tells', async (moment, way) => {
      const run = await runUntilSetBack(moment, way === 'the release');
      const { lock, store, there } = run;
      const error = await notice(run, way);
      const { failure } = store;
      if (isWhole && failure === undefined) {
        // All of it is there again, or is once something is written.
        await store.compact().catch(() => undefined);
      } else {
        expect(error).toBeInstanceOf(LockLostError);
        expect(failure).toMatchObject({ loss: { kind: 'set-back' } });
        expect(failure?.diagnostics[0]?.code).toBe('state-set-back');
        expect(failure?.diagnostics[0]?.detail).toMatch(/went back|earlier moment/);
        await expect((async () => lock.fence.verifyLease())()).rejects.toBe(failure);
        await store.keepAside();
        expect(store.rescue).toBeDefined();
        expect(await readAll()).toEqual(there);
      }
      await store.close();
      await lock.release().catch(() => undefined);
      const found = await findNext();
      expect(found.ids).toEqual(known.ids);
      expect(found.pending).toEqual(expect.arrayContaining(known.pending));
    });

    const later = tried.filter(([, way]) => way === 'a write').map(([moment]) => moment);
    test.each(drawSome(later, 1, `written after: ${name}`))(
      '%s, and another run writes before the rescue comes',
      async (moment) => {
        const run = await runUntilSetBack(moment, false);
        await notice(run, 'a write');
        const { failure } = run.store;
        if (isWhole && failure === undefined) {
          await run.store.close();
          return;
        }
        await run.store.keepAside();
        await run.store.close();
        await run.lock.release().catch(() => undefined);
        const held = place.heldBy?.();
        if (held !== undefined) await forceUnlock((await place.open()).lock, held);
        const other = await openRun();
        const store = await openStore(other);
        await store.record({ kind: 'settled', resource: buildVm('other') });
        await store.compact();
        await store.close();
        await other.lock.release();
        const next = await openRun();
        const { backend, lock } = next;
        const files = openMemoryStateFiles(rescue);
        const options = { backend, rescue: files, fence: lock.fence, version: '1' };
        const told = await uploadRescuedState({ ...options, history: undefined });
        expect(told.code).toBe('rescue-overtaken');
        const successor = await openStore(next);
        expect(knownOf(successor).ids).toContain('vm-other');
        await successor.close();
        await lock.release();
      },
    );

    test('nowhere, as by a failover that loses nothing: the run goes on', async () => {
      const run = await openRun();
      const store = await openStore(run);
      await store.record(buildIntent('lan1'));
      const back = await place.copy();
      await back();
      await store.record(buildIntent('lan2'));
      expect(store.failure).toBeUndefined();
      await store.close();
      await run.lock.release();
    });
  });
}
