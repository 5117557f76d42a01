// What the server deletes once it is old, in a real PostgreSQL, and what it keeps. Time passes by moving rows into the past.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openServerKeyring } from '../../../src/server/secrets/keyring.ts';
import { adoptServerKey } from '../../../src/server/access/confirm-key.ts';
import { deleteOldServerData } from '../../../src/server/retention/prune.ts';
import { encryptedTextReferences } from '../../../src/server/store/retention.ts';
import type { RunOperation, RunAttemptOutcome } from '../../../src/server/store/run.ts';
import { openServerDatabase, type ServerDatabase } from '../../../src/server/database/database.ts';
import { assembleServerStore, type ServerStore } from '../../../src/server/store/store.ts';
import type { TestDatabase } from '../../support/backends/make-database.ts';
import { makeServerDatabase } from '../../support/server/server-database.ts';

const schema = 'hostwright_server';
const commit = 'a'.repeat(40);
const keyring = openServerKeyring(['a key of 32 letters or more ...']);
const counts = { create: 1, update: 0, replace: 0, rebuild: 0, destroy: 0, noop: 0 };

let postgres: TestDatabase;
let database: ServerDatabase;
let store: ServerStore;
let names = 0;

beforeAll(async () => {
  postgres = await makeServerDatabase();
  database = await openServerDatabase(postgres.url);
  store = assembleServerStore(database, keyring);
  await adoptServerKey(store);
});

afterAll(async () => {
  await database.close();
  await postgres.close();
});

const engine = { forget: () => Promise.resolve(0) };
const deleteOld = () =>
  deleteOldServerData({ driftHours: 24, logDays: 90, store, engine, now: () => Date.now() });

/** Makes everything so many hours older. */
async function pass(hours: number): Promise<void> {
  const by = `- ${hours} * interval '1 hour'`;
  await database.ask(`UPDATE ${schema}.runs SET created_at = created_at ${by},
    started_at = started_at ${by}, ended_at = ended_at ${by}`);
  await database.ask(`UPDATE ${schema}.blobs SET added_at = added_at ${by}`);
  await database.ask(
    `UPDATE ${schema}.settings SET value = jsonb_set(value::jsonb, '{at}', to_jsonb(((value::jsonb ->> 'at')::timestamptz ${by})::text))::text
     WHERE name = 'texts-swept'`,
  );
}

async function addWorkspace(): Promise<string> {
  names += 1;
  const made = await store.workspaces.add({
    ...{ name: `w${names}`, repository: 'file:///r', branch: 'main', directory: '.' },
    ...{ poll: false, variables: { A: 'b' }, driftEveryMinutes: 60 },
  });
  return made?.id ?? '';
}

/** A run with a log that has ended; a plan has a page and a file, too. */
async function run(
  workspaceId: string,
  operation: RunOperation,
  outcome: RunAttemptOutcome = { status: 'succeeded' },
  more: { readonly planRun?: string; readonly pull?: { number: number; head: string } } = {},
): Promise<string> {
  const { id = '' } =
    (await store.runs.add({ workspaceId, operation, commit, reason: 'a test', ...more })) ?? {};
  await database.ask(
    `UPDATE ${schema}.runs SET status = 'running', started_at = now(), attempt = 1 WHERE id = $1`,
    [id],
  );
  await store.log.add(id, [{ stream: 'output', text: `log of ${id}` }]);
  const begun = (await store.runs.find(id))!;
  const last = await store.runs.findLastPlan(workspaceId, begun.number);
  if (operation === 'apply') {
    const step = { address: 'vms.a', step: 'create', at: 1 } as const;
    const progress = { total: 1, done: 0, failed: 0, running: 1 };
    await store.steps.add(begun, [{ kind: 'started', ...step }], progress);
    await store.steps.add(begun, [{ kind: 'completed', ...step }], { ...progress, done: 1 });
  }
  const isPlan = operation === 'plan' && outcome.status === 'succeeded';
  if (isPlan) {
    const comparison = last && { with: last.id, differences: ['a difference'], isEqual: false };
    await store.reports.keep(id, { page: '<p>a plan</p>', counts, quotas: [], comparison });
    await store.pulls.keepBody(id, 'a comment');
  }
  const planFile = isPlan ? await store.blobs.add(Buffer.from('a plan')) : undefined;
  await store.transact(async () => {
    const ended = { ...outcome, ...(planFile !== undefined && { planFile }) };
    await store.runs.end(begun, ended);
    await store.drift.settle(begun, ended);
  });
  return id;
}

const quiet: RunAttemptOutcome = { status: 'succeeded', hasChanges: false };
const drifted = (fingerprint: string): RunAttemptOutcome => ({
  ...{ status: 'succeeded', hasChanges: true, driftFingerprint: fingerprint },
  changes: [{ address: 'vms.a', action: 'delete' }],
});

const listRuns = async (workspace: string) =>
  (
    await database.ask<{ id: string }>(
      `SELECT id FROM ${schema}.runs WHERE workspace = $1 ORDER BY number`,
      [workspace],
    )
  ).map(({ id }) => id);

const readStatus = async (workspace: string) =>
  (
    await database.ask(
      `SELECT status, last_run, settled_run FROM ${schema}.workspaces WHERE id = $1`,
      [workspace],
    )
  )[0];

const hasLog = async (id: string) => (await store.log.read(id, 0)).length > 0;

/** Texts that nothing refers to, by the references that PostgreSQL itself knows. */
async function countLost(): Promise<number> {
  const references = await listReferences();
  const used = references.map(
    ([table, column]) => `SELECT ${column}::text FROM ${schema}.${table}`,
  );
  const [row] = await database.ask<{ count: string }>(
    `SELECT count(*) AS count FROM ${schema}.blobs WHERE id::text NOT IN (SELECT v FROM (
       ${used.join(' UNION ALL ')} UNION ALL SELECT value FROM ${schema}.settings) used (v) WHERE v IS NOT NULL)`,
  );
  return Number(row?.count);
}

async function listReferences(target = 'blobs'): Promise<readonly (readonly [string, string])[]> {
  const rows = await database.ask<{ table: string; column: string }>(
    `SELECT t.relname AS table, a.attname AS column FROM pg_constraint c
     JOIN pg_class t ON t.oid = c.conrelid JOIN pg_class f ON f.oid = c.confrelid
     JOIN pg_namespace n ON n.oid = t.relnamespace
     JOIN pg_attribute a ON a.attrelid = t.oid AND a.attnum = c.conkey[1]
     WHERE c.contype = 'f' AND n.nspname = '${schema}' AND f.relname = $1 ORDER BY 1, 2`,
    [target],
  );
  return rows.map(({ table, column }) => [table, column] as const);
}

describe('references to what is deleted', () => {
  it('are those that are looked at', async () =>
    expect(encryptedTextReferences.toSorted()).toEqual(await listReferences()));

  it('have an index each, since PostgreSQL looks there for each row that is deleted', async () => {
    const references = [...(await listReferences()), ...(await listReferences('runs'))];
    expect(references.length).toBeGreaterThan(15);
    for (const [table, column] of references) {
      const found = await database.ask(
        `SELECT 1 FROM pg_index i JOIN pg_attribute a ON a.attrelid = i.indrelid AND a.attnum = i.indkey[0]
         WHERE i.indrelid = $1::regclass AND a.attname = $2
           AND (i.indpred IS NULL OR pg_get_expr(i.indpred, i.indrelid) = '(' || $2 || ' IS NOT NULL)')`,
        [`${schema}.${table}`, column],
      );
      expect([table, column, found.length > 0]).toEqual([table, column, true]);
    }
  });
});

describe('drift checks', () => {
  it('are deleted after a day, with their logs, but for those that say something', async () => {
    const workspace = await addWorkspace();
    const applied = await run(workspace, 'apply');
    const gone: string[] = [];
    const kept: string[] = [applied];
    gone.push(await run(workspace, 'drift', quiet));
    kept.push(await run(workspace, 'drift', drifted('a')));
    const began = kept.at(-1)!;
    gone.push(await run(workspace, 'drift', drifted('a')));
    gone.push(await run(workspace, 'drift', { status: 'failed' }));
    const ended = await run(workspace, 'drift', quiet);
    kept.push(ended);
    gone.push(await run(workspace, 'drift', quiet));
    // Its status follows from this one, and a check that was cancelled does not change that.
    kept.push(await run(workspace, 'drift', { status: 'failed' }));
    kept.push(await run(workspace, 'drift', { status: 'cancelled' }));
    const before = await readStatus(workspace);
    await deleteOld();
    expect(await listRuns(workspace)).toHaveLength(gone.length + kept.length);
    await pass(23);
    await deleteOld();
    expect(await listRuns(workspace)).toHaveLength(gone.length + kept.length);
    await pass(2);
    await deleteOld();
    expect(await listRuns(workspace)).toEqual(kept);
    expect(await readStatus(workspace)).toEqual(before);
    expect(before).toMatchObject({ status: 'failed' });
    expect([await hasLog(began), await hasLog(ended)]).toEqual([true, true]);
    expect(await countLost()).toBe(0);
    // What the trigger makes of the rest is the same.
    await database.ask(`UPDATE ${schema}.runs SET status = status WHERE id = $1`, [kept.at(-1)]);
    expect(await readStatus(workspace)).toEqual(before);
  });

  it('under way stay, however old', async () => {
    const workspace = await addWorkspace();
    await run(workspace, 'apply');
    const open = await store.runs.add({
      workspaceId: workspace,
      operation: 'drift',
      commit,
      reason: '',
    });
    await run(workspace, 'drift', quiet);
    await run(workspace, 'plan', quiet);
    await pass(1_000);
    await deleteOld();
    expect(await listRuns(workspace)).toContain(open?.id);
  });

  it('are deleted however many they are, and what is kept holds nothing up', async () => {
    const workspace = await addWorkspace();
    await run(workspace, 'apply');
    await database.ask(
      `INSERT INTO ${schema}.runs (id, workspace, operation, commit, reason, status, ended_at)
       SELECT gen_random_uuid(), $1, 'drift', $2, 'many', 'succeeded', now() - interval '2 days' FROM generate_series(1, 4500)`,
      [workspace, commit],
    );
    // Each of the first two batches is kept as a whole.
    await database.ask(
      `INSERT INTO ${schema}.drift_episodes (workspace, ended_at, fingerprint, changes, run)
       SELECT workspace, now(), 'f', '[]', id FROM ${schema}.runs WHERE reason = 'many' ORDER BY number LIMIT 2000`,
    );
    await deleteOld();
    // The episodes, the apply, and the newest.
    expect(await listRuns(workspace)).toHaveLength(2_002);
  });

  it('are looked at past any number that is kept, by one deletion after the other', async () => {
    const workspace = await addWorkspace();
    await run(workspace, 'apply');
    await database.ask(
      `INSERT INTO ${schema}.runs (id, workspace, operation, commit, reason, status, ended_at)
       SELECT gen_random_uuid(), $1, 'drift', $2, 'more', 'succeeded', now() - interval '2 days' FROM generate_series(1, 3500)`,
      [workspace, commit],
    );
    await database.ask(
      `INSERT INTO ${schema}.drift_episodes (workspace, ended_at, fingerprint, changes, run)
       SELECT workspace, now(), 'f', '[]', id FROM ${schema}.runs WHERE reason = 'more' ORDER BY number LIMIT 3000`,
    );
    let rounds = 1;
    while (rounds < 50 && (await store.retention.deleteDriftChecks(24))) rounds += 1;
    expect(rounds).toBeLessThan(50);
    expect(await listRuns(workspace)).toHaveLength(3_002);
  });
});

/** What a run of a history is, and how many hours ago it ended. */
interface Past {
  readonly id: string;
  readonly operation: RunOperation;
  readonly outcome: RunAttemptOutcome;
  readonly isPulled: boolean;
  readonly hours: number;
}

/** The runs that stay and those that keep their details, by the words of the documentation. */
function expectKept(history: readonly Past[]) {
  const referred = new Set<string>();
  let open: { fingerprint: string; run: string } | undefined;
  for (const { id, operation, outcome, isPulled } of history) {
    if (outcome.status !== 'succeeded' || operation === 'plan' || isPulled) continue;
    const { driftFingerprint: fingerprint } = outcome;
    if (fingerprint === undefined && open) referred.add(open.run).add(id);
    if (fingerprint === undefined) open = undefined;
    else if (open?.fingerprint !== fingerprint) open = { fingerprint, run: id };
  }
  if (open) referred.add(open.run);
  const branch = history.filter(({ isPulled }) => !isPulled);
  const isResult = ({ outcome }: Past) => outcome.status !== 'cancelled';
  const lastCheck = branch.findLastIndex((one) => one.operation === 'drift' && isResult(one));
  const settled = branch.findLast(
    (one) => one.operation !== 'drift' && (isResult(one) || one.operation !== 'plan'),
  );
  const lastPlan = branch.findLast(
    ({ operation, outcome }) => operation === 'plan' && outcome.status === 'succeeded',
  );
  const always = new Set([branch.at(-1)?.id, settled?.id]);
  const isKept = ({ id, operation, hours }: Past) =>
    operation !== 'drift' ||
    hours < 24 ||
    always.has(id) ||
    referred.has(id) ||
    branch.findIndex((one) => one.id === id) >= lastCheck;
  const kept = history.filter(isKept);
  const detailed = kept.filter(
    ({ id, hours }) => hours < 90 * 24 || always.has(id) || id === lastPlan?.id,
  );
  return { kept: kept.map(({ id }) => id), detailed: detailed.map(({ id }) => id) };
}

/** The same numbers for the same seed. */
function makeRandom(seed: number) {
  let state = seed;
  return (below: number) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

describe('any history', () => {
  const outcomes: readonly RunAttemptOutcome[] = [
    ...[quiet, quiet, drifted('a'), drifted('a'), drifted('b')],
    ...([{ status: 'failed' }, { status: 'cancelled' }] as const),
  ];
  const operations: readonly RunOperation[] = ['drift', 'drift', 'drift', 'drift', 'plan', 'apply'];

  it.each([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12])(
    'keeps what it should, and nothing else (%i)',
    async (seed) => {
      const random = makeRandom(seed * 7_919);
      const workspace = await addWorkspace();
      const history: Past[] = [];
      // Most of it is a few days old, and some as old as logs become. Of half of them, all is older than that.
      const least = seed % 2 === 0 ? 91 * 24 : 0;
      const ages = Array.from(
        { length: 40 },
        () => least + (random(3) === 0 ? random(200 * 24) : random(72)),
      );
      for (const hours of ages.toSorted((left, right) => right - left)) {
        const operation = operations[random(operations.length)] ?? 'drift';
        const chosen = outcomes[random(outcomes.length)] ?? quiet;
        const outcome = operation === 'drift' ? chosen : { status: chosen.status };
        const isPulled = operation === 'plan' && random(4) === 0;
        const pull = { number: seed, head: commit };
        const id = await run(workspace, operation, outcome, isPulled ? { pull } : {});
        history.push({ id, operation, outcome, isPulled, hours });
      }
      for (const { id, hours } of history)
        await database.ask(
          `UPDATE ${schema}.runs SET ended_at = ended_at - $2 * interval '1 hour' - interval '1 minute' WHERE id = $1`,
          [id, hours],
        );
      await database.ask(`UPDATE ${schema}.pull_reports SET delivered = revision`);
      const before = await readStatus(workspace);
      const { kept, detailed } = expectKept(history);
      await deleteOld();
      expect(await listRuns(workspace)).toEqual(kept);
      for (const id of kept) {
        const isDetailed = detailed.includes(id);
        expect([id, await hasLog(id)]).toEqual([id, isDetailed]);
        expect((await store.runs.find(id))?.deleted === undefined).toBe(isDetailed);
      }
      expect(await readStatus(workspace)).toEqual(before);
      expect(await countLost()).toBe(0);
      expect(kept.length).toBeLessThan(history.length);
      expect(detailed.length).toBeLessThan(kept.length);
    },
  );
});

describe('a run of long ago', () => {
  it('keeps its row and its counts, and says when its details were deleted', async () => {
    const workspace = await addWorkspace();
    const first = await run(workspace, 'plan', { status: 'succeeded', hasChanges: true });
    const second = await run(workspace, 'plan', { status: 'succeeded', hasChanges: true });
    const applied = await run(workspace, 'apply', { status: 'succeeded' }, { planRun: first });
    const pulled = await run(workspace, 'plan', quiet, { pull: { number: 7, head: commit } });
    await database.ask(`UPDATE ${schema}.pull_reports SET delivered = revision`);
    const failed = await run(workspace, 'plan', { status: 'failed' });
    const third = await run(workspace, 'plan', { status: 'succeeded', hasChanges: true });
    const all = [first, second, applied, pulled, failed, third];
    await pass(89 * 24);
    await deleteOld();
    for (const id of all) expect(await hasLog(id)).toBe(true);
    const step = { address: 'vms.a', action: 'create', attempt: 1, startedAt: 1, endedAt: 1 };
    expect(await store.steps.read(applied)).toEqual([{ ...step, result: 'applied' }]);
    const before = await readStatus(workspace);
    await pass(2 * 24);
    await deleteOld();
    expect(await listRuns(workspace)).toEqual(all);
    expect(await readStatus(workspace)).toEqual(before);
    for (const id of all.slice(0, -1)) {
      expect(await store.runs.find(id)).toMatchObject({
        planFile: undefined,
        deleted: { at: expect.any(Date) as Date, keptDays: 90 },
      });
      expect(await hasLog(id)).toBe(false);
      expect(await store.steps.read(id)).toEqual([]);
      expect(await store.reports.readPage(id)).toBeUndefined();
      expect(await store.reports.readComparison(id)).toBeUndefined();
      expect(await store.pulls.readBody(id)).toBeUndefined();
    }
    expect(await store.reports.readFigures(second)).toMatchObject({ counts });
    // The last plan can still be applied, and the next one is compared with it.
    const last = await store.runs.find(third);
    expect(last?.deleted).toBeUndefined();
    expect((await store.blobs.read(last?.planFile ?? '')).toString()).toBe('a plan');
    expect(await store.reports.readPage(third)).toBe('<p>a plan</p>');
    expect(await hasLog(third)).toBe(true);
    expect(await countLost()).toBe(0);
  });

  it('keeps its plan while that is applied, and its comment while that is to be written', async () => {
    const workspace = await addWorkspace();
    const plan = await run(workspace, 'plan', { status: 'succeeded', hasChanges: true });
    const pulled = await run(workspace, 'plan', quiet, { pull: { number: 8, head: commit } });
    await run(workspace, 'plan', quiet);
    const apply = {
      workspaceId: workspace,
      operation: 'apply',
      commit,
      reason: '',
      planRun: plan,
    } as const;
    const queued = await store.runs.add(apply);
    await pass(100 * 24);
    await deleteOld();
    expect((await store.runs.find(plan))?.planFile).toBeDefined();
    expect(await store.pulls.readBody(pulled)).toBe('a comment');
    await store.runs.cancel(queued?.id ?? '');
    await database.ask(`UPDATE ${schema}.pull_reports SET delivered = revision`);
    await deleteOld();
    expect((await store.runs.find(plan))?.planFile).toBeUndefined();
    expect(await store.pulls.readBody(pulled)).toBeUndefined();
  });
});

describe('an encrypted text', () => {
  it('goes when another takes its place', async () => {
    const workspace = await addWorkspace();
    const id = await run(workspace, 'plan', { status: 'succeeded', hasChanges: true });
    await store.reports.keep(id, { page: 'another', counts, quotas: [], comparison: undefined });
    expect(await store.reports.readPage(id)).toBe('another');
    expect(await countLost()).toBe(0);
  });

  it('without an owner goes after a day, and no other one does', async () => {
    await store.blobs.add(Buffer.from('lost'));
    await deleteOld();
    expect(await countLost()).toBe(1);
    await pass(25);
    await deleteOld();
    expect(await countLost()).toBe(0);
    // The text by which the key is known has no owner but a setting.
    await expect(adoptServerKey(store)).resolves.toBe(0);
  });
});

it('many processes delete one at a time, and none of them waits', async () => {
  const other = await openServerDatabase(postgres.url);
  const workspace = await addWorkspace();
  await run(workspace, 'apply');
  await run(workspace, 'drift', quiet);
  await run(workspace, 'drift', quiet);
  await pass(48);
  const second = assembleServerStore(other, keyring);
  await other.transact(async (client) => {
    await client.query('SELECT pg_advisory_xact_lock(7263015405)');
    await deleteOld();
  });
  expect(await listRuns(workspace)).toHaveLength(3);
  await deleteOldServerData({
    driftHours: 24,
    logDays: 90,
    store: second,
    engine,
    now: () => Date.now(),
  });
  expect(await listRuns(workspace)).toHaveLength(2);
  await other.close();
});
