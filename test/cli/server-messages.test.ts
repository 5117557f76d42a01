// Messages of the server: when they are written, and that each arrives once, later, or in the list of what was given up.
import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { openLazyNetwork } from '../../src/cli/network/open-network.ts';
import type { NetworkConnections } from '../../src/model/http.ts';
import {
  sendDueMessages,
  type MessageSendingDependencies,
} from '../../src/server/messages/send-messages.ts';
import { fingerprintDrift } from '../../src/server/runs/report-plan.ts';
import type { RunAttemptOutcome } from '../../src/server/store/run.ts';
import { publicUrlSetting } from '../../src/server/store/settings.ts';
import { disabledTracing } from '../../src/server/traces/tracing.ts';
import { findAnswerFaults } from '../support/server/check-answer.ts';
import {
  isSigned,
  startMessageReceiver,
  type MessageReceiver,
} from '../support/server/message-receiver.ts';
import { openPagesRig, origin, type PagesRig } from '../support/server/pages-rig.ts';

const commit = 'c'.repeat(40);
const here = { address: '192.0.2.1' };

let rig: PagesRig;
let receiver: MessageReceiver;
let network: NetworkConnections;
let workspaces: Readonly<Record<'shop' | 'other', string>>;

async function call(method: string, path: string, body?: object) {
  const response = await rig.send(method, path, { body });
  const text = await response.text();
  const answer = {
    status: response.status,
    body: (text === '' ? {} : JSON.parse(text)) as Record<string, unknown>,
  };
  expect(findAnswerFaults(method, path, answer)).toEqual([]);
  return answer;
}

/** Adds a target of the receiver. @returns its secret */
async function addTarget(given: object = {}): Promise<string> {
  const body = { name: 'chat', kind: 'webhook', address: `${receiver.origin}/hook?key=covert` };
  const made = await call('POST', '/api/v1/message-targets', { ...body, ...given });
  expect(made.status).toBe(201);
  return String(made.body.secret);
}

/** Sends what is due, as one process does. At once again where `findDelay` is not given. */
const send = (given: Partial<MessageSendingDependencies> = {}) =>
  sendDueMessages(
    {
      ...{ store: rig.store, exchange: network.exchange, workerId: randomUUID() },
      tracing: disabledTracing,
      ...{ warn: () => undefined, findDelay: (_, attempts) => (attempts < 3 ? 0 : undefined) },
      ...given,
    },
    new AbortController().signal,
  );

async function addWorkspace(name: string): Promise<string> {
  const repository = 'https://git.example.com/acme/a.git';
  const fields = { name, repository, branch: 'main', directory: '.', poll: false };
  const variables = { HOSTWRIGHT_TOKEN: 'a token to hide' };
  return (await rig.store.workspaces.add({ ...fields, variables }))?.id ?? '';
}

/** A run that ends as a worker ends it. */
async function run(
  workspaceId: string,
  operation: 'plan' | 'apply' | 'drift',
  outcome: RunAttemptOutcome,
): Promise<string> {
  const made = await rig.store.runs.add({ workspaceId, operation, commit, reason: 'a reason' });
  const id = made?.id ?? '';
  await rig.ask(
    `UPDATE hostwright_server.runs SET status = 'running', attempt = 1, started_at = now() WHERE id = $1`,
    [id],
  );
  const begun = await rig.store.runs.find(id);
  if (!begun) throw new Error('no run');
  await rig.store.transact(async () => {
    await rig.store.runs.end(begun, outcome);
    await rig.store.drift.settle(begun, outcome);
  });
  return id;
}

const drifted = (...addresses: readonly string[]): RunAttemptOutcome => ({
  ...{ status: 'succeeded', hasChanges: true },
  ...fingerprintDrift(
    addresses.map((address) => ({ address, change: { actions: ['delete'], after: null } })),
  ),
});

beforeAll(async () => {
  rig = await openPagesRig();
  network = openLazyNetwork({}, { maxConnections: 8 });
  workspaces = { shop: await addWorkspace('shop'), other: await addWorkspace('other') };
  await rig.store.settings.write(publicUrlSetting, 'https://hostwright.example.com');
});

beforeEach(async () => {
  receiver = await startMessageReceiver();
});

afterEach(async () => {
  await receiver.close();
  await rig.ask('DELETE FROM hostwright_server.message_targets');
  await rig.ask('DELETE FROM hostwright_server.drift_episodes');
});

afterAll(async () => {
  network.close();
  await rig.close();
});

describe('a message', () => {
  it('is signed, names the run, and has no secret', async () => {
    const secret = await addTarget();
    const id = await run(workspaces.shop, 'drift', drifted('vms.a', 'vms.b'));
    await send();
    const [message, ...more] = receiver.received;
    expect(more).toEqual([]);
    expect(message?.path).toBe('/hook?key=covert');
    expect(isSigned(message!, secret)).toBe(true);
    expect(isSigned({ ...message!, body: `${message!.body} ` }, secret)).toBe(false);
    const age = Date.now() / 1_000 - Number(message?.headers['webhook-timestamp']);
    expect(Math.abs(age)).toBeLessThan(60);
    const body = JSON.parse(message!.body) as { data: object };
    expect(body).toMatchObject({
      type: 'drift.began',
      data: {
        ...{ workspace: 'shop', drift: { count: 2 } },
        run: { id, operation: 'drift', status: 'succeeded', commit },
        link: `https://hostwright.example.com/runs/${id}`,
      },
    });
    expect(message!.body).not.toMatch(/covert|to hide|vms\.a|whsec/);
    const stored = await rig.ask('SELECT * FROM hostwright_server.message_targets');
    expect(JSON.stringify(stored)).not.toMatch(/covert|whsec/);
    const shown = JSON.stringify((await call('GET', '/api/v1/message-targets')).body);
    expect(shown).toContain('"site":"http://127.0.0.1');
    expect(shown).not.toMatch(/covert|whsec/);
  });

  it('comes once when drift begins, changes and ends', async () => {
    await addTarget();
    const check = (outcome: RunAttemptOutcome) => run(workspaces.shop, 'drift', outcome);
    const none: RunAttemptOutcome = { status: 'succeeded', hasChanges: false };
    await check(none);
    for (let times = 0; times < 3; times += 1) await check(drifted('vms.a'));
    await check({ status: 'cancelled' });
    await check(drifted('vms.a', 'vms.b'));
    await check(none);
    await check(none);
    await send();
    expect(receiver.taken().toSorted()).toEqual(['drift.began', 'drift.changed', 'drift.ended']);
  });

  it('tells of failed runs, applies and plans that wait, where somebody wants to know', async () => {
    const events = ['run.failed', 'run.applied', 'plan.waiting'];
    await addTarget({ events, workspaces: ['shop'] });
    await addTarget({ name: 'all', kind: 'slack', events: ['run.failed'] });
    const changes = [{ address: 'vms.a', action: 'create' }];
    const planned: RunAttemptOutcome = { status: 'succeeded', hasChanges: true, changes };
    await run(workspaces.shop, 'plan', planned);
    await run(workspaces.shop, 'plan', { status: 'succeeded', hasChanges: false });
    await run(workspaces.shop, 'apply', { status: 'succeeded' });
    await run(workspaces.shop, 'drift', drifted('vms.a'));
    await run(workspaces.other, 'apply', { status: 'succeeded' });
    await run(workspaces.other, 'plan', { status: 'failed' });
    await send();
    const bodies = receiver.received.map(({ body }) => JSON.parse(body) as Record<string, string>);
    const types = bodies.flatMap(({ type }) => (type === undefined ? [] : [type]));
    expect(types.toSorted()).toEqual(['plan.waiting', 'run.applied']);
    expect(bodies.flatMap(({ text }) => (text === undefined ? [] : [text]))).toEqual([
      expect.stringMatching(
        /^\*other\*: The plan failed\. \(<https:\/\/hostwright\.example\.com\/runs\/\S+\|plan #\d+>\)$/,
      ),
    ]);
  });

  it('is not there where what it reports was taken back', async () => {
    await addTarget();
    const undone = rig.store.transact(async () => {
      await run(workspaces.shop, 'plan', { status: 'failed' });
      throw new Error('taken back');
    });
    await expect(undone).rejects.toThrow();
    await send();
    expect(receiver.received).toEqual([]);
  });
});

describe('delivery', () => {
  const test = () => call('POST', '/api/v1/message-targets/chat/test');

  it('comes again with the same id after a failure, and not after it was taken', async () => {
    const secret = await addTarget();
    receiver.answers.push({ status: 500 }, { status: 302, headers: { location: '/elsewhere' } });
    expect((await test()).status).toBe(202);
    await send();
    await send();
    const { received } = receiver;
    expect(received.map(({ status }) => status)).toEqual([500, 302, 204]);
    expect(new Set(received.map(({ headers }) => headers['webhook-id'])).size).toBe(1);
    expect(new Set(received.map(({ path }) => path))).toEqual(new Set(['/hook?key=covert']));
    expect(received.every((one) => isSigned(one, secret))).toBe(true);
    expect((await call('GET', '/api/v1/messages')).body.messages).toEqual([]);
  });

  it('is done once for each message, however many processes send', async () => {
    await addTarget();
    for (let times = 0; times < 20; times += 1) await test();
    await Promise.all([send(), send(), send()]);
    const ids = receiver.received.map(({ headers }) => headers['webhook-id']);
    expect(ids).toHaveLength(20);
    expect(new Set(ids).size).toBe(20);
  });

  it('is given up in the end, is listed, and can be begun again', async () => {
    await addTarget();
    receiver.answers.push({ status: 503 }, { status: 503 }, { status: 503 });
    await test();
    await send();
    expect(receiver.received).toHaveLength(3);
    const { body } = await call('GET', '/api/v1/messages');
    const [dead] = body.messages as readonly { id: string }[];
    expect(dead).toMatchObject({ target: 'chat', event: 'test', attempts: 3 });
    expect(JSON.stringify(dead)).toMatch(/127\.0\.0\.1:\d+ answered 503/);
    expect(JSON.stringify(dead)).not.toContain('covert');
    await send();
    expect(receiver.received).toHaveLength(3);
    const path = `/api/v1/messages/${dead?.id ?? ''}/send-again`;
    expect((await call('POST', path)).status).toBe(202);
    expect((await call('POST', path)).status).toBe(404);
    await send();
    expect(receiver.received.at(-1)).toMatchObject({ status: 204 });
    expect((await call('GET', '/api/v1/messages')).body.messages).toEqual([]);
  });

  it('waits for hours by default, and gives up at once what is gone', async () => {
    await addTarget();
    receiver.answers.push({ status: 500 }, { status: 410 });
    await test();
    const work = { store: rig.store, exchange: network.exchange, workerId: randomUUID() };
    const once = () =>
      sendDueMessages(
        { ...work, tracing: disabledTracing, warn: () => undefined },
        new AbortController().signal,
      );
    await once();
    await once();
    expect(receiver.received).toHaveLength(1);
    await rig.ask('UPDATE hostwright_server.messages SET due_at = clock_timestamp()');
    await once();
    expect(receiver.received).toHaveLength(2);
    expect((await call('GET', '/api/v1/messages')).body.messages).toHaveLength(1);
  });

  it('to a target that hangs takes one place, and holds up no other target', async () => {
    await addTarget();
    for (let count = 0; count < 3; count += 1)
      await run(workspaces.shop, 'plan', { status: 'failed' });
    const claim = () => rig.store.messages.claim(randomUUID(), true);
    const first = await claim();
    expect(await claim()).toBeUndefined();
    await addTarget({ name: 'other' });
    await run(workspaces.shop, 'plan', { status: 'failed' });
    const other = await claim();
    expect([first?.attempts, other?.attempts]).toEqual([1, 1]);
    expect(other?.target).not.toBe(first?.target);
  });

  it('to a target that is out of reach holds up no other target', async () => {
    await addTarget();
    await addTarget({ name: 'down', address: 'http://127.0.0.1:1/down' });
    for (let times = 0; times < 3; times += 1)
      await call('POST', '/api/v1/message-targets/down/test');
    await test();
    await send({ findDelay: () => 3_600_000 });
    expect(receiver.received).toHaveLength(1);
    const [row] = await rig.ask(
      `SELECT count(*) AS count FROM hostwright_server.messages WHERE sent_at IS NULL AND due_at > clock_timestamp()`,
    );
    expect(row).toEqual({ count: '3' });
  });
});

describe('a target', () => {
  it.each([
    'http://chat.example.com/hook',
    'ftp://chat.example.com',
    'https://user:password@chat.example.com/hook',
    'chat.example.com',
  ])('is refused at %s', async (address) => {
    const body = { name: 'bad', kind: 'webhook', address };
    const { status, body: problem } = await call('POST', '/api/v1/message-targets', body);
    expect(status).toBe(422);
    expect(JSON.stringify(problem)).not.toContain('chat.example.com');
  });

  it('has a name of its own, and is removed with what waits for it', async () => {
    await addTarget();
    const body = { name: 'chat', kind: 'slack', address: 'https://hooks.example.com/T/B/x' };
    expect((await call('POST', '/api/v1/message-targets', body)).status).toBe(409);
    const unknown = { ...body, name: 'c', workspaces: ['nothing'] };
    expect((await call('POST', '/api/v1/message-targets', unknown)).status).toBe(422);
    await call('POST', '/api/v1/message-targets/chat/test');
    expect((await call('DELETE', '/api/v1/message-targets/chat')).status).toBe(204);
    expect((await call('DELETE', '/api/v1/message-targets/chat')).status).toBe(404);
    await send();
    expect(receiver.received).toEqual([]);
    const acts = (await rig.store.audit.list({ limit: 2, isNewestFirst: true })).map(
      ({ act }) => act,
    );
    expect(acts).toContain('messageTarget.remove');
  });
});

it('the page of the messages adds a target, shows its secret once, and sends again what was given up', async () => {
  const secret = await rig.store.sessions.begin('administrator');
  const formToken = (await rig.store.sessions.find(secret))?.formToken ?? '';
  const own = { origin, host: new URL(origin).host, 'sec-fetch-site': 'same-origin' };
  const headers = { ...own, cookie: `hostwright=${secret}` };
  const look = async () =>
    (await rig.app.fetch(new Request(`${origin}/messages`, { headers }), here)).text();
  const submit = async (path: string, fields: [string, string][]) =>
    rig.app.fetch(
      new Request(`${origin}${path}`, {
        method: 'POST',
        body: new URLSearchParams([['formToken', formToken], ...fields]).toString(),
        headers: { ...headers, 'content-type': 'application/x-www-form-urlencoded' },
      }),
      here,
    );
  expect(await look()).toContain('No messages are sent yet');
  const made = await submit('/message-targets', [
    ['name', 'chat'],
    ['kind', 'webhook'],
    ['address', `${receiver.origin}/hook?key=covert`],
    ['events', 'run.failed'],
    ['workspaces', 'shop, other'],
  ]);
  const text = await made.text();
  expect(made.status).toBe(200);
  expect(text).toMatch(/whsec_[\w+/]{43}=/);
  expect(text).not.toContain('covert');
  expect(await look()).not.toContain('whsec_');
  receiver.answers.push({ status: 410 });
  expect((await submit('/message-targets/chat/test', [])).headers.get('location')).toBe(
    '/messages',
  );
  await send({ findDelay: () => undefined });
  const [, again = ''] = /action="(\/messages\/[^"]+\/again)"/.exec(await look()) ?? [];
  expect((await submit(again, [])).headers.get('location')).toBe('/messages');
  await send();
  expect(receiver.taken()).toEqual(['test']);
  expect(await look()).not.toContain('Given up');
  await submit('/message-targets/chat/remove', []);
  expect(await look()).toContain('No messages are sent yet');
  const refused = await submit('/message-targets', [
    ['name', 'Bad name'],
    ['kind', 'slack'],
    ['address', 'https://hooks.example.com/covert'],
    ['events', 'run.failed'],
  ]);
  expect(refused.status).toBe(422);
  const shown = await refused.text();
  expect(shown).toContain('value="Bad name"');
  expect(shown).not.toContain('covert');
});
