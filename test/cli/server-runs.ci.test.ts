// The built program as a server with its workers: order, superseding, cancelling and logs. A worker that is killed is in the long tests.
import { Client } from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findAnswerFaults } from '../support/server/check-answer.ts';
import { ApiClient } from '../support/server/api-client.ts';
import { inProcess } from '../support/server/in-process.ts';
import { openServerRig, type Running, type ServerRig } from '../support/server/server-rig.ts';
import { shopOfVms } from '../support/server/shop-of-vms.ts';

let rig: ServerRig;
let api: ApiClient;
let commits: readonly string[];

async function makeWorkspace(name: string): Promise<void> {
  const { baseUrl, token } = rig.account;
  const { status } = await api.call('POST', '/api/v1/workspaces', {
    ...{ name, repository: rig.repositoryUrl },
    variables: { HOSTWRIGHT_BASE_URL: baseUrl, HOSTWRIGHT_TOKEN: token },
  });
  expect(status).toBe(201);
}

beforeAll(async () => {
  rig = await openServerRig(inProcess, 40);
  api = await rig.startServer();
  commits = [
    await rig.repository.commit({ 'main.yaml': shopOfVms }),
    await rig.repository.commit({ 'main.yaml': shopOfVms, 'notes.txt': 'more' }),
  ];
});

afterAll(() => rig.close());

describe('the API', () => {
  it('answers nobody without the token, but for health', async () => {
    const ask = async (path: string, headers = {}) =>
      (await fetch(`${api.origin}${path}`, { headers })).status;
    expect(await ask('/healthz')).toBe(200);
    expect(await ask('/readyz')).toBe(200);
    expect(await ask('/api/v1/runs')).toBe(401);
    expect(await ask('/api/v1/nothing', { authorization: 'Bearer hws_other' })).toBe(401);
  });

  it.each([
    ['no name', { repository: 'file:///r' }, 'name'],
    [
      'a repository by ssh',
      { name: 'a', repository: 'ssh://h/r' },
      'repository must be an address',
    ],
    [
      'a directory outside',
      { name: 'a', repository: 'file:///r', directory: 'a/../..' },
      'directory must be a path',
    ],
    [
      'a variable that allows more',
      { name: 'a', repository: 'file:///r', variables: { HOSTWRIGHT_ALLOW_COMMANDS: '1' } },
      'HOSTWRIGHT_ALLOW_COMMANDS',
    ],
  ])('refuses a workspace with %s', async (_what, body, named) => {
    const { status, body: problem } = await api.call('POST', '/api/v1/workspaces', body);
    expect([status, problem.detail]).toEqual([422, expect.stringContaining(named)]);
  });

  it('shows no variable of a workspace', async () => {
    await makeWorkspace('quiet');
    const shown = JSON.stringify((await api.call('GET', '/api/v1/workspaces')).body);
    expect(shown).toContain('quiet');
    expect(shown).not.toContain(rig.account.token);
  });
});

describe('the repository of a workspace', () => {
  const create = (name: string, more: object) =>
    api.call('POST', '/api/v1/workspaces', { name, repository: rig.repositoryUrl, ...more });

  it('is refused where it does not exist', async () => {
    const path = '/api/v1/workspaces';
    const answer = await create('nowhere', { repository: 'file:///nowhere/infra' });
    expect(findAnswerFaults('POST', path, answer)).toEqual([]);
    expect(answer).toMatchObject({
      status: 422,
      body: {
        title: 'The repository cannot be read',
        detail: expect.stringMatching(
          /^Git cannot read file:\/\/\/nowhere\/infra: .*Check the address/,
        ) as string,
      },
    });
    expect((await api.call('GET', `${path}/nowhere`)).status).toBe(404);
  });

  it('is refused without the branch, for a new workspace and for another branch', async () => {
    const { status, body } = await create('branchless', { branch: 'mian' });
    expect([status, body.detail]).toEqual([
      422,
      'The repository of the workspace has no branch `mian`. Did you mean `main`?',
    ]);
    expect((await create('branched', {})).status).toBe(201);
    const path = '/api/v1/workspaces/branched';
    const edited = await api.call('PATCH', path, { branch: 'gone' });
    expect([edited.status, edited.body.detail]).toEqual([
      422,
      'The repository of the workspace has no branch `gone`. It has the branch `main`.',
    ]);
    expect((await api.call('GET', path)).body.branch).toBe('main');
  });

  it('is not asked for where nothing of it changes', async () => {
    await rig.repository.git('branch', 'passing');
    expect((await create('passing', { branch: 'passing' })).status).toBe(201);
    await rig.repository.git('branch', '-D', 'passing');
    const path = '/api/v1/workspaces/passing';
    const same = { repository: rig.repositoryUrl, branch: 'passing', poll: false };
    expect((await api.call('PATCH', path, same)).status).toBe(200);
    expect((await api.call('PATCH', path, { ...same, branch: 'main' })).status).toBe(200);
  });

  it('is taken with a warning where it is out of reach, and no secret is shown', async () => {
    const secretive = await create('far', { repository: 'https://ada:hush@127.0.0.1:1/infra.git' });
    expect(secretive.status).toBe(422);
    expect(JSON.stringify(secretive.body)).not.toContain('hush');
    const answer = await create('far', { repository: 'https://127.0.0.1:1/infra.git' });
    expect(findAnswerFaults('POST', '/api/v1/workspaces', answer)).toEqual([]);
    const { status, body } = answer;
    expect([status, body.warning]).toEqual([
      201,
      expect.stringMatching(
        /^The repository is not checked, as it is out of reach\. Git cannot read/,
      ),
    ]);
  });
});

describe('runs of a workspace', () => {
  let worker: Running;

  it('wait in order; a newer commit takes the place of older plans; what waits can be cancelled', async () => {
    await makeWorkspace('shop');
    const [older, newer] = commits;
    const plan = (commit?: string) =>
      api.run({ operation: 'plan', workspace: 'shop', ...(commit !== undefined && { commit }) });
    const first = await plan(older);
    const second = await api.run({ operation: 'drift', workspace: 'shop' });
    const third = await plan(newer);
    const cancelled = await api.run({ operation: 'drift', workspace: 'shop' });
    await api.call('POST', `/api/v1/runs/${cancelled.id}/cancel`);
    expect([first.place, second.place]).toEqual([0, 1]);
    expect((await api.see(third.id)).place).toBe(1);
    worker = await rig.start(['worker']);
    const ended = [first, second, third, cancelled].map(({ id }) => api.ended(id));
    expect((await Promise.all(ended)).map(({ status }) => status)).toEqual([
      ...['superseded', 'succeeded', 'succeeded', 'cancelled'],
    ]);
    const log = await api.readLog(third.id);
    expect(log).toContain('Plan: 8 to add, 0 to change, 0 to destroy.');
    expect(log).toContain(`{ "operation": "apply", "plan": "${third.id}" }`);
    for (const { id } of [second, third])
      expect(await api.readLog(id)).not.toMatch(/hostwright apply|hostwright-run-/);
    const said = worker
      .complaints()
      .split('\n')
      .filter((line) => line !== '');
    const lines = said.map((line) => JSON.parse(line) as Record<string, unknown>);
    expect(lines.filter(({ level }) => level !== 'info')).toEqual([]);
    const end = { message: 'A run has ended', run: second.id, status: 'succeeded' };
    expect(lines).toContainEqual(expect.objectContaining(end));
  });

  it('read modules beside their directory where the workspace says so', async () => {
    const commit = await rig.repository.commit({
      'accounts/dev/main.yaml': 'version: 1\nmodules: { m: { source: ../../modules/net } }\n',
      'modules/net/main.yaml': 'version: 1\nprojects: { shared: { networks: { main: {} } } }\n',
    });
    await makeWorkspace('dev');
    const place = { directory: 'accounts/dev' };
    const plan = async (fields: object) => {
      const { body } = await api.call('PATCH', '/api/v1/workspaces/dev', fields);
      const { id } = await api.run({ operation: 'plan', workspace: 'dev', commit });
      return [body.reads, (await api.ended(id)).status, await api.readLog(id)];
    };
    expect(await plan(place)).toEqual([[], 'failed', expect.stringContaining('[file-outside]')]);
    const planned = expect.stringContaining('Plan: 2 to add') as string;
    expect(await plan({ reads: ['modules'] })).toEqual([['modules'], 'succeeded', planned]);
    const { status } = await api.call('PATCH', '/api/v1/workspaces/dev', { reads: ['../x'] });
    expect(status).toBe(422);
  });

  it('fail with a reason where their commit is no configuration', async () => {
    const bad = await rig.repository.commit({ 'main.yaml': 'version: 1\nprojects: 3\n' });
    const { id } = await api.run({ operation: 'plan', workspace: 'shop', commit: bad });
    expect(await api.ended(id)).toMatchObject({ status: 'failed' });
    expect(await api.readLog(id)).toContain('main.yaml line 2');
    const gone = await api.run({ operation: 'plan', workspace: 'shop', commit: 'a'.repeat(40) });
    expect(await api.ended(gone.id)).toMatchObject({ status: 'failed' });
    expect(await api.readLog(gone.id)).toContain('The commit cannot be checked out.');
    const apply = await api.call('POST', '/api/v1/runs', { operation: 'apply', plan: id });
    expect(apply.status).toBe(409);
  });
});

it('approvals hold up the apply and nothing else; the last yes applies the plan, once a freeze is over', async () => {
  await makeWorkspace('careful');
  const rule = { approvals: { count: 1 }, applyWhenApproved: true };
  await api.call('PATCH', '/api/v1/workspaces/careful', rule);
  const grants = [{ role: 'approve', workspace: 'careful' }];
  const reviewer = { kind: 'token', name: 'reviewer', expiresInDays: 1, grants };
  const { body: made } = await api.call('POST', '/api/v1/members', reviewer);
  const other = new ApiClient(api.origin, String(made.token));
  const commit = await rig.repository.commit({ 'main.yaml': 'version: 1\nprojects: { c: {} }\n' });
  const { id } = await api.run({ operation: 'plan', workspace: 'careful', commit });
  expect(await api.ended(id)).toMatchObject({ status: 'succeeded', hasChanges: true });
  const drift = await api.run({ operation: 'drift', workspace: 'careful', commit });
  expect(await api.ended(drift.id)).toMatchObject({ status: 'succeeded' });
  const apply = { operation: 'apply', plan: id };
  expect((await api.call('POST', '/api/v1/runs', apply)).status).toBe(409);
  const to = new Date(Date.now() + 3_000).toISOString();
  const freezes = [{ reason: 'a test', from: '2026-01-01T00:00:00Z', to }];
  await api.call('PATCH', '/api/v1/workspaces/careful', { freezes });
  const { body: planned } = await api.call('GET', `/api/v1/runs/${id}`);
  expect(planned.expectedSeconds).toBeGreaterThan(0);
  const yes = { decision: 'yes', comment: 'small enough' };
  expect((await other.call('POST', `/api/v1/runs/${id}/approvals`, yes)).status).toBe(200);
  const { body } = await other.call('GET', '/api/v1/runs?workspace=careful&limit=1');
  const [queued] = body.runs as readonly { id: string; operation: string }[];
  expect(queued?.operation).toBe('apply');
  expect(await api.ended(queued?.id ?? '')).toMatchObject({ status: 'succeeded' });
  const { body: applied } = await api.call('GET', `/api/v1/runs/${queued?.id ?? ''}`);
  expect(Date.parse(String(applied.startedAt))).toBeGreaterThanOrEqual(Date.parse(to));
});

it('the audit log has the runs with their ends, and is verified by the program', async () => {
  const { ready } = await rig.start(['server', '--verify-audit']);
  const response = await fetch(`${api.origin}/api/v1/audit`, {
    headers: { authorization: `Bearer ${api.token}` },
  });
  const lines = (await response.text()).trim().split('\n');
  const entries = lines.map((line) => JSON.parse(line) as Record<string, string>);
  expect(ready).toEqual({ count: entries.length, hash: entries.at(-1)?.hash, unkeyed: 0 });
  expect(entries[0]).toMatchObject({ act: 'administrator-token.make', seq: 1 });
  const acts = new Set(entries.map(({ act }) => act));
  for (const act of ['workspace.create', 'run.apply', 'run.cancel', 'run.end'])
    expect(acts).toContain(act);
  expect(lines.join()).not.toContain(rig.account.token);
  const client = new Client({ connectionString: rig.postgres.url });
  await client.connect();
  await client.query('ALTER TABLE hostwright_server.audit DISABLE TRIGGER ALL');
  await client.query(`UPDATE hostwright_server.audit SET act = 'other' WHERE seq = 2`);
  await client.end();
  await expect(rig.start(['server', '--verify-audit'])).rejects.toThrow(
    'The audit log is broken at entry 2',
  );
});
