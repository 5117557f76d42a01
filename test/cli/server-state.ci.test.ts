// The state of a workspace from a laptop, by Terraform's http protocol: one state, one lock, whoever uses it.
import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { Client } from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ApiClient } from '../support/server/api-client.ts';
import { inProcess } from '../support/server/in-process.ts';
import { listVms, openServerRig, type ServerRig } from '../support/server/server-rig.ts';

const configuration = (count: number) => `version: 1
projects:
  shop:
    networks: { main: {} }
    vms:
      web: { count: ${count}, image: debian-12, configuration: c1-r1-d20, tariff: monthly, networks: [main] }
`;
const program = resolve('dist/main.js');

let rig: ServerRig;
let api: ApiClient;
let home = '';

/** Runs the program at home, with the state at the server. */
async function run(args: readonly string[], password = api.token) {
  const { baseUrl, token } = rig.account;
  return new Promise<{ code: number; text: string }>((done) => {
    execFile(
      process.execPath,
      [program, ...args],
      {
        cwd: home,
        env: {
          ...{ PATH: process.env.PATH, HOME: home, HOSTWRIGHT_BASE_URL: baseUrl },
          ...{ HOSTWRIGHT_TOKEN: token, HOSTWRIGHT_STATE_HTTP_USERNAME: 'ada' },
          HOSTWRIGHT_STATE_HTTP_PASSWORD: password,
        },
      },
      (error, stdout, stderr) => done({ code: Number(error?.code ?? 0), text: stdout + stderr }),
    );
  });
}

/** A request of the protocol. */
async function send(method: string, body?: object | string, query = '', token = api.token) {
  const response = await fetch(`${api.origin}/api/v1/workspaces/shop/state${query}`, {
    ...{ method, headers: { authorization: `Bearer ${token}` } },
    ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  });
  return { status: response.status, text: await response.text() };
}

interface Document {
  readonly serial: number;
  readonly lineage: string;
  readonly hostwright: { readonly files: Readonly<Record<string, string>>; readonly epoch: number };
}
const readState = async () => JSON.parse((await send('GET')).text) as Document;

const write = (count: number) =>
  writeFile(
    join(home, 'main.yaml'),
    `${configuration(count)}state: { http: { address: ${api.origin}/api/v1/workspaces/shop/state } }\n`,
  );

const lockOf = (ID = randomUUID()) => ({
  ...{ ID, Operation: 'apply', Info: '', Who: 'ada@laptop', Version: '1', Path: '' },
  Created: new Date().toISOString(),
});

/** Runs a workspace at the server. */
async function perform(request: object) {
  const { id } = await api.run(request);
  return { ...(await api.ended(id)), log: await api.readLog(id) };
}

/** Resolves once the log of a run says something, while it goes on. */
async function awaitWords(id: string, words: string): Promise<void> {
  const headers = { authorization: `Bearer ${api.token}` };
  const { body } = await fetch(`${api.origin}/api/v1/runs/${id}/log`, { headers });
  let said = '';
  for await (const piece of body ?? []) {
    said += Buffer.from(piece).toString();
    if (said.includes(words)) return;
  }
  throw new Error(`The log ended without it: ${said}`);
}

beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), 'hostwright-home-'));
  rig = await openServerRig(inProcess, 200);
  api = await rig.startServer();
  await rig.repository.commit({ 'main.yaml': configuration(1) });
  await rig.start(['worker']);
  const { baseUrl, token } = rig.account;
  await api.call('POST', '/api/v1/workspaces', {
    ...{ name: 'shop', repository: rig.repositoryUrl },
    variables: { HOSTWRIGHT_BASE_URL: baseUrl, HOSTWRIGHT_TOKEN: token },
  });
  await write(1);
});

afterAll(async () => {
  await rig.close();
  await rm(home, { recursive: true, force: true });
});

describe('a state at the server, from home', () => {
  it('is not there before anything was applied', async () => {
    expect(await send('GET')).toMatchObject({ status: 404 });
    expect((await run(['plan'])).text).toContain('to add');
  });

  it('is what the server has applied', async () => {
    const plan = await perform({ operation: 'plan', workspace: 'shop' });
    expect(await perform({ operation: 'apply', plan: plan.id })).toMatchObject({
      status: 'succeeded',
    });
    const { code, text } = await run(['plan', '--detailed-exitcode']);
    expect([code, text]).toEqual([0, expect.stringContaining('No changes.')]);
  });

  it('is what home has applied, to the server', async () => {
    const before = await readState();
    await write(3);
    const { code, text } = await run(['apply', '--auto-approve']);
    expect([code, text]).toEqual([0, expect.stringContaining('Apply complete')]);
    const after = await readState();
    expect(after.serial).toBeGreaterThan(before.serial);
    expect(after.lineage).toBe(before.lineage);
    expect(after.hostwright.epoch).toBeGreaterThan(before.hostwright.epoch);
    await rig.repository.commit({ 'main.yaml': configuration(3) });
    const plan = await perform({ operation: 'plan', workspace: 'shop' });
    expect(plan).toMatchObject({ status: 'succeeded', hasChanges: false });
  });

  it('goes back and forth, and nothing is made twice', async () => {
    await rig.repository.commit({ 'main.yaml': configuration(4) });
    const plan = await perform({ operation: 'plan', workspace: 'shop' });
    const applied = await perform({ operation: 'apply', plan: plan.id });
    expect(applied).toMatchObject({ status: 'succeeded' });
    await write(5);
    expect(await run(['apply', '--auto-approve'])).toMatchObject({ code: 0 });
    expect(await run(['plan', '--detailed-exitcode'])).toMatchObject({ code: 0 });
    expect(await listVms(rig.account)).toHaveLength(5);
  });

  it('is asked for with a token that has the role', async () => {
    const made = await api.call('POST', '/api/v1/members', {
      ...{ kind: 'token', name: 'reader', expiresInDays: 1 },
      grants: [{ role: 'plan', workspace: 'shop' }],
    });
    const token = String(made.body.token);
    expect(await run(['plan', '--detailed-exitcode'], token)).toMatchObject({ code: 0 });
    expect(await send('LOCK', lockOf(), '', token)).toMatchObject({ status: 403 });
    const { code, text } = await run(['plan'], 'hwt_wrong');
    expect([code, text]).toEqual([1, expect.stringContaining('401')]);
  });
});

describe('the lock of a state', () => {
  it('is one for home and for the server, and names its holder', async () => {
    await rig.repository.commit({ 'main.yaml': configuration(2) });
    const plan = await perform({ operation: 'plan', workspace: 'shop' });
    const lock = lockOf();
    expect(await send('LOCK', lock)).toEqual({ status: 200, text: '' });
    expect(await send('LOCK', lock)).toEqual({ status: 200, text: '' });
    const refused = await send('LOCK', lockOf());
    expect(refused.status).toBe(423);
    const holder = JSON.parse(refused.text) as Record<string, unknown>;
    expect(holder).toMatchObject({ ID: lock.ID, Who: 'ada@laptop (administrator)' });
    expect(holder).not.toHaveProperty('Kept');
    const { id } = await api.run({ operation: 'apply', plan: plan.id });
    await awaitWords(id, '(apply), for 10m');
    expect(await send('UNLOCK', lockOf())).toMatchObject({ status: 423 });
    expect(await send('UNLOCK', lock)).toMatchObject({ status: 200 });
    // The run that waited takes the lock at once: what is not locked is seen after its end.
    expect(await api.ended(id)).toMatchObject({ status: 'succeeded' });
    expect(await send('UNLOCK', lock)).toMatchObject({ status: 409 });
  });

  it('is what a write needs; a late one changes nothing', async () => {
    const before = await readState();
    const text = JSON.stringify({ ...before, serial: before.serial + 1 });
    expect(await send('POST', text)).toMatchObject({ status: 409 });
    expect(await send('POST', text, `?ID=${randomUUID()}`)).toMatchObject({ status: 409 });
    const lock = lockOf();
    await send('LOCK', lock);
    const id = `?ID=${lock.ID}`;
    expect(await send('POST', text, id)).toMatchObject({ status: 200 });
    // The answer was lost: it comes again.
    expect(await send('POST', text, id)).toMatchObject({ status: 200 });
    const later = { ...before, serial: before.serial + 2 };
    expect(await send('POST', later, id)).toMatchObject({ status: 200 });
    expect(await send('POST', text, id)).toMatchObject({ status: 423 });
    expect((await readState()).serial).toBe(later.serial);
    await send('UNLOCK', lock);
    expect(await send('POST', { ...before, serial: 99_999 }, id)).toMatchObject({ status: 409 });
    expect((await readState()).hostwright.files).toEqual(before.hostwright.files);
  });

  it.each([
    ['nothing', ''],
    ['a list', '[]'],
    ['a state of Terraform', '{"version":4,"terraform_version":"1.11.0","serial":1,"lineage":"a"}'],
    ['something newer', '{"serial":9,"lineage":"a","hostwright":{"formatVersion":99}}'],
  ])('lets nobody write %s', async (_what, body) => {
    const lock = lockOf();
    await send('LOCK', lock);
    expect(await send('POST', body, `?ID=${lock.ID}`)).toMatchObject({ status: 422 });
    await send('UNLOCK', lock);
  });

  it('is no lock without an id', async () => {
    for (const body of ['', '{}', '[]', '{"ID":"a b"}'])
      expect(await send('LOCK', body)).toMatchObject({ status: 422 });
  });

  it('of a run of the server is not removed from home', async () => {
    const { ID } = lockOf();
    const info = JSON.stringify({ ...lockOf(ID), Pid: 1, Host: 'other' });
    const client = new Client({ connectionString: rig.postgres.url });
    await client.connect();
    await client.query(
      `UPDATE hostwright.states SET lock_id = '${ID}', lock_info = '${info}', epoch = epoch + 1 WHERE name = 'shop'`,
    );
    await client.end();
    expect(await send('UNLOCK', { ID })).toMatchObject({ status: 423 });
  });
});

it('a workspace with its state elsewhere has none here', async () => {
  const variables = { HOSTWRIGHT_STATE: '{ "postgres": { "schema": "other" } }' };
  await api.call('PATCH', '/api/v1/workspaces/shop', { variables });
  expect(await send('GET')).toMatchObject({ status: 409 });
});
