// Drift of a real account: somebody deletes a VM by hand. It is found, shown, and undone where the workspace says so.
import { Client } from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ApiClient, ShownRun } from '../support/server/api-client.ts';
import { findAnswerFaults } from '../support/server/check-answer.ts';
import {
  isSigned,
  startMessageReceiver,
  type MessageReceiver,
} from '../support/server/message-receiver.ts';
import { inProcess } from '../support/server/in-process.ts';
import { listVms, openServerRig, type ServerRig } from '../support/server/server-rig.ts';

const configuration = (project: string, more = '') => `version: 1
projects:
  ${project}:
    networks: { main: {} }
    vms:
      web: { count: 2, image: debian-12, configuration: c1-r1-d20, tariff: monthly, networks: [main] ${more} }
`;

const backed = { 'backed/main.yaml': configuration('backed', ', backups: { maxAge: 1d }') };

let rig: ServerRig;
let api: ApiClient;
let commit: string;
let receiver: MessageReceiver;
let secret: string;

const done = async (request: object) => api.ended((await api.run(request)).id);

/** An applied workspace. */
async function openWorkspace(name: string, rules: object = {}) {
  const { baseUrl, token } = rig.account;
  const { status } = await api.call('POST', '/api/v1/workspaces', {
    ...{ name, repository: rig.repositoryUrl, directory: name, ...rules },
    variables: { HOSTWRIGHT_BASE_URL: baseUrl, HOSTWRIGHT_TOKEN: token },
  });
  expect(status).toBe(201);
  const plan = await done({ operation: 'plan', workspace: name });
  expect((await done({ operation: 'apply', plan: plan.id })).status).toBe('succeeded');
}

async function ask(path: string, method = 'GET') {
  const { baseUrl, token } = rig.account;
  const headers = { authorization: `Bearer ${token}` };
  const answer = await fetch(`${baseUrl}${path}`, { method, headers });
  expect(answer.ok).toBe(true);
  return answer;
}

type Listed = readonly { readonly id: string; readonly name: string }[];
const list = async (path: string): Promise<Listed> => {
  const read = (await (await ask(path)).json()) as Listed | { readonly items: Listed };
  return 'items' in read ? read.items : read;
};

/** Path of a VM in the account. */
async function findVm(project: string, name = 'web-0'): Promise<string> {
  const { id } = (await list('/projects?pageSize=100')).find((one) => one.name === project)!;
  const vm = (await list(`/projects/${id}/vms`)).find((one) => one.name === name);
  return `/projects/${id}/vms/${vm?.id ?? ''}`;
}

/** Deletes a VM of a project, as somebody does by hand. */
async function deleteVm(project: string, name = 'web-0'): Promise<void> {
  const path = await findVm(project, name);
  await ask(path, 'DELETE');
  const [, vms = '', id] = /^(.*)\/(.*)$/.exec(path) ?? [];
  await expect.poll(async () => (await list(vms)).map((one) => one.id)).not.toContain(id);
}

const read = async (name: string) => {
  const path = `/api/v1/workspaces/${name}`;
  const answer = await api.call('GET', path);
  expect(findAnswerFaults('GET', path, answer)).toEqual([]);
  return answer.body as { readonly status: string; readonly drift?: Record<string, unknown> };
};
const runsOf = async (name: string) =>
  (await api.call('GET', `/api/v1/runs?workspace=${name}`)).body.runs as readonly (ShownRun & {
    readonly reason: string;
  })[];

beforeAll(async () => {
  rig = await openServerRig(inProcess, 200);
  const files = ['calm', 'mended', 'careful'].map(
    (name) => [`${name}/main.yaml`, configuration(name)] as const,
  );
  commit = await rig.repository.commit({ ...Object.fromEntries(files), ...backed });
  api = await rig.startServer();
  await rig.start(['worker']);
  receiver = await startMessageReceiver();
  const target = { name: 'chat', kind: 'webhook', address: receiver.origin };
  const { body } = await api.call('POST', '/api/v1/message-targets', target);
  secret = String(body.secret);
});

afterAll(async () => {
  await receiver.close();
  await rig.close();
});

describe('drift of a workspace', () => {
  it('is shown from the check that finds it to the apply that undoes it', async () => {
    await openWorkspace('calm');
    const none = await done({ operation: 'drift', workspace: 'calm' });
    expect(none).toMatchObject({ status: 'succeeded', hasChanges: false });
    expect((await read('calm')).drift).toBeUndefined();
    await deleteVm('calm');
    const found = await done({ operation: 'drift', workspace: 'calm' });
    const address = 'projects.calm.vms.web[0]';
    expect(found).toMatchObject({ hasChanges: true, changes: [{ address, action: 'delete' }] });
    const drifted = await read('calm');
    expect(drifted).toMatchObject({ status: 'drifted', drift: { count: 1, run: found.id } });
    const overview = await api.call('GET', '/api/v1/overview?search=calm');
    expect(findAnswerFaults('GET', '/api/v1/overview', overview)).toEqual([]);
    expect(JSON.stringify(overview.body)).toContain('beganAt');
    const page = await fetch(`${api.origin}/api/v1/runs/${found.id}/report`, {
      headers: { authorization: `Bearer ${api.token}` },
    });
    expect(await page.text()).toContain(address);

    await done({ operation: 'drift', workspace: 'calm' });
    expect((await read('calm')).drift).toEqual(drifted.drift);
    await deleteVm('calm', 'web-1');
    const changed = await done({ operation: 'drift', workspace: 'calm' });
    const both = await read('calm');
    expect(both.drift).toMatchObject({ count: 2, run: changed.id });
    expect(both.drift?.beganAt).toBe(drifted.drift?.beganAt);
    const plan = await done({ operation: 'plan', workspace: 'calm' });
    expect((await read('calm')).drift).toEqual(both.drift);
    await done({ operation: 'apply', plan: plan.id });
    expect((await read('calm')).drift).toBeUndefined();
    const drift = ['drift.began', 'drift.changed', 'drift.ended'];
    const wanted = [...drift, 'plan.waiting', 'plan.waiting', 'run.applied', 'run.applied'];
    // By two processes, each once.
    await expect.poll(() => receiver.taken('calm').toSorted()).toEqual(wanted);
    expect(receiver.received.every((one) => isSigned(one, secret))).toBe(true);
    expect(JSON.stringify(receiver.received)).not.toContain(rig.account.token);
    // Nobody asked for more.
    expect((await runsOf('calm')).map(({ reason }) => reason)).not.toContain('drift');
  });

  it('is undone at the commit that was applied, once, where the workspace says so', async () => {
    await openWorkspace('mended', { applyDrift: true });
    await rig.repository.commit({
      'mended/main.yaml': 'version: 1\n',
      'careful/main.yaml': configuration('careful'),
      ...backed,
    });
    await deleteVm('mended');
    await done({ operation: 'drift', workspace: 'mended', commit });
    await expect
      .poll(async () => (await runsOf('mended'))[0], { timeout: 60_000 })
      .toMatchObject({ operation: 'apply', status: 'succeeded', reason: 'drift', commit });
    expect((await read('mended')).drift).toBeUndefined();
    const names = (await listVms(rig.account)).map(({ name }) => name);
    expect(names.filter((name) => name.endsWith('/web-0'))).toHaveLength(2);

    // Whoever deleted it does so again: now a person has to decide.
    await deleteVm('mended');
    const again = await done({ operation: 'drift', workspace: 'mended', commit });
    const behind = await done({ operation: 'drift', workspace: 'mended', commit });
    expect((await read('mended')).drift).toMatchObject({ run: again.id });
    expect((await runsOf('mended'))[0]?.id).toBe(behind.id);
  });

  it('is told beside the backups that its check makes, each once', async () => {
    await openWorkspace('backed');
    const paths = await Promise.all(['web-0', 'web-1'].map((name) => findVm('backed', name)));
    const count = () =>
      Promise.all(paths.map(async (path) => (await list(`${path}/backups`)).length));
    expect(await count()).toEqual([0, 0]);
    const check = await done({ operation: 'drift', workspace: 'backed', commit });
    expect(check).toMatchObject({ status: 'succeeded', hasChanges: false });
    expect(await api.readLog(check.id)).toContain('2 backed up');
    await deleteVm('backed', 'web-1');
    const found = await done({ operation: 'drift', workspace: 'backed', commit });
    expect(found).toMatchObject({ status: 'succeeded', hasChanges: true });
    expect((await list(`${paths[0]}/backups`)).length).toBe(1);
    expect((await runsOf('backed')).map(({ operation }) => operation)).not.toContain('destroy');
  });

  it('is found by schedule, and its plan waits for approvals like any plan', async () => {
    await openWorkspace('careful', { applyDrift: true });
    const rules = { approvals: { count: 1 }, driftEveryMinutes: 60 };
    await api.call('PATCH', '/api/v1/workspaces/careful', rules);
    await deleteVm('careful');
    const client = new Client({ connectionString: rig.postgres.url });
    await client.connect();
    await client.query(
      `UPDATE hostwright_server.workspaces SET drift_due_at = now() WHERE drift_every_minutes = 60`,
    );
    await client.end();
    await expect
      .poll(async () => (await runsOf('careful'))[0], { timeout: 120_000 })
      .toMatchObject({ operation: 'plan', status: 'succeeded', reason: 'drift' });
    const [plan, check] = await runsOf('careful');
    expect(check).toMatchObject({ operation: 'drift', reason: 'drift schedule' });
    await expect
      .poll(() => api.readLog(plan?.id ?? ''), { timeout: 60_000 })
      .toContain('Not applied by itself after drift: The plan has 0 of 1 approvals.');
    expect((await read('careful')).status).toBe('waiting');
  });
});
