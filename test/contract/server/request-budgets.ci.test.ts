// One budget for all workers of an account, in a real PostgreSQL: the processes of several runs lease from it at once.
import { connect as connectTo, createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openProcessClock } from '../../../src/cli/clock.ts';
import { LeasedRequestBudget } from '../../../src/cli/lease-requests.ts';
import { WorkerConnection } from '../../../src/cli/worker-line.ts';
import { openServerKeyring } from '../../../src/server/secrets/keyring.ts';
import { hearChildProcess } from '../../../src/server/runs/attempt.ts';
import { deriveAccountKey } from '../../../src/server/accounts/accounts.ts';
import { openServerDatabase, type ServerDatabase } from '../../../src/server/database/database.ts';
import { assembleServerStore, type ServerStore } from '../../../src/server/store/store.ts';
import type { TestDatabase } from '../../support/backends/make-database.ts';
import { makeServerDatabase } from '../../support/server/server-database.ts';

const service = 'https://api.example.com/v1';
const rate = 200;
const second = 1_000;

let postgres: TestDatabase;
const closing: (() => Promise<unknown>)[] = [];

/** A worker: it has a connection of its own. */
async function openWorker(): Promise<{
  readonly store: ServerStore;
  readonly database: ServerDatabase;
}> {
  const database = await openServerDatabase(postgres.url);
  closing.push(() => database.close());
  return {
    database,
    store: assembleServerStore(database, openServerKeyring(['a key of a server of a test only'])),
  };
}

let accounts = 0;

/** An account with a workspace of its own. */
async function openAccount({ store }: { readonly store: ServerStore }, budget?: { burst: number }) {
  accounts += 1;
  const workspace = await store.workspaces.add({
    ...{ name: `w${accounts}`, repository: 'file:///r', branch: 'main', directory: '.' },
    ...{ poll: false, variables: {} },
  });
  const account = { service, ...deriveAccountKey(undefined, `token ${accounts}`) };
  const find = () => store.accounts.open(workspace?.id ?? '', account);
  const id = await find();
  if (budget) await store.accounts.setBudget(id, { requestsPerSecond: rate, ...budget });
  return { id, ...account };
}

/** The process of a run, with the worker at the other end of its pipe. */
async function openRun(worker: { readonly store: ServerStore }, account: string) {
  const pauses: number[] = [];
  const path = join(tmpdir(), `hostwright-${process.pid}-${Math.random()}.sock`);
  const ends = await new Promise<{ child: Socket; served: Promise<void> }>((resolve) => {
    const server = createServer((socket) => {
      const budgets = worker.store.budgets;
      const served = hearChildProcess(socket, {
        budgets,
        clock: openProcessClock(),
        onOnlyRefused: (ms) => pauses.push(ms),
        findAccount: () => Promise.resolve(account),
        answerState: () => Promise.resolve({ rows: [] }),
        steps: { begin: () => undefined, note: () => undefined },
      });
      server.close();
      resolve({ child, served });
    });
    let child: Socket;
    server.listen(path, () => (child = connectTo({ path })));
  });
  const budget = new LeasedRequestBudget(
    new WorkerConnection(ends.child),
    openProcessClock(),
  ).enter(service);
  const end = async () => {
    ends.child.destroy();
    await ends.served;
  };
  closing.unshift(end);
  return { budget, pauses, end };
}

/** A service that refuses more than its rate. */
function openLimiter(burst: number) {
  let [level, filledAt, refused] = [burst, performance.now(), 0];
  return {
    ask: () => {
      const now = performance.now();
      level = Math.min(burst, level + ((now - filledAt) * rate) / second);
      filledAt = now;
      if (level >= 1) level -= 1;
      else refused += 1;
    },
    get refused() {
      return refused;
    },
  };
}

type OpenRun = Awaited<ReturnType<typeof openRun>>;

/** Sends so many requests, several at a time. */
async function send({ budget }: OpenRun, count: number, ask: () => void): Promise<void> {
  let left = count;
  const lane = async () => {
    while (left > 0) {
      left -= 1;
      while ((await budget.take()) > 0) await new Promise(setImmediate);
      ask();
      await new Promise(setImmediate);
    }
  };
  await Promise.all(Array.from({ length: 8 }, lane));
  budget.close();
}

beforeAll(async () => {
  postgres = await makeServerDatabase();
});

afterAll(async () => {
  for (const close of closing.splice(0)) await close();
  await postgres.close();
});

describe('the budget of an account', () => {
  it('is not exceeded by the runs of several workers together, and they count what they send', async () => {
    const workers = [await openWorker(), await openWorker(), await openWorker()];
    const [first] = workers;
    const { id } = await openAccount(first!, { burst: rate });
    const limiter = openLimiter(rate);
    const runs = await Promise.all(workers.map(async (worker) => openRun(worker, id)));
    await Promise.all(runs.map((run) => send(run, 200, limiter.ask)));
    for (const { end } of runs) await end();
    expect(limiter.refused).toBe(0);
    const found = await first!.store.accounts.find(id);
    expect(found?.lastHour).toEqual({ requests: 600, refusals: 0 });
  });

  it('is leased as far as it goes, then on credit: each that asks waits longer', async () => {
    const { store, database } = await openWorker();
    const { id } = await openAccount({ store }, { burst: rate / 2 + 20 });
    // Nothing comes in while the test looks.
    const at = `clock_timestamp() + interval '1 hour'`;
    await database.ask(
      `UPDATE hostwright_server.accounts SET tokens = 5, filled_at = ${at} WHERE id = $1`,
      [id],
    );
    const leases = [];
    for (const wanted of [3, 20, 20, 20]) leases.push(await store.budgets.lease(id, wanted));
    expect(leases.map(({ count }) => count)).toEqual([3, 2, 1, 1]);
    expect(leases.map(({ waitMs }) => waitMs)).toEqual([0, 0, second / rate, (2 * second) / rate]);
    await store.budgets.giveBack(id, 6);
    expect(await store.budgets.lease(id, 20)).toEqual({ count: 4, waitMs: 0 });
  });

  it('comes back when a worker dies with its lease, up to the burst and no further', async () => {
    const { store, database } = await openWorker();
    const { id } = await openAccount({ store }, { burst: rate / 2 + 10 });
    const age = (past: string) =>
      database.ask(
        `UPDATE hostwright_server.accounts SET filled_at = clock_timestamp() - $2::interval WHERE id = $1`,
        [id, past],
      );
    await age('1 hour');
    expect(await store.budgets.lease(id, 20)).toEqual({ count: 10, waitMs: 0 });
    await age('1 hour');
    expect(await store.budgets.lease(id, 20)).toEqual({ count: 10, waitMs: 0 });
  });

  it('is on hold for every run when the service refuses one, with a limit or without', async () => {
    const workers = [await openWorker(), await openWorker()];
    const { id } = await openAccount(workers[0]!);
    const [refused, other] = [await openRun(workers[0]!, id), await openRun(workers[1]!, id)];
    expect(await refused.budget.take()).toBe(0);
    expect(await other.budget.take()).toBe(0);
    refused.budget.noteOverload(60_000, 429);
    refused.budget.noteOverload(30_000, 503);
    // The lease that it has ends by itself.
    await expect.poll(() => other.budget.take(), { timeout: 5_000 }).toBeGreaterThan(45_000);
    expect(await refused.budget.take()).toBeGreaterThan(45_000);
    const third = await openRun(workers[1]!, id);
    expect(await third.budget.take()).toBeGreaterThan(45_000);
    const { accounts } = workers[0]!.store;
    const mark = (await accounts.find(id))?.mark;
    const use = (await accounts.listUse()).find((one) => one.mark === mark);
    expect(use).toMatchObject({ service, refusals: 1, heldUntil: expect.any(Date) as Date });
  });

  it('is worth no waiting for a run that got nowhere; one that has an answer waits', async () => {
    const worker = await openWorker();
    const { id } = await openAccount(worker);
    const [without, withSome] = [await openRun(worker, id), await openRun(worker, id)];
    for (let count = 0; count < 3; count += 1) await without.budget.take();
    for (let count = 0; count < 3; count += 1) await withSome.budget.take();
    without.budget.noteOverload(400, 429);
    without.budget.noteOverload(400, 429);
    for (let count = 0; count < 2; count += 1) withSome.budget.noteOverload(60_000, 429);
    await expect.poll(() => worker.store.budgets.readHold(id)).toBeGreaterThan(50_000);
    expect([without.pauses, withSome.pauses]).toEqual([[], []]);
    without.budget.noteOverload(70_000, 429);
    await expect.poll(() => without.pauses).toEqual([70_000]);
    // It has not sent anything yet: it hears of the pause at once.
    const third = await openRun(worker, id);
    expect(await third.budget.take()).toBeGreaterThan(50_000);
    await expect.poll(() => third.pauses.length).toBe(1);
    expect(withSome.pauses).toEqual([]);
  });

  it('is asked again within minutes, however long a service says', async () => {
    const worker = await openWorker();
    const { id } = await openAccount(worker);
    const run = await openRun(worker, id);
    await run.budget.take();
    run.budget.noteOverload(1e15, 429);
    await expect.poll(() => run.pauses).toEqual([120_000]);
  });

  it('is given back by a process that ends while it waits', async () => {
    const worker = await openWorker();
    const { id } = await openAccount(worker, { burst: rate / 2 + 10 });
    const read = async () => {
      const [row] = await worker.database.ask<{ tokens: number }>(
        'SELECT tokens FROM hostwright_server.accounts WHERE id = $1',
        [id],
      );
      return row?.tokens;
    };
    // The debt of an hour: whoever asks now waits for longer than this test.
    await worker.database.ask(
      `UPDATE hostwright_server.accounts SET tokens = -720000, filled_at = clock_timestamp() + interval '1 hour' WHERE id = $1`,
      [id],
    );
    const run = await openRun(worker, id);
    const stop = new AbortController();
    const waiting = run.budget.take(stop.signal);
    await expect.poll(read).toBe(-720_001);
    stop.abort(new Error('interrupted'));
    await expect(waiting).rejects.toThrow('interrupted');
    await run.end();
    expect(await read()).toBe(-720_000);
  });
});
