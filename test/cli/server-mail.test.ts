// Messages by e-mail: with a real database and a mail server on loopback.
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openLazyNetwork } from '../../src/cli/network/open-network.ts';
import type { NetworkConnections } from '../../src/model/http.ts';
import {
  loadNodemailer,
  isMailAddress,
  openMailSender,
  type MailSender,
} from '../../src/server/messages/open-mail.ts';
import {
  sendDueMessages,
  type MessageSendingDependencies,
} from '../../src/server/messages/send-messages.ts';
import { publicUrlSetting } from '../../src/server/store/settings.ts';
import { disabledTracing } from '../../src/server/traces/tracing.ts';
import { findAnswerFaults } from '../support/server/check-answer.ts';
import { startMailDouble, type MailDouble } from '../support/server/mail-double.ts';
import { openPagesRig, origin, type PagesRig } from '../support/server/pages-rig.ts';

const from = 'hostwright@example.com';

let double: MailDouble;
let mail: MailSender | undefined;
let rig: PagesRig;
let network: NetworkConnections;

const open = (HOSTWRIGHT_SERVER_SMTP_URL: string, HOSTWRIGHT_SERVER_MAIL_FROM = from) =>
  openMailSender({ env: { HOSTWRIGHT_SERVER_SMTP_URL, HOSTWRIGHT_SERVER_MAIL_FROM } });

async function call(app: PagesRig['app'], method: string, path: string, body?: object) {
  const request = new Request(`${origin}${path}`, {
    ...{ method, headers: { authorization: `Bearer ${rig.adminToken}` } },
    ...(body && { body: JSON.stringify(body) }),
  });
  const response = await app.fetch(request, { address: '192.0.2.1' });
  const answer = {
    status: response.status,
    body: (await response.json()) as Record<string, string>,
  };
  expect(findAnswerFaults(method, path, answer)).toEqual([]);
  return answer;
}

/** Sends what is due, as one process does: at once again, three times at most. */
const send = (given: Partial<MessageSendingDependencies> = {}) =>
  sendDueMessages(
    {
      ...{
        store: rig.store,
        exchange: network.exchange,
        workerId: randomUUID(),
        mail,
        tracing: disabledTracing,
      },
      ...{ warn: () => undefined, findDelay: (_, attempts) => (attempts < 3 ? 0 : undefined) },
      ...given,
    },
    new AbortController().signal,
  );

/** A run of a workspace that fails. */
async function failRun(name: string): Promise<void> {
  const workspace = await rig.store.workspaces.add({
    ...{ name, repository: 'https://git.example.com/a.git', branch: 'main', directory: '.' },
    ...{ poll: false, variables: {} },
  });
  const made = await rig.store.runs.add({
    ...{ workspaceId: workspace?.id ?? '', operation: 'plan', commit: 'c'.repeat(40) },
    reason: 'a test',
  });
  await rig.ask(
    `UPDATE hostwright_server.runs SET status = 'failed', started_at = now(), ended_at = now() WHERE id = $1`,
    [made?.id],
  );
}

beforeAll(async () => {
  double = await startMailDouble();
  mail = await open(double.url);
  rig = await openPagesRig({ ...(mail && { mail }) });
  network = openLazyNetwork({}, { maxConnections: 2 });
  await rig.store.settings.write(publicUrlSetting, 'https://hostwright.example.com');
});

afterAll(async () => {
  mail?.close();
  network.close();
  await rig.close();
  await double.close();
});

describe('a message by e-mail', () => {
  const target = { name: 'ops', kind: 'email', address: 'ops@example.com', events: ['run.failed'] };

  it('goes to its address, and says what happened where', async () => {
    const made = await call(rig.app, 'POST', '/api/v1/message-targets', target);
    expect(made).toMatchObject({ status: 201, body: { site: 'ops@example.com' } });
    expect(made.body.secret).toBeUndefined();
    await failRun('shop');
    await send();
    expect(double.received).toMatchObject([{ from, to: ['ops@example.com'] }]);
    const { text = '' } = double.received[0] ?? {};
    expect(text).toContain('Subject: [Hostwright] shop: The plan failed\n');
    expect(text).toMatch(/Message-ID: <[0-9a-f-]{36}@example.com>/);
    expect(text).toContain('Workspace: shop\nRun: plan #1, failed\n');
    expect(text).toContain('https://hostwright.example.com/runs/');
    await send();
    expect(double.received).toHaveLength(1);
  });

  it('is sent again with the same id, and given up in the end', async () => {
    double.answers.push('450 busy', '451 busy');
    await failRun('second');
    await send();
    expect(double.received).toHaveLength(2);
    double.answers.push('554 no', '554 no', '554 no');
    await failRun('third');
    await send();
    expect(double.received).toHaveLength(2);
    const { body } = await call(rig.app, 'GET', '/api/v1/messages');
    const { host } = new URL(double.url);
    expect(body.messages).toMatchObject([
      { target: 'ops', fault: `The mail server ${host} did not take it: answer 554` },
    ]);
  });

  it('waits for a process that knows a mail server', async () => {
    await failRun('fourth');
    const before = double.received.length;
    await send({ mail: undefined });
    expect(double.received).toHaveLength(before);
    await send();
    expect(double.received).toHaveLength(before + 1);
  });

  it.each(['ops', 'ops@', '@example.com', 'a@b c', 'a@b,c@d', 'a@b\r\nBcc: c@d', '"a"@b', ''])(
    'is not sent to %j',
    async (address) => {
      const given = { ...target, name: 'other', address };
      expect((await call(rig.app, 'POST', '/api/v1/message-targets', given)).status).toBe(422);
    },
  );
});

describe('the mail server', () => {
  it('is none where the environment names none', async () =>
    expect(await openMailSender({ env: {} })).toBeUndefined());

  it.each([
    ['no sender', 'smtps://mail.example.com', ''],
    ['no server', '', from],
    ['a server by https', 'https://mail.example.com', from],
    ['a sender that is two', 'smtps://mail.example.com', 'a@b, c@d'],
  ])('is refused with %s, and shows no password', async (_what, url, sender) => {
    await expect(open(url, sender)).rejects.toMatchObject({
      diagnostics: [{ code: 'server-mail-settings' }],
    });
  });

  it('gets nothing in the clear beyond this machine', async () => {
    // It is this machine all the same, by an address that is not known for that.
    const other = await open(double.url.replace('127.0.0.1', '0.0.0.0'));
    const { length } = double.received;
    const text = { to: 'a@example.com', id: 'i', subject: 's', text: 't' };
    await expect(other?.send(text)).rejects.toThrow('did not take it');
    expect(double.received).toHaveLength(length);
  });

  it('names the package where it is not installed', async () => {
    const missing = Object.assign(new Error('Cannot find'), { code: 'ERR_MODULE_NOT_FOUND' });
    await expect(loadNodemailer(() => Promise.reject(missing))).rejects.toMatchObject({
      diagnostics: [
        {
          hint: 'Install it beside Hostwright, with --global if Hostwright has it: npm install nodemailer@7',
        },
      ],
    });
  });

  it.each(['a@b', "o'hara+x@mail.example.com"])('takes the address %s', (address) => {
    expect(isMailAddress(address)).toBe(true);
  });
});
