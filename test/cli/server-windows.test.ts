// Windows and freezes of workspaces, by the API, the pages and pull requests.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { findRunRetryTime } from '../../src/server/runs/carry-out-run.ts';
import { writeMergeReport } from '../../src/server/pulls/write-report.ts';
import { callAsContracted } from '../support/server/check-answer.ts';
import { openPagesRig, type PagesRig } from '../support/server/pages-rig.ts';
import { silentRuntime } from '../support/silent-runtime.ts';

let rig: PagesRig;
let nowMs = 0;
const clock = { ...silentRuntime.clock, now: () => nowMs };
const windows = [{ days: ['Sat'], from: '02:00', to: '05:00', zone: 'Europe/Berlin' }];
const goTo = (time: string) => (nowMs = Date.parse(time));

const call = (method: string, path: string, body?: object) =>
  callAsContracted(rig, method, path, body);

const make = async (name: string, more: object) =>
  call('POST', '/workspaces', { name, repository: 'file:///r', ...more });

/** A saved plan whose apply takes so long. */
async function plan(workspace: string, minutes: number, commit = 'a'.repeat(40)) {
  const workspaceId = (await rig.store.workspaces.find(workspace))?.id ?? '';
  const run = { workspaceId, operation: 'plan', commit, reason: 'a test' } as const;
  const { id = '' } = (await rig.store.runs.add(run)) ?? {};
  const planFile = await rig.store.blobs.add(Buffer.from('a plan'));
  const changes = [{ address: 'projects.a', action: 'create' }];
  const report = { page: '', counts: { create: 1 }, quotas: [], comparison: undefined };
  await rig.store.reports.keep(id, { ...report, expectedMs: minutes * 60_000 });
  await rig.ask(
    `UPDATE hostwright_server.runs SET status = 'succeeded', has_changes = true, plan_file = $2, changes = $3,
       ended_at = now() WHERE id = $1`,
    [id, planFile, JSON.stringify(changes)],
  );
  return id;
}

const apply = (planRun: string) => call('POST', '/runs', { operation: 'apply', plan: planRun });

beforeAll(async () => {
  rig = await openPagesRig({ runtime: { clock } });
});
afterAll(() => rig.close());

it('an apply that is asked for outside of the window is queued, says when it starts, and starts then', async () => {
  goTo('2026-12-01T12:00:00Z');
  await make('shop', { windows });
  const planned = await plan('shop', 38);
  const shown =
    'No window of the workspace is open. It starts on Sat 2026-12-05 02:00 (Europe/Berlin).';
  expect((await call('GET', `/runs/${planned}`)).body).toMatchObject({
    ...{ expectedSeconds: 2_280, fits: shown },
  });
  const { status, body } = await apply(planned);
  expect([status, body]).toMatchObject([
    201,
    { status: 'queued', held: shown, startsAt: '2026-12-05T01:00:00.000Z' },
  ]);
  const id = String(body.id);
  expect(await findRunRetryTime(rig.store, id, nowMs)).toEqual({ afterMs: 60_000 });
  expect((await apply(planned)).body).toMatchObject({ status: 409, run: id });
  goTo('2026-12-05T01:00:00Z');
  const { body: open } = await call('GET', `/runs/${id}`);
  expect(open).not.toHaveProperty('held');
  expect(open).not.toHaveProperty('startsAt');
  expect(await findRunRetryTime(rig.store, id, nowMs)).toBeUndefined();
});

it('an apply that is longer than every window is refused, with what to do', async () => {
  await make('long', { windows });
  const refused = await apply(await plan('long', 181));
  expect(refused).toMatchObject({
    status: 409,
    body: {
      detail: expect.stringMatching(/It fits into no window. Give .* a longer window/) as string,
    },
  });
  expect((await apply(await plan('long', 180))).status).toBe(201);
});

it('a freeze holds an apply with its reason, and an administrator who removes it lets it through', async () => {
  goTo('2026-12-24T12:00:00Z');
  const freezes = [
    { reason: 'Everybody is away.', from: '2026-12-20T00:00:00Z', to: '2027-01-07T00:00:00Z' },
  ];
  await make('frozen', { freezes });
  const planned = await plan('frozen', 5);
  const { body } = await apply(planned);
  expect(body).toMatchObject({
    held: 'The workspace is frozen until Thu 2027-01-07 00:00 (UTC): Everybody is away. It starts on Thu 2027-01-07 00:00 (UTC).',
    startsAt: '2027-01-07T00:00:00.000Z',
  });
  const id = String(body.id);
  expect(await findRunRetryTime(rig.store, id, nowMs)).toEqual({ afterMs: 60_000 });
  // A destroy has no plan, so that nobody knows how long it takes.
  const destroy = { operation: 'destroy', workspace: 'frozen', commit: 'b'.repeat(40) };
  expect((await call('POST', '/runs', destroy)).body).toHaveProperty('held');
  const drift = { operation: 'drift', workspace: 'frozen', commit: 'b'.repeat(40) };
  const check = (await call('POST', '/runs', drift)).body;
  expect(check).not.toHaveProperty('held');
  expect((await call('PATCH', '/workspaces/frozen', { freezes: [] })).status).toBe(200);
  expect((await call('GET', `/runs/${id}`)).body).not.toHaveProperty('held');
  expect(await findRunRetryTime(rig.store, id, nowMs)).toBeUndefined();
  const [entry] = await rig.ask(
    `SELECT detail FROM hostwright_server.audit WHERE act = 'workspace.edit' ORDER BY seq DESC LIMIT 1`,
  );
  expect(entry).toEqual({ detail: expect.stringContaining('"freezes"') as string });
});

it.each([
  [{ windows: [{ days: 'Sat' }] }, 'windows[0].from is missing. Give a time of day'],
  [{ windows: [{ ...windows[0], days: 'Saturday' }] }, 'windows[0].days must be one of Mon, Tue'],
  [{ windows: [{ ...windows[0], to: '24:00' }] }, 'windows[0].to must be a time of day from 00:00'],
  [{ windows: [{ ...windows[0], zone: 'Berlin' }] }, 'windows[0].zone must be a time zone'],
  [
    { freezes: [{ reason: 'r', from: '2026-12-20', to: '2027-01-01T00:00:00Z' }] },
    'freezes[0].from must be a moment with its offset',
  ],
  [
    { freezes: [{ reason: 'r', from: '2027-01-01T00:00:00Z', to: '2027-01-01T00:00:00Z' }] },
    'freezes[0].to must be later than its from.',
  ],
])('%j is refused with words', async (given, words) => {
  for (const answer of [
    await make('refused', given),
    await call('PATCH', '/workspaces/shop', given),
  ])
    expect(answer).toMatchObject({
      status: 422,
      body: { detail: expect.stringContaining(words) as string },
    });
});

it('windows are kept as they are given, and edited in place of those before', async () => {
  const shown = async () => (await call('GET', '/workspaces/shop')).body;
  expect((await call('PATCH', '/workspaces/shop', { poll: true })).status).toBe(200);
  expect(await shown()).toMatchObject({ windows, freezes: [], poll: true });
  const daily = [{ days: 'daily', from: '22:00', to: '01:00', zone: 'UTC' }];
  expect((await call('PATCH', '/workspaces/shop', { windows: daily })).body).toMatchObject({
    windows: daily,
  });
  await call('PATCH', '/workspaces/shop', { windows });
});

it('the merge of a pull request says what its apply waits for', () => {
  const run = { operation: 'apply', number: 7, status: 'queued', hasChanges: undefined } as const;
  const unsaid = { plan: undefined, approval: undefined, replaced: undefined, heldBack: undefined };
  const held = 'It starts on Sat *now*.';
  const report = writeMergeReport(run, {
    ...unsaid,
    workspace: 'shop',
    log: [],
    link: undefined,
    held,
    fit: {},
  });
  expect(report.status).toEqual({ state: 'pending', description: 'Apply #7: apply waits' });
  expect(report.comment).toContain(String.raw`Apply #7 waits. It starts on Sat \*now\*.`);
});
