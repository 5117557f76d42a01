// What follows from pull requests in a real PostgreSQL, where a host says how they are.
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { openServerKeyring } from '../../../src/server/secrets/keyring.ts';
import type { GitHostConnection } from '../../../src/server/hosts/connection.ts';
import type {
  CommitStatus,
  GitHost,
  UpdatablePullComment,
  PullRequest,
} from '../../../src/server/hosts/git-host.ts';
import { applyDueMerges } from '../../../src/server/pulls/decide-merges.ts';
import { deliverPullReport } from '../../../src/server/pulls/deliver-report.ts';
import { deliverSummaryStatus } from '../../../src/server/pulls/deliver-summary.ts';
import { handleGitHostEvent } from '../../../src/server/pulls/handle-event.ts';
import type { CommentCommand, GitHostEvent } from '../../../src/server/hosts/host-event.ts';
import { GitHostFault } from '../../../src/server/hosts/host-fault.ts';
import type { NewWorkspace } from '../../../src/server/store/workspaces.ts';
import type { RunAttemptOutcome } from '../../../src/server/store/run.ts';
import { openServerDatabase, type ServerDatabase } from '../../../src/server/database/database.ts';
import { assembleServerStore, type ServerStore } from '../../../src/server/store/store.ts';
import type { TestDatabase } from '../../support/backends/make-database.ts';
import { makeServerDatabase } from '../../support/server/server-database.ts';
import { silentRuntime } from '../../support/silent-runtime.ts';
import { idleEngine } from '../../support/server/idle-engine.ts';

const [head, merge, mergeCommit] = ['a', 'b', 'c'].map((letter) => letter.repeat(40)) as [
  string,
  string,
  string,
];
const outside = [{ address: 'projects.shop', action: 'update' }];

let postgres: TestDatabase;
let database: ServerDatabase;
let store: ServerStore;
let pull: PullRequest;
let comments: UpdatablePullComment[];
let statuses: (CommitStatus & { readonly commit: string })[];
/** Files that a pull request touches, in place of the usual ones. */
let touchedFiles: readonly string[] | undefined;
let groupFiles: readonly string[] = [];
let reactions: string[] = [];
/** Refusal of a reaction. */
let hostFault: GitHostFault | undefined;
/** Comes once, after a pull request was read. */
let beforeMerge: (() => Promise<void>) | undefined;

const unwanted = () => Promise.reject(new Error('nobody asks for this'));
const host: GitHost = {
  readCredential: unwanted,
  readPull: () => Promise.resolve(pull),
  listChangedFiles: (_repository, number) =>
    Promise.resolve(touchedFiles ?? [number === 7 ? 'shop/main.yaml' : 'other/main.yaml']),
  listFilesBetween: () => Promise.resolve(groupFiles),
  findMergeResult: async () => {
    const come = beforeMerge;
    beforeMerge = undefined;
    await come?.();
    return merge;
  },
  setStatus: (_repository, commit, status) =>
    Promise.resolve(void statuses.push({ ...status, commit })),
  keepComment: (_repository, _number, comment) => {
    comments.push(comment);
    return Promise.resolve('1');
  },
  listApprovals: unwanted,
  listPullAuthors: unwanted,
  react: (_repository, number, comment) => {
    reactions.push(`${number}/${comment}`);
    return hostFault ? Promise.reject(hostFault) : Promise.resolve();
  },
  mayWrite: () => Promise.resolve(true),
};
const connection: GitHostConnection = {
  ...{ name: 'hub', kind: 'github', address: 'https://api.github.com', app: undefined },
  ...{ createdAt: new Date(0), changedAt: new Date(0) },
};
const means = () => ({
  store,
  engine: idleEngine,
  hosts: {
    ...{ openGit: unwanted, open: () => Promise.resolve(host) },
    find: () => Promise.resolve({ connection, host, path: 'acme/infra' }),
    close: () => undefined,
  },
  runtime: silentRuntime,
  warn: () => undefined,
});

/** Writes what is due to pull requests. */
async function deliver(): Promise<void> {
  const report = await store.pulls.claim(randomUUID());
  if (!report) return;
  await deliverPullReport(means(), report);
  await store.pulls.end(report);
}

let events = 0;

/** A webhook that came in, as a worker takes it. */
function hear(event: GitHostEvent): Promise<void> {
  events += 1;
  return handleGitHostEvent(means(), { id: String(events), connection: 'hub', event, attempts: 1 });
}

const hearPull = () => hear({ kind: 'pull', repository: 'acme/infra', number: pull.number });
const hearCommand = (operation: CommentCommand['operation'], comment?: string) =>
  hear({
    ...{ kind: 'comment', repository: 'acme/infra', number: pull.number },
    person: { id: '583231', name: 'ada' },
    command: { operation },
    ...(comment !== undefined && { comment }),
  });
const hearApply = () => hearCommand('apply');

async function addWorkspace(
  given: Partial<Pick<NewWorkspace, 'applyOnMerge' | 'directory' | 'windows' | 'freezes'>> = {},
): Promise<string> {
  await database.ask(
    'TRUNCATE hostwright_server.workspaces, hostwright_server.connections CASCADE',
  );
  comments = [];
  statuses = [];
  const address = 'https://api.github.com';
  await store.connections.add(
    { name: 'hub', kind: 'github', address, app: undefined },
    { token: 't', webhookSecret: 's' },
  );
  const made = await store.workspaces.add({
    ...{ name: 'shop', repository: 'https://github.com/acme/infra', branch: 'main' },
    ...{ directory: '.', poll: false, variables: {}, connection: 'hub', ...given },
  });
  return made?.id ?? '';
}

/** A run of the branch that has succeeded. */
async function run(
  workspaceId: string,
  operation: 'plan' | 'drift',
  outcome: Partial<RunAttemptOutcome>,
) {
  const run = { workspaceId, operation, commit: mergeCommit, reason: 'a test' };
  const { id = '' } = (await store.runs.add(run)) ?? {};
  await claimAndEnd(id, outcome);
  return id;
}

async function claimAndEnd(id: string, outcome: Partial<RunAttemptOutcome>): Promise<void> {
  const [worker] = await database.ask<{ id: string }>(
    `INSERT INTO hostwright_server.workers (id, lock_key, host, version)
     VALUES (gen_random_uuid(), (random() * 1e9)::bigint, 'here', '1') RETURNING id`,
  );
  const begun = await store.runs.claim(id, worker?.id ?? '');
  if (begun) await store.runs.end(begun, { status: 'succeeded', hasChanges: true, ...outcome });
}

/** A plan of the merge, and drift that a check found after it. */
async function planAndDrift(workspaceId: string): Promise<string> {
  const planFile = await store.blobs.add(Buffer.from('a plan'));
  const changes = [{ address: 'projects.shop', action: 'create' }];
  const plan = await run(workspaceId, 'plan', { planFile, changes });
  await run(workspaceId, 'drift', { changes: outside, driftFingerprint: 'f' });
  expect((await store.workspaces.find('shop'))?.status).toBe('drifted');
  return plan;
}

const listRuns = async () =>
  (await store.runs.list('shop', 50)).map(({ operation, status, planRun }) => [
    ...[operation, status],
    ...(planRun === undefined ? [] : [planRun]),
  ]);

beforeAll(async () => {
  postgres = await makeServerDatabase();
  database = await openServerDatabase(postgres.url);
  store = assembleServerStore(database, openServerKeyring(['a key of 32 letters or more ...']));
  pull = {
    number: 7,
    state: 'open',
    head,
    base: 'main',
    isFork: false,
    mergeCommit: undefined,
    author: '9',
  };
});

afterAll(async () => {
  await database.close();
  await postgres.close();
});

it('a pull request that is reopened is planned again where closing it cancelled its plan, and once however often that is said', async () => {
  await addWorkspace();
  await hearPull();
  pull = { ...pull, state: 'closed' };
  await hearPull();
  expect(await listRuns()).toEqual([['plan', 'cancelled']]);
  pull = { ...pull, state: 'open' };
  await Promise.all([hearPull(), hearPull()]);
  await hearPull();
  const again = [
    ['plan', 'queued'],
    ['plan', 'cancelled'],
  ];
  expect(await listRuns()).toEqual(again);
});

it('two pushes to a pull request at once leave the plan of the newer one, whoever read the older one', async () => {
  await addWorkspace();
  const newer = 'd'.repeat(40);
  beforeMerge = async () => {
    pull = { ...pull, head: newer };
    await hearPull();
  };
  await expect(hearPull()).rejects.toThrow('planned meanwhile');
  await hearPull();
  expect((await store.runs.list('shop', 50)).map((run) => [run.pull?.head, run.status])).toEqual([
    [newer, 'queued'],
  ]);
  pull = { ...pull, head };
});

describe('the plan of a merge, where a check found drift since', () => {
  it('is applied by a comment, once', async () => {
    const plan = await planAndDrift(await addWorkspace());
    pull = { ...pull, state: 'merged', mergeCommit };
    await hearApply();
    expect(comments.at(-1)?.body).toMatch(/apply #\d+ is queued\. Its result comes/);
    expect((await listRuns())[0]).toEqual(['apply', 'queued', plan]);
    await hearApply();
    expect(comments.at(-1)?.body).toMatch(/not applied: run #\d+ applies it already/);
    expect(await listRuns()).toHaveLength(3);
  });

  it('waits for a window of its workspace, and says so in the answer and at the pull request', async () => {
    // The clock of this test shows the beginning of 1970, a Thursday.
    const windows = [{ days: 'Sat', from: '02:00', to: '05:00', zone: 'UTC' }];
    const plan = await planAndDrift(await addWorkspace({ windows }));
    pull = { ...pull, state: 'merged', mergeCommit };
    const wait = 'No window of the workspace is open. It starts on Sat 1970-01-03 02:00 (UTC).';
    await hearApply();
    expect(comments.at(-1)?.body).toContain(`is queued. ${wait} Its result comes`);
    expect((await listRuns())[0]).toEqual(['apply', 'queued', plan]);
    await deliver();
    expect(comments.at(-1)?.body).toMatch(/## Merged: apply waits\n\nApply #\d+ waits\. No window/);
    expect(statuses.at(-1)).toMatchObject({
      ...{
        state: 'pending',
        description: expect.stringMatching(/^Apply #\d+: apply waits$/) as string,
      },
    });
  });

  it('says whether it fits the windows of its workspace, and how long it takes', async () => {
    const report = { page: '', counts: {}, quotas: [], comparison: undefined };
    const windows = [{ days: 'Sat', from: '02:00', to: '05:00', zone: 'UTC' }];
    const freeze = { reason: 'No | change', from: '1970-02-01T00:00:00Z' };
    for (const [times, expected] of [
      [{ windows }, 'No window of the workspace is open. It starts on Sat 1970-01-03 02:00 (UTC).'],
      [
        { freezes: [{ ...freeze, to: '1970-02-02T00:00:00Z' }] },
        'It fits into the time until Sun 1970-02-01 00:00 (UTC).',
      ],
      [
        { freezes: [{ ...freeze, from: '1969-12-31T00:00:00Z', to: '1970-01-02T00:00:00Z' }] },
        String.raw`The workspace is frozen until Fri 1970-01-02 00:00 (UTC): No \| change. It starts`,
      ],
    ] as const) {
      const workspaceId = await addWorkspace(times);
      pull = { ...pull, state: 'open', mergeCommit: undefined };
      await hearPull();
      const [planned] = await store.runs.list('shop', 1);
      const keep = (id: string) => store.reports.keep(id, { ...report, expectedMs: 31 * 60_000 });
      await keep(planned?.id ?? '');
      await claimAndEnd(planned?.id ?? '', {});
      await deliver();
      const said = `\n\nWindows, when this was written: The apply takes about 31 min. ${expected}`;
      expect(comments.at(-1)?.body).toContain(said);
      await keep(await planAndDrift(workspaceId));
      pull = { ...pull, state: 'merged', mergeCommit };
      await hearPull();
      await deliver();
      const [before = '', after = '', ...more] = comments.at(-1)?.body.split(said) ?? [];
      expect([more, after]).toEqual([[], expect.stringContaining('of aaaaaaaaaa')]);
      expect(before).toContain('## Merged: waits to be applied');
    }
  });

  it('is not applied where it fits into no window of its workspace', async () => {
    const windows = [{ days: 'Sat', from: '02:00', to: '02:30', zone: 'UTC' }];
    const plan = await planAndDrift(await addWorkspace({ windows }));
    const report = { page: '', counts: {}, quotas: [], comparison: undefined };
    await store.reports.keep(plan, { ...report, expectedMs: 31 * 60_000 });
    pull = { ...pull, state: 'merged', mergeCommit };
    await hearApply();
    expect(comments.at(-1)?.body).toMatch(/not applied: .* It fits into no window\./);
    expect((await listRuns())[0]).toEqual(['drift', 'succeeded']);
  });

  it('is applied once it is there, where somebody asked for it before; what fails is told, and planned again', async () => {
    const workspace = await addWorkspace();
    pull = { ...pull, state: 'merged', mergeCommit };
    await hearApply();
    expect(comments.at(-1)?.body).toContain('the plan of the merge is not there yet');
    await applyDueMerges(means());
    const plan = await planAndDrift(workspace);
    await applyDueMerges(means());
    const [apply] = await store.runs.list('shop', 1);
    expect(apply).toMatchObject({ operation: 'apply', planRun: plan });
    expect(apply?.reason).toBe('pull request #7, asked for by ada');
    await claimAndEnd(apply?.id ?? '', { status: 'failed' });
    await store.log.add(apply?.id ?? '', [{ stream: 'error', text: 'the disk ``` is full' }]);
    await deliver();
    expect(statuses.at(-1)).toMatchObject({ commit: mergeCommit, state: 'failure' });
    expect(comments.at(-1)?.body).toMatch(
      /## Merged: apply failed[^]*````text\nthe disk ``` is full/,
    );
    await hearApply();
    expect(comments.at(-1)?.body).toMatch(/not applied: apply #\d+ ended as failed/);
    await hearCommand('plan');
    await hearCommand('help');
    expect(comments.at(-1)?.body).toContain('| `hostwright apply` |');
    expect((await store.runs.list('shop', 1))[0]).toMatchObject({
      ...{ operation: 'plan', status: 'queued', commit: mergeCommit },
    });
  });

  describe('is decided on by comments of members', () => {
    const say = async (operation: CommentCommand['operation']) => {
      await hearCommand(operation);
      return comments.at(-1)?.body.split(': ').slice(1).join(': ') ?? '';
    };
    /** A person of the server who is the one of the host. */
    const meet = async (...given: readonly ('approve' | 'apply')[]) => {
      const identity = { issuer: 'https://id', subject: randomUUID(), name: 'Ada' };
      const person = await store.members.addPerson(identity);
      const id = person?.id ?? '';
      await database.ask("UPDATE hostwright_server.members SET host_ids = '{}'");
      expect(await store.members.setHostIds(id, ['hub/583231'])).toBeUndefined();
      await store.members.grant(
        id,
        given.map((role) => ({ role, workspace: 'shop' })),
      );
      return id;
    };

    it('who are known, and may', async () => {
      const workspaceId = await addWorkspace();
      expect(await say('approve')).toContain('has the identity <code>hub/583231</code>');
      const ada = await meet('apply');
      for (const operation of ['approve', 'discard'] as const)
        expect(await say(operation)).toContain(
          'It needs the role <code>approve</code> for this workspace.',
        );
      expect(await say('unlock')).toContain('It is not locked.');
      await store.workspaces.lock(workspaceId, { since: '', by: 'Bob', reason: 'An audit.' });
      expect(await say('unlock')).toContain(
        '<code>Bob</code> had locked it: <code>An audit.</code>',
      );
      await meet('approve');
      expect(await say('unlock')).toContain('It needs the role <code>apply</code>');
      expect(await store.members.setHostIds(ada, ['hub/1', 'hub/583231'])).toBe('hub/583231');
    });

    it('once it is there, and nobody applies what is discarded', async () => {
      const workspaceId = await addWorkspace();
      await meet('approve');
      pull = { ...pull, state: 'open', mergeCommit: undefined };
      expect(await say('approve')).toContain('Merge the pull request first');
      pull = { ...pull, state: 'merged', mergeCommit };
      expect(await say('approve')).toContain('The plan of the merge is not there yet.');
      await hearApply();
      expect(await say('discard')).toContain('nothing is applied by itself');
      const planFile = await store.blobs.add(Buffer.from('a plan'));
      const id = await run(workspaceId, 'plan', { hasChanges: true, planFile, changes: outside });
      await applyDueMerges(means());
      expect(await store.runs.list('shop', 9)).toMatchObject([{ operation: 'plan' }]);
      expect(await say('approve')).toContain('Plans of this workspace need no approval.');
      expect(await say('discard')).toMatch(/plan #\d+ is discarded, and nobody applies it\./);
      await hearApply();
      expect(comments.at(-1)?.body).toContain('not applied:');
      expect((await store.approvals.read(id))?.state).toBe('rejected');
    });

    it('whose yes counts as on the pages', async () => {
      const workspaceId = await addWorkspace();
      const held = await store.workspaces.find('shop');
      if (held) await store.workspaces.edit(held, { approvals: { count: 2, byAuthor: false } });
      const ada = await meet('approve');
      pull = { ...pull, state: 'merged', mergeCommit };
      const planFile = await store.blobs.add(Buffer.from('a plan'));
      const id = await run(workspaceId, 'plan', { hasChanges: true, planFile, changes: outside });
      expect(await say('approve')).toMatch(/plan #\d+ has 1 of 2 approvals\.$/);
      expect((await store.approvals.read(id))?.decisions).toMatchObject([
        { member: ada, name: 'Ada', decision: 'yes', counts: true },
      ]);
      await store.pulls.noteMerge(workspaceId, pull.number, {
        ...{ commit: mergeCommit, head },
        isApplied: false,
      });
      await hearApply();
      await deliver();
      expect(comments.at(-1)?.body).toContain('1 of 2 approvals. Approved by Ada.');
      await say('discard');
      await deliver();
      expect(comments.at(-1)?.body).toContain('0 of 2 approvals. Rejected by Ada.');
    });
  });

  it('is seen at once at the comment that asks for it, also where the host refuses that', async () => {
    await addWorkspace();
    pull = { ...pull, state: 'open', mergeCommit: undefined };
    reactions = [];
    await hearCommand('apply', '77');
    hostFault = new GitHostFault('', { status: 403 });
    await hearCommand('apply', '78');
    hostFault = undefined;
    expect(reactions).toEqual(['7/77', '7/78']);
    expect(comments).toHaveLength(2);
  });

  it('is applied by itself, where the workspace says so', async () => {
    const workspace = await addWorkspace({ applyOnMerge: true });
    await store.pulls.noteMerge(workspace, pull.number, {
      commit: mergeCommit,
      head,
      isApplied: true,
    });
    const plan = await planAndDrift(workspace);
    await applyDueMerges(means());
    expect((await listRuns())[0]).toEqual(['apply', 'queued', plan]);
  });

  it('is held back where it loses something, which is told to the pull request and in one message', async () => {
    const workspace = await addWorkspace({ applyOnMerge: true });
    await store.messages.addTarget(
      {
        ...{ name: 'm', kind: 'slack', site: 's' },
        events: ['plan.waiting'],
        workspaceIds: undefined,
      },
      { address: 'https://hooks.example.com/' },
    );
    pull = { ...pull, state: 'merged', mergeCommit };
    await hearPull();
    const planFile = await store.blobs.add(Buffer.from('a plan'));
    const changes = [{ address: 'projects.shop', action: 'delete' }];
    const plan = await run(workspace, 'plan', { planFile, changes });
    const told = () =>
      database.ask(`SELECT detail->'run'->>'id' AS id FROM hostwright_server.messages`);
    expect(await told()).toEqual([]);
    await applyDueMerges(means());
    expect(await told()).toEqual([{ id: plan }]);
    // Nobody has planned the pull request, so that nothing has been written to it.
    await hearApply();
    expect((await listRuns())[0]).toEqual(['apply', 'queued', plan]);
    await deliver();
    expect(comments.at(-1)?.body).toContain('## Merged: apply under way');
    // A plan that nobody is going to apply by itself is told at once.
    await store.runs.cancel((await store.runs.list('shop', 1))[0]?.id ?? '');
    await run(workspace, 'plan', { planFile, changes });
    expect(await told()).toHaveLength(2);
    await store.messages.removeTarget('m');
  });

  // A push is planned at the newest commit of the branch, which may be the merge of something else.
  it('is applied where it is of a later merge, which did not touch the workspace', async () => {
    const workspace = await addWorkspace({ applyOnMerge: true, directory: 'shop' });
    const known = pull;
    pull = { ...known, state: 'merged', mergeCommit: 'e'.repeat(40) };
    await hearPull();
    pull = { ...known, number: known.number + 1, state: 'merged', mergeCommit };
    await hearPull();
    pull = known;
    const plan = await planAndDrift(workspace);
    await applyDueMerges(means());
    expect((await listRuns())[0]).toEqual(['apply', 'queued', plan]);
  });

  it('waits for a newer plan that is under way', async () => {
    const workspace = await addWorkspace({ applyOnMerge: true });
    await store.pulls.noteMerge(workspace, pull.number, {
      commit: mergeCommit,
      head,
      isApplied: true,
    });
    await planAndDrift(workspace);
    const newer = { operation: 'plan', commit: 'd'.repeat(40), reason: 'a test' } as const;
    await store.runs.add({ workspaceId: workspace, ...newer });
    await applyDueMerges(means());
    expect((await listRuns())[0]).toEqual(['plan', 'queued']);
  });
});

describe('the summary status of a head', () => {
  const summary = async () => {
    const due = await store.heads.claim(randomUUID());
    if (!due) return undefined;
    await deliverSummaryStatus(means(), due);
    await store.heads.end(due);
    const { context, state, description, commit } = statuses.at(-1) ?? {};
    return [context, commit, state, description];
  };

  beforeEach(() => {
    pull = { ...pull, number: 7, state: 'open', head, mergeCommit: undefined };
  });

  it.each([
    ['succeeded', 'success', 'Planned: shop'],
    ['failed', 'failure', 'Not planned: shop'],
  ] as const)('waits for the plans, and is as they ended: %s', async (status, state, words) => {
    await addWorkspace({ directory: 'shop' });
    await hearPull();
    expect(await summary()).toEqual(['hostwright', head, 'pending', 'Plans wait: shop']);
    expect(await summary()).toBeUndefined();
    await claimAndEnd((await store.runs.list('shop', 1))[0]?.id ?? '', { status });
    expect(await summary()).toEqual(['hostwright', head, state, words]);
  });

  it('is a success at once where no workspace is touched, and pending where it is paused', async () => {
    const id = await addWorkspace({ directory: 'shop' });
    pull = { ...pull, number: 8 };
    await hearPull();
    expect((await summary())?.slice(2)).toEqual(['success', 'no workspace is touched']);
    pull = { ...pull, number: 7 };
    await database.ask('UPDATE hostwright_server.workspaces SET paused = true WHERE id = $1', [id]);
    await hearPull();
    expect((await summary())?.slice(2)).toEqual(['pending', 'Paused: shop']);
    expect(await listRuns()).toEqual([]);
  });

  it('has the name that the server was given, and so have the others', async () => {
    await addWorkspace();
    await store.settings.write('status-name', 'staging');
    await hearPull();
    expect((await summary())?.[0]).toBe('staging');
    await deliver();
    expect(statuses.at(-1)?.context).toBe('staging/shop');
    await store.settings.remove('status-name');
  });

  it('is one of a merge group, whose commit is planned once, where it touches the workspace', async () => {
    await addWorkspace({ directory: 'shop' });
    const group: GitHostEvent = {
      ...{ kind: 'group' as const, repository: 'acme/infra', branch: 'main', number: 7 },
      ...{ before: 'e'.repeat(40), commit: 'f'.repeat(40) },
    };
    groupFiles = ['other/main.yaml'];
    await hear(group);
    expect(await summary()).toEqual([
      'hostwright',
      group.commit,
      'success',
      'no workspace is touched',
    ]);
    groupFiles = ['shop/main.yaml'];
    await hear(group);
    await hear(group);
    expect(await store.runs.list('shop', 5)).toMatchObject([
      { commit: group.commit, reason: 'merge group of pull request #7', status: 'queued' },
    ]);
    expect((await summary())?.slice(2)).toEqual(['pending', 'Plans wait: shop']);
  });

  it('leaves out a workspace that a newer head touches no longer, whose comment says so until it does', async () => {
    await addWorkspace({ directory: 'shop' });
    await hearPull();
    const [queued] = await store.runs.list('shop', 1);
    await claimAndEnd(queued?.id ?? '', {});
    await deliver();
    const newer = 'd'.repeat(40);
    pull = { ...pull, head: newer };
    touchedFiles = ['other/main.yaml'];
    await hearPull();
    await deliver();
    expect(comments.at(-1)?.body).toContain('## Plan: no longer touched');
    expect(statuses.at(-1)).toMatchObject({ commit: newer, state: 'success' });
    touchedFiles = undefined;
    await hearPull();
    await deliver();
    expect(statuses.at(-1)).toMatchObject({ commit: newer, state: 'pending' });
  });
});
