// What Prometheus scrapes: from a real database, read back by the rules of its text format.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { loadPrometheusClient } from '../../src/server/api/open-api.ts';
import { deriveAccountKey } from '../../src/server/accounts/accounts.ts';
import type { RunOperation, RunStatus } from '../../src/server/store/run.ts';
import { findAnswerFaults } from '../support/server/check-answer.ts';
import { openPagesRig, origin, type PagesRig } from '../support/server/pages-rig.ts';

const commit = 'c'.repeat(40);
let rig: PagesRig;
let workspaceId = '';

async function scrape(token = rig.adminToken) {
  const headers = { authorization: `Bearer ${token}` };
  const response = await rig.app.fetch(new Request(`${origin}/metrics`, { headers }), {});
  return { status: response.status, text: await response.text(), headers: response.headers };
}

/** The samples of an answer, by their names with labels. */
function read(text: string): Readonly<Record<string, number>> {
  const lines = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
  return Object.fromEntries(
    lines.map((line) => {
      const [, name = '', value = ''] = /^(\w+(?:\{.*\})?) (\S+)$/.exec(line) ?? [];
      return [name, Number(value)];
    }),
  );
}

/** A run that waited and took so many seconds. */
async function addRun(
  operation: RunOperation,
  status: RunStatus,
  waitedS: number,
  tookS: number,
): Promise<void> {
  const reason = 'a test';
  const { id } = (await rig.store.runs.add({ workspaceId, operation, commit, reason })) ?? {};
  await rig.ask(
    `UPDATE hostwright_server.runs SET status = $2, created_at = now() - ($3::float8 + $4::float8) * interval '1 second',
       started_at = now() - $4::float8 * interval '1 second', ended_at = now() WHERE id = $1`,
    [id, status, waitedS, tookS],
  );
}

beforeAll(async () => {
  rig = await openPagesRig();
  const added = await rig.store.workspaces.add({
    ...{ name: 'shop', repository: 'https://git.example.com/acme/a.git', branch: 'main' },
    ...{ directory: '.', poll: false, variables: {} },
  });
  workspaceId = added?.id ?? '';
});

afterAll(() => rig.close());

describe('/metrics', () => {
  it('is whole where nothing has run', async () => {
    const { status, text, headers } = await scrape();
    expect(rig.warnings).toEqual([]);
    expect([status, headers.get('content-type')]).toEqual([
      200,
      'text/plain; version=0.0.4; charset=utf-8',
    ]);
    const found = read(text);
    expect(found['hostwright_workspaces{status="neverPlanned"}']).toBe(1);
    expect(found.hostwright_oldest_queued_seconds).toBe(0);
    expect(found['hostwright_server_info{version="0"}']).toBe(1);
    expect(Object.values(found).every(Number.isFinite)).toBe(true);
  });

  it('has the same series before anything is counted', async () => {
    const { text } = await scrape();
    const found = read(text);
    for (const name of [
      ...['workspaces{status="inSync"}', 'runs{operation="drift",status="queued"}'],
      'runs_ended_total{operation="destroy",status="failed"}',
    ])
      expect(found[`hostwright_${name}`], name).toBe(0);
    // Without an account there is nothing of one.
    expect(text).not.toMatch(/^hostwright_account_\w+ /m);
  });

  it('counts runs as they end, with what they waited and took', async () => {
    await addRun('plan', 'succeeded', 0.5, 3);
    await addRun('plan', 'succeeded', 30, 7_000);
    await addRun('plan', 'superseded', 4, 0);
    await addRun('apply', 'failed', 0, 90);
    const found = read((await scrape()).text);
    const of = (name: string, le: string) =>
      found[
        `hostwright_run_${name}_seconds_bucket{operation="plan",status="succeeded",le="${le}"}`
      ];
    expect(found['hostwright_runs_ended_total{operation="plan",status="succeeded"}']).toBe(2);
    expect(found['hostwright_runs_ended_total{operation="apply",status="failed"}']).toBe(1);
    expect([of('duration', '2'), of('duration', '5'), of('duration', '3600')]).toEqual([0, 1, 1]);
    expect([of('wait', '1'), of('wait', '20'), of('wait', '60')]).toEqual([1, 1, 2]);
    expect(of('duration', '+Inf')).toBe(2);
    const sum = found['hostwright_run_duration_seconds_sum{operation="plan",status="succeeded"}'];
    expect(sum).toBeCloseTo(7_003, 1);
    const total =
      found['hostwright_run_duration_seconds_count{operation="plan",status="superseded"}'];
    expect(total).toBe(1);
  });

  it('counts a run once, whatever is written to it afterwards', async () => {
    await rig.ask(`UPDATE hostwright_server.runs SET status = status, ended_at = now()`);
    const found = read((await scrape()).text);
    expect(found['hostwright_runs_ended_total{operation="plan",status="succeeded"}']).toBe(2);
  });

  it('says what waits, and for how long', async () => {
    const reason = 'a test';
    const run = await rig.store.runs.add({ workspaceId, operation: 'drift', commit, reason });
    await rig.ask(
      `UPDATE hostwright_server.runs SET created_at = now() - interval '1 hour' WHERE id = $1`,
      [run?.id],
    );
    const found = read((await scrape()).text);
    expect(found['hostwright_runs{operation="drift",status="queued"}']).toBe(1);
    expect(found['hostwright_workspaces{status="running"}']).toBe(1);
    expect(found.hostwright_oldest_queued_seconds).toBeGreaterThanOrEqual(3_600);
  });

  it('has the requests of each account, and for how long it is held', async () => {
    await rig.store.accounts.open(workspaceId, {
      service: 'https://api.test/v1',
      ...deriveAccountKey(undefined, 'a'),
    });
    await rig.ask(
      `UPDATE hostwright_server.accounts SET requests = 7, refusals = 2, held_until = now() + interval '1 minute'`,
    );
    const { text } = await scrape();
    const found = read(text);
    const of = (name: string) =>
      Object.entries(found).find(([key]) => key.startsWith(`hostwright_account_${name}{`))?.[1];
    expect([of('requests_total'), of('refusals_total')]).toEqual([7, 2]);
    expect(of('held_seconds')).toBeGreaterThan(30);
    expect(text).toMatch(
      /requests_total\{service="https:\/\/api.test\/v1",account="[0-9a-f]{8}"\}/,
    );
  });

  it('is for whoever may view all workspaces', async () => {
    const made = await rig.store.members.addToken('prometheus', 1);
    await rig.store.members.grant(made?.member.id ?? '', [{ role: 'view', workspace: 'shop' }]);
    const refused = await scrape(made?.token);
    expect(refused.status).toBe(403);
    expect(JSON.parse(refused.text)).toMatchObject({
      title: 'This needs the role view for all workspaces',
      detail:
        'This is about the whole server: the role view for single workspaces is not enough. Ask an administrator for the role view for all workspaces.',
    });
    await rig.store.members.grant(made?.member.id ?? '', [{ role: 'view' }]);
    const answer = await scrape(made?.token);
    expect(answer.status).toBe(200);
    expect(
      findAnswerFaults('GET', '/metrics', { status: answer.status, body: answer.text }),
    ).toEqual([]);
    expect((await scrape('hws_wrong')).status).toBe(401);
  });

  it('names the package where it is not installed', async () => {
    const missing = Object.assign(new Error('Cannot find'), { code: 'ERR_MODULE_NOT_FOUND' });
    await expect(loadPrometheusClient(() => Promise.reject(missing))).rejects.toMatchObject({
      diagnostics: [
        {
          hint: 'Install it beside Hostwright, with --global if Hostwright has it: npm install prom-client@15',
        },
      ],
    });
  });
});
