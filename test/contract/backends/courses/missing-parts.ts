// A medium that keeps one state in many pieces may show some of them late, or lack them since somebody deleted them: what is
// read is whole, or it is said what is missing. An older state is never taken for the last one.
//
// A directory has a file, a server of Terraform's protocol a document, for all that was recorded: there is no piece that could
// be missing from it. Of a branch the remote has all objects of a commit, or git fails. A database shows a statement all rows
// that are there.
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Diagnostic } from '../../../../src/model/diagnostic.ts';
import type { DiagnosticError } from '../../../../src/model/errors.ts';
import type { StateBackend } from '../../../../src/state/backends/backend.ts';
import { acquireLock } from '../../../../src/state/lock/lock.ts';
import { LockLostError } from '../../../../src/state/lock/fence.ts';
import type { OwnLockHandle } from '../../../../src/state/lock/lock-medium.ts';
import { openStateStore } from '../../../../src/state/store.ts';
import { openQuickClock } from '../../../support/backends/quick-clock.ts';
import type { BucketInSmall } from '../../../support/backends/places-in-small.ts';
import { buildIntent, buildNetwork, countIds } from '../../../unit/state/build-records.ts';
import { drawSome } from '../../../support/budget/budget.ts';

const lines = 6;
const addressOf = (index: number) => `projects.shop.networks.n${index}`;
const whole = Array.from({ length: lines }, (_, index) => addressOf(index));
const settled = 'projects.shop.networks.lan';

/** Declares the course for one backend. */
export function describeMissingParts(name: string, openPlace: () => Promise<BucketInSmall>): void {
  let place: BucketInSmall;
  const opened: StateBackend[] = [];
  beforeEach(async () => {
    place = await openPlace();
  });
  afterEach(async () => {
    for (const backend of opened.splice(0)) await backend.close();
    await place.close();
  });
  const open = async () => {
    const backend = await place.open();
    opened.push(backend);
    return backend;
  };
  const begin = async (timeoutMs = 600_000) => {
    const backend = await open();
    const who = { pid: process.pid, host: `machine-${opened.length}`, user: 'anna' };
    const request = { operation: 'apply', version: '0', process: who, leaseMs: 10_000 };
    const waits = { clock: openQuickClock(), timeoutMs };
    const lock = await acquireLock(backend.lock, request, {
      ...{ ...waits, time: { repeat: () => () => undefined } },
    });
    return { backend, lock };
  };
  const openRun = async () => {
    const { backend, lock } = await begin();
    const store = await openStateStore(backend, { fence: lock.fence, createId: countIds() });
    return { lock, store };
  };
  /** What a reader finds: the open creates, and what is settled. */
  const readAs = async (backend: StateBackend, fence?: OwnLockHandle) => {
    const options = fence ? { fence } : { isReadOnly: true };
    const store = await openStateStore(backend, options);
    await store.close();
    return [[...store.state.pending.keys()], [...store.state.resources.keys()]];
  };
  const read = async () => readAs(await open());
  const readLocked = async () => {
    const { backend, lock } = await begin();
    return readAs(backend, lock.fence as OwnLockHandle);
  };
  const all = [whole, [settled]];
  /** A run that has ended, and one that was killed once it had recorded its intents. */
  const leaveKilledRun = async (onEach: (index: number) => void = () => undefined) => {
    const first = await openRun();
    await first.store.record({ kind: 'settled', resource: buildNetwork('lan') });
    await first.store.compact();
    await first.store.close();
    await first.lock.release();
    const killed = await openRun();
    for (let index = 0; index < lines; index += 1) {
      onEach(index);
      await killed.store.record(buildIntent(`n${index}`));
    }
    return killed;
  };
  const codeOf = async (work: Promise<unknown>) => {
    const failed = await work.then(
      () => undefined,
      (error: unknown) => error as DiagnosticError,
    );
    return failed?.diagnostics[0];
  };

  describe(`${name}: pieces of the state`, () => {
    test.each(drawSome([1, 2, lines, 50], 1, 'newest pieces'))(
      'the newest %i are never listed: all is read',
      async (newest) => {
        await leaveKilledRun();
        place.double.lagLists(Infinity, newest);
        expect(await read()).toEqual(all);
        expect(await readLocked()).toEqual(all);
        expect(await readLocked()).toEqual(all);
      },
    );

    const holders = [
      [0, 'was seen to live'],
      [3, 'was seen to live'],
      [0, 'gave no sign of life'],
      [5, 'gave no sign of life'],
    ] as const;
    test.each(drawSome(holders, 1, 'holders'))(
      'are listed as they were after %i records of a holder that %s: it is shut out',
      async (at, seen) => {
        const killed = await leaveKilledRun((index) => {
          if (index === at) place.double.lagLists(Infinity);
        });
        // It goes on through several manifests, and removes the first of them.
        for (let round = 0; round < 3; round += 1) {
          await killed.store.compact();
          if (seen === 'was seen to live') await (killed.lock.fence as OwnLockHandle).beat();
          await killed.store.record({ kind: 'settled', resource: buildNetwork(`r${round}`) });
        }
        await killed.store.close();
        const known = [
          whole,
          [settled, ...[0, 1, 2].map((round) => `projects.shop.networks.r${round}`)],
        ];
        expect(await read()).toEqual(known);
        const next = await openRun();
        expect([...next.store.state.resources.keys()]).toEqual(known[1]);
        const late = killed.lock.fence;
        const files = (opened[1] as StateBackend).openFiles(late);
        await expect(files.replace('state.json', 'late')).rejects.toBeInstanceOf(LockLostError);
        await next.store.record({ kind: 'settled', resource: buildNetwork('last') });
        await next.store.compact();
        expect(next.lock.fence.lost).toBeUndefined();
      },
    );

    const readers = ['read', 'readLocked'] as const;
    test.each(drawSome(readers, 1, 'late pieces'))(
      'are shown late: whoever reads them waits (%s)',
      async (how) => {
        await leaveKilledRun();
        const [newest = ''] = [...place.double.objects.keys()].slice(-1);
        let asked = 0;
        place.double.lagLists(Infinity, 1);
        place.double.meet = ({ method, key }) => {
          if (method !== 'GET' || key !== newest) return undefined;
          asked += 1;
          return asked > 4 ? undefined : { kind: 'answered', status: 404, code: 'NoSuchKey' };
        };
        // Without the lock, the newest of a run that may be at work is not known to be there.
        const [pending = []] = await (how === 'read' ? read() : readLocked());
        expect(pending.length).toBe(how === 'read' ? lines - 1 : lines);
      },
    );

    const runs = ['that was killed', 'that goes on from a killed one', 'that has ended'] as const;
    test.each(drawSome(runs, 1, 'runs that lose a piece'))(
      'one is gone for good of a run %s: it is named, and no older state is read',
      async (which) => {
        const killed = await leaveKilledRun();
        if (which === 'that goes on from a killed one') await readLocked();
        if (which === 'that has ended') {
          await killed.store.compact();
          await killed.lock.release();
        }
        const { objects } = place.double;
        const left = [...objects];
        const before = await read();
        expect(before).toEqual(all);
        const told = new Set<string>();
        for (const [key] of left.filter(([one]) => one !== 'shop/lock.json')) {
          for (const work of [read, readLocked]) {
            objects.clear();
            for (const [one, object] of left) if (one !== key) objects.set(one, object);
            const ended = await work().catch(
              (error: unknown) => (error as DiagnosticError).diagnostics[0],
            );
            // The newest of a run that may be at work is not known to be there: whoever takes its lock can tell neither.
            const isUnknown = which === 'that was killed' && key === left.at(-1)?.[0];
            if (isUnknown) continue;
            if (Array.isArray(ended)) expect(ended, key).toEqual(before);
            else {
              told.add(key);
              expect(ended, key).toMatchObject({ code: 'state-incomplete' });
              expect((ended as Diagnostic).detail).toContain(key);
            }
          }
        }
        expect(told.size).toBeGreaterThan(1);
      },
    );

    test('the last of a run is gone that was closed, and the list ends before it: it is named', async () => {
      await leaveKilledRun();
      const { objects, lagLists } = place.double;
      const last = [...objects.keys()].at(-1) ?? '';
      await (await begin()).lock.release();
      lagLists(Infinity, objects.size - [...objects.keys()].indexOf(last));
      objects.delete(last);
      const said = await codeOf(read());
      expect(said).toMatchObject({ code: 'state-incomplete' });
      expect(said?.detail).toContain(last);
    });

    test.each(drawSome(readers, 1, 'a deleted log'))(
      'all of the log are deleted: it is said, and both ways out lead out (%s)',
      async (how) => {
        await leaveKilledRun();
        await readLocked();
        await (await begin()).lock.release();
        const { objects } = place.double;
        const deleted = [...objects].filter(([key]) => key.startsWith('shop/log/'));
        for (const [key] of deleted) objects.delete(key);
        const work = how === 'read' ? read : readLocked;
        const said = await codeOf(work());
        expect(said).toMatchObject({ code: 'state-incomplete', severity: 'error' });
        expect(said?.summary).toContain('bucket infra, key shop');
        expect(said?.detail).toContain('shop/log/');
        expect(said?.hint).toContain('delete everything below shop/');
        expect(said?.hint).toContain('--adopt');
        // It is restored.
        const rest = new Map(objects);
        for (const [key, object] of deleted) objects.set(key, object);
        expect(await work()).toEqual(all);
        // Or given up.
        objects.clear();
        for (const [key, object] of rest) objects.set(key, object);
        expect(await codeOf(work())).toMatchObject({ code: 'state-incomplete' });
        for (const key of [...objects.keys()]) if (key.startsWith('shop/')) objects.delete(key);
        expect(await read()).toEqual([[], []]);
        const next = await openRun();
        await next.store.record(buildIntent('n0'));
        await next.store.compact();
        await next.lock.release();
        expect(await read()).toEqual([[addressOf(0)], []]);
      },
    );
  });
}
