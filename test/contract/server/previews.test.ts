// Previews of plans of pull requests that wait for an apply: by the worker's own way through a run, in a real PostgreSQL, with
// a program that writes the report of a plan and nothing else, and a host that keeps what is written.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { openServerDatabase, type ServerDatabase } from '../../../src/server/database/database.ts';
import type { GitHostConnection } from '../../../src/server/hosts/connection.ts';
import type { CommitStatus, GitHost, PullRequest } from '../../../src/server/hosts/git-host.ts';
import { deliverPullReport } from '../../../src/server/pulls/deliver-report.ts';
import { deliverSummaryStatus } from '../../../src/server/pulls/deliver-summary.ts';
import { handleGitHostEvent } from '../../../src/server/pulls/handle-event.ts';
import { queueDuePreviews } from '../../../src/server/workers/do-due-tasks.ts';
import { carryOutRun } from '../../../src/server/runs/carry-out-run.ts';
import { cancelRun, queueForgottenRuns } from '../../../src/server/runs/request-run.ts';
import { retryRun } from '../../../src/server/runs/retry-run.ts';
import { openServerKeyring } from '../../../src/server/secrets/keyring.ts';
import type { RunOperation, StoredRun } from '../../../src/server/store/run.ts';
import { assembleServerStore, type ServerStore } from '../../../src/server/store/store.ts';
import {
  openWorkerSession,
  type WorkerSession,
} from '../../../src/server/workers/worker-session.ts';
import type { TestDatabase } from '../../support/backends/make-database.ts';
import { idleEngine } from '../../support/server/idle-engine.ts';
import { makePlanningMeans, type NextPlan } from '../../support/server/planning-rig.ts';
import { makeServerDatabase } from '../../support/server/server-database.ts';
import { silentRuntime } from '../../support/silent-runtime.ts';

const commitOf = (letter: string) => letter.repeat(40);
const unwanted = () => Promise.reject(new Error('nobody asks for this'));

let postgres: TestDatabase;
let database: ServerDatabase;
let another: ServerDatabase;
let store: ServerStore;
/** The store of another process. */
let elsewhere: ServerStore;
let session: WorkerSession;
let folder: string;
let pull: PullRequest;
/** The commit that merging it would make. */
let merge: string;
let comments: string[];
let statuses: CommitStatus[];
let queued: (readonly [id: string, queue: string | undefined])[];
const draft: NextPlan = { parts: [], authors: undefined, meanwhile: undefined, asked: [] };
let events = 0;

const host: GitHost = {
  ...{ readCredential: unwanted, listApprovals: unwanted, listPullAuthors: unwanted },
  ...{ listFilesBetween: unwanted, mayWrite: unwanted, react: unwanted },
  readPull: () => Promise.resolve(pull),
  listChangedFiles: () => Promise.resolve(['shop/main.yaml', 'other/main.yaml']),
  findMergeResult: () => Promise.resolve(merge),
  setStatus: (_repository, _commit, status) => Promise.resolve(void statuses.push(status)),
  keepComment: (_repository, _number, { body }) => {
    comments.push(body);
    return Promise.resolve('1');
  },
};
const connection: GitHostConnection = {
  ...{ name: 'hub', kind: 'github', address: 'https://api.github.com', app: undefined },
  ...{ createdAt: new Date(0), changedAt: new Date(0) },
};
const means = () => ({
  store,
  engine: {
    ...idleEngine,
    enqueue: ({ id }: { readonly id: string }, queue?: string) =>
      Promise.resolve(void queued.push([id, queue])),
  },
  hosts: {
    ...{ openGit: unwanted, open: () => Promise.resolve(host), close: () => undefined },
    find: () => Promise.resolve({ connection, host, path: 'acme/infra' }),
  },
  runtime: silentRuntime,
  warn: () => undefined,
});

async function hearPull(): Promise<void> {
  events += 1;
  const event = { kind: 'pull', repository: 'acme/infra', number: pull.number } as const;
  await handleGitHostEvent(means(), { id: String(events), connection: 'hub', event, attempts: 1 });
}

/** Writes all that is due to pull requests. */
async function deliver(): Promise<void> {
  for (let report = await store.pulls.claim(session.id); report;) {
    await deliverPullReport(means(), report);
    await store.pulls.end(report);
    report = await store.pulls.claim(session.id);
  }
}

/** The summary of the newest head, as it is now. */
async function sumUp() {
  const due = await store.heads.claim(session.id);
  if (!due) throw new Error('No summary is due.');
  await deliverSummaryStatus(means(), due);
  await store.heads.end(due);
  return statuses.at(-1)?.description;
}

const addWorkspace = async (name: string, variables: Readonly<Record<string, string>>) => {
  const made = await store.workspaces.add({
    ...{ name, repository: 'https://github.com/acme/infra', branch: 'main', directory: name },
    ...{ poll: false, variables, connection: 'hub' },
  });
  return made?.id ?? '';
};

/** A run of the branch that is under way. */
async function begin(workspaceId: string, operation: RunOperation): Promise<StoredRun> {
  const run = { workspaceId, operation, commit: commitOf('c'), reason: 'a test' };
  const added = await store.runs.add(run);
  const begun = await store.runs.claim(added?.id ?? '', session.id);
  if (!begun) throw new Error('The run cannot be begun.');
  return begun;
}

const list = async (operation: RunOperation) =>
  (await store.runs.list(undefined, 50)).filter((run) => run.operation === operation);
const find = async (id: string) => {
  const run = await store.runs.find(id);
  if (!run) throw new Error('There is no such run.');
  return run;
};

/** A plan of a pull request that waits for an apply which runs, and its preview. */
async function openPreview() {
  const change = await begin(shop, 'apply');
  await hearPull();
  await queueDuePreviews(means());
  const [[preview], [plan]] = [await list('preview'), await list('plan')];
  if (!preview || !plan) throw new Error('There is no preview.');
  return { change, preview, plan };
}

type Shown = Awaited<ReturnType<typeof openPreview>>;

const carryOut = (id: string) => carryOutRun(makePlanningMeans(store, session, folder, draft), id);

let shop: string;
let other: string;

beforeAll(async () => {
  postgres = await makeServerDatabase();
  database = await openServerDatabase(postgres.url);
  another = await openServerDatabase(postgres.url);
  const keyring = openServerKeyring(['a key of 32 letters or more ...']);
  [store, elsewhere] = [
    assembleServerStore(database, keyring),
    assembleServerStore(another, keyring),
  ];
  session = await openWorkerSession(database, { host: 'here', version: '1' });
  folder = await mkdtemp(join(tmpdir(), 'hostwright-previews-'));
});

afterAll(async () => {
  session.close();
  await database.close();
  await another.close();
  await postgres.close();
  await rm(folder, { recursive: true, force: true });
});

beforeEach(async () => {
  await database.ask(
    'TRUNCATE hostwright_server.workspaces, hostwright_server.connections CASCADE',
  );
  const address = 'https://api.github.com';
  await store.connections.add(
    { name: 'hub', kind: 'github', address, app: undefined },
    { token: 't', webhookSecret: 's' },
  );
  const variables = { HOSTWRIGHT_BASE_URL: 'https://service.test', HOSTWRIGHT_TOKEN: 'token' };
  [shop, other] = [await addWorkspace('shop', variables), await addWorkspace('other', variables)];
  [comments, statuses, queued] = [[], [], []];
  [draft.meanwhile, draft.unsaved] = [undefined, undefined];
  merge = commitOf('b');
  pull = {
    ...{ number: 7, state: 'open', head: commitOf('a'), base: 'main', isFork: false },
    ...{ mergeCommit: undefined, author: '9' },
  };
});

describe('a preview of a pull request', () => {
  it('is made once, and only where an apply or a destroy of the workspace runs', async () => {
    await begin(shop, 'plan');
    await store.runs.add({
      ...{ workspaceId: shop, operation: 'apply', commit: merge, reason: 'a test' },
    });
    const change = await begin(other, 'destroy');
    await hearPull();
    await Promise.all([queueDuePreviews(means()), queueDuePreviews(means())]);
    await queueDuePreviews(means());
    const previews = await list('preview');
    const plan = (await list('plan')).find(({ workspaceId }) => workspaceId === other);
    expect(previews).toMatchObject([
      {
        ...{ workspaceId: other, planRun: plan?.id, commit: merge, pull: { number: 7 } },
        ...{ status: 'queued', reason: `destroy #${change.number} is running` },
      },
    ]);
    expect(queued.filter(([, queue]) => queue === 'previews')).toEqual([
      [previews[0]?.id, 'previews'],
    ]);
  });

  it('is made of a plan that waited already when the apply began, and of none while the workspace is paused', async () => {
    await hearPull();
    await queueDuePreviews(means());
    expect(await list('preview')).toEqual([]);
    await begin(shop, 'apply');
    await begin(other, 'apply');
    await database.ask('UPDATE hostwright_server.workspaces SET paused = true WHERE id = $1', [
      other,
    ]);
    await queueDuePreviews(means());
    expect(await list('preview')).toMatchObject([{ workspaceId: shop }]);
  });

  it('is not made while workers of an earlier version are there, which would take it for a plan', async () => {
    const old = await openWorkerSession(database, { host: 'there', version: '0' });
    await begin(shop, 'apply');
    await hearPull();
    await queueDuePreviews(means());
    expect(await list('preview')).toEqual([]);
    old.close();
    const count = async () => {
      await session.recoverOthers(() => Promise.resolve([]));
      await queueDuePreviews(means());
      return (await list('preview')).length;
    };
    await expect.poll(count).toBe(1);
  });

  it('waits for no run of its workspace, and keeps none waiting', async () => {
    const { change, preview, plan } = await openPreview();
    expect(await store.turns.findWait(preview.id)).toBeUndefined();
    expect(await store.turns.findWait(plan.id)).toMatchObject({ for: 'run' });
    await store.runs.claim(preview.id, session.id);
    await store.runs.end(change, { status: 'succeeded' });
    expect(await store.turns.findWait(plan.id)).toBeUndefined();
  });

  it('is shown as such until the plan takes its place, and counts for nothing', async () => {
    const { change, preview, plan } = await openPreview();
    await deliver();
    expect(comments).toEqual([]);
    await carryOut(preview.id);
    expect(await find(preview.id)).toMatchObject({
      ...{ status: 'succeeded', planFile: undefined, changes: undefined, hasChanges: undefined },
    });
    await deliver();
    expect(comments).toHaveLength(1);
    expect(comments[0]).toContain(
      `**Preview:** apply #${change.number} of this workspace is running. The plan that can be approved is made when it has ended.\n\na plan that is not saved`,
    );
    expect(comments[0]).toContain(`Run #${preview.number} of aaaaaaaaaa`);
    expect(statuses.map(({ description }) => description)).toEqual(
      statuses.map(() => expect.stringMatching(/^Plan #\d+ has not ended yet$/) as string),
    );
    expect(await sumUp()).toBe('Plans wait: other, shop');
    const { number, head } = pull;
    expect((await store.pulls.listNewest(number, [shop])).get(shop)?.number).toBe(plan.number);
    expect(await store.pulls.findPlan(shop, number, head)).toBeUndefined();
    expect(await store.workspaces.read(shop)).toMatchObject({ status: 'running' });
    const saved = await database.ask('SELECT 1 FROM hostwright_server.run_reports');
    expect(saved).toEqual([]);
    await store.runs.end(change, { status: 'succeeded' });
    await carryOut(plan.id);
    await deliver();
    expect(comments).toHaveLength(2);
    expect(comments[1]).toContain('a comment');
    expect(comments[1]).not.toContain('Preview');
    expect(await store.pulls.findPlan(shop, number, head)).toBe(plan.id);
    const acts = await database.ask(
      `SELECT act FROM hostwright_server.audit WHERE detail LIKE '%' || $1 || '%'`,
      [preview.id],
    );
    expect(acts).toEqual([]);
  });

  it('is not shown any more once the apply has ended', async () => {
    const { change, preview } = await openPreview();
    draft.meanwhile = async () => {
      await store.runs.end(change, { status: 'succeeded' });
    };
    await carryOut(preview.id);
    expect((await find(preview.id)).status).toBe('succeeded');
    await deliver();
    expect(comments).toEqual([]);
  });

  const changes: readonly (readonly [
    string,
    (shown: Shown) => unknown,
    (shown: Shown) => string,
  ])[] = [
    [
      'waits behind others once the apply has ended, also where another one begins',
      async ({ change }) => {
        await store.runs.end(change, { status: 'succeeded' });
        await deliver();
        expect(comments).toHaveLength(2);
        expect(comments[1]).toContain('waits for its turn');
        await begin(shop, 'destroy');
        await database.ask('UPDATE hostwright_server.pull_reports SET revision = revision + 1');
      },
      ({ change, plan }) =>
        `made while apply #${change.number} of this workspace was running. Plan #${plan.number} waits for its turn.`,
    ],
    [
      'is being made',
      async ({ change, plan }) => {
        await store.runs.end(change, { status: 'succeeded' });
        await deliver();
        await store.runs.claim(plan.id, session.id);
      },
      ({ plan }) => `was running. Plan #${plan.number} is being made.`,
    ],
    [
      'is cancelled',
      ({ plan }) => cancelRun(means(), plan),
      ({ plan }) => `was running. Plan #${plan.number} was cancelled.`,
    ],
    [
      'is cancelled with its pull request',
      () => {
        pull = { ...pull, state: 'closed' };
        return hearPull();
      },
      ({ plan }) => `was running. Plan #${plan.number} was cancelled.`,
    ],
  ];

  it.each(changes)('says it when the plan %s', async (_what, happen, said) => {
    const shown = await openPreview();
    await carryOut(shown.preview.id);
    await deliver();
    await happen(shown);
    await deliver();
    expect(comments.at(-1)).toContain(`**Preview:** `);
    expect(comments.at(-1)).toContain(said(shown));
    expect(comments.at(-1)).toContain('a plan that is not saved');
  });

  it('stays until a newer commit has one of its own, and says what becomes of the plan of that', async () => {
    const { change, preview } = await openPreview();
    await carryOut(preview.id);
    pull = { ...pull, head: commitOf('d') };
    merge = commitOf('e');
    await hearPull();
    await deliver();
    expect(comments.at(-1)).toContain(`apply #${change.number} of this workspace is running.`);
    expect(comments.at(-1)).toContain(`Run #${preview.number} of aaaaaaaaaa`);
    await store.runs.end(change, { status: 'failed' });
    await deliver();
    const newest = (await store.pulls.listNewest(pull.number, [shop])).get(shop)?.number;
    expect(comments.at(-1)).toContain(`was running. Plan #${newest} waits for its turn.`);
    await begin(shop, 'apply');
    await queueDuePreviews(means());
    const [next] = await list('preview');
    await carryOut(next?.id ?? '');
    await deliver();
    expect(comments.at(-1)).toContain(`Run #${next?.number} of dddddddddd`);
  });

  it('is not shown any more where a plan of its pull request was made since', async () => {
    const { change, preview, plan } = await openPreview();
    await carryOut(preview.id);
    await store.runs.end(change, { status: 'succeeded' });
    await carryOut(plan.id);
    await deliver();
    const written = comments.length;
    pull = { ...pull, head: commitOf('d') };
    merge = commitOf('e');
    await hearPull();
    await deliver();
    expect(comments).toHaveLength(written);
  });

  it('is not shown where the pull request is merged meanwhile, which its comment says', async () => {
    const { change, preview } = await openPreview();
    const { commit } = change;
    await store.pulls.noteMerge(shop, pull.number, { commit, head: pull.head, isApplied: false });
    await carryOut(preview.id);
    await deliver();
    expect(comments.at(-1)).toContain('## Merged: apply under way');
    expect(comments.at(-1)).not.toContain('Preview');
  });

  it('sends the token nowhere but to the address that the workspace sets', async () => {
    const { preview } = await openPreview();
    await database.ask('UPDATE hostwright_server.workspaces SET variables = $2 WHERE id = $1', [
      shop,
      await store.blobs.add(Buffer.from('{"HOSTWRIGHT_TOKEN":"token"}')),
    ]);
    draft.meanwhile = unwanted;
    await carryOut(preview.id);
    expect((await find(preview.id)).status).toBe('failed');
    const log = await store.log.read(preview.id, 0);
    expect(log.map(({ text }) => text).join('\n')).toContain('does not set HOSTWRIGHT_BASE_URL');
  });

  it('that is run again is the plan of its pull request', async () => {
    const { preview } = await openPreview();
    const workspace = await store.workspaces.read(shop);
    if (!workspace) throw new Error('There is no workspace.');
    const id = await retryRun(means(), workspace, preview, { reason: 'a test' });
    expect(await find(id)).toMatchObject({ operation: 'plan', pull: { number: 7 }, commit: merge });
  });
});

describe('another preview', () => {
  const countPreviews = async () => {
    await queueDuePreviews(means());
    return (await list('preview')).length;
  };
  const pause = async (paused: boolean) => {
    const workspace = await store.workspaces.read(shop);
    if (workspace) await store.workspaces.edit(workspace, { paused });
  };

  it('is not made of a plan that is refused, which the comment says', async () => {
    const { preview } = await openPreview();
    draft.unsaved = { code: 1, text: 'The plan is refused.' };
    await carryOut(preview.id);
    expect((await find(preview.id)).status).toBe('failed');
    await deliver();
    expect(comments.at(-1)).toContain('**Preview:** apply #');
    expect(comments.at(-1)).toContain('The plan is refused.');
    expect(await countPreviews()).toBe(1);
  });

  it('is made where one comes to nothing, three in all', async () => {
    const { preview } = await openPreview();
    draft.unsaved = { code: 4, text: 'a fault' };
    await carryOut(preview.id);
    expect((await find(preview.id)).status).toBe('failed');
    const counts = [];
    for (let round = 0; round < 3; round += 1) {
      counts.push(await countPreviews());
      const [last] = await list('preview');
      await carryOut(last?.id ?? '');
    }
    expect(counts).toEqual([2, 3, 3]);
    await deliver();
    expect(comments).toEqual([]);
  });

  it('is not made where somebody cancels one, also one that is being made', async () => {
    const { preview } = await openPreview();
    await cancelRun(means(), preview);
    expect(await countPreviews()).toBe(1);
    pull = { ...pull, number: 8 };
    await hearPull();
    expect(await countPreviews()).toBe(2);
    const [next] = await list('preview');
    const begun = await store.runs.claim(next?.id ?? '', session.id);
    if (!begun) throw new Error('The preview does not begin.');
    await cancelRun(means(), begun);
    await pause(true);
    await store.runs.end(begun, { status: 'cancelled' });
    await pause(false);
    expect(await countPreviews()).toBe(2);
  });

  it('is made once the workspace is paused no more, after the one before has ended', async () => {
    await openPreview();
    await pause(true);
    await pause(false);
    expect(await countPreviews()).toBe(2);
    const [next] = await list('preview');
    const begun = await store.runs.claim(next?.id ?? '', session.id);
    if (!begun) throw new Error('The preview does not begin.');
    await pause(true);
    await pause(false);
    expect(await countPreviews()).toBe(2);
    await store.runs.end(begun, { status: 'cancelled' });
    expect(await countPreviews()).toBe(3);
  });
});

describe('a preview ends', () => {
  const ends: readonly (readonly [string, (plan: StoredRun, change: StoredRun) => unknown])[] = [
    ['as the apply ends', (_plan, change) => store.runs.end(change, { status: 'failed' })],
    ['as the apply waits for its account', (_plan, change) => store.turns.postpone(change, 60_000)],
    ['as the plan begins', (plan) => store.runs.claim(plan.id, session.id)],
    ['as the plan is cancelled', (plan) => cancelRun(means(), plan)],
    [
      'as the pull request is closed',
      () => {
        pull = { ...pull, state: 'closed' };
        return hearPull();
      },
    ],
    [
      'as the pull request gets a new commit',
      () => {
        pull = { ...pull, head: commitOf('d') };
        merge = commitOf('e');
        return hearPull();
      },
    ],
    [
      'as the workspace is paused',
      async () => {
        const workspace = await store.workspaces.read(shop);
        if (workspace) await store.workspaces.edit(workspace, { paused: true });
      },
    ],
  ];

  it.each(ends)('%s', async (_when, end) => {
    const { change, preview, plan } = await openPreview();
    await end(plan, change);
    expect(await find(preview.id)).toMatchObject({ status: 'cancelled' });
    expect((await find(preview.id)).endedAt).toBeInstanceOf(Date);
    // The engine may have it in hand all the same.
    draft.meanwhile = unwanted;
    await carryOut(preview.id);
    expect((await find(preview.id)).status).toBe('cancelled');
    await deliver();
    expect(comments.join('\n')).not.toContain('Preview');
  });

  it.each(ends)('%s, where it is being made', async (_when, end) => {
    const { change, preview, plan } = await openPreview();
    const begun = await store.runs.claim(preview.id, session.id);
    await end(plan, change);
    expect(await find(preview.id)).toMatchObject({ status: 'running', cancels: 1 });
    // It is postponed no more, so that nobody waits for it.
    expect(begun && (await store.turns.postpone(begun, 1_000))).toBe(false);
  });

  it('with its worker, and another one goes on with it beside the runs of the workspace', async () => {
    const { preview } = await openPreview();
    const gone = await openWorkerSession(database, { host: 'there', version: '1' });
    await store.runs.claim(preview.id, gone.id);
    gone.close();
    await expect.poll(() => session.recoverOthers(() => Promise.resolve([preview.id]))).toBe(1);
    queued = [];
    await queueForgottenRuns(means());
    expect(queued).toEqual([[preview.id, 'previews']]);
    await carryOut(preview.id);
    expect(await find(preview.id)).toMatchObject({ status: 'succeeded', attempt: 2 });
    await queueDuePreviews(means());
    expect(await list('preview')).toHaveLength(1);
  });
});

it('a plan that begins while its preview is added gets none', async () => {
  await begin(shop, 'apply');
  await hearPull();
  const plan = (await list('plan')).find(({ workspaceId }) => workspaceId === shop);
  await store.transact(async () => {
    await store.runs.claim(plan?.id ?? '', session.id);
    // Another process, which sees it queued.
    expect(await elsewhere.previews.add()).toEqual([]);
  });
  expect(await store.previews.add()).toEqual([]);
});

it('a new commit and a preview that ends at this very moment come one after the other', async () => {
  const { preview, plan } = await openPreview();
  await store.runs.claim(preview.id, session.id);
  await store.pulls.keepBody(preview.id, 'a plan that is not saved');
  let added: Promise<unknown> = Promise.resolve();
  await store.transact(async () => {
    // The order of the end: first the preview, and then what is written to its pull request.
    await database.ask('SELECT 1 FROM hostwright_server.runs WHERE id = $1 FOR NO KEY UPDATE', [
      preview.id,
    ]);
    const commit = { commit: commitOf('e'), reason: 'a test' };
    const newer = { number: pull.number, head: commitOf('d') };
    added = elsewhere.runs.add({
      ...{ workspaceId: shop, operation: 'plan', ...commit, pull: newer },
    });
    const countWaiting = async () =>
      (await database.ask('SELECT 1 FROM pg_locks WHERE NOT granted')).length;
    await expect.poll(countWaiting).toBeGreaterThan(0);
    const begun = await find(preview.id);
    expect(await store.runs.end(begun, { status: 'succeeded' })).toBe(true);
  });
  expect(await added).toMatchObject({ superseded: [plan.id] });
});
