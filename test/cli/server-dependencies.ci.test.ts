// Workspaces that come after others: outputs become variables, an apply plans what follows, and nothing comes after itself.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ApiClient, ShownRun } from '../support/server/api-client.ts';
import { inProcess } from '../support/server/in-process.ts';
import { openServerRig, type ServerRig } from '../support/server/server-rig.ts';

const network = (label: string) => `version: 1
projects:
  network:
    networks: { main: { name: ${label} } }
outputs:
  zone: { value: '\${projects.network.networks.main.name}' }
  sizes: { value: { web: 2 } }
  secret: { value: hidden-word, sensitive: true }
`;

const web = `version: 1
variables:
  zone: { type: string }
  sizes: { type: 'map(number)' }
projects:
  web:
    networks: { main: { name: '\${var.zone}' } }
    vms:
      web: { count: '\${var.sizes.web}', image: debian-12, configuration: c1-r1-d20, tariff: monthly, networks: [main] }
`;

let rig: ServerRig;
let api: ApiClient;

async function makeWorkspace(name: string, more: object = {}) {
  const { baseUrl, token } = rig.account;
  return api.call('POST', '/api/v1/workspaces', {
    ...{ name, repository: rig.repositoryUrl, directory: name },
    variables: { HOSTWRIGHT_BASE_URL: baseUrl, HOSTWRIGHT_TOKEN: token },
    ...more,
  });
}

async function listRuns(workspace: string): Promise<readonly (ShownRun & { reason: string })[]> {
  const { body } = await api.call('GET', `/api/v1/runs?workspace=${workspace}`);
  return body.runs as readonly (ShownRun & { reason: string })[];
}

/** Commits what both workspaces have. */
const push = (given: { readonly network?: string; readonly web?: string } = {}) =>
  rig.repository.commit({
    'network/main.yaml': given.network ?? network('lan-of-all'),
    'web/main.yaml': given.web ?? web,
  });

/** Plans a workspace and applies the plan. */
async function apply(workspace: string): Promise<void> {
  const plan = await api.run({ operation: 'plan', workspace });
  expect(await api.ended(plan.id)).toMatchObject({ status: 'succeeded' });
  const run = await api.run({ operation: 'apply', plan: plan.id });
  expect(await api.ended(run.id)).toMatchObject({ status: 'succeeded' });
}

/** The run that comes after those which a workspace has, once it has ended. */
async function nextRun(workspace: string, known: number): Promise<ShownRun & { reason: string }> {
  for (const begun = Date.now(); Date.now() - begun < 60_000;) {
    const [newest, ...older] = await listRuns(workspace);
    if (newest && older.length >= known) {
      await api.ended(newest.id);
      return { ...newest, ...(await api.see(newest.id)) };
    }
    await new Promise((done) => setTimeout(done, 100));
  }
  throw new Error(`${workspace} has no further run.`);
}

beforeAll(async () => {
  rig = await openServerRig(inProcess, 200);
  api = await rig.startServer();
  await push();
  await rig.start(['worker']);
  expect((await makeWorkspace('network')).status).toBe(201);
  expect((await makeWorkspace('web', { after: ['network'] })).body).toMatchObject({
    after: ['network'],
  });
});

afterAll(() => rig.close());

describe('a workspace after another', () => {
  it('has no variables before that one was applied', async () => {
    const plan = await api.run({ operation: 'plan', workspace: 'web' });
    expect(await api.ended(plan.id)).toMatchObject({ status: 'failed' });
    expect(await api.readLog(plan.id)).toContain('zone');
  });

  it('is planned with its outputs once it is applied', async () => {
    await apply('network');
    const plan = await nextRun('web', 1);
    expect(plan).toMatchObject({ operation: 'plan', status: 'succeeded', hasChanges: true });
    expect(plan.reason).toMatch(/^apply of network, #\d+$/);
    expect(plan.changes).toHaveLength(4);
    const log = await api.readLog(plan.id);
    expect(log).toContain('lan-of-all');
    expect(log).not.toContain('hidden-word');
    const applied = await api.run({ operation: 'apply', plan: plan.id });
    expect(await api.ended(applied.id)).toMatchObject({ status: 'succeeded' });
  });

  it('has no changes where the other one is as before', async () => {
    const known = (await listRuns('web')).length;
    await push({ network: `${network('lan-of-all')}  more: { value: 1 }\n` });
    await apply('network');
    expect(await nextRun('web', known)).toMatchObject({ status: 'succeeded', hasChanges: false });
  });

  it('refuses a plan from before more was handed on, and applies the newest as it was seen', async () => {
    const grown = web.replace('var.sizes.web', '1 + var.sizes.web');
    await push({ web: grown });
    const plan = await api.run({ operation: 'plan', workspace: 'web' });
    expect(await api.ended(plan.id)).toMatchObject({ status: 'succeeded' });
    await push({ network: network('lan-of-all').replace('web: 2', 'web: 5'), web: grown });
    const known = (await listRuns('web')).length;
    await apply('network');
    const newest = await nextRun('web', known);
    expect(newest.changes).toHaveLength(4);
    const request = (id: string) =>
      api.call('POST', '/api/v1/runs', { operation: 'apply', plan: id });
    expect((await request(plan.id)).status).toBe(409);
    const run = await api.run({ operation: 'apply', plan: newest.id });
    expect((await api.ended(run.id)).status).toBe('succeeded');
    const again = await api.run({ operation: 'plan', workspace: 'web' });
    expect((await api.ended(again.id)).changes ?? []).toHaveLength(0);
  });
});

describe('the order of workspaces', () => {
  it.each([
    ['one that there is none of', { after: ['nothing'] }, 'There is no workspace nothing'],
    ['one that comes after it', { after: ['web'] }, 'network after web after network'],
    ['itself', { after: ['network'] }, 'network after network'],
  ])('is refused for a workspace after %s', async (_what, edit, words) => {
    const { status, body } = await api.call('PATCH', '/api/v1/workspaces/network', edit);
    expect([status, body.detail]).toEqual([422, expect.stringContaining(words)]);
  });

  it('is ended by an empty list', async () => {
    const edit = async (after: readonly string[]) =>
      (await api.call('PATCH', '/api/v1/workspaces/web', { after })).body.after;
    expect(await edit([])).toEqual([]);
    expect(await edit(['network'])).toEqual(['network']);
  });
});
