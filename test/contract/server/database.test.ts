// The tables of the server in a real PostgreSQL.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { adoptServerKey } from '../../../src/server/access/confirm-key.ts';
import { readPlanSealingKey } from '../../../src/server/runs/plan-key.ts';
import { isAdminRequest, createFirstAdminToken } from '../../../src/server/access/admin-token.ts';
import { FailedAttemptStore } from '../../../src/server/store/failed-attempts.ts';
import { openServerKeyring } from '../../../src/server/secrets/keyring.ts';
import { openServerDatabase, type ServerDatabase } from '../../../src/server/database/database.ts';
import { migrateServerTables } from '../../../src/server/database/migrations/migrate.ts';
import { serverTableMigrations } from '../../../src/server/database/migrations/migrations.ts';
import { assembleServerStore } from '../../../src/server/store/store.ts';
import {
  openWorkerSession,
  type WorkerSession,
} from '../../../src/server/workers/worker-session.ts';
import { makeDatabase, type TestDatabase } from '../../support/backends/make-database.ts';

const key = 'the key of this server, 32 or more';
const newKey = 'the key that follows, 32 or more too';
const worker = { host: 'here', version: '1' };

let postgres: TestDatabase;
const opened: ServerDatabase[] = [];

/** Another process on the same database. */
async function connect(): Promise<ServerDatabase> {
  const database = await openServerDatabase(postgres.url);
  opened.push(database);
  return database;
}

const sessions: WorkerSession[] = [];

async function openWorker(database?: ServerDatabase): Promise<WorkerSession> {
  const session = await openWorkerSession(database ?? (await connect()), worker);
  sessions.push(session);
  return session;
}

async function openWorkspace(keys = [key]) {
  const database = await connect();
  const store = assembleServerStore(database, openServerKeyring(keys));
  const workspace = await store.workspaces.add({
    ...{ name: `w${opened.length}`, repository: 'file:///r', branch: 'main', directory: '.' },
    ...{ poll: false, variables: { HOSTWRIGHT_TOKEN: 'secret' } },
  });
  return { database, store, workspaceId: workspace?.id ?? '' };
}

beforeAll(async () => {
  postgres = await makeDatabase();
  // Two processes begin at once.
  const [first, second] = [await connect(), await connect()];
  await Promise.all([migrateServerTables(first), migrateServerTables(second)]);
});

afterAll(async () => {
  for (const session of sessions) session.close();
  await Promise.all(opened.map((one) => one.close()));
  await postgres.close();
});

it('a transaction fails where its connection ends between two statements, and the next one has another', async () => {
  const [database, other] = [await connect(), await connect()];
  const work = database.transact(async (client) => {
    const { rows } = await client.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
    const ended = new Promise((done) => client.once('end', done));
    await other.ask('SELECT pg_terminate_backend($1)', [rows[0]?.pid]);
    await ended;
    await client.query('SELECT 1');
  });
  await expect(work).rejects.toThrow();
  const answer = await database.transact(() => database.ask<{ one: number }>('SELECT 1 AS one'));
  expect(answer).toEqual([{ one: 1 }]);
});

describe('migrations', () => {
  it('are made once, whoever else begins meanwhile', async () => {
    const rows = await (await connect()).ask('SELECT version FROM hostwright_server.migrations');
    expect(rows).toEqual(serverTableMigrations.map((_, index) => ({ version: index + 1 })));
  });

  it('leave nothing of a step that failed', async () => {
    const database = await connect();
    const failing = [
      ...serverTableMigrations,
      'CREATE TABLE hostwright_server.half (a int); SELECT 1 / 0',
    ];
    await expect(migrateServerTables(database, failing)).rejects.toThrow('division by zero');
    const [row] = await database.ask(`SELECT to_regclass('hostwright_server.half') AS half`);
    expect(row).toEqual({ half: null });
    await migrateServerTables(database);
  });

  it('refuse the tables of a newer version', async () => {
    const database = await connect();
    await expect(migrateServerTables(database, [])).rejects.toMatchObject({
      diagnostics: [{ code: 'server-database-newer' }],
    });
  });
});

describe('what is secret', () => {
  it('stands nowhere in the database', async () => {
    const { store, database, workspaceId } = await openWorkspace();
    expect((await store.workspaces.readVariables(workspaceId)).values).toEqual({
      HOSTWRIGHT_TOKEN: 'secret',
    });
    const rows = await database.ask(
      'SELECT encode(body, $1) AS body FROM hostwright_server.blobs',
      ['escape'],
    );
    expect(rows.length).toBeGreaterThan(0);
    expect(JSON.stringify(rows)).not.toContain('secret');
  });

  it('opens with the key of the database alone, and can get another key', async () => {
    const { database, store, workspaceId } = await openWorkspace();
    const open = (keys: readonly string[]) =>
      assembleServerStore(database, openServerKeyring(keys));
    await adoptServerKey(store);
    await expect(adoptServerKey(open([newKey]))).rejects.toMatchObject({
      diagnostics: [{ code: 'server-key-wrong' }],
    });
    expect(await adoptServerKey(open([newKey, key]))).toBeGreaterThan(1);
    const { workspaces } = open([newKey]);
    const { values } = await workspaces.readVariables(workspaceId);
    expect(values).toEqual({ HOSTWRIGHT_TOKEN: 'secret' });
    await expect(adoptServerKey(store)).rejects.toThrow('does not match');
    expect(await adoptServerKey(open([key, newKey]))).toBeGreaterThan(1);
  });

  it('is what the plans of a workspace are sealed with, whatever the key is by then', async () => {
    const { store, database, workspaceId } = await openWorkspace();
    const first = await readPlanSealingKey(store, workspaceId);
    expect(first).toHaveLength(44);
    const rotated = assembleServerStore(database, openServerKeyring([newKey, key]));
    await rotated.blobs.rotate();
    expect(await readPlanSealingKey(rotated, workspaceId)).toBe(first);
    expect(await readPlanSealingKey(rotated, 'another')).not.toBe(first);
  });

  it('is the token of the administrator, which is made once and kept as a hash', async () => {
    const { settings } = (await openWorkspace()).store;
    const token = await createFirstAdminToken(settings);
    expect(await createFirstAdminToken(settings)).toBeUndefined();
    expect(await settings.read('administrator-token')).not.toContain(token);
    expect(await isAdminRequest(settings, `Bearer ${token ?? ''}`)).toBe(true);
    for (const header of [undefined, '', 'Bearer', 'Bearer other', `Basic ${token ?? ''}`]) {
      expect(await isAdminRequest(settings, header)).toBe(false);
    }
  });
});

it('attempts to get in that fail are too many after ten in ten minutes, for one address, whichever process counts', async () => {
  const [one, other] = [await connect(), await connect()];
  const attempts = [one, other].map((database) => new FailedAttemptStore(database));
  const ask = () => Promise.all(attempts.map((each) => each.isAllowed('sign-in', 'a')));
  for (let count = 0; count < 10; count += 1) {
    expect(await ask()).toEqual([true, true]);
    await attempts[count % 2]?.note('sign-in', 'a');
  }
  expect(await ask()).toEqual([false, false]);
  expect(await attempts[0]?.isAllowed('sign-in', 'b')).toBe(true);
  expect(await attempts[0]?.isAllowed('token', 'a')).toBe(true);
  await one.ask(`UPDATE hostwright_server.failed_attempts SET at = at - interval '10 minutes'`);
  expect(await ask()).toEqual([true, true]);
  await attempts[1]?.note('token', 'b');
  const left = await one.ask('SELECT kind, address FROM hostwright_server.failed_attempts');
  expect(left).toEqual([{ kind: 'token', address: 'b' }]);
});

describe('a run', () => {
  const commits = ['a'.repeat(40), 'b'.repeat(40)] as const;

  it('takes the place of queued plans of other commits, and of nothing else', async () => {
    const { store, workspaceId } = await openWorkspace();
    const add = async (operation: 'plan' | 'destroy', commit: string) =>
      (await store.runs.add({ workspaceId, operation, commit, reason: 'a test' }))!;
    const old = await add('plan', commits[0]);
    const begun = await add('plan', commits[0]);
    const destroy = await add('destroy', commits[0]);
    await store.runs.claim(begun.id, (await openWorker()).id);
    const { id, superseded } = await add('plan', commits[1]);
    expect(superseded).toEqual([old.id]);
    const found = await Promise.all(
      [old, begun, destroy, { id }].map((one) => store.runs.find(one.id)),
    );
    expect(found.map((run) => run?.status)).toEqual(['superseded', 'running', 'queued', 'queued']);
  });

  it('is begun while a newer plan takes the place of others, and neither of both fails', async () => {
    const { database, store, workspaceId } = await openWorkspace();
    const other = assembleServerStore(await connect(), openServerKeyring([key]));
    const worker = await openWorker();
    const add = async (commit: string) =>
      (await store.runs.add({ workspaceId, operation: 'plan', commit, reason: 'a test' }))!;
    const [waiting, begun] = [await add(commits[0]), await add(commits[0])];
    const { name = '' } = (await store.workspaces.read(workspaceId)) ?? {};
    let claim: Promise<unknown> | undefined;
    const { superseded } = await store.transact(async () => {
      await store.workspaces.hold(name);
      claim = other.runs.claim(begun.id, worker.id);
      const countWaiting = async () =>
        (await database.ask('SELECT 1 FROM pg_locks WHERE NOT granted')).length;
      await expect.poll(countWaiting).toBe(1);
      return add(commits[1]);
    });
    expect(superseded).toEqual([waiting.id]);
    expect(await claim).toMatchObject({ id: begun.id, status: 'running' });
  });

  it('of a new commit is made once, and never over one that was seen meanwhile', async () => {
    const { store, workspaceId } = await openWorkspace();
    const add = (commit: string, after?: string) =>
      store.runs.add({
        ...{ workspaceId, operation: 'plan', commit, reason: 'a push', after: { commit: after } },
      });
    expect(await add(commits[1])).toMatchObject({ superseded: [] });
    // Both were read before, the older commit by whoever is slow.
    expect(await add(commits[0])).toBeUndefined();
    expect(await add(commits[1])).toBeUndefined();
    expect((await store.workspaces.read(workspaceId))?.seenCommit).toBe(commits[1]);
    expect(await add(commits[0], commits[1])).toBeDefined();
  });

  it('is ended by its last attempt alone', async () => {
    const { store, workspaceId } = await openWorkspace();
    const run = { workspaceId, operation: 'plan', commit: commits[0], reason: '' } as const;
    const { id } = (await store.runs.add(run))!;
    const first = await openWorker();
    const second = await openWorker();
    const before = await store.runs.claim(id, first.id);
    const after = await store.runs.claim(id, second.id);
    expect([before?.attempt, after?.attempt]).toEqual([1, 2]);
    expect(await store.runs.noteChild(before!, {})).toBe(false);
    await store.runs.end(before!, { status: 'failed' });
    expect((await store.runs.find(id))?.status).toBe('running');
    await store.runs.end(after!, { status: 'succeeded' });
    expect((await store.runs.find(id))?.status).toBe('succeeded');
    expect(await store.runs.claim(id, first.id)).toBeUndefined();
    expect(await store.runs.cancel(id)).toBeUndefined();
  });

  it('is cancelled at once while it waits, and asked to end while it runs', async () => {
    const { store, workspaceId } = await openWorkspace();
    const add = async () =>
      (await store.runs.add({ workspaceId, operation: 'drift', commit: commits[0], reason: '' }))!;
    const [waiting, running] = [await add(), await add()];
    await store.runs.claim(running.id, (await openWorker()).id);
    expect(await store.runs.cancel(waiting.id)).toBe('queued');
    expect(await store.runs.cancel(running.id)).toBe('running');
    expect((await store.runs.find(running.id))?.cancels).toBe(1);
    expect(await store.runs.claim(waiting.id, (await openWorker()).id)).toBeUndefined();
  });
});

describe('a worker', () => {
  it('is gone when its session has ended, and found once', async () => {
    const [a, b, c] = [await connect(), await connect(), await connect()];
    const lost = await openWorker(a);
    const others = [await openWorker(b), await openWorker(c)];
    const found: string[] = [];
    const look = () =>
      Promise.all(
        others.map((one) =>
          one.recoverOthers((id) => {
            if (id === lost.id) found.push(id);
            return Promise.resolve([id]);
          }),
        ),
      );
    await look();
    expect(found).toEqual([]);
    lost.close();
    sessions.splice(sessions.indexOf(lost), 1);
    await expect.poll(() => look().then(() => found)).toEqual([lost.id]);
    await look();
    expect(found).toEqual([lost.id]);
  });

  it('knows that it lost its session', async () => {
    const session = await openWorker();
    const database = await connect();
    await database.ask(
      `SELECT pg_terminate_backend(pid) FROM pg_locks JOIN hostwright_server.workers
         ON objid = (lock_key & 4294967295)::bigint AND classid = (lock_key >> 32)::bigint
       WHERE locktype = 'advisory' AND id = $1`,
      [session.id],
    );
    await expect.poll(() => session.lost.aborted).toBe(true);
  });
});
