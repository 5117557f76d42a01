// PostgreSQL whose disk is full: a tablespace on a disk of a few megabytes, filled to its last byte.
import { Client } from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { BackendError } from '../../../src/state/backends/backend-error.ts';
import { openStateConnectionPool } from '../../../src/state/backends/postgres/open-pool.ts';
import { openPostgresBackend } from '../../../src/state/backends/postgres/postgres.ts';
import { StateWriteError } from '../../../src/state/faults.ts';
import { openMemoryStateFiles } from '../../../src/state/memory-store.ts';
import { acquireLock } from '../../../src/state/lock/lock.ts';
import { openStateStore } from '../../../src/state/store.ts';
import {
  findDiskHindrance,
  startPostgres,
  type PostgresServer,
} from '../../support/backends/postgres-server.ts';
import { openQuickClock } from '../../support/backends/quick-clock.ts';
import { buildIntent, countIds } from '../../unit/state/build-records.ts';

describe.skipIf(findDiskHindrance() !== undefined)('a full disk', () => {
  let server: PostgresServer;
  let connectionString: string;
  beforeAll(async () => {
    server = await startPostgres([], { diskMegabytes: 24 });
    const admin = new Client(server.url);
    await admin.connect();
    await admin.query(`CREATE TABLESPACE small LOCATION '${server.disk}'`);
    await admin.query('CREATE DATABASE shop TABLESPACE small');
    connectionString = server.url.replace(/postgres$/, 'shop');
    await admin.end();
  });
  afterAll(() => server.close());

  const open = (clock = openQuickClock()) =>
    openPostgresBackend({
      ...{ schema: 'hostwright', name: 'shop', database: 'db', clock },
      openPool: () => openStateConnectionPool({ connectionString }),
    });
  const lockOf = (backend: ReturnType<typeof open>) =>
    acquireLock(
      backend.lock,
      {
        ...{ operation: 'apply', version: '0', leaseMs: 2_000 },
        process: { pid: process.pid, host: 'here', user: 'me' },
      },
      { clock: openQuickClock(), timeoutMs: 600_000 },
    );

  test('stops a run at its next intent; what was saved is there, and the rest in the refuge', async () => {
    const backend = open();
    const lock = await lockOf(backend);
    const rescue = openMemoryStateFiles(new Map());
    const options = { fence: lock.fence, createId: countIds() };
    const openRescue = () => Promise.resolve(rescue);
    const store = await openStateStore(backend, { ...options, openRescue });
    await store.record(buildIntent('first'));
    server.fillDisk();
    let saved = 1;
    let failure: unknown;
    // A few more may fit in the last page.
    while (failure === undefined && saved < 1_000) {
      failure = await store.record(buildIntent(`net${saved}`)).then(
        () => undefined,
        (error: unknown) => error,
      );
      if (failure === undefined) saved += 1;
    }
    expect(failure).toBeInstanceOf(StateWriteError);
    const { cause } = failure as StateWriteError;
    expect(cause).toBeInstanceOf(BackendError);
    expect(cause).toMatchObject({ fault: 'full' });
    expect((cause as BackendError).message).toContain('No space left on device');
    expect(store.rescue).toBeDefined();
    await expect(store.record(buildIntent('later'))).rejects.toBe(failure);
    await store.close();
    await lock.release().catch(() => undefined);
    await backend.close();

    server.freeDisk();
    const next = open();
    const taken = await lockOf(next);
    const successor = await openStateStore(next, { fence: taken.fence, createId: countIds() });
    expect(successor.state.pending.size).toBe(saved);
    await successor.record(buildIntent('again'));
    await successor.compact();
    expect(successor.failure).toBeUndefined();
    await successor.close();
    await taken.release();
    await next.close();
  });

  test('is waited for: a run goes on where there is room again in time', async () => {
    const clock = openQuickClock();
    let waited = 0;
    const sleep = async (ms: number) => {
      waited += 1;
      if (waited === 3) server.freeDisk();
      await clock.sleep(ms);
    };
    const backend = open({ ...clock, sleep });
    const lock = await lockOf(backend);
    const store = await openStateStore(backend, { fence: lock.fence, createId: countIds() });
    server.fillDisk();
    for (let at = 0; waited === 0 && at < 1_000; at += 1)
      await store.record(buildIntent(`more${at}`));
    expect([waited, store.failure, store.rescue]).toEqual([3, undefined, undefined]);
    await store.close();
    await lock.release();
    await backend.close();
  });
});
