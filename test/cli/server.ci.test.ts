// A worker of the built program that is killed while it applies: another one goes on.
import { resolve } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { ApiClient } from '../support/server/api-client.ts';
import { asProcesses } from '../support/server/as-processes.ts';
import { listVms, openServerRig, type ServerRig } from '../support/server/server-rig.ts';
import { shopOfVms, vms } from '../support/server/shop-of-vms.ts';

let rig: ServerRig;
let api: ApiClient;

interface Step {
  readonly address: string;
  readonly action: string;
  readonly attempt: number;
  readonly startedAt: string;
  readonly endedAt?: string;
  readonly result?: string;
}

/** Of an apply in two attempts: what was seen of the first is there, and nothing was done twice. */
async function expectTimeline(id: string): Promise<void> {
  const { progress } = await api.see(id);
  expect(progress).toMatchObject({ done: progress?.total, failed: 0, running: 0 });
  const { body } = await api.call('GET', `/api/v1/runs/${id}/timeline`);
  const steps = body.steps as readonly Step[];
  expect(steps.some(({ attempt, result }) => attempt === 1 && result === 'applied')).toBe(true);
  const all = vms.map((_, index) => `projects.shop.vms.vm${index}`);
  const known = ['projects.shop', 'projects.shop.networks.main', ...all];
  expect(steps.filter(({ address }) => !known.includes(address))).toEqual([]);
  // What was made and not finished is finished by an update.
  expect(steps.filter(({ action }) => action !== 'create' && action !== 'update')).toEqual([]);
  const applied = steps.filter(({ result }) => result === 'applied');
  expect(new Set(applied.map(({ address }) => address)).size).toBe(applied.length);
  for (const { address, attempt, startedAt, endedAt = '' } of steps) {
    // Only of the attempt whose worker was killed, the end of a step was not seen.
    const isWhole = Date.parse(endedAt) >= Date.parse(startedAt);
    expect([address, attempt === 1 || isWhole]).toEqual([address, true]);
  }
}

beforeAll(async () => {
  rig = await openServerRig(asProcesses(resolve('.')), 40);
  api = await rig.startServer();
  await rig.repository.commit({ 'main.yaml': shopOfVms });
  const { baseUrl, token } = rig.account;
  const { status } = await api.call('POST', '/api/v1/workspaces', {
    ...{ name: 'shop', repository: rig.repositoryUrl },
    variables: { HOSTWRIGHT_BASE_URL: baseUrl, HOSTWRIGHT_TOKEN: token },
  });
  expect(status).toBe(201);
});

afterAll(() => rig.close());

it('runs of a workspace go on elsewhere when their worker is killed, and do nothing twice', async () => {
  const workers = [await rig.start(['worker']), await rig.start(['worker'])];
  const plan = await api.run({ operation: 'plan', workspace: 'shop' });
  expect(await api.ended(plan.id)).toMatchObject({ status: 'succeeded', hasChanges: true });
  const apply = await api.run({ operation: 'apply', plan: plan.id });
  const { worker: busy } = await api.until(apply.id, ({ progress }) => (progress?.done ?? 0) > 0);
  await workers.find(({ ready }) => ready.workerId === busy)?.stop('SIGKILL');
  const other = workers.find(({ ready }) => ready.workerId !== busy)?.ready.workerId;
  expect(await api.ended(apply.id)).toMatchObject({
    ...{ status: 'succeeded', attempt: 2, worker: other },
  });
  await expectTimeline(apply.id);
  const names = (await listVms(rig.account)).map(({ name }) => name);
  expect(new Set(names).size).toBe(6);
  expect(names).toHaveLength(6);
  const again = await api.run({ operation: 'plan', workspace: 'shop' });
  expect(await api.ended(again.id)).toMatchObject({ status: 'succeeded', hasChanges: false });
  const applied = await api.call('POST', '/api/v1/runs', { operation: 'apply', plan: plan.id });
  expect(applied).toMatchObject({ status: 409, body: { run: apply.id } });
});
