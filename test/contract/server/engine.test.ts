// The order in which the engine carries out the runs of one workspace, on a real PostgreSQL.
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Engine } from '../../../src/server/engine/engine.ts';
import { openDbosEngine } from '../../../src/server/engine/open-dbos-engine.ts';
import { openServerDatabase } from '../../../src/server/store/database.ts';
import { startPostgres, type PostgresServer } from '../../support/backends/postgres-server.ts';

let postgres: PostgresServer;
let engine: Engine;
let release: () => void = () => undefined;
const done: string[] = [];
let held: Promise<void> | undefined;
let forgotten: number | undefined;

/** As the server does it: within scheduled work. */
async function forgetAll(): Promise<void> {
  forgotten ??= await engine.forget(new Date(), 100);
}

beforeAll(async () => {
  postgres = await startPostgres();
  const released = new Promise<void>((resolve) => (release = resolve));
  engine = await openDbosEngine({
    ...{ databaseUrl: postgres.url, workerId: randomUUID(), version: '1', carriesOut: true },
    carryOut: async (runId) => {
      done.push(runId);
      await released;
      await held;
    },
    ...{ scheduled: { forget: forgetAll }, warn: () => undefined },
  });
});

afterAll(async () => {
  release();
  await engine.close(10_000);
  await postgres.close();
});

describe('a run of low priority', () => {
  it('comes behind the others of its workspace, those that were queued later among them', async () => {
    const workspaceId = randomUUID();
    const [first, low, second, third] = [randomUUID(), randomUUID(), randomUUID(), randomUUID()];
    await engine.enqueue({ id: first, workspaceId });
    await expect.poll(() => done, { timeout: 30_000 }).toEqual([first]);
    await engine.enqueue({ id: low, workspaceId }, 'low');
    await engine.enqueue({ id: second, workspaceId });
    await engine.enqueue({ id: third, workspaceId });
    const waiting = (await engine.list()).map(({ id }) => id);
    expect(waiting).toEqual([second, third, low]);
    release();
    await expect.poll(() => done, { timeout: 30_000 }).toEqual([first, second, third, low]);
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
    expect(await engine.list()).toEqual([{ id: waiting, workspaceId }]);
    expect(await countKnown([begun])).toMatchObject({ workflow_status: 1 });
    finish();
    await expect.poll(() => done, { timeout: 30_000 }).toContain(waiting);
    // One that is forgotten can be queued again.
    await engine.enqueue({ id: cancelled, workspaceId });
    await expect.poll(() => done, { timeout: 30_000 }).toContain(cancelled);
  });
});
