// What the interface and the pages of the server say about a run whose log and plan were deleted.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findAnswerFaults } from '../support/server/check-answer.ts';
import { openPagesRig, origin, type PagesRig } from '../support/server/pages-rig.ts';

const commit = 'c'.repeat(40);
const said = /^Its log and its plan were deleted on \d{4}-\d\d-\d\d: they are kept for 90 days\.$/;

let rig: PagesRig;
let id: string;

async function ask(method: string, path: string, sent?: object) {
  const response = await rig.send(method, path, { body: sent });
  const body = (await response.json()) as Record<string, unknown>;
  const { status } = response;
  expect(findAnswerFaults(method, path, { status, body })).toEqual([]);
  return { status, body };
}

beforeAll(async () => {
  rig = await openPagesRig();
  const workspace = await rig.store.workspaces.add({
    ...{ name: 'shop', repository: 'https://git.example.com/acme/shop.git', branch: 'main' },
    ...{ directory: '.', poll: false, variables: {} },
  });
  const workspaceId = workspace?.id ?? '';
  const add = async () =>
    (await rig.store.runs.add({ workspaceId, operation: 'plan', commit, reason: 'a test' }))?.id;
  id = (await add()) ?? '';
  const newer = (await add()) ?? '';
  await rig.store.log.add(id, [{ stream: 'output', text: 'a line of the log' }]);
  const quotas: never[] = [];
  const counts = { create: 1, update: 0, replace: 0, rebuild: 0, destroy: 0, noop: 0 };
  await rig.store.reports.keep(id, {
    page: '<p>a page</p>',
    counts,
    quotas,
    comparison: undefined,
  });
  for (const run of [id, newer]) {
    const file = await rig.store.blobs.add(Buffer.from('a plan'));
    await rig.ask(
      `UPDATE hostwright_server.runs SET status = 'succeeded', has_changes = true, plan_file = $2,
         changes = '[{ "address": "a", "action": "create" }]', ended_at = now() - interval '91 days' WHERE id = $1`,
      [run, file],
    );
  }
  expect((await rig.send('GET', `/api/v1/runs/${id}/report`)).status).toBe(200);
  await rig.store.retention.deleteDetails(90);
});

afterAll(() => rig.close());

describe('a run whose log and plan were deleted', () => {
  it('says so, in the list, too', async () => {
    const { body } = await ask('GET', `/api/v1/runs/${id}`);
    expect(body.deleted).toMatch(said);
    expect(body).toMatchObject({ status: 'succeeded', changes: [{ address: 'a' }] });
    const { runs } = (await ask('GET', '/api/v1/runs')).body as { runs: { deleted?: string }[] };
    expect(runs.map(({ deleted }) => deleted)).toEqual([undefined, body.deleted]);
  });

  it('has one line in its log, which says so, once', async () => {
    const log = await rig.send('GET', `/api/v1/runs/${id}/log`);
    const text = await log.text();
    const lines = [...text.matchAll(/^event: line\nid: 1\ndata: (.*)$/gm)];
    expect(lines).toHaveLength(1);
    expect((JSON.parse(lines[0]?.[1] ?? '') as { text: string }).text).toMatch(said);
    expect(text).toContain('event: end\nid: 1\n');
    const behind = { headers: { 'last-event-id': '1' } };
    const rest = await (await rig.send('GET', `/api/v1/runs/${id}/log`, behind)).text();
    expect(rest).not.toContain('event: line');
    expect(rest).toContain('event: end');
  });

  it.each(['report', 'comparison'])('has no %s, and the answer says why', async (part) => {
    const { status, body } = await ask('GET', `/api/v1/runs/${id}/${part}`);
    expect(status).toBe(404);
    expect(body.detail).toMatch(said);
  });

  it('cannot be applied, and the answer says why', async () => {
    const { status, body } = await ask('POST', '/api/v1/runs', { operation: 'apply', plan: id });
    expect(status).toBe(409);
    expect(JSON.stringify(body)).toMatch(/were deleted on .* Plan again\./);
  });

  it('says so on its page, without a frame for the plan', async () => {
    const entered = await rig.app.fetch(
      new Request(`${origin}/sign-in`, {
        method: 'POST',
        headers: {
          ...{ origin, host: new URL(origin).host, 'sec-fetch-site': 'same-origin' },
          'content-type': 'application/x-www-form-urlencoded',
        },
        body: new URLSearchParams({ token: rig.adminToken }).toString(),
      }),
      { address: '192.0.2.1' },
    );
    const cookie = entered.headers.get('set-cookie')?.split(';')[0] ?? '';
    const look = async (path: string) => {
      const request = new Request(`${origin}${path}`, { headers: { cookie } });
      const response = await rig.app.fetch(request, { address: '192.0.2.1' });
      return { status: response.status, text: await response.text() };
    };
    const page = await look(`/runs/${id}`);
    expect(page.status).toBe(200);
    expect(page.text).toContain('Its log and its plan were deleted on');
    expect(page.text).not.toContain('<iframe');
    expect((await look(`/runs/${id}/report`)).status).toBe(404);
  });
});
