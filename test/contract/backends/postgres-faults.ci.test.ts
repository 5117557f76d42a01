// A database that is away, refuses, is started anew, or whose answers are lost.
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import type { DiagnosticError } from '../../../src/model/errors.ts';
import type { StateBackend } from '../../../src/state/backends/backend.ts';
import { BackendError } from '../../../src/state/backends/backend-error.ts';
import { openPostgresBackend } from '../../../src/state/backends/postgres/postgres.ts';
import { openStateConnectionPool } from '../../../src/state/backends/postgres/open-pool.ts';
import { nameJournalFile } from '../../../src/state/files/files.ts';
import { acquireLock, type StateLock } from '../../../src/state/lock/lock.ts';
import { openStateStore } from '../../../src/state/store.ts';
import { startPostgres, type PostgresServer } from '../../support/backends/postgres-server.ts';
import {
  openProxy,
  type Trouble,
  type UnreliableProxy,
} from '../../support/backends/unreliable-proxy.ts';
import { buildIntent, countIds } from '../../unit/state/build-records.ts';

let server: PostgresServer;
beforeAll(async () => {
  server = await startPostgres();
});
afterAll(() => server.close());

const opened: { close(): Promise<void> }[] = [];
afterEach(async () => {
  for (const one of opened.splice(0).reverse()) await one.close();
});

let count = 0;
/** A clock on which waiting takes a tenth of its time. */
const clock = {
  now: () => Date.now() * 10,
  sleep: (ms: number) => new Promise<void>((done) => setTimeout(done, ms / 10)),
};

function open(url: string, name = `faults ${(count += 1)}`): StateBackend {
  const backend = openPostgresBackend({
    ...{ schema: 'hostwright', name, clock },
    openPool: () => openStateConnectionPool({ connectionString: url }),
    database: 'db.example.com/infra',
  });
  opened.push(backend);
  return backend;
}

async function lock(backend: StateBackend): Promise<StateLock> {
  const process_ = { pid: process.pid, host: 'here', user: 'me' };
  const request = { operation: 'apply', version: '0', process: process_ };
  const held = await acquireLock(backend.lock, request, { clock });
  opened.push({ close: () => held.release().catch(() => undefined) });
  return held;
}

const at = (port: number, password = 'secret') =>
  `postgres://hostwright:${password}@127.0.0.1:${port}/postgres`;
const faultOf = (work: Promise<unknown>) =>
  work.then(
    () => undefined,
    (error: unknown) => error as BackendError,
  );

test('nobody there: it is tried again, and then said, with the address and without the password', async () => {
  const proxy = await openProxy(1);
  await proxy.close();
  const fault = await faultOf(open(at(proxy.port)).openFiles().list());
  expect(fault).toBeInstanceOf(BackendError);
  expect(fault?.fault).toBe('unreachable');
  expect(fault?.message).toContain('PostgreSQL at db.example.com/infra');
  expect(fault?.message).toContain('ECONNREFUSED');
  expect(fault?.message).not.toContain('secret');
});

test('a wrong password, and a database that is not there, are said at once', async () => {
  const denied = await faultOf(open(at(server.port, 'not the password')).openFiles().list());
  expect(denied?.fault).toBe('denied');
  expect(denied?.message).not.toContain('not the password');
  const missing = await faultOf(open(at(server.port).replace('/postgres', '/nowhere')).lock.read());
  expect(missing?.fault).toBe('broken');
  expect(missing?.message).toContain('nowhere');
});

test('a failure is told with what to do', async () => {
  const held = open(at(1));
  const error = (await faultOf(lock(held))) as unknown as DiagnosticError;
  expect(error.diagnostics[0]).toMatchObject({
    code: 'lock-failed',
    hint: 'Check the network and the address, then run the command again.',
  });
});

test('one that is started anew in the middle of a run is waited for', async () => {
  const name = 'started anew';
  const backend = open(server.url, name);
  const { fence } = await lock(backend);
  const store = await openStateStore(backend, { fence, createId: countIds() });
  await store.record(buildIntent('lan1'));
  const stopping = server.stop().then(() => server.start());
  await store.record(buildIntent('lan2'));
  await stopping;
  await store.record(buildIntent('lan3'));
  expect(store.failure).toBeUndefined();
  await store.close();
  const found = await openStateStore(open(server.url, name), { isReadOnly: true });
  expect([...found.state.pending.keys()]).toEqual(
    ['lan1', 'lan2', 'lan3'].map((one) => `projects.shop.networks.${one}`),
  );
});

test('requests and answers that are lost: each line is there once, and in its place', async () => {
  let sent = 0;
  let isOn = false;
  const plan = (): Trouble => {
    if (!isOn) return 'none';
    sent += 1;
    // Far apart enough for a connection to be made in between.
    if (sent % 11 === 5) return 'unanswered';
    return sent % 11 === 10 ? 'lost' : 'none';
  };
  const proxy: UnreliableProxy = await openProxy(server.port, plan);
  opened.push(proxy);
  const backend = open(at(proxy.port));
  const { fence } = await lock(backend);
  const files = backend.openFiles(fence);
  const journal = nameJournalFile(fence.epoch);
  await files.replace(journal, 'begin\n');
  isOn = true;
  for (let line = 0; line < 40; line += 1) await files.append(journal, `${line}\n`);
  await files.replace('state.json', 'one');
  isOn = false;
  expect(sent).toBeGreaterThan(50);
  expect(fence.lost).toBeUndefined();
  const lines = Array.from({ length: 40 }, (_, line) => `${line}\n`).join('');
  expect(await files.read(journal)).toBe(`begin\n${lines}`);
  expect(await files.read('state.json')).toBe('one');
});

test('an append is one round trip', async () => {
  const proxy = await openProxy(server.port);
  opened.push(proxy);
  const backend = open(at(proxy.port));
  const { fence } = await lock(backend);
  const files = backend.openFiles(fence);
  await files.replace(nameJournalFile(fence.epoch), 'begin\n');
  const before = proxy.trips();
  for (let line = 0; line < 10; line += 1) await files.append(nameJournalFile(fence.epoch), 'a\n');
  expect(proxy.trips() - before).toBe(10);
});

test('a write that arrives late does not undo the newer ones of its own run', async () => {
  let next: Trouble = 'none';
  const proxy = await openProxy(server.port, () => {
    const trouble = next;
    next = 'none';
    return trouble;
  });
  opened.push(proxy);
  const backend = open(at(proxy.port));
  const { fence } = await lock(backend);
  const files = backend.openFiles(fence);
  const journal = nameJournalFile(fence.epoch);
  next = 'late';
  await files.replace(journal, 'a\n');
  next = 'late';
  await files.append(journal, 'b\n');
  await files.append(journal, 'c\n');
  await files.replace('state.json', 'one');
  next = 'late';
  await files.remove('state.json');
  await files.replace('state.json', 'two');
  await proxy.arrive();
  expect(await files.read(journal)).toBe('a\nb\nc\n');
  expect(await files.read('state.json')).toBe('two');
  expect(fence.lost).toBeUndefined();
});

test('of two that find the lock free at the same moment, the one that comes late is refused', async () => {
  const name = 'found free by two';
  let arrive: () => void = () => undefined;
  const arrived = new Promise<void>((done) => (arrive = done));
  let goOn: () => void = () => undefined;
  const taken = new Promise<void>((done) => (goOn = done));
  const slow = openPostgresBackend({
    ...{ schema: 'hostwright', name, clock, database: 'db.example.com/infra' },
    async openPool() {
      const pool = await openStateConnectionPool({ connectionString: server.url });
      return {
        ...pool,
        async query(statement, values, answerMs) {
          if (/^UPDATE .*SET lock_id = \$2/s.test(statement)) {
            arrive();
            await taken;
          }
          return pool.query(statement, values, answerMs);
        },
      };
    },
  });
  opened.push(slow);
  const late = expect(lock(slow)).rejects.toMatchObject({
    diagnostics: [expect.objectContaining({ code: 'state-locked' })],
  });
  await arrived;
  const backend = open(server.url, name);
  const { fence } = await lock(backend);
  goOn();
  await late;
  await backend.openFiles(fence).replace('state.json', 'ours');
  expect(fence.lost).toBeUndefined();
});
