// A run whose backend falls silent for good at any round trip: what it was told is saved is there, nothing is there that it
// never sent, and whoever takes its lock over goes on from that. As tests, for each backend.
import { expect, test } from 'vitest';
import type { State } from '../../../src/model/state/state.ts';
import type { StateBackend } from '../../../src/state/backends/backend.ts';
import type { JournalRecord } from '../../../src/state/journal/records.ts';
import { createEmptyState, replayJournalRecords } from '../../../src/state/journal/replay.ts';
import { acquireLock, forceUnlock, type StateLock } from '../../../src/state/lock/lock.ts';
import { openStateStore } from '../../../src/state/store.ts';
import { openQuickClock } from '../../support/backends/quick-clock.ts';
import { walkPoints } from '../../support/budget/walk-points.ts';
import { countIds, toPlain, wholeRun } from '../../unit/state/build-records.ts';

/** What becomes of one round trip. */
export type Silence =
  | 'none'
  /** It is lost on the way there. */
  | 'lost'
  /** It is done, and its answer is lost. */
  | 'unanswered';

/** Where one state is kept. */
export interface KillPlace {
  /** Another client of it. `plan` is asked at each round trip; closing the backend closes all that it needed. */
  open(plan: () => Silence): Promise<StateBackend>;
  /** The ID of the lock that is held, where no silence ends it. */
  readonly heldBy?: () => string | undefined;
  close(): Promise<void>;
}

const request = {
  ...{ operation: 'apply', version: '0', leaseMs: 2_000 },
  process: { pid: process.pid, host: 'here', user: 'me' },
};

/** Waiting takes no time: patience is over at once. */
const lockOf = (backend: StateBackend) =>
  acquireLock(backend.lock, request, {
    ...{ clock: openQuickClock(), timeoutMs: 600_000 },
    // Heartbeats are no round trips that could be counted.
    time: { repeat: () => () => undefined },
  });

/** The state after so many records of the run. */
const stateAfter = (length: number, lineage: string): object =>
  describeState(replayJournalRecords(createEmptyState(lineage), wholeRun.slice(0, length)));

const describeState = (state: State): object => ({ ...(toPlain(state) as object), serial: 0 });

/** What a run knows to be saved before its backend is silent; `haveAllRehearsalsSucceeded` once it has compacted its state. */
async function runUntilSilent(backend: StateBackend) {
  const saved: JournalRecord[] = [];
  const openRescue = () => Promise.reject(new Error('killed'));
  let lock: StateLock | undefined;
  try {
    lock = await lockOf(backend);
    const { fence } = lock;
    const store = await openStateStore(backend, { fence, createId: countIds(), openRescue });
    for (const record of wholeRun) {
      await store.record(record);
      if (store.failure) throw store.failure;
      saved.push(record);
    }
    await store.compact();
    return { lock, saved, isWhole: true };
  } catch {
    return { lock, saved, isWhole: false };
  }
}

/** Declares the courses for one backend; `least` is how many round trips a run has at least. */
export function describeKills(
  name: string,
  least: number,
  openPlace: () => Promise<KillPlace>,
  silences: readonly Exclude<Silence, 'none'>[] = ['lost', 'unanswered'],
): void {
  test.each(silences)(
    `${name}: every round trip from one on is %s`,
    { timeout: 600_000 },
    async (silence) => {
      const points = await walkPoints({}, async (from) => {
        const place = await openPlace();
        let trips = 0;
        const backend = await place.open(() => {
          trips += 1;
          return trips >= from ? silence : 'none';
        });
        const killed = await runUntilSilent(backend);
        await expectContinued(place, killed.saved);
        await killed.lock?.release().catch(() => undefined);
        await backend.close();
        await place.close();
        const isWhole = killed.isWhole && trips < from;
        return isWhole ? { kind: 'past', last: trips } : { kind: 'tried', faults: [] };
      });
      expect(points).toBeGreaterThanOrEqual(least);
    },
  );
}

async function expectContinued(place: KillPlace, saved: readonly JournalRecord[]): Promise<void> {
  const next = await place.open(() => 'none');
  const left = place.heldBy?.();
  if (left !== undefined) await forceUnlock(next.lock, left);
  const taken = await lockOf(next);
  const successor = await openStateStore(next, { fence: taken.fence, createId: countIds() });
  const { lineage } = successor.state;
  // The last of them may have arrived though nobody was told.
  const may = [saved.length, saved.length + 1].map((length) => stateAfter(length, lineage));
  expect(may).toContainEqual(describeState(successor.state));
  await successor.compact();
  await successor.close();
  await taken.release();
  const found = await openStateStore(next, { isReadOnly: true, createId: () => lineage });
  expect(may).toContainEqual(describeState(found.state));
  await found.close();
  await next.close();
}
