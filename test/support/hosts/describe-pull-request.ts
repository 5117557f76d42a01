// A pull request's way at a host, with real repositories.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { inProcess } from '../server/in-process.ts';
import type { DoublePull } from './host-double.ts';
import { network, openHostedRig, type HostedRig } from './open-hosted-rig.ts';

/** A configuration of another workspace: a project belongs to one of them. */
const other = 'version: 1\nprojects:\n  other:\n    networks: {}\n';

interface ListedRun {
  readonly operation: string;
  readonly status: string;
  readonly reason: string;
  readonly pullRequest?: number;
}

/** A pull request's way at a host: planned, shown, merged and applied. */
export function describePullRequest(kind: 'github' | 'gitlab'): void {
  let hosted: HostedRig;
  let pull: DoublePull;
  const success = 'success';

  const statuses = () =>
    hosted.double.ground.statuses.filter(({ context }) => context !== 'hostwright');
  const summary = () =>
    hosted.double.ground.statuses.findLast(({ context }) => context === 'hostwright');
  const comments = () => hosted.double.ground.comments;
  const listRuns = async (workspace: string) => {
    const { body } = await hosted.api.call('GET', `/api/v1/runs?workspace=${workspace}`);
    return body.runs as readonly ListedRun[];
  };
  const statusOf = async (workspace: string) =>
    (await hosted.api.call('GET', `/api/v1/workspaces/${workspace}`)).body.status;
  const soon = { timeout: 40_000, interval: 100 };

  beforeAll(async () => {
    hosted = await openHostedRig(inProcess, kind);
    await hosted.double.ground.repository.commit({ 'shop/main.yaml': network('main') });
    await hosted.makeWorkspace('shop', { directory: 'shop', applyOnMerge: true });
    await hosted.makeWorkspace('other', { directory: 'other' });
    await hosted.startWorker();
  });
  afterAll(() => hosted.close());

  it('a push is planned, by the token of the connection', async () => {
    await hosted.double.push({ 'shop/main.yaml': network('main'), 'other/main.yaml': other });
    await expect.poll(() => statusOf('shop'), soon).toBe('waiting');
    expect(await listRuns('shop')).toMatchObject([{ operation: 'plan', reason: 'push to main' }]);
    expect(hosted.double.ground.gitSignIns).toBeGreaterThan(0);
    const [run] = (await hosted.api.call('GET', '/api/v1/runs?workspace=shop')).body
      .runs as readonly { id: string }[];
    const apply = await hosted.api.run({ operation: 'apply', plan: run?.id });
    expect(await hosted.api.ended(apply.id)).toMatchObject({ status: 'succeeded' });
  });

  it('is planned as its merge would be, by the workspaces that it touches, and says nothing about them', async () => {
    pull = await hosted.double.openPull({
      'shop/main.yaml': network('main', 'second'),
      'other/main.yaml': other,
    });
    await expect.poll(() => statuses().at(-1)?.state, soon).toBe(success);
    expect(statuses()).toMatchObject([
      { commit: pull.head, state: 'pending', context: 'hostwright/shop' },
      { commit: pull.head, state: success, description: '1 to add' },
    ]);
    expect(statuses()[1]?.url).toMatch(/^https:\/\/hw\.example\.com\/runs\/[0-9a-f-]{36}$/);
    await expect.poll(() => comments().length, soon).toBe(1);
    expect(comments()[0]?.body).toMatch(/^<!-- hostwright-server:shop -->\n/);
    expect(comments()[0]?.body).toContain('Hostwright plan for <code>shop</code>');
    expect(comments()[0]?.body).toContain('second');
    await expect.poll(() => summary()?.description, soon).toBe('Planned: shop');
    expect(await statusOf('shop')).toBe('inSync');
    const [run, ...older] = await listRuns('shop');
    expect(run).toMatchObject({ pullRequest: pull.number, status: 'succeeded' });
    expect(older).toHaveLength(2);
    expect((await listRuns('other')).filter(({ pullRequest }) => pullRequest)).toEqual([]);
    const { id } = run as ListedRun & { id: string };
    const apply = await hosted.api.call('POST', '/api/v1/runs', { operation: 'apply', plan: id });
    expect(apply.status).toBe(409);
  });

  it('has one comment, which is kept up to date', async () => {
    await hosted.double.pushTo(pull, {
      'shop/main.yaml': network('main', 'second', 'third'),
      'other/main.yaml': other,
    });
    await expect.poll(() => comments()[0]?.body, soon).toContain('third');
    expect(comments()).toHaveLength(1);
    expect(statuses().at(-1)).toMatchObject({ commit: pull.head, description: '2 to add' });
  });

  it('is answered as before when a delivery comes again, and nothing more follows', async () => {
    const before = (await listRuns('shop')).length;
    expect(await hosted.double.repeat()).toEqual({ status: 202, body: { status: 'accepted' } });
    const wrong = { secret: 'another secret' };
    const [event, payload] = hosted.double.describePush(pull.head);
    expect((await hosted.double.send(event, payload, wrong)).status).toBe(401);
    const unknown = hosted.double.describePush(pull.head, 'acme/unknown');
    expect(await hosted.double.send(...unknown)).toMatchObject({
      ...{ status: 200, body: { status: 'ignored' } },
    });
    expect((await listRuns('shop')).length).toBe(before);
    expect(hosted.server.complaints()).toContain('its signature does not match');
    expect(hosted.server.complaints()).toContain('which no workspace uses');
  });

  it('is applied once it is merged, where it loses nothing', async () => {
    const commit = await hosted.double.merge(pull);
    await expect
      .poll(() => listRuns('shop'), soon)
      .toMatchObject([
        {
          ...{ operation: 'apply', status: 'succeeded' },
          reason: `merge of pull request #${pull.number}`,
        },
        { operation: 'plan', reason: 'push to main' },
        ...Array<object>(4).fill({}),
      ]);
    await expect.poll(() => summary()?.description, soon).toBe('Planned: shop');
    expect(await statusOf('shop')).toBe('inSync');
    expect(await listRuns('other')).toMatchObject([{ reason: 'push to main' }]);
    await expect.poll(() => comments()[0]?.body, soon).toContain('## Merged: applied (2 to add)');
    expect(comments()).toHaveLength(1);
    expect(statuses().at(-1)).toMatchObject({ commit, state: success, context: 'hostwright/shop' });
  });

  it('left no secret in what the server says', () => {
    const said = hosted.server.complaints();
    for (const one of hosted.double.ground.credentials) {
      const [, token = ''] = one.split(':');
      expect(said).not.toContain(token);
      for (const { body } of comments()) expect(body).not.toContain(token);
    }
    expect(said).not.toContain(hosted.double.webhook.secret);
  });
}
