// A run whose database falls silent for good at any round trip: what it was told is saved is there, nothing is there that
// it never sent, and whoever takes its lock over goes on from that.
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { JournalRecord } from '../../../src/state/journal/records.ts';
import type { State } from '../../../src/model/state/state.ts';
import { createEmptyState, replay } from '../../../src/state/journal/replay.ts';
import { openPostgresBackend } from '../../../src/state/backends/postgres/postgres.ts';
import { openPool } from '../../../src/state/backends/postgres/open-pool.ts';
import { acquireLock } from '../../../src/state/lock/lock.ts';
import { openState } from '../../../src/state/store.ts';
import { startPostgres, type PostgresServer } from '../../support/backends/postgres-server.ts';
import { openProxy, type Trouble } from '../../support/backends/unreliable-proxy.ts';
import { countIds, toPlain, wholeRun } from '../../unit/state/build-records.ts';
import { openQuickClock } from '../../support/backends/quick-clock.ts';

let server: PostgresServer;
beforeAll(async () => {
  server = await startPostgres();
});
afterAll(() => server.close());

/** Waiting takes no time: patience is over at once. */
const open = (port: number, name: string) =>
  openPostgresBackend({
    ...{ schema: 'hostwright', name, clock: openQuickClock() },
    openPool: () =>
      openPool({ connectionString: `postgres://hostwright:secret@127.0.0.1:${port}/postgres` }),
    database: 'db',
  });
const request = {
  ...{ operation: 'apply', version: '0', leaseMs: 2_000 },
  process: { pid: process.pid, host: 'here', user: 'me' },
};
const lockOf = (backend: ReturnType<typeof open>) =>
  acquireLock(backend.lock, request, { clock: openQuickClock(), timeoutMs: 600_000 });

/** The state after so many records of the run. */
function stateAfter(length: number, lineage: string): object {
  return describeState(replay(createEmptyState(lineage), wholeRun.slice(0, length)));
}

function describeState(state: State): object {
  return { ...(toPlain(state) as object), serial: 0 };
}

test.each(['lost', 'unanswered'] as const)(
  'every round trip from one on is %s',
  async (trouble: Trouble) => {
    let isWhole = false;
    for (let from = 1; !isWhole; from += 1) {
      let trips = 0;
      const plan = (): Trouble => {
        trips += 1;
        return trips >= from ? trouble : 'none';
      };
      const proxy = await openProxy(server.port, plan);
      const name = `killed ${trouble} ${from}`;
      const backend = open(proxy.port, name);
      const saved: JournalRecord[] = [];
      const lock = await lockOf(backend).catch(() => undefined);
      const refuge = () => Promise.reject(new Error('killed'));
      const store =
        lock &&
        (await openState(backend, {
          ...{ fence: lock.fence, createId: countIds(), openRefuge: refuge },
        }).catch(() => undefined));
      for (const record of wholeRun) {
        const isSaved = await store?.record(record).then(
          () => !store.failure,
          () => false,
        );
        if (isSaved) saved.push(record);
        else break;
      }
      isWhole =
        (await store?.compact().then(
          () => true,
          () => false,
        )) === true && trips < from;
      await backend.close();
      await proxy.close();

      const next = open(server.port, name);
      const taken = await lockOf(next);
      const successor = await openState(next, { fence: taken.fence, createId: countIds() });
      const { lineage } = successor.state;
      // The last of them may have arrived though nobody was told.
      const may = [saved.length, saved.length + 1].map((length) => stateAfter(length, lineage));
      expect(may).toContainEqual(describeState(successor.state));
      await successor.compact();
      await successor.close();
      await taken.release();
      await lock?.release().catch(() => undefined);
      await next.close();
    }
  },
);
