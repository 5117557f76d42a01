import { afterEach, describe, expect, it } from 'vitest';

import { serveSandboxAdmin } from '../../src/sandbox/server/admin.ts';
import { addProject, openBench, type Bench } from './bench.ts';

let closing: (() => Promise<void>)[] = [];

afterEach(async () => {
  for (const close of closing) await close();
  closing = [];
});

async function openAdmin(): Promise<{
  bench: Bench;
  adminUrl: string;
  call: (method: string, path: string, body?: string) => Promise<{ status: number; json: unknown }>;
}> {
  const bench = await openBench();
  const admin = await serveSandboxAdmin(bench.sandbox.faults, 0);
  const { adminUrl } = admin;
  closing.push(() => admin.close());
  return {
    bench,
    adminUrl,
    call: async (method, path, body) => {
      const init = { method, ...(body !== undefined && { body }) };
      const response = await fetch(`${adminUrl}${path}`, init);
      const text = await response.text();
      return { status: response.status, json: text === '' ? undefined : JSON.parse(text) };
    },
  };
}

describe('the admin port', () => {
  it('listens on the loopback interface alone', async () =>
    expect((await openAdmin()).adminUrl).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/));

  it('takes a script, tells what it has done, and takes it away', async () => {
    const { bench, call } = await openAdmin();
    const script = `rules:\n  - name: busy\n    when: { nth: 2 }\n    then: { answer: { status: 503 } }\n`;
    expect((await call('PUT', '/faults', script)).status).toBe(200);
    const statuses = [];
    for (let count = 0; count < 3; count += 1) {
      statuses.push((await bench.ask('getLimits')).status);
    }
    expect(statuses).toEqual([200, 503, 200]);
    expect((await call('GET', '/faults')).json).toMatchObject({
      rules: [{ name: 'busy', seen: 3, struck: 1 }],
      edits: [],
    });
    expect((await call('GET', '/events')).json).toMatchObject([
      { kind: 'struck', rules: ['busy'], method: 'GET', path: '/limits' },
    ]);
    expect((await call('DELETE', '/faults')).status).toBe(204);
    expect((await call('GET', '/faults')).json).toEqual({ rules: [], edits: [] });
  });

  it('says what is wrong with a script, and keeps the one that it has', async () => {
    const { call } = await openAdmin();
    await call('PUT', '/faults', '{"rules":[{"name":"kept","then":"drop"}]}');
    expect(await call('PUT', '/faults', 'rules: [{ then: { slow: no } }]')).toMatchObject({
      status: 422,
      json: {
        errors: [
          { message: 'rules[0].then.slow must be a number of 1 or more', line: 1, column: 25 },
        ],
      },
    });
    expect((await call('PUT', '/faults', 'rules: [')).status).toBe(422);
    expect((await call('GET', '/faults')).json).toMatchObject({ rules: [{ name: 'kept' }] });
  });

  it('does an edit at once', async () => {
    const { bench, call } = await openAdmin();
    await addProject(bench);
    const edit = { do: 'renameProject', on: { project: 'shop' }, body: { name: 'store' } };
    expect((await call('POST', '/edits', JSON.stringify(edit))).json).toMatchObject([
      { edit: 'edit 1', status: 200 },
    ]);
    expect(await bench.get('getProject')).toMatchObject({ name: 'store' });
    expect((await call('POST', '/edits', JSON.stringify(edit))).json).toMatchObject([
      { status: 404, detail: 'There is no project shop here.' },
    ]);
    expect((await call('POST', '/edits', '{}')).status).toBe(422);
    expect((await call('POST', '/edits', '{')).status).toBe(422);
  });

  it('takes nothing from browsers, nor by another name', async () => {
    const { adminUrl, call } = await openAdmin();
    const foreign = { headers: { origin: 'https://example.com' } };
    expect((await fetch(`${adminUrl}/faults`, foreign)).status).toBe(403);
    expect((await call('GET', '/nothing')).status).toBe(404);
  });
});
