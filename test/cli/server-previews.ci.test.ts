// A pull request while an apply of its workspace runs: with the program and real repositories.
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { network, openHostedRig, type HostedRig } from '../support/hosts/open-hosted-rig.ts';
import { ApiClient, type ShownRun } from '../support/server/api-client.ts';
import { findAnswerFaults } from '../support/server/check-answer.ts';
import { inProcess } from '../support/server/in-process.ts';

const soon = { timeout: 60_000, interval: 100 };
const tree = (...names: readonly string[]) => ({ 'main.yaml': network(...names) });

interface ListedRun extends ShownRun {
  readonly number: number;
  readonly plan?: string;
  readonly pullRequest?: number;
}

let hosted: HostedRig;

const listRuns = async () =>
  (await hosted.api.call('GET', '/api/v1/runs')).body.runs as readonly ListedRun[];
const find = async (operation: string) => {
  const run = (await listRuns()).find((one) => one.operation === operation);
  if (!run) throw new Error(`There is no ${operation}.`);
  return run;
};
const comments = () => hosted.double.ground.comments.map(({ body }) => body);

/** What a laptop does with the lock of the state: an apply that has begun waits for it. */
async function send(method: 'LOCK' | 'UNLOCK', lock: object): Promise<number> {
  const { origin, token } = hosted.api;
  const { status } = await fetch(`${origin}/api/v1/workspaces/shop/state`, {
    ...{ method, body: JSON.stringify(lock) },
    headers: { authorization: `Bearer ${token}` },
  });
  return status;
}

beforeAll(async () => {
  hosted = await openHostedRig(inProcess, 'github');
  await hosted.double.ground.repository.commit(tree('main'));
  await hosted.makeWorkspace('shop');
  await hosted.startWorker();
}, 60_000);
afterAll(() => hosted.close());

it('gets a preview, which waits for no lock, and then the plan in its place', async () => {
  const { api, double } = hosted;
  const { id } = await api.run({ operation: 'plan', workspace: 'shop' });
  await api.ended(id);
  const lock = { ID: randomUUID(), Who: 'ada@laptop', Operation: 'OperationTypeApply' };
  expect(await send('LOCK', lock)).toBe(200);
  const apply = await api.run({ operation: 'apply', plan: id });
  await api.until(apply.id, ({ status }) => status === 'running');
  const pull = await double.openPull(tree('main', 'second'));
  await expect
    .poll(() => comments().join(''), soon)
    .toContain('**Preview:** apply #2 of this workspace is running.');
  expect(comments()[0]).toContain('second');
  expect((await api.see(apply.id)).status).toBe('running');
  const [preview, plan] = [await find('preview'), await find('plan')];
  expect([preview, plan]).toMatchObject([
    { status: 'succeeded', pullRequest: pull.number, plan: plan.id },
    { status: 'queued', pullRequest: pull.number },
  ]);
  expect(comments()[0]).toContain(
    `[Run #${preview.number}](https://hw.example.com/runs/${preview.id})`,
  );
  expect(await api.readLog(preview.id)).toContain('second');
  const path = `/api/v1/runs/${preview.id}`;
  expect(findAnswerFaults('GET', path, await api.call('GET', path))).toEqual([]);
  const refused = await api.call('POST', '/api/v1/runs', { operation: 'apply', plan: preview.id });
  expect(refused.status).toBe(409);
  const made = await api.call('POST', '/api/v1/members', {
    kind: 'token',
    name: 'planner',
    expiresInDays: 1,
    grants: [{ role: 'plan' }],
  });
  const planner = new ApiClient(api.origin, String(made.body.token));
  // Whoever may plan may cancel it, so that only its end keeps it from that.
  expect((await planner.call('POST', `${path}/cancel`)).status).toBe(409);
  expect(await send('UNLOCK', lock)).toBe(200);
  expect(await api.ended(apply.id)).toMatchObject({ status: 'succeeded' });
  expect(await api.ended(plan.id)).toMatchObject({ status: 'succeeded' });
  await expect.poll(() => comments().join(''), soon).not.toContain('Preview');
  expect(comments()[0]).toContain('second');
  expect(comments()).toHaveLength(1);
  expect((await listRuns()).map(({ operation, status }) => [operation, status])).toEqual([
    ['preview', 'succeeded'],
    ['plan', 'succeeded'],
    ['apply', 'succeeded'],
    ['plan', 'succeeded'],
  ]);
}, 240_000);
