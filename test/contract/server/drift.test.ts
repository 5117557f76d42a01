// Drift in a real PostgreSQL: when workspaces are due, how many are taken, and from when to when an account drifts.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openServerKeyring } from '../../../src/server/secrets/keyring.ts';
import type { RunAttemptOutcome } from '../../../src/server/store/run.ts';
import { deriveAccountKey } from '../../../src/server/accounts/accounts.ts';
import { openServerDatabase, type ServerDatabase } from '../../../src/server/database/database.ts';
import { assembleServerStore, type ServerStore } from '../../../src/server/store/store.ts';
import { fingerprintDrift } from '../../../src/server/runs/report-plan.ts';
import type { TestDatabase } from '../../support/backends/make-database.ts';
import { makeServerDatabase } from '../../support/server/server-database.ts';

const schema = 'hostwright_server';
const commit = 'a'.repeat(40);
const newer = 'b'.repeat(40);

let postgres: TestDatabase;
let database: ServerDatabase;
let store: ServerStore;
let other: { readonly database: ServerDatabase; readonly store: ServerStore };
let names = 0;

const connect = async () => {
  const opened = await openServerDatabase(postgres.url);
  return {
    database: opened,
    store: assembleServerStore(opened, openServerKeyring(['a key of 32 letters or more ...'])),
  };
};

beforeAll(async () => {
  postgres = await makeServerDatabase();
  ({ database, store } = await connect());
  other = await connect();
});

afterAll(async () => {
  await database.close();
  await other.database.close();
  await postgres.close();
});

async function addWorkspace(given: { readonly driftEveryMinutes?: number | null } = {}) {
  names += 1;
  const made = await store.workspaces.add({
    ...{ name: `w${names}`, repository: 'file:///r', branch: 'main', directory: '.' },
    ...{ poll: false, variables: {}, driftEveryMinutes: 60, ...given },
  });
  return made?.id ?? '';
}

/** A run that has ended as told, as a worker leaves it. */
async function run(
  workspaceId: string,
  operation: 'plan' | 'apply' | 'destroy' | 'drift',
  outcome: RunAttemptOutcome = { status: 'succeeded' },
  at = commit,
) {
  const added = await store.runs.add({ workspaceId, operation, commit: at, reason: 'a test' });
  return finish(added?.id ?? '', outcome);
}

async function finish(id: string, outcome: RunAttemptOutcome) {
  await database.ask(
    `UPDATE ${schema}.runs SET status = 'running', started_at = now(), attempt = 1 WHERE id = $1`,
    [id],
  );
  const begun = await store.runs.find(id);
  if (!begun) throw new Error('no run');
  await store.transact(async () => {
    await store.runs.end(begun, outcome);
    await store.drift.settle(begun, outcome);
  });
  return begun;
}

/** Makes a workspace due since so many seconds. */
const makeDue = (id: string, sinceS = 0) =>
  database.ask(
    `UPDATE ${schema}.workspaces SET drift_due_at = clock_timestamp() - $2 * interval '1 second' WHERE id = $1`,
    [id, sinceS],
  );
const makeNoneDue = () => database.ask(`UPDATE ${schema}.workspaces SET drift_due_at = NULL`);
const dueAt = async (id: string) =>
  (
    await database.ask<{ ms: string | null }>(
      `SELECT extract(epoch FROM drift_due_at) * 1000 AS ms FROM ${schema}.workspaces WHERE id = $1`,
      [id],
    )
  )[0]?.ms;

async function addApplied(sinceS = 0) {
  const id = await addWorkspace();
  await run(id, 'apply');
  await makeDue(id, sinceS);
  return id;
}

const drifted = (...parts: readonly (readonly [string, unknown])[]): RunAttemptOutcome => ({
  ...{ status: 'succeeded', hasChanges: true },
  ...fingerprintDrift(
    parts.map(([address, after]) => ({
      address,
      change: { actions: [after === null ? 'delete' : 'update'], after },
    })),
  ),
});

describe('the schedule of a workspace', () => {
  it('spreads workspaces of the same interval evenly over it', async () => {
    await database.ask(
      `INSERT INTO ${schema}.workspaces (id, name, repository, branch, directory, poll, variables, drift_every_minutes)
       SELECT gen_random_uuid(), 'many-' || n, 'file:///r', 'main', '.', false, variables, 60
       FROM generate_series(1, 10000) n, (SELECT variables FROM ${schema}.workspaces WHERE id = $1) one`,
      [await addWorkspace()],
    );
    const minutes = await database.ask<{ count: string }>(
      `SELECT count(*) AS count FROM ${schema}.workspaces WHERE name LIKE 'many-%'
         AND drift_due_at > created_at AND drift_due_at <= clock_timestamp() + interval '61 minutes'
       GROUP BY floor(extract(epoch FROM drift_due_at) / 60)`,
    );
    const counts = minutes.map(({ count }) => Number(count));
    expect(counts.reduce((sum, one) => sum + one, 0)).toBe(10_000);
    // 167 a minute in the mean; six standard deviations to either side. The first and the last minute are parts.
    expect(counts.filter((one) => one < 90).length).toBeLessThanOrEqual(2);
    expect(Math.max(...counts)).toBeLessThan(245);
    await database.ask(`DELETE FROM ${schema}.workspaces WHERE name LIKE 'many-%'`);
  });

  it('is what somebody sets, ends with null, and stays with any other edit', async () => {
    const id = await addWorkspace({ driftEveryMinutes: null });
    expect(await dueAt(id)).toBeNull();
    const edit = async (given: object) =>
      store.workspaces.edit((await store.workspaces.read(id))!, given);
    await edit({ driftEveryMinutes: 1_440, applyDrift: true });
    const first = await dueAt(id);
    expect(Number(first)).toBeGreaterThan(0);
    await edit({ branch: 'other' });
    expect(await dueAt(id)).toBe(first);
    expect(await store.workspaces.read(id)).toMatchObject({
      driftEveryMinutes: 1_440,
      applyDrift: true,
    });
    await edit({ driftEveryMinutes: null });
    expect(await dueAt(id)).toBeNull();
  });
});

describe('the sweep', () => {
  it('queues a check of the commit that was applied last, once, however many sweep', async () => {
    await makeNoneDue();
    const id = await addApplied();
    await run(id, 'plan', { status: 'succeeded', hasChanges: true }, newer);
    const before = Number(await dueAt(id));
    const taken = await Promise.all([
      ...[store, other.store, store, other.store].map((one) => one.drift.takeDue(10)),
    ]);
    expect(taken.flat()).toHaveLength(1);
    const found = await store.runs.find(taken.flat()[0]?.id ?? '');
    expect(found).toMatchObject({ workspaceId: id, operation: 'drift', commit, status: 'queued' });
    const next = Number(await dueAt(id)) - before;
    expect(next).toBeGreaterThan(0);
    expect(next).toBeLessThanOrEqual(60 * 60_000 + 60_000);
    expect(await store.drift.takeDue(10)).toEqual([]);
    await finish(found?.id ?? '', { status: 'succeeded', hasChanges: false });
  });

  it('leaves out what was never applied, what is destroyed, and whose turn it is not', async () => {
    await makeNoneDue();
    const never = await addWorkspace();
    await run(never, 'plan', { status: 'succeeded', hasChanges: true });
    const destroyed = await addApplied();
    await run(destroyed, 'destroy');
    const halfDestroyed = await addApplied();
    await run(halfDestroyed, 'destroy', { status: 'failed' });
    await addWorkspace();
    for (const id of [never, destroyed, halfDestroyed]) await makeDue(id);
    const taken = await store.drift.takeDue(10);
    expect(taken.map(({ workspaceId }) => workspaceId)).toEqual([halfDestroyed]);
    // They are looked at again with the next interval, not with each sweep.
    expect(Number(await dueAt(never))).toBeGreaterThan(Date.now() - 60_000);
    await finish(taken[0]?.id ?? '', { status: 'succeeded', hasChanges: false });
  });

  it('waits for a run that is under way, and keeps the workspace due', async () => {
    await makeNoneDue();
    const id = await addApplied();
    const plan = { workspaceId: id, operation: 'plan', commit, reason: '' } as const;
    const open = await store.runs.add(plan);
    const due = await dueAt(id);
    expect(await store.drift.takeDue(10)).toEqual([]);
    expect(await dueAt(id)).toBe(due);
    await finish(open?.id ?? '', { status: 'succeeded', hasChanges: false });
    const [taken] = await store.drift.takeDue(10);
    expect(taken?.workspaceId).toBe(id);
    await finish(taken?.id ?? '', { status: 'succeeded', hasChanges: false });
  });

  it('takes what waits longest first, and no more than there is room for', async () => {
    await makeNoneDue();
    const ids: string[] = [];
    for (const sinceS of [10, 40, 30, 20]) ids.push(await addApplied(sinceS));
    const [d, a, b, c] = ids;
    const first = await store.drift.takeDue(2);
    expect(first.map(({ workspaceId }) => workspaceId)).toEqual([a, b]);
    expect(await store.drift.takeDue(2)).toEqual([]);
    await finish(first[0]?.id ?? '', { status: 'succeeded', hasChanges: false });
    expect((await store.drift.takeDue(2)).map(({ workspaceId }) => workspaceId)).toEqual([c]);
    expect((await store.drift.takeDue(3)).map(({ workspaceId }) => workspaceId)).toEqual([d]);
  });

  it('leaves out a workspace whose account holds everybody back, and takes it once it does not', async () => {
    await makeNoneDue();
    const [held, free] = [await addApplied(60), await addApplied(0)];
    const given = { service: 'https://held.test/v1', ...deriveAccountKey(undefined, 't') };
    const account = await store.accounts.open(held, given);
    await store.accounts.open(free, { ...given, service: 'https://free.test/v1' });
    await store.budgets.hold(account, 30 * 60_000);
    const first = await store.drift.takeDue(1_000);
    expect(first.map(({ workspaceId }) => workspaceId)).toEqual([free]);
    await database.ask(
      `UPDATE ${schema}.accounts SET held_until = clock_timestamp() WHERE id = $1`,
      [account],
    );
    const then = await store.drift.takeDue(1_000);
    expect(then.map(({ workspaceId }) => workspaceId)).toEqual([held]);
  });
});

describe('an episode of drift', () => {
  const begin = async () => {
    const id = await addWorkspace();
    await run(id, 'apply');
    return id;
  };
  const check = (id: string, outcome: RunAttemptOutcome) => run(id, 'drift', outcome);

  it('begins, changes with another set of changes, and ends when a check finds none', async () => {
    const id = await begin();
    expect(await store.drift.find(id)).toBeUndefined();
    const first = await check(id, drifted(['vms.b', { cpu: 2 }], ['vms.a', null]));
    const begun = await store.drift.find(id);
    expect(begun).toMatchObject({ run: first.id, count: 2 });
    expect(begun?.changes).toEqual([
      { address: 'vms.a', action: 'delete' },
      { address: 'vms.b', action: 'update' },
    ]);
    // The same in another order is the same.
    await check(id, drifted(['vms.a', null], ['vms.b', { cpu: 2 }]));
    expect(await store.drift.find(id)).toEqual(begun);
    const third = await check(id, drifted(['vms.a', null], ['vms.b', { cpu: 4 }]));
    const changed = await store.drift.find(id);
    expect(changed).toMatchObject({ run: third.id, beganAt: begun?.beganAt });
    expect(changed!.changedAt.getTime()).toBeGreaterThanOrEqual(begun!.changedAt.getTime());
    await check(id, { status: 'succeeded', hasChanges: false });
    expect(await store.drift.find(id)).toBeUndefined();
  });

  it('is neither begun nor ended by a check that fails or is cancelled, or by a plan', async () => {
    const id = await begin();
    await check(id, { status: 'failed' });
    expect(await store.drift.find(id)).toBeUndefined();
    await check(id, drifted(['vms.a', null]));
    const begun = await store.drift.find(id);
    await check(id, { status: 'failed' });
    await check(id, { status: 'cancelled' });
    await run(id, 'plan', { status: 'succeeded', hasChanges: true });
    await run(id, 'apply', { status: 'failed' });
    expect(await store.drift.find(id)).toEqual(begun);
    await run(id, 'apply');
    expect(await store.drift.find(id)).toBeUndefined();
  });
});
