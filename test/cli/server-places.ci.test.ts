// The places that a worker has for runs, by the built program: an account that does not answer takes none from others.
import { resolve } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { ApiClient, ShownRun } from '../support/server/api-client.ts';
import { openService, refuseFor, type OneAnswerService } from '../support/server/open-service.ts';
import { asProcesses } from '../support/server/as-processes.ts';
import { openServerRig, type ServerRig } from '../support/server/server-rig.ts';

const names = (kind: string, count: number) =>
  Array.from({ length: count }, (_, index) => `${kind}-${index}`);

let rig: ServerRig;
let api: ApiClient;
const services: OneAnswerService[] = [];

async function makeWorkspace(name: string, baseUrl: string): Promise<void> {
  const { status } = await api.call('POST', '/api/v1/workspaces', {
    ...{ name, repository: rig.repositoryUrl, directory: 'team' },
    variables: { HOSTWRIGHT_BASE_URL: baseUrl, HOSTWRIGHT_TOKEN: rig.account.token },
  });
  expect(status).toBe(201);
}

const plan = (workspace: string): Promise<ShownRun> => api.run({ operation: 'plan', workspace });
const see = (runs: readonly ShownRun[]) => Promise.all(runs.map(({ id }) => api.see(id)));

beforeAll(async () => {
  rig = await openServerRig(asProcesses(resolve('.')), 200);
  api = await rig.startServer();
  await rig.repository.commit({ 'team/main.yaml': 'version: 1\nprojects: { shop: {} }\n' });
});

afterAll(async () => {
  await rig.close();
  for (const service of services) service.close();
});

it('an account that refuses everything keeps no place from the runs of other accounts, which go on meanwhile', async () => {
  const worker = await rig.start(['worker']);
  const refusing = await openService(refuseFor(90));
  services.push(refusing);
  await makeWorkspace('shop', rig.account.baseUrl);
  const held: ShownRun[] = [];
  for (const name of names('held', 6)) {
    await makeWorkspace(name, refusing.baseUrl);
    held.push(await plan(name));
  }
  for (const { id } of held) await api.until(id, (run) => run.waitsUntil !== undefined);
  const shop = await plan('shop');
  expect((await api.ended(shop.id)).status).toBe('succeeded');
  const [first] = await see(held);
  expect(first).toMatchObject({ status: 'queued', place: 0 });
  const { body } = await api.call('POST', `/api/v1/runs/${first?.id}/cancel`);
  expect(body.status).toBe('cancelled');
  expect(await api.readLog(first?.id ?? '')).toMatch(
    /The service refuses the requests of this account for now\. .* is tried again in \d+ s\./,
  );
  await worker.stop('SIGKILL');
});

it('what a worker that is gone had begun goes on at once, though all places of the others are taken', async () => {
  const silent = await openService(() => undefined);
  services.push(silent);
  const workers = [await rig.start(['worker']), await rig.start(['worker'])];
  const runs: ShownRun[] = [];
  for (const name of names('silent', 12)) {
    await makeWorkspace(name, silent.baseUrl);
    runs.push(await plan(name));
  }
  const running = async (attempt: number) =>
    (await see(runs)).filter((run) => run.status === 'running' && run.attempt === attempt);
  await expect.poll(async () => (await running(1)).length, { timeout: 60_000 }).toBe(8);
  const [gone, other] = workers.map(({ ready }) => ready.workerId);
  const begun = (await running(1)).filter(({ worker }) => worker === gone);
  expect(begun).toHaveLength(4);
  await workers[0]?.stop('SIGKILL');
  for (const { id } of begun) {
    const run = await api.until(id, ({ attempt }) => attempt === 2);
    expect(run).toMatchObject({ status: 'running', worker: other });
  }
  expect((await see(runs)).filter(({ status }) => status === 'queued')).toHaveLength(4);
});
