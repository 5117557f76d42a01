import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import type { WireOperation } from '../../src/api/contract/types.ts';
import { openSandbox } from '../../src/sandbox/sandbox.ts';
import { serveSandbox } from '../../src/sandbox/server/serve.ts';
import { SandboxDataFileError } from '../../src/sandbox/store/storage-errors.ts';
import type { Bench } from './bench.ts';
import { addProject, addVm, furnish, newest, openBench, startOfTime, vmRequest } from './bench.ts';

let folder: string;
let dataFile: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'sandbox-'));
  dataFile = join(folder, 'deep', 'sandbox.db');
});

afterEach(() => rmSync(folder, { recursive: true, force: true }));

describe('a data file', () => {
  it('carries operations over a restart: they go on where they were', async () => {
    const before = await openBench({ dataFile });
    await addProject(before);
    await before.get('createVm', { body: vmRequest('web') });
    before.pass(5);
    const { params } = before;
    params.vmId = (await newest(before, 'listVms')).id;
    expect(await before.get('getVm')).toMatchObject({ status: 'creating' });
    before.sandbox.close();

    const soon = await openBench({ dataFile, startsAt: before.now() });
    Object.assign(soon.params, params);
    expect(await soon.get('getVm')).toMatchObject({
      status: 'creating',
      operationStatus: 'Running',
    });
    await soon.refusal(409, 'stopVm');
    soon.sandbox.close();

    const later = await openBench({ dataFile, startsAt: before.now() + 60_000 });
    Object.assign(later.params, params);
    expect(await later.get('getVm')).toMatchObject({ status: 'active', bootStatus: 'Running' });
    const [record] = await later.list<WireOperation>('listOperations');
    // It ended when it was due, not when somebody looked.
    expect(Date.parse(record?.completedAt ?? '')).toBeLessThan(startOfTime + 45_000);
    later.sandbox.close();
  });

  it('keeps what was answered, though nobody closes it', async () => {
    const first = await openBench({ dataFile });
    await furnish(first);
    const second = await openBench({ dataFile, startsAt: first.now() });
    Object.assign(second.params, first.params);
    expect(await second.get('getVm')).toEqual(await first.get('getVm'));
    // Two programs may even share it: every request is one transaction.
    await second.get('stopVm');
    await first.refusal(409, 'stopVm');
    first.sandbox.close();
    second.sandbox.close();
  });

  it('keeps its seed: ids stay unique', async () => {
    const first = await openBench({ dataFile, seed: 1 });
    await addProject(first);
    const vmId = await addVm(first);
    first.sandbox.close();
    const second = await openBench({ dataFile, seed: 2, startsAt: first.now() });
    Object.assign(second.params, first.params);
    expect(await addVm(second, 'other')).not.toBe(vmId);
    second.sandbox.close();
  });

  it('takes the values that it was given for its first token, until that is revoked', async () => {
    const statusWith = async (bench: Bench, value: string) =>
      (await bench.ask('getAccount', { authorization: `Bearer ${value}` })).status;
    const first = await openBench({ dataFile, token: 'given-once' });
    first.sandbox.close();
    const second = await openBench({ dataFile, token: 'given-later' });
    expect(await statusWith(second, 'given-once')).toBe(200);
    expect(await statusWith(second, 'given-later')).toBe(200);
    second.sandbox.close();
    const third = await openBench({ dataFile });
    expect(await statusWith(third, 'given-once')).toBe(200);
    const tokens = await third.get('listTokens');
    expect(tokens).toMatchObject([{ name: 'first', scopes: ['full'] }]);
    await third.get('deleteToken', { params: { tokenId: tokens[0]?.id ?? '' } });
    expect(await statusWith(third, 'given-once')).toBe(401);
    expect(await statusWith(third, third.sandbox.token)).toBe(401);
    third.sandbox.close();
    const fourth = await openBench({ dataFile });
    expect((await fourth.ask('getAccount')).status).toBe(200);
    expect(await statusWith(fourth, 'given-later')).toBe(401);
    expect(await statusWith(fourth, third.sandbox.token)).toBe(401);
    fourth.sandbox.close();
  });

  it.each([
    [
      'no database',
      () => {
        dataFile = join(folder, 'text.db');
        writeFileSync(dataFile, 'not a database, but long enough to be told from one '.repeat(40));
      },
    ],
    [
      'a folder',
      () => {
        dataFile = folder;
      },
    ],
    [
      'below a file',
      () => {
        writeFileSync(join(folder, 'file'), '');
        dataFile = join(folder, 'file', 'x.db');
      },
    ],
  ])('that is %s is refused clearly', async (_what, arrange) => {
    arrange();
    const opening = openSandbox({ dataFile, now: () => startOfTime });
    await expect(opening).rejects.toThrow(SandboxDataFileError);
    await expect(opening).rejects.toThrow(dataFile);
  });
});

describe('over HTTP', () => {
  it('serves on the loopback interface, at a free port', async () => {
    const seen: string[] = [];
    const sandbox = await openSandbox({
      dataFile: ':memory:',
      now: () => startOfTime,
      onRequest: ({ method, path, status }) => seen.push(`${method} ${path} ${status}`),
    });
    const server = await serveSandbox(sandbox);
    expect(server.baseUrl).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/v1$/);
    const headers = {
      authorization: `Bearer ${sandbox.token}`,
      'content-type': 'application/json',
    };
    const created = await fetch(`${server.baseUrl}/projects`, {
      method: 'POST',
      headers,
      body: '{"name":"shop"}',
    });
    expect(created.status).toBe(201);
    const huge = JSON.stringify({ name: 'x'.repeat(3_000_000) });
    const refused = await fetch(`${server.baseUrl}/projects`, {
      method: 'POST',
      headers,
      body: huge,
    });
    expect(refused.status).toBe(413);
    expect((await fetch(`${server.baseUrl}/projects`)).status).toBe(401);
    expect(seen).toEqual([
      'POST /v1/projects 201',
      'POST /v1/projects 413',
      'GET /v1/projects 401',
    ]);
    await server.close();
    sandbox.close();
  });

  it('says so when the port is taken', async () => {
    const sandbox = await openSandbox({ dataFile: ':memory:', now: () => startOfTime });
    const server = await serveSandbox(sandbox);
    const port = Number(new URL(server.baseUrl).port);
    await expect(serveSandbox(sandbox, { port })).rejects.toThrow('EADDRINUSE');
    await server.close();
    sandbox.close();
  });
});

it('a bug is a 500 without a stack to the client, and is told to the program', async () => {
  const errors: unknown[] = [];
  const sandbox = await openSandbox({
    dataFile: ':memory:',
    now: () => startOfTime,
    onError: (error) => errors.push(error),
    planFailure: () => {
      throw new Error('a secret of the inside');
    },
  });
  const headers = { authorization: `Bearer ${sandbox.token}`, 'content-type': 'application/json' };
  const post = (path: string, body: string) =>
    sandbox.fetch(new Request(`http://sandbox/v1${path}`, { method: 'POST', headers, body }));
  const { id } = (await (await post('/projects', '{"name":"shop"}')).json()) as { id: string };
  const response = await post(`/projects/${id}/networks`, '{"name":"n"}');
  expect(response.status).toBe(500);
  expect(await response.text()).not.toContain('secret');
  expect(errors).toHaveLength(1);
  const networks = await sandbox.fetch(
    new Request(`http://sandbox/v1/projects/${id}/networks`, { headers }),
  );
  expect(await networks.json()).toMatchObject({ totalCount: 0 });
});
