// What the engine calls for when, on a real PostgreSQL.
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { DurableRunEngine } from '../../../src/server/engine/durable-engine.ts';
import { openDbosEngine } from '../../../src/server/engine/open-dbos-engine.ts';
import { openServerDatabase } from '../../../src/server/database/database.ts';
import type { TestDatabase } from '../../support/backends/make-database.ts';
import { makeServerDatabase } from '../../support/server/server-database.ts';

let postgres: TestDatabase;
let engine: DurableRunEngine;
let release: () => void = () => undefined;
const done: string[] = [];
/** Runs that fail, once. */
const failing = new Set<string>();
/** How often a run is to come later before it is carried out. */
const postponed = new Map<string, number>();
let held: Promise<void> | undefined;
let forgotten: number | undefined;

const polled = randomUUID();
const warnings: string[] = [];

/** As the server does it: within scheduled work, again and again. */
async function poll(): Promise<void> {
  await engine.enqueue({ id: polled, workspaceId: polled }).catch((error: unknown) => {
    warnings.push(String(error));
  });
}

/** As the server does it: within scheduled work. */
async function forgetAll(): Promise<void> {
  forgotten ??= await engine.forget(new Date(), 100);
}

beforeAll(async () => {
  postgres = await makeServerDatabase();
  const released = new Promise<void>((resolve) => (release = resolve));
  engine = await openDbosEngine({
    ...{ databaseUrl: postgres.url, workerId: randomUUID(), version: '1', carriesOut: true },
    carryOut: async (runId) => {
      done.push(runId);
      const times = postponed.get(runId) ?? 0;
      postponed.set(runId, times - 1);
      if (times > 0) return { afterMs: 1 };
      if (failing.delete(runId)) throw new Error('The database is away.');
      await released;
      await held;
      return undefined;
    },
    ...{ scheduled: { forget: forgetAll, poll }, warn: (text) => void warnings.push(text) },
  });
});

afterAll(async () => {
  release();
  await engine.close(10_000);
  await postgres.close();
});

const queue = (id: string, workspaceId: string) => engine.enqueue({ id, workspaceId });
const untilDone = (ids: readonly string[]) =>
  expect.poll(() => done, { timeout: 30_000 }).toEqual(ids);

it('the runs of a workspace come in order; what is of low priority has places that others do not take, and takes none', async () => {
  const [first, second, third, low] = [randomUUID(), randomUUID(), randomUUID(), randomUUID()];
  const workspaceId = randomUUID();
  const others = Array.from({ length: 8 }, randomUUID);
  for (const id of [first, second, third]) await queue(id, workspaceId);
  await untilDone([first]);
  expect((await engine.list()).map(({ id }) => id)).toEqual([second, third]);
  for (const id of others) await queue(id, id);
  await expect.poll(() => done.length, { timeout: 30_000 }).toBe(4);
  await engine.enqueue({ id: low, workspaceId: randomUUID() }, 'low');
  await expect.poll(() => done, { timeout: 30_000 }).toContain(low);
  expect(done).toHaveLength(5);
  release();
  await expect.poll(() => done.length, { timeout: 30_000 }).toBe(12);
  expect(done.filter((id) => id === first || id === second || id === third)).toEqual([
    ...[first, second, third],
  ]);
  done.length = 0;
});

it('a preview comes beside the runs of its workspace, also where its worker is gone, and after other previews of it', async () => {
  const [run, next, first, second] = [randomUUID(), randomUUID(), randomUUID(), randomUUID()];
  const workspaceId = randomUUID();
  let finish: () => void = () => undefined;
  held = new Promise((resolve) => (finish = resolve));
  await queue(run, workspaceId);
  await untilDone([run]);
  await queue(next, workspaceId);
  for (const id of [first, second]) await engine.enqueue({ id, workspaceId }, 'previews');
  await untilDone([run, first]);
  const waiting = await engine.list();
  expect(waiting).toEqual([
    { id: next, workspaceId, isPreview: false },
    { id: second, workspaceId, isPreview: true },
  ]);
  // As if a worker had begun both, and were gone.
  const database = await openServerDatabase(postgres.url);
  const change = `UPDATE hostwright_engine.workflow_status SET status = 'PENDING', executor_id = 'gone'
    WHERE workflow_uuid = ANY ($1)`;
  await database.ask(change, [[next, second]]);
  const taken = await engine.recover('gone', new Set([next, second]));
  expect(taken.toSorted()).toEqual([next, second].toSorted());
  await untilDone([run, first, next]);
  const [row] = await database.ask(
    'SELECT queue_name FROM hostwright_engine.workflow_status WHERE workflow_uuid = $1',
    [second],
  );
  expect(row).toEqual({ queue_name: 'previews' });
  await database.close();
  finish();
  await untilDone([run, first, next, second]);
  done.length = 0;
});

it('previews of all workspaces come one after the other, so that a process carries out one more run for them', async () => {
  const [first, second] = [randomUUID(), randomUUID()];
  const next = randomUUID();
  let finish: () => void = () => undefined;
  held = new Promise((resolve) => (finish = resolve));
  await engine.enqueue({ id: first, workspaceId: first }, 'previews');
  await untilDone([first]);
  await engine.enqueue({ id: second, workspaceId: second }, 'previews');
  await queue(next, next);
  await untilDone([first, next]);
  // It is taken from its queue less often than the run is.
  for (let round = 0; round < 3; round += 1) {
    const last = randomUUID();
    await engine.enqueue({ id: last, workspaceId: last }, 'low');
    await expect.poll(() => done, { timeout: 30_000 }).toContain(last);
  }
  expect(done).not.toContain(second);
  finish();
  await expect.poll(() => done, { timeout: 30_000 }).toContain(second);
  done.length = 0;
});

describe('a run that is to come later', () => {
  it('is called for again, before what was queued behind it', async () => {
    const [first, second] = [randomUUID(), randomUUID()];
    const workspaceId = randomUUID();
    let finish: () => void = () => undefined;
    held = new Promise((resolve) => (finish = resolve));
    postponed.set(first, 2);
    await queue(first, workspaceId);
    await untilDone([first, first, first]);
    await queue(second, workspaceId);
    finish();
    await untilDone([first, first, first, second]);
    expect(await engine.list()).toEqual([]);
    done.length = 0;
  });

  it('is one where the database was away', async () => {
    const id = randomUUID();
    failing.add(id);
    await queue(id, id);
    await untilDone([id, id]);
    done.length = 0;
  });

  it('is one that is queued once more after its end, for whoever knows that it still waits', async () => {
    const id = randomUUID();
    // It is asked again and again, as servers do.
    const ask = async () => {
      await queue(id, id);
      return done.length;
    };
    await expect.poll(ask, { timeout: 30_000 }).toBeGreaterThanOrEqual(3);
    expect(new Set(done)).toEqual(new Set([id]));
    await expect.poll(() => engine.list(), { timeout: 30_000 }).toEqual([]);
    done.length = 0;
  });

  it('can be cancelled meanwhile', async () => {
    const [first, second] = [randomUUID(), randomUUID()];
    const workspaceId = randomUUID();
    postponed.set(first, 1_000);
    await queue(first, workspaceId);
    await expect
      .poll(() => engine.list(), { timeout: 30_000 })
      .toEqual([{ id: first, workspaceId, isPreview: false }]);
    while ((await engine.list()).length > 0) await engine.cancel(first);
    done.length = 0;
    await queue(second, workspaceId);
    await expect.poll(() => done, { timeout: 30_000 }).toContain(second);
    expect(done.filter((id) => id === first).length).toBeLessThan(2);
    done.length = 0;
  });
});

describe('what has ended', () => {
  const countKnown = async (ids: readonly string[]) => {
    const database = await openServerDatabase(postgres.url);
    const tables = ['workflow_status', 'workflow_input', 'workflow_output', 'operation_outputs'];
    const counts = tables.map(
      (table) =>
        `(SELECT count(*) FROM hostwright_engine.${table} WHERE workflow_uuid = ANY ($1))::int AS ${table}`,
    );
    const [row] = await database.ask(`SELECT ${counts.join(', ')}`, [ids]);
    await database.close();
    return row;
  };

  it('is forgotten once it is old, so many at a time; what is under way or waits is not', async () => {
    const workspaceId = randomUUID();
    const ended = [randomUUID(), randomUUID(), randomUUID()];
    const before = new Date();
    for (const id of ended) await engine.enqueue({ id, workspaceId });
    await expect.poll(() => done, { timeout: 30_000 }).toEqual(expect.arrayContaining(ended));
    let finish: () => void = () => undefined;
    held = new Promise((resolve) => (finish = resolve));
    const [begun, waiting, cancelled] = [randomUUID(), randomUUID(), randomUUID()];
    await engine.enqueue({ id: begun, workspaceId });
    await expect.poll(() => done, { timeout: 30_000 }).toContain(begun);
    await engine.enqueue({ id: waiting, workspaceId });
    await engine.enqueue({ id: cancelled, workspaceId });
    await engine.cancel(cancelled);
    while ((await engine.forget(before, 100)) > 0);
    expect(await countKnown(ended)).toMatchObject({ workflow_status: 3, operation_outputs: 3 });
    expect(await engine.forget(new Date(), 1)).toBe(1);
    await engine.schedule('forget', '* * * * * *');
    await expect.poll(() => forgotten, { timeout: 30_000 }).toBeGreaterThanOrEqual(3);
    expect(await countKnown([...ended, cancelled])).toEqual({
      ...{ workflow_status: 0, workflow_input: 0, workflow_output: 0, operation_outputs: 0 },
    });
    expect(await engine.list()).toEqual([{ id: waiting, workspaceId, isPreview: false }]);
    expect(await countKnown([begun])).toMatchObject({ workflow_status: 1 });
    finish();
    await expect.poll(() => done, { timeout: 30_000 }).toContain(waiting);
    // One that is forgotten can be queued again.
    await engine.enqueue({ id: cancelled, workspaceId });
    await expect.poll(() => done, { timeout: 30_000 }).toContain(cancelled);
  });
});

it('what scheduled work finds begins at once, and nothing complains', async () => {
  warnings.length = 0;
  await engine.schedule('poll', '* * * * * *');
  await expect.poll(() => done, { timeout: 30_000 }).toContain(polled);
  expect(warnings).toEqual([]);
});
