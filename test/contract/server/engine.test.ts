// The order in which the engine carries out the runs of one workspace, on a real PostgreSQL.
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Engine } from '../../../src/server/engine/engine.ts';
import { openDbosEngine } from '../../../src/server/engine/open-dbos-engine.ts';
import { startPostgres, type PostgresServer } from '../../support/backends/postgres-server.ts';

let postgres: PostgresServer;
let engine: Engine;
let release: () => void = () => undefined;
const done: string[] = [];

beforeAll(async () => {
  postgres = await startPostgres();
  const released = new Promise<void>((resolve) => (release = resolve));
  engine = await openDbosEngine({
    ...{ databaseUrl: postgres.url, workerId: randomUUID(), version: '1', carriesOut: true },
    carryOut: async (runId) => {
      done.push(runId);
      await released;
    },
    ...{ scheduled: {}, warn: () => undefined },
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
