// No plan of an older commit takes the place of a newer one: whoever read the older one was slow, or ran something again.
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { planDependentWorkspace } from '../../../src/server/workers/do-due-tasks.ts';
import { repairDrift } from '../../../src/server/drift/repair-drift.ts';
import { requestRun } from '../../../src/server/runs/request-run.ts';
import { retryRun } from '../../../src/server/runs/retry-run.ts';
import type { RunAttemptOutcome, PullRequestCommit } from '../../../src/server/store/run.ts';
import type { ServerStore } from '../../../src/server/store/store.ts';
import type { Workspace } from '../../../src/server/store/workspaces.ts';
import { openPushRig, type PushRig } from '../../support/server/push-rig.ts';

let rig: PushRig;
let store: ServerStore;

beforeAll(async () => {
  rig = await openPushRig();
  ({ store } = rig);
});
beforeEach(() => rig.renew());
afterAll(() => rig.close());

/** A workspace of the top directory that has planned a first commit. */
async function begin(): Promise<{ readonly workspace: Workspace; readonly first: string }> {
  const [id = ''] = await rig.addWorkspaces('.');
  const first = await rig.push({ 'main.yaml': '1' });
  const workspace = await store.workspaces.read(id);
  if (!workspace) throw new Error('no workspace');
  await end(workspace, {});
  return { workspace, first };
}

/** Ends whatever is queued in a workspace. */
async function end({ id, name }: Workspace, outcome: Partial<RunAttemptOutcome>): Promise<void> {
  await rig.database.ask(
    `UPDATE hostwright_server.runs SET status = 'running', started_at = now(), attempt = 1
     WHERE workspace = $1 AND status = 'queued'`,
    [id],
  );
  for (const run of await store.runs.list(name, 100)) {
    const ended = { status: 'succeeded', hasChanges: false, ...outcome } as const;
    if (await store.runs.end(run, ended)) await store.drift.settle(run, ended);
  }
}

/** The newest first. */
const listPlans = async ({ name }: Workspace) =>
  (await store.runs.list(name, 100)).map(({ commit, status }) => [commit, status]);

describe('a plan of the newest commit', () => {
  it('that somebody asks for is of a commit that a push brings meanwhile', async () => {
    const { workspace, first } = await begin();
    await rig.repository.commit({ 'main.yaml': '2' });
    let third = '';
    rig.beforeAdding = async () => {
      third = await rig.push({ 'main.yaml': '3' });
    };
    await requestRun(rig.means, { workspace, operation: 'plan', reason: 'a test' });
    expect(await listPlans(workspace)).toEqual([
      // The plan of the push is the one that was asked for.
      [third, 'queued'],
      [first, 'succeeded'],
    ]);
  });

  it('that somebody asks for is not planned once more by the webhook of its push', async () => {
    const { workspace, first } = await begin();
    const second = await rig.repository.commit({ 'main.yaml': '2' });
    await requestRun(rig.means, { workspace, operation: 'plan', reason: 'a test' });
    await rig.hear(second);
    expect(await listPlans(workspace)).toEqual([
      [second, 'queued'],
      [first, 'succeeded'],
    ]);
  });

  it('that follows an apply is of a commit that a push brings meanwhile, and is made once', async () => {
    const { workspace, first } = await begin();
    const upstream = await store.workspaces.add({
      ...{ name: 'network', repository: 'file:///r', branch: 'other', directory: '.' },
      ...{ poll: false, variables: {} },
    });
    await store.workspaces.edit(workspace, { after: ['network'] });
    const applied = await store.runs.add({
      ...{ workspaceId: upstream?.id ?? '', operation: 'apply', commit: first, reason: 'a test' },
    });
    await rig.repository.commit({ 'main.yaml': '2' });
    let third = '';
    rig.beforeAdding = async () => {
      third = await rig.push({ 'main.yaml': '3' });
    };
    const due = { workspaceId: workspace.id, run: applied?.id ?? '', attempts: 1 };
    await planDependentWorkspace(rig.means, due);
    const expected = [...[third, third].map((commit) => [commit, 'queued']), [first, 'succeeded']];
    expect(await listPlans(workspace)).toEqual(expected);
    // It was not kept that this is done. Meanwhile another commit came, which its own push plans.
    const fourth = await rig.repository.commit({ 'main.yaml': '4' });
    await planDependentWorkspace(rig.means, due);
    expect(await listPlans(workspace)).toEqual(expected);
    await rig.hear(fourth);
    expect((await listPlans(workspace))[0]).toEqual([fourth, 'queued']);
  });
});

it('a plan of a commit that somebody names leaves the plan of the newest commit in the queue', async () => {
  const { workspace, first } = await begin();
  const second = await rig.push({ 'main.yaml': '2' });
  const named = { workspace, operation: 'plan', commit: first, reason: 'a test' } as const;
  await requestRun(rig.means, named);
  expect(await listPlans(workspace)).toEqual([
    [first, 'queued'],
    [second, 'queued'],
    [first, 'succeeded'],
  ]);
});

describe('a plan that is run again', () => {
  const retry = async (workspace: Workspace, number: number) => {
    const run = (await store.runs.list(workspace.name, 100)).find((one) => one.number === number);
    if (!run) throw new Error('no run');
    return retryRun(rig.means, workspace, run, { reason: 'a test' });
  };
  const newest = async ({ name }: Workspace) => (await store.runs.list(name, 1))[0]?.number ?? 0;

  it('is refused where the branch has a plan of a newer commit, and not where that was cancelled', async () => {
    const { workspace, first } = await begin();
    const old = await newest(workspace);
    const second = await rig.push({ 'main.yaml': '2' });
    const number = await newest(workspace);
    await expect(retry(workspace, old)).rejects.toThrow(`plan #${number} is of a newer commit`);
    await end(workspace, { hasChanges: true });
    await expect(retry(workspace, old)).rejects.toThrow('is of a newer commit');
    await retry(workspace, number);
    expect(await listPlans(workspace)).toEqual([
      [second, 'queued'],
      [second, 'succeeded'],
      [first, 'succeeded'],
    ]);
  });

  it('is refused where its pull request has a plan of a newer commit', async () => {
    const { workspace } = await begin();
    const add = async (head: string, merge: string) => {
      const pull: PullRequestCommit = { number: 7, head: head.repeat(40) };
      const commit = merge.repeat(40);
      const plan = { operation: 'plan', commit, pull, reason: 'a test' } as const;
      const added = await store.runs.add({ workspaceId: workspace.id, ...plan });
      await end(workspace, {});
      return added?.number ?? 0;
    };
    const old = await add('a', 'b');
    // Another merge of the same head, as the branch has moved on.
    const moved = await add('a', 'c');
    await expect(retry(workspace, old)).rejects.toThrow(`plan #${moved} is of a newer commit`);
    await expect(retry(workspace, old)).rejects.toThrow('hostwright plan');
    await retry(workspace, moved);
    expect((await listPlans(workspace))[0]).toEqual(['c'.repeat(40), 'queued']);
    // A plan of the branch is of no pull request.
    await rig.push({ 'main.yaml': '2' });
    await retry(workspace, moved);
  });
});

it('a plan that waits is made once, however many ask for it, unless something comes in between', async () => {
  const { workspace } = await begin();
  await end(workspace, {});
  const ask = () => requestRun(rig.means, { workspace, operation: 'plan', reason: 'a test' });
  const ids = await Promise.all(Array.from({ length: 8 }, ask));
  expect(new Set(ids).size).toBe(1);
  await requestRun(rig.means, { workspace, operation: 'destroy', reason: 'a test' });
  expect(ids).not.toContain(await ask());
});

it('a plan that is to undo drift is not made where a push is planned meanwhile, and once nothing waits any more', async () => {
  const { workspace, first } = await begin();
  await store.workspaces.edit(workspace, { applyDrift: true, driftEveryMinutes: 60 });
  const changes = [{ address: 'projects.shop', action: 'update' }];
  const drift = { operation: 'drift', commit: first, reason: 'a test' } as const;
  await store.runs.add({ workspaceId: workspace.id, ...drift });
  await end(workspace, { hasChanges: true, driftFingerprint: 'f', changes });
  let second = '';
  rig.beforeAdding = async () => {
    second = await rig.push({ 'main.yaml': '2' });
  };
  await repairDrift(rig.means);
  expect((await listPlans(workspace))[0]).toEqual([second, 'queued']);
  await end(workspace, {});
  await store.runs.add({ workspaceId: workspace.id, ...drift });
  await end(workspace, { hasChanges: true, driftFingerprint: 'f', changes });
  await repairDrift(rig.means);
  await repairDrift(rig.means);
  expect((await store.runs.list('w0', 2)).map(({ commit, reason }) => [commit, reason])).toEqual([
    [second, 'drift'],
    [first, 'a test'],
  ]);
});
