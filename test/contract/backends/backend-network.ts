// A network to what keeps a state that is cut, halved, late or slow: what was written is there once and in its place, and an
// overtaken holder writes nothing. As tests, for each backend.
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { StateBackend } from '../../../src/state/backends/backend.ts';
import { nameJournalFile } from '../../../src/state/files/files.ts';
import { LockLostError } from '../../../src/state/lock/fence.ts';
import { acquireLock, forceUnlock, type StateLock } from '../../../src/state/lock/lock.ts';
import { openQuickClock } from '../../support/backends/quick-clock.ts';
import type { Clock } from '../../../src/model/runtime.ts';
import {
  openProxy,
  type Trouble,
  type UnreliableProxy,
} from '../../support/backends/unreliable-proxy.ts';

/** What keeps one state, at a port of this machine. */
export interface NetworkPlace {
  readonly port: number;
  /** A client of it that goes to this port. */
  open(port: number, clock: Clock): Promise<StateBackend>;
  close(): Promise<void>;
}

/** How a network is tried with one backend. */
export interface NetworkCourse {
  readonly openPlace: () => Promise<NetworkPlace>;
  /** Each so many pieces, one meets with trouble. An attempt sends fewer than that. */
  readonly every: number;
}

const troubles = ['lost', 'half sent', 'unanswered', 'half answered'] as const;
const lines = 20;

/** Declares the courses for one backend. */
export function describeNetwork(name: string, { openPlace, every }: NetworkCourse): void {
  let place: NetworkPlace;
  const opened: (() => Promise<unknown>)[] = [];
  beforeEach(async () => {
    place = await openPlace();
    opened.push(() => place.close());
  });
  afterEach(async () => {
    for (const close of opened.splice(0).reverse()) await close();
  });

  const openWay = async (plan?: () => Trouble, delayMs?: number): Promise<UnreliableProxy> => {
    const proxy = await openProxy(place.port, plan, delayMs);
    opened.push(() => proxy.close());
    return proxy;
  };
  const openBackend = async (port = place.port, clock: Clock = openQuickClock()) => {
    const backend = await place.open(port, clock);
    opened.push(() => backend.close());
    return backend;
  };
  const lockOf = async (backend: StateBackend, host = 'here'): Promise<StateLock> => {
    const process_ = { pid: process.pid, host, user: 'me' };
    const request = { operation: 'apply', version: '0', process: process_, leaseMs: 10_000 };
    const wait = { clock: openQuickClock(), timeoutMs: 600_000 };
    const time = { repeat: () => () => undefined };
    const lock = await acquireLock(backend.lock, request, { ...wait, time });
    opened.push(() => lock.release().catch(() => undefined));
    return lock;
  };
  const readAll = async () => {
    const files = (await openBackend()).openFiles();
    const names = await files.list();
    return Object.fromEntries(
      await Promise.all(names.map(async (one) => [one, await files.read(one)] as const)),
    );
  };

  describe(name, () => {
    test.each(troubles)('again and again something is %s', async (trouble) => {
      let sent = 0;
      let isOn = false;
      const proxy = await openWay(() => {
        if (!isOn) return 'none';
        sent += 1;
        return sent % every === every - 1 ? trouble : 'none';
      });
      const backend = await openBackend(proxy.port);
      const lock = await lockOf(backend);
      const files = backend.openFiles(lock.fence);
      const journal = nameJournalFile(lock.fence.epoch);
      isOn = true;
      await files.replace(journal, 'begin\n');
      for (let line = 0; line < lines; line += 1) await files.append(journal, `${line}\n`);
      await files.replace('state.json', 'one');
      await files.close();
      await lock.release();
      isOn = false;
      expect(sent).toBeGreaterThan(2 * every);
      expect(lock.fence.lost).toBeUndefined();
      const text = Array.from({ length: lines }, (_, line) => `${line}\n`).join('');
      expect(await readAll()).toEqual({ [journal]: `begin\n${text}`, 'state.json': 'one' });
      expect((await lockOf(await openBackend())).diagnostics).toEqual([]);
    });

    test('it is cut for a while: a write waits for it', async () => {
      const proxy = await openWay();
      let pauses = 0;
      const quick = openQuickClock();
      const clock: Clock = {
        now: () => quick.now(),
        sleep: async (ms) => {
          await quick.sleep(ms);
          pauses += 1;
          if (pauses === 3) proxy.mend();
        },
      };
      const backend = await openBackend(proxy.port, clock);
      const { fence } = await lockOf(backend);
      const files = backend.openFiles(fence);
      const journal = nameJournalFile(fence.epoch);
      await files.replace(journal, 'a\n');
      pauses = 0;
      proxy.cut();
      await files.append(journal, 'b\n');
      expect(pauses).toBeGreaterThanOrEqual(3);
      await files.append(journal, 'c\n');
      expect(await readAll()).toEqual({ [journal]: 'a\nb\nc\n' });
    });

    test('it is cut for good: a write fails, and says where', async () => {
      const proxy = await openWay();
      const backend = await openBackend(proxy.port);
      const { fence } = await lockOf(backend);
      const files = backend.openFiles(fence);
      const journal = nameJournalFile(fence.epoch);
      await files.replace(journal, 'a\n');
      proxy.cut();
      const failed = files.append(journal, 'b\n');
      await expect(failed).rejects.toMatchObject({ name: 'BackendError', fault: 'unreachable' });
      expect(await readAll()).toEqual({ [journal]: 'a\n' });
    });

    test('it is slow: whoever waits for the lock sees that its holder lives', async () => {
      const proxy = await openWay(undefined, 60);
      const backend = await openBackend(proxy.port);
      const lock = await lockOf(backend);
      const files = backend.openFiles(lock.fence);
      const journal = nameJournalFile(lock.fence.epoch);
      await files.replace(journal, 'a\n');
      const other = await openBackend();
      const request = {
        ...{ operation: 'apply', version: '0', leaseMs: 10_000 },
        process: { pid: 1, host: 'there', user: 'you' },
      };
      const refused = acquireLock(other.lock, request, { clock: openQuickClock() });
      await expect(refused).rejects.toThrow('The state is locked');
      await files.append(journal, 'b\n');
      expect(await readAll()).toEqual({ [journal]: 'a\nb\n' });
    });

    test('a write arrives after its lock was taken over: it changes nothing', async () => {
      let next: Trouble = 'none';
      const proxy = await openWay(() => {
        const trouble = next;
        // All that it sends from then on is held back.
        if (next !== 'late') next = 'none';
        return trouble;
      });
      const old = await openBackend(proxy.port);
      const lock = await lockOf(old);
      const files = old.openFiles(lock.fence);
      const journal = nameJournalFile(lock.fence.epoch);
      await files.replace(journal, 'a\n');
      next = 'late';
      await expect(files.append(journal, 'late\n')).rejects.toThrow();
      next = 'none';
      const other = await openBackend();
      if (!other.capabilities.expiry) await forceUnlock(other.lock, lock.info.ID);
      const { fence } = await lockOf(other, 'there');
      const before = await readAll();
      expect(before).toEqual({ [journal]: 'a\n' });
      await proxy.arrive();
      expect(await readAll()).toEqual(before);
      const more = other.openFiles(fence);
      await more.replace('state.json', 'after');
      const late = files.replace('state.json', 'late');
      // Where each write is the whole state, the first that failed is the last.
      const { expiry } = old.capabilities;
      await expect(late).rejects.toBeInstanceOf(expiry ? LockLostError : Error);
      expect(await readAll()).toEqual({ ...before, 'state.json': 'after' });
    });
  });
}
