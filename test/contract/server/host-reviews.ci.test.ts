// Reviews of a git host that count as approvals: in a real PostgreSQL, with a host that says who has approved what, and a program
// that writes the report of a plan and nothing else.
import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { openServerDatabase, type ServerDatabase } from '../../../src/server/database/database.ts';
import type { GitHostConnection } from '../../../src/server/hosts/connection.ts';
import type {
  GitHost,
  PullApproval,
  PullRequest,
  UpdatablePullComment,
} from '../../../src/server/hosts/git-host.ts';
import { GitHostFault } from '../../../src/server/hosts/host-fault.ts';
import { applyDueMerges } from '../../../src/server/pulls/decide-merges.ts';
import { deliverPullReport } from '../../../src/server/pulls/deliver-report.ts';
import { handleGitHostEvent } from '../../../src/server/pulls/handle-event.ts';
import { carryOutRun } from '../../../src/server/runs/carry-out-run.ts';
import { recordPlanDecision } from '../../../src/server/runs/decide-on-plan.ts';
import { openServerKeyring } from '../../../src/server/secrets/keyring.ts';
import { assembleServerStore, type ServerStore } from '../../../src/server/store/store.ts';
import { readWorkspaceOverview } from '../../../src/server/store/overview.ts';
import type { NewWorkspace } from '../../../src/server/store/workspaces.ts';
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

const [head, olderHead, mergeCommit] = ['a', 'b', 'c'].map((one) => one.repeat(40)) as [
  string,
  string,
  string,
];
const part = (content: string) => ({ kind: 'change', name: 'vms.web', content });
const draft: NextPlan = { parts: [], authors: undefined, meanwhile: undefined, asked: [] };

let postgres: TestDatabase;
let database: ServerDatabase;
let store: ServerStore;
let session: WorkerSession;
let folder: string;
let workspaceId = '';
let pull: PullRequest;
let given: PullApproval[] | undefined;
let fault: GitHostFault | undefined;
let warnings: string[];
/** Comes between what the host says of the reviews and its answer. */
let meanwhile: (() => Promise<void>) | undefined;
/** Who wrote the commits of the pull request. */
let authors: ReadonlySet<string> | undefined;
let comments: UpdatablePullComment[];
let ids: Readonly<Record<'bob' | 'eve' | 'viewer', string>>;

const unwanted = () => Promise.reject(new Error('nobody asks for this'));
const host: GitHost = {
  ...{ readCredential: unwanted, listFilesBetween: unwanted, findMergeResult: unwanted },
  ...{ react: unwanted, mayWrite: unwanted, listChangedFiles: () => Promise.resolve([]) },
  readPull: () => Promise.resolve(pull),
  async listApprovals() {
    const read = given;
    const come = meanwhile;
    meanwhile = undefined;
    await come?.();
    if (fault) throw fault;
    return read;
  },
  listPullAuthors: () => Promise.resolve(authors),
  setStatus: () => Promise.resolve(),
  keepComment: (_repository, _number, comment) => {
    comments.push(comment);
    return Promise.resolve('1');
  },
};
const connection: GitHostConnection = {
  ...{ name: 'hub', kind: 'github', address: 'https://api.github.com', app: undefined },
  ...{ createdAt: new Date(0), changedAt: new Date(0) },
};
const means = () => ({
  ...makeDecidingMeans(store),
  hosts: {
    ...{ openGit: unwanted, open: () => Promise.resolve(host), close: () => undefined },
    find: () => Promise.resolve({ connection, host, path: 'acme/infra' }),
  },
  warn: (text: string) => void warnings.push(text),
});

const approvedBy = (id: string, commit = head): PullApproval => ({
  ...{ person: { id, name: 'anything' }, commit, at: new Date(Date.now() + 60_000).toISOString() },
});

/** Webhook of the host, as a worker takes it. */
const hear = (kind: 'pull' | 'review') =>
  handleGitHostEvent(means(), {
    ...{ id: randomUUID(), connection: 'hub', attempts: 1 },
    event: { kind, repository: 'acme/infra', number: 7 },
  });

async function plan(commit = mergeCommit, of?: { number: number; head: string }): Promise<string> {
  const run = { workspaceId, operation: 'plan', commit, reason: 'a test', pull: of } as const;
  const id = (await store.runs.add(run))?.id ?? '';
  await carryOutRun(makePlanningMeans(store, session, folder, draft), id);
  expect((await store.runs.find(id))?.status).toBe('succeeded');
  return id;
}

/** Makes a workspace with a pull request that is planned. */
async function openPull(more: Partial<NewWorkspace> = {}): Promise<void> {
  await database.ask('TRUNCATE hostwright_server.workspaces CASCADE');
  const made = await store.workspaces.add({
    ...{ name: 'shop', repository: 'https://github.com/acme/infra', branch: 'main' },
    ...{ directory: '.', poll: false, connection: 'hub' },
    variables: { HOSTWRIGHT_BASE_URL: 'https://a.test' },
    approvals: { count: 1, hostReviews: true },
    ...more,
  });
  workspaceId = made?.id ?? '';
  for (const member of Object.values(ids))
    await store.members.grant(member, [{ role: member === ids.viewer ? 'view' : 'approve' }]);
  await plan('d'.repeat(40), { number: 7, head });
}

/** The host tells that it is merged, and its merge is planned. */
async function merge(): Promise<string> {
  pull = { ...pull, state: 'merged', mergeCommit };
  await hear('pull');
  return plan();
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

async function decide(id: string, decision: 'yes' | 'no'): Promise<void> {
  const run = await store.runs.find(id);
  const by = { id: ids.bob, kind: 'person', name: 'bob', address: '' } as const;
  if (run) await recordPlanDecision(means(), run, { decision, comment: '' }, by);
}

async function editApprovals(approvals: NonNullable<NewWorkspace['approvals']>): Promise<void> {
  const workspace = await store.workspaces.read(workspaceId);
  if (workspace) await store.workspaces.edit(workspace, { approvals });
}

const readNewestEntry = async (act: string) =>
  (await store.audit.list({ limit: 9, isNewestFirst: true })).find((one) => one.act === act);

async function deliver(): Promise<string> {
  const report = await store.pulls.claim(randomUUID());
  if (!report) return 'nothing is due';
  await deliverPullReport(means(), report);
  await store.pulls.end(report);
  return comments.at(-1)?.body ?? '';
}

beforeAll(async () => {
  postgres = await makeServerDatabase();
  database = await openServerDatabase(postgres.url);
  store = assembleServerStore(database, openServerKeyring(['a key of 32 letters or more ...']));
  session = await openWorkerSession(database, { host: 'here', version: '1' });
  folder = await mkdtemp(join(tmpdir(), 'hostwright-reviews-'));
  const { name, kind, address, app } = connection;
  await store.connections.add({ name, kind, address, app }, { token: 't', webhookSecret: 's' });
  const add = async (who: string, hostId: string) => {
    const email = `${who}@example.com`;
    const identity = { issuer: 'https://id', subject: who, name: who, email };
    const { id = '' } = (await store.members.addPerson(identity)) ?? {};
    await store.members.setHostIds(id, [hostId]);
    return id;
  };
  ids = {
    bob: await add('bob', 'hub/1'),
    eve: await add('eve', 'hub/2'),
    viewer: await add('viewer', 'hub/3'),
  };
});
afterAll(async () => {
  session.close();
  await database.close();
  await postgres.close();
  await rm(folder, { recursive: true, force: true });
});
beforeEach(() => {
  const opened = { number: 7, state: 'open', head, base: 'main', isFork: false } as const;
  pull = { ...opened, mergeCommit: undefined, author: '9' };
  Object.assign(draft, { parts: [part('1 GiB')], authors: new Set(['somebody@example.com']) });
  given = [];
  meanwhile = undefined;
  fault = undefined;
  warnings = [];
  authors = new Set(['somebody@example.com']);
  comments = [];
});

describe('an approval at the host', () => {
  it('is a yes to the plan of the merge, and everybody is told where it comes from', async () => {
    await openPull();
    given = [approvedBy('1')];
    const id = await merge();
    const { state, decided, decisions } = await read(id);
    expect([state, decided]).toEqual(['approved', [['bob', 'yes', 'counts']]]);
    expect(decisions[0]?.review).toEqual({ connection: 'hub', pull: 7 });
    const entry = await readNewestEntry('plan.approve');
    expect(entry).toMatchObject({ actor: { id: ids.bob, kind: 'person', name: 'bob' } });
    const review = { identity: 'hub/1', connection: 'hub', pull: 7 };
    expect(JSON.parse(entry?.detail ?? '')).toEqual({
      ...{ id, review, commit: head, given: 1, needed: 1 },
    });
    const body = await deliver();
    expect(body).toContain('To apply it, comment <code>hostwright apply shop</code>.');
    expect(body).toContain('1 of 1 approvals. Approved by bob (review of \\#7 at hub).');
  });

  it('counts where the host tells of the merge once it is planned, and of the review after that', async () => {
    await openPull();
    const id = await plan();
    pull = { ...pull, state: 'merged', mergeCommit };
    await hear('pull');
    expect((await read(id)).state).toBe('waiting');
    given = [approvedBy('1')];
    await hear('review');
    expect((await read(id)).decided).toEqual([['bob', 'yes', 'counts']]);
    await hear('review');
    const entries = await store.audit.list({ limit: 50, isNewestFirst: true });
    expect(entries.filter((one) => one.target === entries[0]?.target)).toHaveLength(1);
  });

  it.each<[string, Partial<NewWorkspace>, PullApproval]>([
    ['where the workspace does not say so', { approvals: { count: 1 } }, approvedBy('1')],
    ['of an older commit', {}, approvedBy('1', olderHead)],
    ['of somebody whom nobody has mapped', {}, approvedBy('4')],
    ['of somebody without the role', {}, approvedBy('3')],
    ['where no approval is asked for', { approvals: { hostReviews: true } }, approvedBy('1')],
  ])('says nothing %s', async (_what, more, approval) => {
    await openPull(more);
    given = [approval];
    const id = await merge();
    expect((await read(id)).decided).toEqual([]);
    const target = `workspace/shop/run/${(await store.runs.find(id))?.number}`;
    const entries = await store.audit.list({ limit: 50, isNewestFirst: true });
    expect(entries.filter((one) => one.target === target)).toEqual([]);
  });

  it('of whoever opened the pull request counts only where the workspace says so', async () => {
    await openPull();
    Object.assign(pull, { author: '1' });
    given = [approvedBy('1')];
    const id = await merge();
    expect(await read(id)).toMatchObject({
      ...{ state: 'waiting', decided: [['bob', 'yes', 'opened']] },
    });
    expect(await deliver()).toContain('which does not count: opened the pull request.');
    await openPull({ approvals: { count: 1, byAuthor: true, hostReviews: true } });
    expect((await read(await merge())).decided).toEqual([['bob', 'yes', 'counts']]);
  });

  it.each<[string, ReadonlySet<string> | undefined, string]>([
    ['wrote a commit', new Set(['eve@example.com', 'bob@example.com']), 'commit'],
    ['hides an address', new Set(['1+bob@users.noreply.github.com']), 'commit'],
    ['may have written one', undefined, 'unknownCommit'],
  ])('of whoever %s counts only where the workspace says so', async (_what, by, fell) => {
    authors = by;
    given = [approvedBy('1')];
    await openPull();
    expect(await read(await merge())).toMatchObject({
      ...{ state: 'waiting', decided: [['bob', 'yes', fell]] },
    });
    await openPull({ approvals: { count: 1, byAuthor: true, hostReviews: true } });
    expect((await read(await merge())).decided).toEqual([['bob', 'yes', 'counts']]);
  });

  it('takes the place of no yes that fell since its giver wrote a commit', async () => {
    await openPull();
    await decide(await plan('f'.repeat(40)), 'yes');
    draft.authors = new Set(['bob@example.com']);
    given = [approvedBy('1')];
    const { state, decided, decisions } = await read(await merge());
    expect([state, decided]).toEqual(['waiting', [['bob', 'yes', 'commit']]]);
    expect(decisions[0]).not.toHaveProperty('review');
  });

  it('counts for no other plan than the pull request has shown', async () => {
    await openPull();
    given = [approvedBy('1')];
    draft.parts = [part('2 GiB')];
    expect((await read(await merge())).decided).toEqual([['bob', 'yes', 'differs']]);
    // The newest commit was not planned.
    pull = { ...pull, head: olderHead };
    given = [approvedBy('1', olderHead)];
    draft.parts = [part('1 GiB')];
    await openPull();
    const id = await merge();
    expect((await read(id)).decided).toEqual([['bob', 'yes', 'differs']]);
    await decide(id, 'yes');
    expect((await read(id)).decided).toEqual([['bob', 'yes', 'counts']]);
  });

  it('counts for no plan that the pull request has shown after it', async () => {
    await openPull();
    given = [{ ...approvedBy('1'), at: '2020-01-01T00:00:00Z' }];
    const id = await merge();
    expect((await read(id)).decided).toEqual([['bob', 'yes', 'differs']]);
    given = [approvedBy('1')];
    await hear('review');
    expect((await read(id)).decided).toEqual([['bob', 'yes', 'counts']]);
    // Between two plans of the same commit, where the newer one is that of the merge.
    await openPull();
    const [shown] = await store.runs.list('shop', 1);
    const at = new Date((shown?.endedAt?.getTime() ?? 0) + 1).toISOString();
    draft.parts = [part('2 GiB')];
    await plan('d'.repeat(40), { number: 7, head });
    given = [{ ...approvedBy('1'), at }];
    expect((await read(await merge())).decided).toEqual([['bob', 'yes', 'differs']]);
  });

  it('is enough for a merge that is applied by itself', async () => {
    await openPull({ applyOnMerge: true });
    given = [approvedBy('1')];
    const planRun = await merge();
    await applyDueMerges(means());
    const [apply] = await store.runs.list('shop', 9);
    expect(apply).toMatchObject({ planRun, reason: 'merge of pull request #7' });
  });

  it('is spent once an apply of the merge has begun', async () => {
    await openPull();
    given = [approvedBy('1')];
    const planRun = await merge();
    const apply = { workspaceId, operation: 'apply', commit: mergeCommit, planRun } as const;
    const { id = '' } = (await store.runs.add({ ...apply, reason: 'a test' })) ?? {};
    const begun = await store.runs.claim(id, session.id);
    if (begun) await store.runs.end(begun, { status: 'failed' });
    const again = await plan();
    await hear('review');
    expect((await read(again)).decided).toEqual([]);
  });

  it('starts the apply where it is the last yes and the workspace wants that, unless it is paused', async () => {
    await openPull({ applyWhenApproved: true });
    given = [approvedBy('1')];
    const planRun = await merge();
    const [apply] = await store.runs.list('shop', 9);
    expect(apply).toMatchObject({ operation: 'apply', planRun, reason: 'approved by bob' });
    given = [];
    await openPull({ applyWhenApproved: true });
    const waiting = await merge();
    given = [approvedBy('2')];
    await database.ask('UPDATE hostwright_server.workspaces SET paused = true');
    await hear('review');
    expect((await read(waiting)).state).toBe('approved');
    const operations = (await store.runs.list('shop', 9)).map(({ operation }) => operation);
    expect(operations).toEqual(['plan', 'plan']);
  });
});

describe('a yes by a review', () => {
  it('goes with the review, also where it holds for a newer plan, and the pull request hears of it', async () => {
    await openPull({ approvals: { count: 2, hostReviews: true } });
    given = [approvedBy('1'), approvedBy('2')];
    await merge();
    const newer = await plan('e'.repeat(40));
    expect((await read(newer)).state).toBe('approved');
    await deliver();
    given = [approvedBy('2'), approvedBy('1', olderHead)];
    await hear('review');
    expect(await read(newer)).toMatchObject({
      ...{ state: 'waiting', decided: [['eve', 'yes', 'counts']] },
    });
    const entry = await readNewestEntry('plan.withdraw');
    expect(entry).toMatchObject({ actor: { kind: 'server' } });
    expect(entry?.detail).toContain('"name":"bob"');
  });

  it('is due at the pull request when it goes', async () => {
    await openPull();
    given = [approvedBy('1')];
    const id = await merge();
    expect(await deliver()).toContain('Approved by bob');
    given = [];
    await hear('review');
    expect((await read(id)).state).toBe('waiting');
    expect(await deliver()).toContain('waits for approvals');
  });

  it('counts for as long as its giver is that person at the host, and the workspace counts reviews', async () => {
    await openPull();
    given = [approvedBy('1')];
    const id = await merge();
    await store.members.setHostIds(ids.bob, []);
    expect((await read(id)).decided).toEqual([]);
    await store.members.setHostIds(ids.bob, ['hub/1']);
    expect((await read(id)).state).toBe('approved');
    const asked = { status: undefined, search: '', page: 1, viewer: undefined };
    const caller = { caller: ids.eve, mayApproveAll: true };
    const { rows } = await readWorkspaceOverview(database, { ...asked, ...caller });
    expect(rows[0]?.approval).toMatchObject({ given: 1 });
    await editApprovals({ hostReviews: false });
    expect((await read(id)).state).toBe('waiting');
  });

  it('goes with the review while a failed run takes the place of its plan, and no later plan has it again', async () => {
    await openPull();
    given = [approvedBy('1')];
    const planRun = await merge();
    const again = {
      workspaceId,
      operation: 'plan',
      commit: mergeCommit,
      reason: 'a test',
    } as const;
    const { id = '' } = (await store.runs.add(again)) ?? {};
    const failed = await store.runs.claim(id, session.id);
    if (failed) await store.runs.end(failed, { status: 'failed' });
    given = [];
    await hear('review');
    expect((await read(planRun)).decided).toEqual([]);
    expect((await read(await plan('e'.repeat(40)))).decided).toEqual([]);
  });

  it('goes with the review while an apply waits, which leaves no approved plan when it is cancelled', async () => {
    await openPull();
    given = [approvedBy('1')];
    const planRun = await merge();
    const apply = { workspaceId, operation: 'apply', commit: mergeCommit, planRun } as const;
    const { id = '' } = (await store.runs.add({ ...apply, reason: 'a test' })) ?? {};
    given = [];
    await hear('review');
    expect(await store.runs.cancel(id)).toBe('queued');
    expect(await read(planRun)).toMatchObject({ state: 'waiting', decided: [] });
  });

  it.each<[string, () => Promise<unknown>, () => Promise<unknown>]>([
    ['asks for no approvals', () => editApprovals({ count: 0 }), () => editApprovals({ count: 1 })],
    [
      'counts no reviews',
      () => editApprovals({ hostReviews: false }),
      () => editApprovals({ hostReviews: true }),
    ],
    [
      'does not know its giver',
      () => store.members.setHostIds(ids.bob, []),
      () => store.members.setHostIds(ids.bob, ['hub/1']),
    ],
  ])('goes with the review while the workspace %s', async (_what, before, after) => {
    await openPull();
    given = [approvedBy('1')];
    const id = await merge();
    expect((await read(id)).state).toBe('approved');
    await before();
    given = [];
    await hear('review');
    await after();
    expect(await read(id)).toMatchObject({ state: 'waiting', decided: [] });
    expect((await read(await plan('e'.repeat(40)))).decided).toEqual([]);
  });

  it('stays gone where a list of reviews that was read before comes after a newer one', async () => {
    await openPull();
    given = [approvedBy('1')];
    const id = await merge();
    meanwhile = async () => {
      given = [];
      await hear('review');
    };
    await expect(hear('review')).rejects.toThrow('were read meanwhile');
    expect((await read(id)).decided).toEqual([]);
    // The event is taken again.
    await hear('review');
    expect((await read(id)).decided).toEqual([]);
  });

  it.each<[string, GitHostFault | undefined]>([
    ['refuses to say', new GitHostFault('no rights', { status: 403 })],
    ['does not have', new GitHostFault('not found', { status: 404 })],
    ['has too many of', undefined],
  ])('stays where its host %s the reviews, and the merge is noted', async (_what, refusal) => {
    await openPull();
    given = [approvedBy('1')];
    const id = await merge();
    fault = refusal;
    given = undefined;
    await hear('review');
    expect((await read(id)).decided).toEqual([['bob', 'yes', 'counts']]);
    await openPull();
    warnings = [];
    await hear('pull');
    expect(await store.pulls.findMerge(workspaceId, 7)).toMatchObject({ commit: mergeCommit });
    expect(warnings).toEqual([
      `The reviews of pull request #7 of acme/infra stay as they were: ${refusal?.message ?? 'there are too many'}.`,
    ]);
  });

  it('is asked for again where its host limits requests', async () => {
    await openPull();
    fault = new GitHostFault('too fast', { status: 403, retryAfterMs: 1_000 });
    pull = { ...pull, state: 'merged', mergeCommit };
    await expect(hear('pull')).rejects.toThrow('too fast');
  });

  it('stays on a plan whose apply has begun', async () => {
    await openPull();
    given = [approvedBy('1')];
    const planRun = await merge();
    const apply = { workspaceId, operation: 'apply', commit: mergeCommit, planRun } as const;
    const { id = '' } = (await store.runs.add({ ...apply, reason: 'a test' })) ?? {};
    await store.runs.claim(id, session.id);
    given = [];
    await hear('review');
    expect((await read(planRun)).decided).toEqual([['bob', 'yes', 'counts']]);
  });

  it('takes the place of no word that its giver has said, and none of these goes with it', async () => {
    await openPull();
    const id = await merge();
    await decide(id, 'no');
    given = [approvedBy('1')];
    await hear('review');
    expect((await read(id)).state).toBe('rejected');
    await decide(id, 'yes');
    given = [];
    await hear('review');
    const { decided, decisions } = await read(id);
    expect(decided).toEqual([['bob', 'yes', 'counts']]);
    expect(decisions[0]).not.toHaveProperty('review');
  });
});
