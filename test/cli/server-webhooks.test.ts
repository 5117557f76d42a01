// Webhooks that come in: who may send them, what they come to, and that each counts once.
import { createHmac, randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findAnswerFaults } from '../support/server/check-answer.ts';
import { openPagesRig, origin, type PagesRig } from '../support/server/pages-rig.ts';

const secret = 'hww_of_the_tests';
const commit = 'a'.repeat(40);
let rig: PagesRig;

interface Sent {
  readonly connection?: string;
  readonly headers?: Record<string, string>;
  readonly secret?: string;
  /** What is signed, where that is not what is sent. */
  readonly signed?: string;
}

const push = (repository: string, ref = 'refs/heads/main') => ({
  ...{ ref, after: commit, repository: { full_name: repository } },
  project: { path_with_namespace: repository },
});

async function deliver(headers: Record<string, string>, body: string, connection: string) {
  const path = `/webhooks/${connection}`;
  const request = new Request(`${origin}${path}`, { method: 'POST', headers, body });
  const response = await rig.app.fetch(request, { address: '192.0.2.1' });
  const answer = { status: response.status, body: (await response.json()) as object };
  expect(findAnswerFaults('POST', path, answer)).toEqual([]);
  return answer;
}

function sendGithub(event: string, payload: object | string, sent: Sent = {}) {
  const body = typeof payload === 'string' ? payload : JSON.stringify(payload);
  const { connection = 'hub', headers = {} } = sent;
  const digest = createHmac('sha256', sent.secret ?? secret)
    .update(sent.signed ?? body)
    .digest('hex');
  return deliver(
    {
      ...{ 'x-github-event': event, 'x-github-delivery': randomUUID() },
      ...{ 'x-hub-signature-256': `sha256=${digest}`, ...headers },
    },
    body,
    connection,
  );
}

function sendGitlab(event: string, payload: object, { headers = {}, ...sent }: Sent = {}) {
  const own = { 'x-gitlab-event': event, 'x-gitlab-token': sent.secret ?? secret };
  return deliver({ ...own, ...headers }, JSON.stringify(payload), sent.connection ?? 'lab');
}

const countEvents = async () => {
  const [row] = (await rig.ask(
    'SELECT count(*) AS count FROM hostwright_server.deliveries WHERE event IS NOT NULL',
  )) as { count: string }[];
  return Number(row?.count);
};

beforeAll(async () => {
  rig = await openPagesRig();
  for (const [name, kind, site] of [
    ['hub', 'github', 'https://github.com'],
    ['lab', 'gitlab', 'https://gitlab.com'],
  ] as const) {
    const address = kind === 'github' ? 'https://api.github.com' : site;
    const given = { name, kind, address, app: undefined };
    await rig.store.connections.add(given, { token: 'hush', webhookSecret: secret });
    await rig.store.workspaces.add({
      ...{ name, repository: `${site}/Acme/infra.git`, branch: 'main', directory: '.' },
      ...{ poll: false, connection: name, variables: {} },
    });
  }
});
afterAll(() => rig.close());

describe('a webhook', () => {
  it.each([
    ['another secret', { secret: 'other' }],
    ['another body', { signed: '{}' }],
    ['no signature', { headers: { 'x-hub-signature-256': '' } }],
    ['an old signature', { headers: { 'x-hub-signature-256': 'sha1=00' } }],
    ['a short one', { headers: { 'x-hub-signature-256': 'sha256=00' } }],
    ['an unknown connection', { connection: 'nobody' }],
  ])('of GitHub with %s is refused', async (_what, sent) => {
    const before = await countEvents();
    expect((await sendGithub('push', push('acme/infra'), sent)).status).toBe(401);
    expect(await countEvents()).toBe(before);
  });

  it.each([
    ['another secret', { secret: 'other' }],
    ['the beginning of the secret', { secret: secret.slice(0, -1) }],
    ['no secret', { secret: '' }],
    ['the secret of another host', { connection: 'hub' }],
  ])('of GitLab with %s is refused', async (_what, sent) => {
    expect((await sendGitlab('Push Hook', push('acme/infra'), sent)).status).toBe(401);
  });

  it('is refused and logged, now and then, without what it says', async () => {
    for (let count = 0; count < 20; count += 1) await sendGithub('push', {}, { secret: 'other' });
    const said = rig.warnings.filter((one) => one.includes('the connection hub was refused'));
    expect(said).toHaveLength(10);
    expect(rig.warnings.join()).not.toContain(secret);
  });

  it('is taken once, whatever its repetition says', async () => {
    const id = { 'x-github-delivery': randomUUID() };
    const before = await countEvents();
    const first = await sendGithub('push', push('acme/infra'), { headers: id });
    expect(first).toEqual({ status: 202, body: { status: 'accepted' } });
    expect(await sendGithub('ping', {}, { headers: id })).toEqual(first);
    expect(await countEvents()).toBe(before + 1);
    // Those that come at the same moment, too.
    const key = { headers: { 'idempotency-key': randomUUID() } };
    const both = [1, 2].map(() => sendGitlab('Push Hook', push('acme/infra'), key));
    expect((await Promise.all(both)).map(({ status }) => status)).toEqual([202, 202]);
    expect(await countEvents()).toBe(before + 2);
  });

  it('about a pull request is taken once under any id, and whatever it is called', async () => {
    const before = await countEvents();
    const pull = { ...push('acme/infra'), action: 'opened', number: 71 };
    const about = { action: 'open', iid: 71 };
    const merge = { ...push('acme/infra'), object_attributes: about };
    const [hub, lab] = [() => sendGithub('pull_request', pull), () => sendMerge(merge)];
    function sendMerge(body: object) {
      const headers = { 'idempotency-key': randomUUID() };
      return sendGitlab('Merge Request Hook', body, { headers });
    }
    for (const send of [hub, lab]) {
      expect(await send()).toMatchObject({ status: 202 });
      expect(await send()).toMatchObject({ status: 200, body: { status: 'ignored' } });
    }
    expect(await countEvents()).toBe(before + 2);
  });

  it('about a review is taken again: an approval can be taken back and given once more', async () => {
    const before = await countEvents();
    const review = { state: 'approved' };
    const body = { ...push('acme/infra'), action: 'submitted', review };
    const send = () => sendGithub('pull_request_review', { ...body, pull_request: { number: 72 } });
    expect([await send(), await send()]).toMatchObject([{ status: 202 }, { status: 202 }]);
    expect(await countEvents()).toBe(before + 2);
  });

  it('of a GitLab that numbers none is told by what it says', async () => {
    const before = await countEvents();
    const other = push('acme/infra', 'refs/heads/other');
    await sendGitlab('Push Hook', other);
    await sendGitlab('Push Hook', other);
    await sendGitlab('Push Hook', push('acme/infra', 'refs/heads/third'));
    expect(await countEvents()).toBe(before + 2);
  });

  it('is bounded, and is JSON', async () => {
    const large = JSON.stringify({ text: 'x'.repeat(5 * 1024 * 1024) });
    expect((await sendGithub('push', large)).status).toBe(413);
    for (const body of ['', '"text"', 'payload=%7B%7D'])
      expect((await sendGithub('push', body)).status).toBe(400);
    expect((await sendGithub('push', '{}', { headers: { 'x-github-delivery': '' } })).status).toBe(
      400,
    );
    expect((await sendGithub('push', '[]')).status).toBe(200);
  });

  it.each([
    ['ping', {}, 'works'],
    ['push', push('acme/other'), 'No workspace'],
    ['push', push('evil/acme/infra'), 'No workspace'],
    ['push', push('%/infra'), 'No workspace'],
    ['push', push('acme/infra', 'refs/tags/v1'), 'no branch'],
    ['push', { ...push('acme/infra'), after: '0'.repeat(40) }, 'no branch'],
    ['star', push('acme/infra'), 'Nothing follows'],
    ['pull_request', { ...push('acme/infra'), action: 'labeled', number: 1 }, 'Nothing follows'],
    ['pull_request', { ...push('acme/infra'), action: 'opened', number: '1/../2' }, 'names no'],
  ])('%s %o is ignored', async (event, payload, reason) => {
    expect(await sendGithub(event, payload)).toEqual({
      ...{
        status: 200,
        body: { status: 'ignored', reason: expect.stringContaining(reason) as string },
      },
    });
  });
});
