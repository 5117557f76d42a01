// What can go wrong between a server and a git host, and who may do what: with the program and real repositories.
import { resolve } from 'node:path';
import { afterAll, afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { drawSome } from '../support/budget/budget.ts';
import { describePullRequest } from '../support/hosts/describe-pull-request.ts';
import { idOf, type DoubleFault } from '../support/hosts/host-double.ts';
import { asProcesses } from '../support/server/as-processes.ts';
import { inProcess } from '../support/server/in-process.ts';
import { network, openHostedRig, type HostedRig } from '../support/hosts/open-hosted-rig.ts';
import type { RigMeans, Running } from '../support/server/server-rig.ts';

const hosts = drawSome(['github', 'gitlab'] as const, { short: 1, ci: 1 }, 'hosts');

describe.each(hosts)('a pull request at %s', (host) => describePullRequest(host));

// Each of them waits for several runs of several processes.
vi.setConfig({ testTimeout: 240_000, hookTimeout: 240_000 });
afterAll(() => vi.resetConfig());

const soon = { timeout: 60_000, interval: 100 };
const tree = (...names: readonly string[]) => ({ 'main.yaml': network(...names) });

describe.each(hosts)('the server and %s', (kind) => {
  let hosted: HostedRig;
  let worker: Running;
  const success = 'success';
  const listRuns = async () =>
    (await hosted.api.call('GET', '/api/v1/runs')).body.runs as readonly {
      readonly operation: string;
      readonly status: string;
      readonly pullRequest?: number;
    }[];
  const ownComments = () =>
    hosted.double.ground.comments.filter(({ author }) => author === hosted.double.ownName);

  /** Statuses of the workspace: that of the whole head is another. */
  const ownStatuses = () =>
    hosted.double.ground.statuses.filter(({ context }) => context === 'hostwright/shop');

  /** Writes to a comment that is there. */
  const corrections = () =>
    hosted.double.ground.requests.filter((one) => /^(?:PATCH|PUT) .*(?:comments|notes)/.test(one));

  const said = () =>
    ownComments()
      .map(({ body }) => body)
      .join('\n');

  const open = async (means: RigMeans) => {
    hosted = await openHostedRig(means, kind);
    const { ground } = hosted.double;
    await ground.repository.commit(tree('main'));
    await hosted.makeWorkspace('shop');
    ground.people.set('maintainer', 'write').set('reader', 'read');
    worker = await hosted.startWorker();
  };
  beforeEach(() => open(inProcess));
  afterEach(() => hosted.close());

  it('plan no fork until somebody who may names its newest commit', async () => {
    const { double } = hosted;
    const pull = await double.openPull(tree('main', 'second'), { isFork: true });
    await expect.poll(said, soon).toContain(`hostwright plan shop ${pull.head}`);
    expect(ownStatuses()).toMatchObject([{ state: 'pending', commit: pull.head }]);
    await double.comment(pull, 'stranger', `hostwright plan shop ${pull.head}`);
    await expect.poll(said, soon).toContain('needs the permission to write');
    await double.comment(pull, 'reader', `hostwright plan shop ${pull.head}`);
    await double.comment(pull, 'maintainer', 'hostwright plan');
    await expect.poll(said, soon).toContain('Name the newest commit');
    // Whichever process came to it says so; the two comments may be handled in either order.
    await expect
      .poll(() => hosted.server.complaints() + worker.complaints(), soon)
      .toMatch(/reader\W+ may not run/);
    expect(await listRuns()).toEqual([]);
    await double.comment(pull, 'maintainer', `hostwright plan ${pull.head}`);
    await expect.poll(() => ownStatuses().at(-1)?.state, soon).toBe(success);
    expect((await listRuns()).map(({ pullRequest }) => pullRequest)).toEqual([pull.number]);
    await expect.poll(() => ownComments()[0]?.body, soon).toContain('second');
    const before = pull.head;
    await double.pushTo(pull, tree('main', 'third'));
    await expect.poll(() => ownComments()[0]?.body, soon).toContain(pull.head);
    await double.comment(pull, 'maintainer', `hostwright plan ${before}`);
    await expect.poll(said, soon).toContain(`hostwright plan ${pull.head}`);
    expect(await listRuns()).toHaveLength(1);
    // The plan, and an answer for each person.
    expect(ownComments()).toHaveLength(4);
  });

  it('plan nothing that is closed while it waits', async () => {
    const { double } = hosted;
    await worker.stop();
    const pull = await double.openPull(tree('main', 'second'));
    await expect.poll(listRuns, soon).toMatchObject([{ status: 'queued' }]);
    await double.close(pull);
    await expect.poll(listRuns, soon).toMatchObject([{ status: 'cancelled' }]);
    await expect
      .poll(() => ownStatuses().at(-1), soon)
      .toMatchObject({ description: 'Plan #1 was cancelled' });
    expect(ownComments()).toEqual([]);
  });

  it('apply by a comment what was merged, for people who may', async () => {
    const { double } = hosted;
    const pull = await double.openPull(tree('main', 'second'));
    await expect.poll(() => ownStatuses().at(-1)?.state, soon).toBe(success);
    await double.comment(pull, 'maintainer', 'hostwright apply');
    await expect.poll(said, soon).toContain('Merge the pull request');
    await double.merge(pull);
    const status = async () =>
      (await hosted.api.call('GET', '/api/v1/workspaces/shop')).body.status;
    await expect.poll(status, soon).toBe('waiting');
    await double.comment(pull, 'reader', 'hostwright apply shop');
    await expect.poll(said, soon).toContain('permission to write');
    expect(await status()).toBe('waiting');
    await double.comment(pull, 'maintainer', 'hostwright apply');
    await double.repeat();
    await expect.poll(status, soon).toBe('inSync');
    expect((await listRuns()).map(({ operation }) => operation)).toEqual(['apply', 'plan', 'plan']);
    const seen = double.ground.comments.map(({ author, reactions }) => [author, ...reactions]);
    expect(seen.filter(([, ...reactions]) => reactions.length > 0)).toEqual([
      ['maintainer', 'eyes'],
      ['maintainer', 'eyes'],
    ]);
    await double.comment(pull, 'maintainer', 'hostwright unlock');
    await expect.poll(said, soon).toContain('Nobody in *People* of the server has the identity');
  });

  it('take an approval of the newest commit for a yes to the plan of the merge, and back with it', async () => {
    const { double, api } = hosted;
    const approvals = { count: 1, hostReviews: true };
    await api.call('PATCH', '/api/v1/workspaces/shop', { approvals });
    for (const name of ['early', 'late']) {
      const email = `${name}@example.com`;
      const person = { kind: 'person', name, email, issuer: 'https://id.example.com' };
      const { body } = await api.call('POST', '/api/v1/members', {
        ...{ ...person, subject: name, grants: [{ role: 'approve', workspace: 'shop' }] },
      });
      const hostIds = [`forge/${idOf(name)}`];
      await api.call('PATCH', `/api/v1/members/${String(body.id)}`, { hostIds });
    }
    const pull = await double.openPull(tree('main', 'second'));
    await double.approve(pull, 'early');
    await double.pushTo(pull, tree('main', 'third'));
    const shown = { commit: pull.head, state: success };
    await expect.poll(() => ownStatuses().at(-1), soon).toMatchObject(shown);
    await double.approve(pull, 'late');
    await double.approve(pull, 'stranger');
    await double.merge(pull);
    const yes = `1 of 1 approvals. Approved by late (review of \\#${pull.number} at forge).`;
    await expect.poll(said, soon).toContain(yes);
    await double.unapprove(pull, 'late');
    await expect.poll(said, soon).toContain('waits for approvals');
    expect(said()).not.toContain('Approved by');
  });

  it('deliver what a host refused for a while, and write no comment twice', async () => {
    const { double } = hosted;
    // Each sort of write has its own: how many statuses there are depends on whether the plan ends before its start is told.
    const faults: Readonly<Record<'comment' | 'status', DoubleFault[]>> = {
      comment: [{ status: 502 }, { status: 429, headers: { 'retry-after': '1' } }, 'lost'],
      status: [{ status: 502 }, 'lost'],
    };
    let tokens = 0;
    double.ground.faultOf = (method, path) => {
      if (path.endsWith('access_tokens')) return (tokens += 1) < 4 ? { status: 502 } : undefined;
      if (method === 'GET') return undefined;
      return faults[/comments|notes/.test(path) ? 'comment' : 'status'].shift();
    };
    await double.openPull(tree('main', 'second'));
    await expect.poll(() => [...faults.comment, ...faults.status], soon).toEqual([]);
    await expect.poll(corrections, soon).not.toEqual([]);
    await expect.poll(() => ownStatuses().at(-1)?.state, soon).toBe(success);
    expect(ownComments()).toHaveLength(1);
    expect(ownComments()[0]?.body).toContain('second');
  });

  it('write one comment when a worker is killed between the plan and the comment', async () => {
    await hosted.close();
    await open(asProcesses(resolve('.')));
    const { double, api } = hosted;
    // Both processes may write it: the one that does so is cut off from the answer, and the worker is killed.
    double.ground.faultOf = (method, path) =>
      method === 'POST' && /comments|notes/.test(path) ? 'lost' : undefined;
    await double.openPull(tree('main', 'second'));
    await expect.poll(() => ownComments().length, soon).toBeGreaterThan(0);
    await worker.stop('SIGKILL');
    double.ground.faultOf = () => undefined;
    await hosted.startWorker();
    await expect.poll(corrections, soon).not.toEqual([]);
    expect(ownComments()).toHaveLength(1);
    const { body } = await api.call('GET', '/api/v1/runs');
    expect(body.runs).toMatchObject([{ operation: 'plan', status: 'succeeded', attempt: 1 }]);
  });
});
