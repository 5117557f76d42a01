// Workspaces that are renamed, paused, locked and deleted.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { findAnswerFaults } from '../support/server/check-answer.ts';
import { openPagesRig, type PagesRig } from '../support/server/pages-rig.ts';
import type { RunOperation } from '../../src/server/store/run.ts';

let rig: PagesRig;

async function call(method: string, path: string, body?: object) {
  const response = await rig.send(method, `/api/v1/workspaces${path}`, { body });
  const text = await response.text();
  const read = (text === '' ? {} : JSON.parse(text)) as Record<string, unknown>;
  const [pathname = ''] = `/api/v1/workspaces${path}`.split('?');
  const answer = { status: response.status, body: read };
  expect(findAnswerFaults(method, pathname, answer)).toEqual([]);
  return answer;
}

async function make(name: string, more: object = {}) {
  const { status } = await call('POST', '', { name, repository: 'file:///r', ...more });
  expect(status).toBe(201);
  return (await rig.store.workspaces.find(name))?.id ?? '';
}

/** A run of a workspace with this status. */
async function addRun(workspaceId: string, operation: RunOperation, status: string) {
  const run = { workspaceId, operation, commit: 'a'.repeat(40), reason: 'a test' };
  const { id } = (await rig.store.runs.add(run)) ?? {};
  await rig.ask(
    `UPDATE hostwright_server.runs SET status = $2, started_at = now() WHERE id = $1 AND status <> $2`,
    [id, status],
  );
  await rig.store.log.add(id ?? '', [{ stream: 'server', text: 'a line' }]);
  return id ?? '';
}

const readActs = async () => {
  const rows = await rig.ask(
    'SELECT act, target, detail FROM hostwright_server.audit ORDER BY seq',
  );
  return rows as { act: string; target: string; detail: string }[];
};
const countRows = async (table: string) => {
  const rows = await rig.ask(`SELECT count(*)::int AS count FROM hostwright_server.${table}`);
  return (rows[0] as { count: number }).count;
};

beforeAll(async () => {
  rig = await openPagesRig();
});
afterAll(() => rig.close());

it('a workspace keeps its runs, its state and those that come after it under another name', async () => {
  const id = await make('old');
  await make('later', { after: ['old'] });
  await addRun(id, 'apply', 'succeeded');
  expect((await call('PATCH', '/old', { name: 'later' })).status).toBe(409);
  expect((await call('PATCH', '/old', { name: 'Old' })).status).toBe(422);
  const renamed = await call('PATCH', '/old', { name: 'new', directory: 'new' });
  expect(renamed.body).toMatchObject({ name: 'new', stateName: 'old', directory: 'new' });
  expect((await call('GET', '/old')).status).toBe(404);
  expect((await call('GET', '/later')).body.after).toEqual(['new']);
  expect(await rig.store.runs.list('new', 5)).toMatchObject([{ operation: 'apply' }]);
  expect((await readActs()).at(-1)).toMatchObject({
    act: 'workspace.edit',
    target: 'workspace/old',
  });
  // The name is free, and its state is not.
  await make('old');
  expect((await call('GET', '/old')).body.stateName).toBe('old.2');
});

it('a locked workspace plans, and nothing applies or destroys it until it is unlocked', async () => {
  const id = await make('locked');
  const queued = await addRun(id, 'destroy', 'queued');
  const given = { reason: 'The auditors are here.' };
  const locked = await call('PUT', '/locked/lock', given);
  expect(locked.body).toMatchObject({ by: 'administrator', ...given });
  expect((await call('PUT', '/locked/lock', given)).status).toBe(409);
  expect((await call('GET', '/locked')).body.lock).toEqual(locked.body);
  const ask = async (operation: string) => {
    const body = { operation, workspace: 'locked', commit: 'b'.repeat(40) };
    const response = await rig.send('POST', '/api/v1/runs', { body });
    return [response.status, ((await response.json()) as { detail?: string }).detail];
  };
  const words = 'The workspace is locked by administrator: The auditors are here.';
  expect(await ask('destroy')).toEqual([409, words]);
  expect(await ask('plan')).toEqual([201, undefined]);
  const run = await (await rig.send('GET', `/api/v1/runs/${queued}`)).json();
  expect(run).toMatchObject({ status: 'queued', held: words });
  expect(await rig.store.turns.findWait(queued)).toMatchObject({ for: 'release' });
  expect((await call('DELETE', '/locked?confirm=locked&leaveAccount=true')).status).toBe(409);
  expect((await call('DELETE', '/locked/lock')).status).toBe(204);
  expect((await call('DELETE', '/locked/lock')).status).toBe(409);
  expect(await rig.store.turns.findWait(queued)).toBeUndefined();
  expect((await readActs()).at(-2)).toMatchObject({ act: 'workspace.unlock' });
});

it('a paused workspace is checked for drift no more, and again once it is resumed', async () => {
  const id = await make('paused', { driftEveryMinutes: 5 });
  await addRun(id, 'apply', 'succeeded');
  const pause = async (paused: boolean) => {
    expect((await call('PATCH', '/paused', { paused })).body.paused).toBe(paused);
    await rig.ask(`UPDATE hostwright_server.workspaces SET drift_due_at = now() WHERE id = $1`, [
      id,
    ]);
    const taken = await rig.store.drift.takeDue(50);
    return taken.map(({ workspaceId }) => workspaceId);
  };
  expect(await pause(true)).toEqual([]);
  expect(await pause(false)).toEqual([id]);
});

it.each([
  ['destroyed', 'destroy', 'succeeded', '', 204],
  ['never-planned', undefined, '', '', 204],
  ['managed', 'apply', 'succeeded', '', 409],
  ['left', 'apply', 'succeeded', '&leaveAccount=true', 204],
  ['half-destroyed', 'destroy', 'failed', '', 409],
  ['at-work', 'apply', 'running', '&leaveAccount=true', 409],
] as const)(
  'deletes a workspace that is %s: %s %s %s',
  async (name, operation, status, query, wanted) => {
    const id = await make(name, { variables: { HOSTWRIGHT_VAR_a: '1' } });
    if (operation) await addRun(id, operation, status);
    expect((await call('DELETE', `/${name}?confirm=nobody${query}`)).status).toBe(422);
    expect((await call('DELETE', `/${name}?confirm=${name}${query}`)).status).toBe(wanted);
    expect((await call('GET', `/${name}`)).status).toBe(wanted === 204 ? 404 : 200);
    expect(await rig.store.runs.list(name, 5)).toHaveLength(wanted === 204 ? 0 : 1);
  },
);

it('a deletion leaves no text behind, and is refused while another workspace comes after it', async () => {
  const before = await countRows('blobs');
  const id = await make('first', { variables: { HOSTWRIGHT_VAR_a: '1' } });
  await make('second', { after: ['first'] });
  const plan = await addRun(id, 'plan', 'succeeded');
  await addRun(id, 'destroy', 'succeeded');
  await rig.store.pulls.keepBody(plan, 'a comment');
  const refused = await call('DELETE', '/first?confirm=first');
  expect([refused.status, refused.body.detail]).toEqual([409, expect.stringContaining('second')]);
  expect((await call('DELETE', '/second?confirm=second')).status).toBe(204);
  expect((await call('DELETE', '/first?confirm=first')).status).toBe(204);
  expect(await countRows('blobs')).toBe(before);
  const { act, detail } = (await readActs()).at(-1) ?? { act: '', detail: '' };
  expect([act, JSON.parse(detail)]).toMatchObject(['workspace.delete', { state: 'first' }]);
});
