// Two workers that both believe they hold a run, and a run that is cancelled in its middle.
import { readFileSync, readdirSync } from 'node:fs';
import { resolve } from 'node:path';
import { Client } from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { ApiClient } from '../support/server/api-client.ts';
import { asProcesses } from '../support/server/as-processes.ts';
import {
  listVms,
  openServerRig,
  type Running,
  type ServerRig,
} from '../support/server/server-rig.ts';

const count = 12;
const configuration = `version: 1
projects:
  shop:
    networks: { main: {} }
    vms:
      web: { count: ${count}, image: debian-12, configuration: c1-r1-d20, tariff: monthly, networks: [main] }
`;

let rig: ServerRig;
let api: ApiClient;

beforeAll(async () => {
  rig = await openServerRig(asProcesses(resolve('.')), 10);
  api = await rig.startServer();
  await rig.repository.commit({ 'main.yaml': configuration });
});

afterAll(() => rig.close());

/** Makes a workspace, plans it, and begins to apply. @returns the run once the account has a VM of it */
async function beginApply(workspace: string): Promise<string> {
  const { baseUrl, token } = rig.account;
  await api.call('POST', '/api/v1/workspaces', {
    ...{ name: workspace, repository: rig.repositoryUrl },
    variables: { HOSTWRIGHT_BASE_URL: baseUrl, HOSTWRIGHT_TOKEN: token },
  });
  const plan = await api.run({ operation: 'plan', workspace });
  await api.ended(plan.id);
  const { id } = await api.run({ operation: 'apply', plan: plan.id });
  await expect.poll(() => listVms(rig.account), { timeout: 30_000 }).not.toHaveLength(0);
  return id;
}

/** The processes that a process has started. */
const listChildren = (parent: number | undefined): readonly number[] =>
  readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((pid) => {
      try {
        return readFileSync(`/proc/${pid}/status`, 'utf8').includes(`\nPPid:\t${parent}\n`);
      } catch {
        return false;
      }
    });

/** Ends the session by which a worker is known to live; the worker itself goes on. */
async function endSession({ ready }: Running): Promise<void> {
  const client = new Client({ connectionString: rig.postgres.url });
  await client.connect();
  await client.query(
    `SELECT pg_terminate_backend(pid) FROM pg_locks JOIN hostwright_server.workers
       ON objid = (lock_key & 4294967295)::bigint AND classid = (lock_key >> 32)::bigint
     WHERE locktype = 'advisory' AND id = $1`,
    [ready.workerId],
  );
  await client.end();
}

it('the epoch decides between two workers that both hold a run', async () => {
  const first = await rig.start(['worker']);
  const id = await beginApply('shop');
  // The worker and its run stand still, as on a machine that is suspended, and PostgreSQL takes them for gone.
  const stopped = [first.pid, ...listChildren(first.pid)];
  expect(stopped).toHaveLength(2);
  for (const pid of stopped) process.kill(pid, 'SIGSTOP');
  await endSession(first);
  const second = await rig.start(['worker']);
  await api.until(id, ({ attempt }) => attempt === 2);
  await expect
    .poll(() => api.ended(id), { timeout: 90_000 })
    .toMatchObject({ status: 'succeeded', attempt: 2, worker: second.ready.workerId });
  for (const pid of stopped) process.kill(pid, 'SIGCONT');
  await first.stop('SIGTERM');
  expect(first.complaints()).toContain('server-session-lost');
  expect((await api.see(id)).status).toBe('succeeded');
  const names = (await listVms(rig.account)).map(({ name }) => name);
  expect([names.length, new Set(names).size]).toEqual([count, count]);
  const again = await api.run({ operation: 'plan', workspace: 'shop' });
  expect(await api.ended(again.id)).toMatchObject({ status: 'succeeded', hasChanges: false });
  const destroy = await api.run({ operation: 'destroy', workspace: 'shop' });
  expect(await api.ended(destroy.id)).toMatchObject({ status: 'succeeded' });
  expect(await listVms(rig.account)).toEqual([]);
});

it('a run that is cancelled ends what it began, and the next run does the rest', async () => {
  const id = await beginApply('other');
  await api.call('POST', `/api/v1/runs/${id}/cancel`);
  expect(await api.ended(id)).toMatchObject({ status: 'cancelled', attempt: 1 });
  const plan = await api.run({ operation: 'plan', workspace: 'other' });
  await api.ended(plan.id);
  const rest = await api.run({ operation: 'apply', plan: plan.id });
  expect(await api.ended(rest.id)).toMatchObject({ status: 'succeeded' });
  expect(await listVms(rig.account)).toHaveLength(count);
});

it('a second cancel ends a run at once', async () => {
  const destroy = await api.run({ operation: 'destroy', workspace: 'other' });
  await api.ended(destroy.id);
  const id = await beginApply('third');
  await api.call('POST', `/api/v1/runs/${id}/cancel`);
  await api.call('POST', `/api/v1/runs/${id}/cancel`);
  const begun = performance.now();
  expect(await api.ended(id)).toMatchObject({ status: 'cancelled' });
  expect(performance.now() - begun).toBeLessThan(10_000);
  expect(await api.readLog(id)).toContain('Interrupted again: stopped at once.');
});
