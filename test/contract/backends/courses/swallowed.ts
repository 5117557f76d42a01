// Connections that take everything and answer nothing, as behind a firewall that has forgotten them: each is given up in time
// for another one, which works. As tests, for each backend that is reached over a network.
import { afterEach, describe, expect, test } from 'vitest';
import type { HttpExchange } from '../../../../src/model/http.ts';
import type { Clock } from '../../../../src/model/runtime.ts';
import type { StateBackend } from '../../../../src/state/backends/backend.ts';
import { nameJournalFile } from '../../../../src/state/files/files.ts';
import { acquireLock } from '../../../../src/state/lock/lock.ts';
import type { OwnLockHandle } from '../../../../src/state/lock/lock-medium.ts';
import { openQuickClock } from '../../../support/backends/quick-clock.ts';

/** What a connection is made with: it swallows what it is given for as long as it is waited for, or works. */
export interface Swallowing {
  readonly clock: Clock;
  /** Rejects when the connection that is made now has swallowed all for that long; milliseconds. */
  readonly connect: (waitMs: number) => Promise<void>;
}

/** Where one state is kept. */
export interface SwallowingPlace {
  /** A client of it, each attempt of which is a connection. */
  open(ways: Swallowing): Promise<StateBackend>;
  close(): Promise<void>;
}

/** The exchange of a client whose connections are these. */
export function overSwallowing(exchange: HttpExchange, { connect }: Swallowing): HttpExchange {
  return async (request) => {
    await connect(request.headersMs);
    return exchange(request);
  };
}

const all = [
  [1, 60_000],
  [2, 60_000],
  [1, 2_000],
  [2, 2_000],
] as const;

/** Declares the courses for one backend; `most` is how many connections in a row may swallow everything. */
export function describeSwallowed(
  name: string,
  openPlace: () => Promise<SwallowingPlace>,
  most = 2,
): void {
  const opened: (() => Promise<void>)[] = [];
  afterEach(async () => {
    for (const close of opened.splice(0).reverse()) await close();
  });

  const open = async () => {
    const clock = openQuickClock();
    const left = { count: 0 };
    const connect = async (waitMs: number) => {
      if (left.count === 0) return;
      left.count -= 1;
      await clock.sleep(waitMs);
      throw new Error(`no answer within ${waitMs} ms: timeout`);
    };
    const place = await openPlace();
    opened.push(() => place.close());
    const backend = await place.open({ clock, connect });
    opened.push(() => backend.close());
    return { backend, clock, swallow: (count: number) => (left.count = count), left };
  };
  const lockOf = (backend: StateBackend, leaseMs: number, clock: Clock) => {
    const who = { pid: process.pid, host: 'here', user: 'anna' };
    const request = { operation: 'apply', version: '1', process: who, leaseMs };
    return acquireLock(backend.lock, request, { clock, time: { repeat: () => () => undefined } });
  };

  const fitting = all.filter(([count]) => count <= most);
  describe.each(fitting)(
    `${name}: %i connections swallow everything, with a lease of %i ms`,
    (count, leaseMs) => {
      test('each operation goes through with the next one', async () => {
        const { backend, clock, swallow, left } = await open();
        swallow(count);
        const lock = await lockOf(backend, leaseMs, clock);
        const files = backend.openFiles(lock.fence);
        const journal = nameJournalFile(lock.fence.epoch);
        const operations = [
          () => files.replace(journal, 'a\n'),
          () => files.append(journal, 'b\n'),
          () => files.replace('state.json', 'one'),
          () => files.remove('state.json'),
          () => files.replace('state.json', 'two'),
          () => files.close(),
        ];
        for (const operation of operations) {
          swallow(count);
          await operation();
        }
        swallow(count);
        await lock.release();
        swallow(count);
        const reader = backend.openFiles();
        const names = (await reader.list()).toSorted();
        swallow(count);
        expect(names).toEqual([journal, 'state.json']);
        expect(await reader.read(journal)).toBe('a\nb\n');
        expect(await reader.read('state.json')).toBe('two');
        expect(left.count).toBeLessThanOrEqual(count);
      });
    },
  );

  test(`${name}: a sign of life that is swallowed is given up in time for the next one`, async () => {
    const { backend, clock, swallow } = await open();
    const lock = await lockOf(backend, 60_000, clock);
    const { fence } = lock;
    const since = clock.now();
    swallow(1);
    await (fence as OwnLockHandle).beat().catch(() => undefined);
    expect(clock.now() - since).toBeLessThan(60_000 / 4);
    await (fence as OwnLockHandle).beat();
    await lock.release();
  });
}
