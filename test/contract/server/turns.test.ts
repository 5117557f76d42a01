// When a run may begin: what the tables say, in a real PostgreSQL.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openServerKeyring } from '../../../src/server/secrets/keyring.ts';
import { deriveAccountKey } from '../../../src/server/accounts/accounts.ts';
import { openServerDatabase, type ServerDatabase } from '../../../src/server/database/database.ts';
import { assembleServerStore, type ServerStore } from '../../../src/server/store/store.ts';
import { queueForgottenRuns } from '../../../src/server/runs/request-run.ts';
import type { NewWorkspace } from '../../../src/server/store/workspaces.ts';
import type { RunOperation } from '../../../src/server/store/run.ts';
import {
  openWorkerSession,
  type WorkerSession,
} from '../../../src/server/workers/worker-session.ts';
import { migrateServerTables } from '../../../src/server/database/migrations/migrate.ts';
import { findRunRetryTime } from '../../../src/server/runs/carry-out-run.ts';
import { makeDatabase, type TestDatabase } from '../../support/backends/make-database.ts';
import { makeServerDatabase } from '../../support/server/server-database.ts';
import { idleEngine } from '../../support/server/idle-engine.ts';

let postgres: TestDatabase;
let database: ServerDatabase;
let store: ServerStore;
let worker: WorkerSession;
let count = 0;

beforeAll(async () => {
  postgres = await makeServerDatabase();
  database = await openServerDatabase(postgres.url);
  store = assembleServerStore(database, openServerKeyring(['the key of this server, 32 or more']));
  worker = await openWorkerSession(database, { host: 'here', version: '1' });
});

afterAll(async () => {
  worker.close();
  await database.close();
  await postgres.close();
});

/** A workspace, and how runs of it are added and begun. */
async function openWorkspace(given: Partial<NewWorkspace> = {}) {
  const workspace = await store.workspaces.add({
    ...{ name: `w${(count += 1)}`, repository: 'file:///r', branch: 'main', directory: '.' },
    ...{ poll: false, variables: {} },
    ...given,
  });
  const workspaceId = workspace?.id ?? '';
  const add = async (
    operation: RunOperation = 'destroy',
    more: { readonly requestedBy?: string; readonly planRun?: string } = {},
  ) => {
    const run = { workspaceId, operation, commit: 'a'.repeat(40), reason: '', ...more };
    return (await store.runs.add(run))?.id ?? '';
  };
  const begin = async (id: string) => {
    const run = await store.runs.claim(id, worker.id);
    if (!run) throw new Error('The run cannot be begun.');
    return run;
  };
  const service = `https://${workspaceId}.test`;
  const openAccount = () =>
    store.accounts.open(workspaceId, { service, ...deriveAccountKey(undefined, 'token') });
  return { workspaceId, add, begin, openAccount };
}

const wait = (id: string) => store.turns.findWait(id);
const soon = { for: 'run', ms: 1_000 };

describe('the turn of a run', () => {
  it('comes at once in a workspace where nothing else is under way, whatever runs elsewhere', async () => {
    const [one, other] = [await openWorkspace(), await openWorkspace()];
    await other.begin(await other.add());
    expect(await wait(await one.add())).toBeUndefined();
    // Nobody waits for a run that there is not, or that has ended.
    const ended = await one.add();
    await store.runs.cancel(ended);
    expect(await wait(ended)).toBeUndefined();
  });

  it('comes when what runs in the workspace has ended', async () => {
    const { add, begin } = await openWorkspace();
    const first = await begin(await add());
    const [next, check] = [await add(), await add('drift')];
    expect([await wait(next), await wait(check)]).toEqual([soon, soon]);
    // Its worker was killed: it waits for nothing of its own workspace.
    expect(await wait(first.id)).toBeUndefined();
    await store.runs.end(first, { status: 'failed' });
    expect(await wait(next)).toBeUndefined();
  });

  it('comes last for a drift check, and before no check for anything else', async () => {
    const { add, begin } = await openWorkspace();
    const check = await add('drift');
    const next = await add();
    expect(await wait(check)).toEqual(soon);
    expect(await wait(next)).toBeUndefined();
    await store.runs.cancel(next);
    expect(await wait(check)).toBeUndefined();
    await begin(check);
    expect(await wait(await add())).toEqual(soon);
  });
});

describe('an account that is on hold', () => {
  it('is waited for, and by those of the workspace that come later', async () => {
    const { add, begin, openAccount } = await openWorkspace();
    const account = await openAccount();
    const first = await begin(await add());
    await store.budgets.hold(account, 60_000);
    expect(await store.turns.postpone(first, 60_000)).toBe(true);
    const run = await store.runs.find(first.id);
    expect(run).toMatchObject({ status: 'queued', attempt: 1 });
    expect(run?.waitsUntil).toBeInstanceOf(Date);
    expect(await wait(first.id)).toMatchObject({ for: 'pause' });
    await database.ask('UPDATE hostwright_server.accounts SET held_until = NULL');
    const next = await add();
    const found = await wait(next);
    expect(found?.for).toBe('run');
    expect(found?.ms).toBeGreaterThan(50_000);
    expect(await wait(first.id)).toBeUndefined();
    expect(await begin(first.id)).toMatchObject({ attempt: 2, waitsUntil: undefined });
  });

  it('is waited for within the run where it is short, and asked again within minutes where it is long', async () => {
    const { add, openAccount } = await openWorkspace();
    const account = await openAccount();
    const run = await add();
    await store.budgets.hold(account, 2_000);
    expect(await wait(run)).toBeUndefined();
    await store.budgets.hold(account, 60 * 60_000);
    expect(await wait(run)).toEqual({ for: 'pause', ms: 120_000 });
  });

  it('keeps no run that somebody has cancelled, and none of a later attempt', async () => {
    const { add, begin } = await openWorkspace();
    const first = await begin(await add());
    const second = await begin(first.id);
    expect(await store.turns.postpone(first, 1)).toBe(false);
    expect(await store.turns.listBegun(worker.id)).toContain(first.id);
    await store.runs.cancel(first.id);
    expect(await store.turns.postpone(second, 1)).toBe(false);
    expect((await store.runs.find(first.id))?.status).toBe('running');
    await store.runs.end(second, { status: 'cancelled' });
    expect(await store.turns.listBegun(worker.id)).not.toContain(first.id);
  });
});

describe('a window', () => {
  const windows = [{ days: 'Sat', from: '02:00', to: '05:00', zone: 'Europe/Berlin' }];
  const at = (time: string) => Date.parse(`2026-12-${time}:00Z`);

  /** A plan whose apply takes 38 minutes, and the apply of it. */
  async function planAndApply(given: Partial<NewWorkspace>) {
    const workspace = await openWorkspace(given);
    const before = await workspace.begin(await workspace.add('apply'));
    await store.runs.end(before, { status: 'succeeded' });
    const plan = await workspace.begin(await workspace.add('plan'));
    const report = { page: '', counts: {}, quotas: [], comparison: undefined };
    await store.reports.keep(plan.id, { ...report, expectedMs: 38 * 60_000 });
    await store.runs.end(plan, { status: 'succeeded', hasChanges: true });
    const apply = await workspace.add('apply', { planRun: plan.id });
    return { ...workspace, apply, turn: (nowMs: number) => findRunRetryTime(store, apply, nowMs) };
  }

  it('is waited for by an apply, and exactly as long as that takes within it', async () => {
    const { turn } = await planAndApply({ windows });
    expect(await turn(at('04T12:00'))).toEqual({ afterMs: 60_000 });
    expect(await turn(at('05T01:00') - 1)).toEqual({ afterMs: 1 });
    expect(await turn(at('05T01:00'))).toBeUndefined();
    expect(await turn(at('05T03:22'))).toBeUndefined();
    expect(await turn(at('05T03:22') + 1)).toEqual({ afterMs: 60_000 });
  });

  it('is no longer one in a freeze, until that is removed', async () => {
    const freezes = [{ reason: 'r', from: '2026-12-05T01:30:00Z', to: '2026-12-06T00:00:00Z' }];
    const { turn, workspaceId } = await planAndApply({ windows, freezes });
    expect(await turn(at('05T02:00'))).toEqual({ afterMs: 60_000 });
    // It would not end before the freeze.
    expect(await turn(at('05T01:00'))).toEqual({ afterMs: 60_000 });
    const workspace = await store.workspaces.read(workspaceId);
    if (workspace) await store.workspaces.edit(workspace, { freezes: [] });
    expect(await turn(at('05T02:00'))).toBeUndefined();
  });

  it('keeps neither plans nor drift checks waiting, nor an apply that was begun in it', async () => {
    const { turn, apply, add, begin, workspaceId } = await planAndApply({
      windows,
      driftEveryMinutes: 5,
    });
    const late = at('07T00:00');
    const takeDue = async () => {
      await database.ask('UPDATE hostwright_server.workspaces SET drift_due_at = now()');
      const taken = await store.drift.takeDue(1_000);
      return taken.filter((run) => run.workspaceId === workspaceId);
    };
    expect(await takeDue()).toEqual([]);
    expect(await turn(late)).toEqual({ afterMs: 60_000 });
    const [check] = await takeDue();
    expect(await wait(check?.id ?? '')).toBeUndefined();
    expect(await findRunRetryTime(store, check?.id ?? '', late)).toBeUndefined();
    expect(await wait(await add('plan'))).toBeUndefined();
    const begun = await begin(apply);
    await store.runs.noteChild(begun, {});
    expect(await turn(late)).toBeUndefined();
  });

  it('is not waited for by an apply whose plan is no longer the newest, nor by one that was cancelled', async () => {
    const [one, other] = [await planAndApply({ windows }), await planAndApply({ windows })];
    const late = at('07T00:00');
    const newer = await one.begin(await one.add('plan'));
    expect(await one.turn(late)).toMatchObject({ afterMs: 1_000 });
    await store.runs.end(newer, { status: 'succeeded', hasChanges: true });
    expect(await one.turn(late)).toBeUndefined();
    await other.begin(other.apply);
    expect(await other.turn(late)).toEqual({ afterMs: 60_000 });
    await other.begin(other.apply);
    await store.runs.cancel(other.apply);
    expect(await other.turn(late)).toBeUndefined();
  });
});

describe('a server that is held', () => {
  it('begins nothing that changes an account, nor goes on with what another worker began', async () => {
    const { add, begin } = await openWorkspace();
    const apply = await begin(await add('apply'));
    await store.runs.cancel(apply.id);
    await store.hold.begin({ reason: 'a move', isCopy: false });
    const plan = await add('plan');
    expect(await findRunRetryTime(store, apply.id, Date.now())).toEqual({ afterMs: 15_000 });
    expect((await store.runs.find(apply.id))?.status).toBe('queued');
    expect(await wait(plan)).toBeUndefined();
    expect(await wait(await add())).toMatchObject({ for: 'release' });
    expect([await store.hold.end(), await store.hold.end()]).toEqual([true, false]);
    expect(await wait(apply.id)).toBeUndefined();
  });

  it('is one whose database is a copy, until it is released', async () => {
    const open = async (url: string) => {
      const opened = await openServerDatabase(url);
      return {
        opened,
        hold: assembleServerStore(opened, openServerKeyring(['a key of 32 letters, or more …']))
          .hold,
      };
    };
    const prepare = async (url: string) => {
      const { opened, hold } = await open(url);
      await migrateServerTables(opened);
      expect([await hold.confirmPlace(), await hold.confirmPlace()]).toEqual([
        undefined,
        undefined,
      ]);
      await hold.begin({ reason: 'a move', isCopy: false });
      await opened.close();
    };
    const copy = await makeDatabase({ name: 'held', prepare });
    const { opened, hold } = await open(copy.url);
    const both = await Promise.all([hold.confirmPlace(), hold.confirmPlace()]);
    expect(both.map((one) => one?.isCopy)).toEqual([true, true]);
    expect(await hold.confirmPlace()).toMatchObject({ isCopy: true });
    await hold.end();
    expect(await hold.confirmPlace()).toBeUndefined();
    expect(await hold.confirmPlace(true)).toMatchObject({ reason: 'Started with --hold.' });
    await opened.close();
    await copy.close();
  });
});

it('a run that the engine does not know is queued once its worker is gone, and by no process while that one lives', async () => {
  const { add, begin } = await openWorkspace();
  const queued: (readonly [string, string | undefined])[] = [];
  const engine = {
    ...idleEngine,
    enqueue: ({ id }: { readonly id: string }, priority?: string) =>
      Promise.resolve(void queued.push([id, priority])),
  };
  const other = await openWorkerSession(database, { host: 'there', version: '1' });
  const [here, there] = [await begin(await add()), await add('drift')];
  const asked = await (await openWorkspace()).add('drift', { requestedBy: 'ada' });
  for (const id of [there, asked]) await store.runs.claim(id, other.id);
  await queueForgottenRuns({ store, engine });
  expect(queued.filter(([id]) => id === here.id || id === there)).toEqual([]);
  other.close();
  await expect.poll(() => worker.recoverOthers(() => Promise.resolve([there, asked]))).toBe(2);
  await queueForgottenRuns({ store, engine });
  expect(queued.filter(([id]) => id === here.id || id === there)).toEqual([[there, 'low']]);
  // The queue of a check that somebody asked for is the usual one.
  expect(queued).toContainEqual([asked, undefined]);
});

it('a run that has ended has no step under way, whatever its worker said last', async () => {
  const { add, begin } = await openWorkspace();
  const run = await begin(await add('apply'));
  await store.steps.add(run, [], { total: 24, done: 3, failed: 1, running: 20 });
  await store.runs.end(run, { status: 'cancelled' });
  const ended = await store.runs.find(run.id);
  expect(ended?.progress).toEqual({ total: 24, done: 3, failed: 1, running: 0 });
});
