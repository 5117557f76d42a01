// What people said of a plan, once a newer plan is made: by the worker's own way through a run, in a real PostgreSQL, with a
// program that writes the report of a plan and nothing else.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { AuditActor } from '../../../src/server/audit/audit-entry.ts';
import { openServerDatabase, type ServerDatabase } from '../../../src/server/database/database.ts';
import { findReplacedApprovedPlan } from '../../../src/server/runs/carry-approvals.ts';
import { writeMergeReport } from '../../../src/server/pulls/write-report.ts';
import { carryOutRun } from '../../../src/server/runs/carry-out-run.ts';
import { recordPlanDecision } from '../../../src/server/runs/decide-on-plan.ts';
import { requestApplyRun } from '../../../src/server/runs/request-run.ts';
import { openServerKeyring } from '../../../src/server/secrets/keyring.ts';
import { assembleServerStore, type ServerStore } from '../../../src/server/store/store.ts';
import {
  openWorkerSession,
  type WorkerSession,
} from '../../../src/server/workers/worker-session.ts';
import type { TestDatabase } from '../../support/backends/make-database.ts';
import {
  makeDecidingMeans,
  makePlanningMeans,
  type NextPlan,
} from '../../support/server/planning-rig.ts';
import { makeServerDatabase } from '../../support/server/server-database.ts';

const ram = (content: string) => ({ kind: 'change', name: 'vms.web', content });
const [small, large] = [ram('1 GiB'), ram('2 GiB')];
const disk = { kind: 'change', name: 'disks.data', content: 'kept' };
const finding = { kind: 'finding', name: 'warning [cost]: dear', content: '' };
const untouched = { kind: 'output', name: 'zone', content: 'a', isAside: true };

let postgres: TestDatabase;
let database: ServerDatabase;
let store: ServerStore;
let session: WorkerSession;
let folder: string;
let workspaceId: string;
const draft: NextPlan = { parts: [], authors: undefined, meanwhile: undefined, asked: [] };
let commits = 0;

const means = () => makePlanningMeans(store, session, folder, draft);
const deciding = () => makeDecidingMeans(store);

async function addPerson(name: string, email?: string): Promise<AuditActor> {
  const identity = { issuer: 'https://id', subject: name, name, ...(email && { email }) };
  const made = await store.members.addPerson(identity);
  const id = made?.id ?? '';
  await store.members.grant(id, [{ role: 'approve' }]);
  return { id, kind: 'person', name, address: '' };
}

let people: Readonly<Record<'bob' | 'eve' | 'hidden' | 'unknown', AuditActor>>;

async function addWorkspace(name: string, given: object = {}): Promise<void> {
  const made = await store.workspaces.add({
    ...{ name, repository: 'file:///r', branch: 'main', directory: '.', poll: false },
    ...{ variables: {}, approvals: { count: 1, byAuthor: false }, ...given },
  });
  workspaceId = made?.id ?? '';
}

/** Queues a plan of a commit of its own, unless one is given. */
async function queue(commit?: string, by?: AuditActor): Promise<string> {
  commits += 1;
  const run = { workspaceId, operation: 'plan', reason: 'a test' } as const;
  const made = commit ?? commits.toString(16).padStart(40, '0');
  const added = await store.runs.add({ ...run, commit: made, ...(by && { requestedBy: by.id }) });
  return added?.id ?? '';
}

async function plan(commit?: string, by?: AuditActor): Promise<string> {
  const id = await queue(commit, by);
  await carryOutRun(means(), id);
  expect((await store.runs.find(id))?.status).toBe('succeeded');
  return id;
}

async function say(id: string, by: AuditActor, decision: 'yes' | 'no' = 'yes'): Promise<void> {
  const run = await store.runs.find(id);
  if (!run) throw new Error('there is no such run');
  await recordPlanDecision(deciding(), run, { decision, comment: 'fine' }, by);
}

const read = async (id: string) => {
  const approval = await store.approvals.read(id);
  if (!approval) throw new Error('there is no such run');
  const decided = approval.decisions.map((one) => [
    one.name,
    one.decision,
    one.ignored ?? 'counts',
  ]);
  return { state: approval.state, decided, decisions: approval.decisions };
};
const numberOf = async (id: string) => (await store.runs.find(id))?.number;
const readLog = async (id: string) =>
  (await store.log.read(id, 0)).map(({ text }) => text).join('\n');

beforeAll(async () => {
  postgres = await makeServerDatabase();
  database = await openServerDatabase(postgres.url);
  store = assembleServerStore(database, openServerKeyring(['a key of 32 letters or more ...']));
  session = await openWorkerSession(database, { host: 'here', version: '1' });
  folder = await mkdtemp(join(tmpdir(), 'hostwright-carried-'));
  const hidden = await addPerson('hidden', 'hidden@example.com');
  await store.members.setHostIds(hidden.id, ['hub/583231']);
  people = {
    bob: await addPerson('bob', 'Bob@example.com'),
    eve: await addPerson('eve', 'eve@example.com'),
    hidden,
    unknown: await addPerson('unknown'),
  };
});
afterAll(async () => {
  session.close();
  await database.close();
  await postgres.close();
  await rm(folder, { recursive: true, force: true });
});
beforeEach(() => {
  draft.parts = [small, disk, untouched];
  draft.authors = new Set(['somebody@example.com']);
  draft.meanwhile = undefined;
  draft.asked = [];
});

describe('a yes', () => {
  it('holds for a newer plan that is equal, and for the next one, with when it was said and of which plan', async () => {
    await addWorkspace('equal');
    const old = await plan();
    await say(old, people.bob);
    const { decisions: said } = await read(old);
    draft.parts = [small, disk, { ...untouched, content: 'b' }];
    const newer = await plan();
    const { state, decisions } = await read(newer);
    const carriedFrom = { id: old, number: await numberOf(old) };
    expect(state).toBe('approved');
    expect(decisions).toEqual([{ ...said[0], carriedFrom }]);
    expect((await read(old)).state).toBe('closed');
    const [entry] = await store.audit.list({ limit: 1, isNewestFirst: true });
    expect(entry).toMatchObject({ act: 'plan.carry', actor: { kind: 'server' } });
    expect(entry?.detail).toContain('"name":"bob"');
    expect(await readLog(newer)).toContain(
      `It is equal to plan #${carriedFrom.number} in all that people approve: yes by bob.`,
    );
    const [next] = (await read(await plan())).decisions;
    expect(next).toEqual({ ...said[0], carriedFrom });
  });

  it.each([
    ['another value', [large, disk]],
    ['less than it', [small]],
    ['more than it', [small, disk, { ...disk, name: 'disks.more' }]],
    ['a finding that is new', [small, disk, finding]],
    ['another sensitive value', [small, disk, { kind: 'secrets', name: '', content: 'x' }]],
  ])('holds for no plan with %s, and the difference is what is shown', async (name, newParts) => {
    await addWorkspace(name.replaceAll(' ', '-'));
    const old = await plan();
    await say(old, people.bob);
    draft.parts = newParts;
    const newer = await plan();
    expect(await read(newer)).toMatchObject({ state: 'waiting', decided: [] });
    expect(await findReplacedApprovedPlan(store, newer)).toEqual({
      ...{ id: old, number: await numberOf(old), approvedBy: ['bob'] },
      differences: ['vms.web: after.ram "1 GiB" -> "2 GiB"'],
    });
    // A later plan like the approved one is another plan again.
    draft.parts = [small, disk];
    expect((await read(await plan())).state).toBe('waiting');
  });

  it('holds where a finding is gone', async () => {
    await addWorkspace('gone');
    draft.parts = [small, finding];
    await say(await plan(), people.bob);
    draft.parts = [small];
    const newer = await plan();
    expect((await read(newer)).state).toBe('approved');
    expect(await findReplacedApprovedPlan(store, newer)).toBeUndefined();
  });

  it('falls where whoever said it wrote a commit since, and no other does', async () => {
    await addWorkspace('wrote', {
      approvals: { count: 2, byAuthor: false },
      connection: undefined,
    });
    const old = await plan();
    await say(old, people.bob);
    await say(old, people.eve);
    draft.authors = new Set(['bob@example.com', 'somebody@example.com']);
    const newer = await plan();
    expect(await read(newer)).toMatchObject({
      state: 'waiting',
      decided: [
        ['bob', 'yes', 'commit'],
        ['eve', 'yes', 'counts'],
      ],
    });
    expect(await readLog(newer)).toContain(
      'yes by bob (does not count: wrote one of its commits), yes by eve.',
    );
    // It does not come back by one more commit of somebody else.
    draft.authors = new Set(['somebody@example.com']);
    const next = await plan();
    expect((await read(next)).decided).toEqual([['eve', 'yes', 'counts']]);
    await say(next, people.bob);
    expect((await read(next)).state).toBe('approved');
  });

  it('falls where the address of the commit is the one that the host makes up for them', async () => {
    const place = { name: 'hub', kind: 'github', address: 'https://api.github.com' } as const;
    const secrets = { token: 't', webhookSecret: 's' };
    await store.connections.add({ ...place, app: undefined }, secrets);
    await addWorkspace('hidden', { connection: 'hub' });
    await say(await plan(), people.hidden);
    draft.authors = new Set(['583231+h@users.noreply.github.com']);
    expect((await read(await plan())).decided).toEqual([['hidden', 'yes', 'commit']]);
  });

  it('falls where nobody knows the authors, or the addresses of whoever said it', async () => {
    await addWorkspace('nobody-knows');
    const old = await plan();
    await say(old, people.bob);
    draft.authors = undefined;
    expect((await read(await plan())).decided).toEqual([['bob', 'yes', 'unknownCommit']]);
    await addWorkspace('no-address');
    await say(await plan(), people.unknown);
    draft.authors = new Set(['somebody@example.com']);
    expect((await read(await plan())).decided).toEqual([['unknown', 'yes', 'unknownCommit']]);
  });

  it('needs no authors where the commit is the same', async () => {
    await addWorkspace('same-commit');
    const commit = 'e'.repeat(40);
    draft.authors = undefined;
    await say(await plan(commit), people.unknown);
    expect((await read(await plan(commit))).decided).toEqual([['unknown', 'yes', 'counts']]);
  });

  it('of whoever started the older plan does not come to count by a plan that another one starts', async () => {
    await addWorkspace('own');
    const commit = 'f'.repeat(40);
    const old = await plan(commit, people.bob);
    await say(old, people.bob);
    await store.members.grant(people.bob.id, []);
    expect((await read(old)).decided).toEqual([['bob', 'yes', 'author']]);
    const newer = await plan(commit, people.eve);
    await store.members.grant(people.bob.id, [{ role: 'approve' }]);
    expect((await read(newer)).decided).toEqual([]);
  });

  it('is spent once an apply has begun, and not by one that was cancelled before', async () => {
    await addWorkspace('spent');
    const old = await plan();
    await say(old, people.bob);
    const asked = { workspaceId, operation: 'apply', planRun: old, reason: 'a test' } as const;
    const commit = 'a'.repeat(40);
    const cancelled = await store.runs.add({ ...asked, commit });
    await store.runs.cancel(cancelled?.id ?? '');
    const newer = await plan();
    expect((await read(newer)).state).toBe('approved');
    const apply = await store.runs.add({ ...asked, planRun: newer, commit });
    const begun = await store.runs.claim(apply?.id ?? '', session.id);
    if (begun) await store.runs.end(begun, { status: 'failed' });
    const next = await plan();
    expect(await read(next)).toMatchObject({ state: 'waiting', decided: [] });
    expect(await findReplacedApprovedPlan(store, next)).toBeUndefined();
  });
});

describe('the pull request of a merge', () => {
  const merged = { operation: 'plan', number: 15, status: 'succeeded', hasChanges: true } as const;
  const told = {
    workspace: 'shop',
    ...{ held: undefined, heldBack: undefined, link: undefined, plan: undefined, fit: {} },
    log: [],
  };
  const write = async (planRun: string) => {
    const approval = await store.approvals.read(planRun);
    const replaced = await findReplacedApprovedPlan(store, planRun);
    return writeMergeReport(merged, { ...told, approval, replaced });
  };

  it('says who has approved it, of which plan, and what is missing', async () => {
    await addWorkspace('told', { approvals: { count: 2, byAuthor: false } });
    const old = await plan();
    await say(old, people.bob);
    await say(old, people.unknown);
    const newer = await plan();
    const { status, comment } = await write(newer);
    const number = await numberOf(old);
    expect(status.description).toContain('waits for approvals');
    expect(comment).toContain('To say yes, comment <code>hostwright approve shop</code>.');
    expect(comment).toContain(
      `1 of 2 approvals. Approved by bob (plan \\#${number}, the same); unknown (plan \\#${number}, the same), which does not count: may have written one of its commits.`,
    );
    await say(newer, people.eve);
    expect((await write(newer)).comment).toContain(
      'To apply it, comment <code>hostwright apply shop</code>.',
    );
    await say(newer, people.eve, 'no');
    expect((await write(newer)).comment).toContain('Plan #15 is not applied.\n\n1 of 2');
  });

  it('has the difference alone where it is not what was approved', async () => {
    await addWorkspace('told-anew');
    const old = await plan();
    await say(old, people.bob);
    draft.parts = [large];
    const { comment } = await write(await plan());
    expect(comment).toContain(`bob approved plan \\#${await numberOf(old)}.`);
    expect(comment).toContain('text\nvms.web: after.ram "1 GiB" -> "2 GiB"');
  });
});

describe('policies that ask for approvals', () => {
  it('raise what the plan needs, to the most of any of them and of the workspace', async () => {
    draft.asked = [
      { needed: 1, policy: 'one' },
      { needed: 2, policy: 'two' },
      { needed: 2, policy: 'two' },
    ];
    await addWorkspace('asked', { approvals: { count: 0, byAuthor: false } });
    const id = await plan();
    const approval = await store.approvals.read(id);
    expect(approval).toMatchObject({ state: 'waiting', needed: 2, policies: ['two'] });
    const run = await store.runs.find(id);
    const apply = async () => requestApplyRun(deciding(), run!, { reason: 'a test' });
    await say(id, people.bob);
    await expect(apply()).rejects.toThrow('The plan has 1 of 2 approvals.');
    const report = writeMergeReport(
      { operation: 'plan', number: 15, status: 'succeeded', hasChanges: true },
      {
        ...{ workspace: 'shop', held: undefined, heldBack: undefined, log: [] },
        ...{ link: undefined, plan: undefined, fit: {} },
        ...{ approval: await store.approvals.read(id), replaced: undefined },
      },
    );
    expect(report.comment).toContain('1 of 2 approvals, as the policy two asks. Approved by bob.');
    await say(id, people.eve);
    expect(await apply()).toBeDefined();
    await addWorkspace('asked-more', { approvals: { count: 3, byAuthor: false } });
    const other = await store.approvals.read(await plan());
    expect(other).toMatchObject({ needed: 3, policies: [] });
    draft.asked = [];
    await addWorkspace('asked-not', { approvals: { count: 0, byAuthor: false } });
    expect((await read(await plan())).state).toBe('notNeeded');
  });
});

describe('a no', () => {
  it('holds for a newer plan that is equal, whoever wrote a commit, until whoever said it says yes', async () => {
    await addWorkspace('no', { approvals: { count: 0, byAuthor: false } });
    await say(await plan(), people.bob, 'no');
    draft.authors = new Set(['bob@example.com']);
    const newer = await plan();
    expect((await read(newer)).state).toBe('rejected');
    await say(newer, people.bob);
    expect((await read(newer)).state).toBe('notNeeded');
  });
});

describe('a decision about a plan while the newer one is made', () => {
  it('holds for the newer one, which is then applied where the workspace wants that', async () => {
    await addWorkspace('race', { applyWhenApproved: true });
    const old = await plan();
    draft.meanwhile = () => say(old, people.bob);
    const newer = await plan();
    const [apply, ...before] = await store.runs.list('race', 9);
    expect(apply).toMatchObject({ operation: 'apply', planRun: newer, reason: 'approved by bob' });
    expect(before.map(({ operation }) => operation)).toEqual(['plan', 'plan']);
  });

  it('applies nothing where the newer one differs, or another one waits behind it', async () => {
    await addWorkspace('race-lost', { applyWhenApproved: true });
    const old = await plan();
    draft.meanwhile = () => say(old, people.bob);
    draft.parts = [large];
    const newer = await plan();
    expect((await read(newer)).state).toBe('waiting');
    draft.meanwhile = async () => {
      await say(newer, people.bob);
      await queue();
    };
    expect((await read(await plan())).state).toBe('approved');
    const all = await store.runs.list('race-lost', 9);
    expect(all.map(({ operation }) => operation)).toEqual(['plan', 'plan', 'plan', 'plan']);
  });

  it('starts nothing by itself while the workspace is paused', async () => {
    await addWorkspace('paused', { applyWhenApproved: true });
    const old = await plan();
    draft.meanwhile = () => say(old, people.bob);
    await database.ask(`UPDATE hostwright_server.workspaces SET paused = true WHERE id = $1`, [
      workspaceId,
    ]);
    expect((await read(await plan())).state).toBe('approved');
    expect(await store.runs.list('paused', 9)).toHaveLength(2);
  });
});
