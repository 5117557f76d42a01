// The first start of a server, with the built program and a real PostgreSQL.
import { resolve } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { asProcesses } from '../support/server/as-processes.ts';
import { openServerRig, type ServerRig } from '../support/server/server-rig.ts';

let rig: ServerRig;

beforeAll(async () => {
  rig = await openServerRig(asProcesses(resolve('.')), 200);
});
afterAll(() => rig.close());

it('a server and its workers may start at the same moment, on an empty database', async () => {
  const starts = [['server', '--port', '0', '--no-runs'], ['worker'], ['worker'], ['worker']];
  const running = await Promise.all(starts.map((args) => rig.start(args)));
  expect(running.map(({ complaints }) => complaints())).toEqual(['', '', '', '']);
});

it('a worker with a port says there how it is, and nothing else; its log has no advice for a terminal', async () => {
  const worker = await rig.start(['worker', '--port', '0']);
  const { healthOrigin = '' } = worker.ready;
  const ask = async (path: string) => {
    const answer = await fetch(`${healthOrigin}${path}`);
    return [answer.status, await answer.json().catch(() => undefined)];
  };
  expect(await ask('/healthz')).toEqual([200, { status: 'ok' }]);
  const parts = { database: 'ok', room: 'ok', session: 'ok', git: 'ok' };
  expect(await ask('/readyz')).toEqual([200, { status: 'ok', parts }]);
  for (const path of ['/', '/api/v1/runs', '/metrics']) expect((await ask(path))[0]).toBe(404);
  await worker.stop();
  expect(worker.complaints()).toBe('Stopping: no new runs start; waiting for running ones.\n');
});
