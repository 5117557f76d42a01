// What administrators do with a server: a role for the states, a backup, an upgrade, a restart of PostgreSQL.
import { execFile } from 'node:child_process';
import { cp, readdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { Client } from 'pg';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { ApiClient } from '../support/server/api-client.ts';
import { startPostgres, type PostgresServer } from '../support/backends/postgres-server.ts';
import { asProcesses } from '../support/server/as-processes.ts';
import {
  listVms,
  openServerRig,
  type Running,
  type ServerRig,
} from '../support/server/server-rig.ts';
import { openFolder } from '../support/open-folder.ts';

const run = promisify(execFile);
const root = resolve('.');
const configuration = `version: 1
projects:
  shop:
    networks: { main: {} }
    vms:
      web: { count: 8, image: debian-12, configuration: c1-r1-d20, tariff: monthly, networks: [main] }
`;

let rig: ServerRig;
let postgres: PostgresServer;

const openDatabase = async () => (postgres = await startPostgres());

beforeEach(async () => {
  rig = await openServerRig(asProcesses(root, openDatabase), 20);
  await rig.repository.commit({ 'main.yaml': configuration });
});

afterEach(() => rig.close());

const clientOf = ({ ready }: Running) => new ApiClient(ready.origin ?? '', ready.adminToken ?? '');

async function makeWorkspace(api: ApiClient): Promise<void> {
  const { baseUrl, token } = rig.account;
  await api.call('POST', '/api/v1/workspaces', {
    ...{ name: 'shop', repository: rig.repositoryUrl },
    variables: { HOSTWRIGHT_BASE_URL: baseUrl, HOSTWRIGHT_TOKEN: token },
  });
}

/** Plans, and applies the plan. @returns the two runs when they have ended */
async function planAndApply(api: ApiClient) {
  const plan = await api.run({ operation: 'plan', workspace: 'shop' });
  expect(await api.ended(plan.id)).toMatchObject({ status: 'succeeded', hasChanges: true });
  const { id } = await api.run({ operation: 'apply', plan: plan.id });
  const apply = await api.ended(id);
  expect([apply.status, await api.readLog(id)]).toEqual([
    'succeeded',
    expect.stringContaining('Apply complete!'),
  ]);
  return { plan: plan.id, apply: id };
}

async function ask<T>(url: string, statement: string): Promise<readonly T[]> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query(statement)).rows as T[];
  } finally {
    await client.end();
  }
}

it('gives its runs a role that reads the states alone', async () => {
  await ask(
    rig.postgres.url,
    "CREATE ROLE states LOGIN PASSWORD 'quiet'; CREATE SCHEMA hostwright AUTHORIZATION states;",
  );
  const address = new URL(rig.postgres.url);
  Object.assign(address, { username: 'states', password: 'quiet' });
  const env = { HOSTWRIGHT_SERVER_STATE_DATABASE: address.href };
  const api = clientOf(await rig.start(['server', '--port', '0'], { env }));
  await makeWorkspace(api);
  await planAndApply(api);
  const owners = await ask<{ owner: string }>(
    rig.postgres.url,
    "SELECT DISTINCT tableowner AS owner FROM pg_tables WHERE schemaname = 'hostwright'",
  );
  expect(owners).toEqual([{ owner: 'states' }]);
  await expect(ask(address.href, 'SELECT * FROM hostwright_server.blobs')).rejects.toThrow(
    'permission denied',
  );
});

it('goes on from a backup under another name', async () => {
  const first = await rig.start(['server', '--port', '0']);
  const api = clientOf(first);
  await makeWorkspace(api);
  const { apply } = await planAndApply(api);
  const log = await api.readLog(apply);
  const folder = await openFolder('backup');
  const file = join(folder, 'hostwright.dump');
  await run('pg_dump', ['--format=custom', `--file=${file}`, rig.postgres.url]);
  await first.stop();
  await ask(rig.postgres.url, 'CREATE DATABASE restored');
  const restored = rig.postgres.url.replace(/\/postgres$/, '/restored');
  await run('pg_restore', [`--dbname=${restored}`, file]);
  const env = { HOSTWRIGHT_SERVER_DATABASE: restored };
  const second = await rig.start(['server', '--port', '0'], { env });
  expect(second.ready.adminToken).toBeUndefined();
  const again = new ApiClient(second.ready.origin ?? '', first.ready.adminToken ?? '');
  expect(await again.readLog(apply)).toBe(log);
  const { body } = await again.call('GET', '/api/v1/server');
  expect(body.hold).toMatchObject({ isCopy: true });
  const { id } = await again.run({ operation: 'plan', workspace: 'shop' });
  expect(await again.ended(id)).toMatchObject({ status: 'succeeded', hasChanges: false });
  const applied = await again.call('POST', '/api/v1/runs', { operation: 'apply', plan: id });
  expect([applied.status, String(applied.body.detail)]).toEqual([
    409,
    expect.stringContaining('The server is held: The database is a copy'),
  ]);
});

/** The program as its next version has it. */
async function buildNext(folder: string): Promise<string> {
  await cp(join(root, 'dist'), join(folder, 'dist'), { recursive: true });
  await cp(join(root, 'schemas'), join(folder, 'schemas'), { recursive: true });
  await symlink(join(root, 'node_modules'), join(folder, 'node_modules'));
  await writeFile(join(folder, 'package.json'), '{ "type": "module" }');
  const chunks = join(folder, 'dist/chunks');
  for (const name of await readdir(chunks)) {
    const text = await readFile(join(chunks, name), 'utf8');
    const next = text.replace(/^(const publishedHostwrightVersion =) "[\d.]+";$/m, '$1 "99.0.0";');
    if (next !== text) await writeFile(join(chunks, name), next);
  }
  return join(folder, 'dist/main.js');
}

it('is upgraded while it works: each run is carried out by a worker of the version that queued it', async () => {
  const folder = await openFolder('next');
  const program = await buildNext(folder);
  expect((await run(process.execPath, [program, 'version'])).stdout).toContain('99.0.0');
  const older = await rig.start(['server', '--port', '0', '--no-runs']);
  const api = clientOf(older);
  await makeWorkspace(api);
  const queued = await api.run({ operation: 'plan', workspace: 'shop' });
  const newer = await rig.start(['server', '--port', '0'], { program });
  const next = new ApiClient(newer.ready.origin ?? '', older.ready.adminToken ?? '');
  const second = await next.run({ operation: 'drift', workspace: 'shop' });
  const worker = await rig.start(['worker']);
  const ended = [await api.ended(queued.id), await next.ended(second.id)];
  expect(ended.map(({ status, worker: by }) => [status, by])).toEqual([
    ['succeeded', worker.ready.workerId],
    ['succeeded', newer.ready.workerId],
  ]);
});

it('carries out what an older version had queued once no process of that is left', async () => {
  const folder = await openFolder('next');
  const older = await rig.start(['server', '--port', '0', '--no-runs']);
  const api = clientOf(older);
  await makeWorkspace(api);
  const queued = await api.run({ operation: 'plan', workspace: 'shop' });
  const program = await buildNext(folder);
  const newer = await rig.start(['server', '--port', '0'], { program });
  await older.stop();
  const next = new ApiClient(newer.ready.origin ?? '', older.ready.adminToken ?? '');
  const run = await next.ended(queued.id);
  expect(run).toMatchObject({ status: 'succeeded', worker: newer.ready.workerId, attempt: 1 });
  expect(newer.complaints()).toContain('No process of an older version is left.');
});

/** All processes of PostgreSQL hang, or go on. */
async function pauseAll(signal: 'STOP' | 'CONT'): Promise<void> {
  const { pid = 0 } = postgres.process;
  await run('pkill', [`-${signal}`, '--parent', String(pid)]);
  postgres.process.kill(`SIG${signal}`);
}

it('does each run once when PostgreSQL restarts in its middle', async () => {
  const server = await rig.start(['server', '--port', '0']);
  const api = clientOf(server);
  await makeWorkspace(api);
  const plan = await api.run({ operation: 'plan', workspace: 'shop' });
  await api.ended(plan.id);
  const { id } = await api.run({ operation: 'apply', plan: plan.id });
  await expect.poll(() => listVms(rig.account), { timeout: 30_000 }).not.toHaveLength(0);
  const askHealth = async () => {
    const ready = await api.call('GET', '/readyz');
    return [(await api.call('GET', '/healthz')).status, ready.status, ready.body.parts];
  };
  const well = { database: 'ok', room: 'ok', session: 'ok', git: 'ok' };
  expect(await askHealth()).toEqual([200, 200, well]);
  await pauseAll('STOP');
  const silent = { ...well, database: 'silent' };
  expect(await askHealth()).toEqual([200, 503, silent]);
  await pauseAll('CONT');
  await postgres.stop();
  const away = { ...well, database: 'failed', session: 'failed' };
  await expect.poll(askHealth).toEqual([200, 503, away]);
  await postgres.start();
  // It ends by itself, as its supervisor expects.
  expect(await server.ended).toBe(1);
  const again = await rig.start(['server', '--port', '0']);
  const after = new ApiClient(again.ready.origin ?? '', server.ready.adminToken ?? '');
  expect(await after.ended(id)).toMatchObject({ status: 'succeeded', attempt: 2 });
  const names = (await listVms(rig.account)).map(({ name }) => name.split('/')[1]);
  expect(names.sort()).toEqual(Array.from({ length: 8 }, (_, index) => `web-${index}`));
});
