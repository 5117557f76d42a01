// The double of a state server, as any client meets it.
import { createHash } from 'node:crypto';
import { afterEach, describe, expect, test } from 'vitest';
import {
  openHttpStateDouble,
  type DoubleOptions,
  type HttpStateDouble,
} from '../../support/backends/http-state-double.ts';

let double: HttpStateDouble;
const start = async (options: DoubleOptions = {}) => {
  double = await openHttpStateDouble(options);
};
afterEach(() => double.close());

async function ask(method: string, path = '', body?: unknown, headers = {}) {
  const text = typeof body === 'string' ? body : body && JSON.stringify(body);
  const request = { method, headers, ...(text !== undefined && { body: text as string }) };
  const answer = await fetch(double.address + path, request);
  return { status: answer.status, text: await answer.text() };
}
const statusOf = async (...asked: Parameters<typeof ask>) => (await ask(...asked)).status;

const info = (ID: string) => ({
  ...{ ID, Operation: `apply ${ID}`, Info: '', Who: `who ${ID}`, Version: '1' },
  ...{ Created: '2026-11-20T10:00:00Z', Path: '', Pid: 7 },
});
const state = (serial: number, more = {}) => ({ serial, ...more });

describe('the double of the protocol', () => {
  test('keeps a state, and nothing at first', async () => {
    await start();
    expect(await ask('GET')).toEqual({ status: 404, text: '' });
    expect(await statusOf('POST', '', 'anything')).toBe(200);
    expect(await ask('GET')).toEqual({ status: 200, text: 'anything' });
    expect(await statusOf('DELETE')).toBe(405);
    expect(await statusOf('GET', '/other')).toBe(404);
  });

  test('locks for one, and names the holder', async () => {
    await start();
    expect(await statusOf('LOCK', '', 'no info')).toBe(400);
    expect(await statusOf('LOCK', '', info('a'))).toBe(200);
    const refused = await ask('LOCK', '', info('b'));
    expect([refused.status, JSON.parse(refused.text)]).toEqual([423, info('a')]);
    expect(await statusOf('POST', '', 'x')).toBe(423);
    expect(await statusOf('POST', '?ID=b', 'x')).toBe(423);
    expect(await statusOf('POST', '?ID=a', 'x')).toBe(200);
    expect(await statusOf('UNLOCK', '', info('b'))).toBe(409);
    expect(await statusOf('UNLOCK', '', info('a'))).toBe(200);
    expect(await statusOf('UNLOCK', '', info('a'))).toBe(409);
    expect(await statusOf('POST', '?ID=a', 'y')).toBe(409);
    expect(double.latest).toBe('x');
  });

  test('may take any write while nobody has the lock, or not say who has', async () => {
    await start({ isLax: true, isMute: true });
    expect(await statusOf('POST', '?ID=old', 'x')).toBe(200);
    await ask('LOCK', '', info('a'));
    expect(await ask('LOCK', '', info('b'))).toEqual({ status: 423, text: 'locked' });
    expect(await statusOf('POST', '?ID=old', 'y')).toBe(423);
  });

  test('looks at who asks, and at the sum of what comes', async () => {
    await start({ credentials: { username: 'a', password: 'b' } });
    expect(await statusOf('GET')).toBe(401);
    const headers = { authorization: `Basic ${Buffer.from('a:b').toString('base64')}` };
    expect(await statusOf('GET', '', undefined, headers)).toBe(404);
    const sum = (text: string) => createHash('md5').update(text).digest('base64');
    const withSum = (text: string) => ({ ...headers, 'content-md5': sum(text) });
    expect(await statusOf('POST', '', 'ü', withSum('u'))).toBe(400);
    expect(await statusOf('POST', '', 'ü', withSum('ü'))).toBe(200);
    double.isForbidden = true;
    expect(await ask('GET', '', undefined, headers)).toMatchObject({
      ...{ status: 403, text: '{"message":"403 Forbidden"}' },
    });
  });

  test('loses answers and requests, is late, and answers for others', async () => {
    await start();
    double.meet('POST', { kind: 'answer-lost' }, { kind: 'request-lost' });
    await expect(ask('POST', '', 'one')).rejects.toThrow();
    expect(double.latest).toBe('one');
    await expect(ask('POST', '', 'two')).rejects.toThrow();
    expect(double.latest).toBe('one');
    let open = (): void => undefined;
    const until = new Promise<void>((done) => (open = done));
    double.meet('POST', { kind: 'late', until }, { kind: 'delayed', until });
    await expect(ask('POST', '', 'three')).rejects.toThrow();
    const delayed = statusOf('POST', '', 'four');
    expect(await statusOf('POST', '', 'five')).toBe(200);
    expect(double.latest).toBe('five');
    open();
    expect(await delayed).toBe(200);
    expect(double.latest).toBe('four');
    double.meet('GET', { kind: 'answered', status: 503, text: 'later' });
    expect(await ask('GET')).toEqual({ status: 503, text: 'later' });
    expect(await ask('GET')).toEqual({ status: 200, text: 'four' });
  });
});

describe('the double of GitLab', () => {
  test('keeps a version for each serial, and shows the highest', async () => {
    await start({ flavour: 'gitlab', largestBytes: 40 });
    expect(await statusOf('GET')).toBe(204);
    expect(await statusOf('POST', '', '')).toBe(204);
    expect(await statusOf('POST', '', 'no json')).toBe(422);
    expect(await ask('POST', '', {})).toMatchObject({
      ...{ status: 422, text: expect.stringContaining('No serial') as string },
    });
    expect(await statusOf('POST', '', state(2))).toBe(200);
    expect(await statusOf('POST', '', state(2, { other: 1 }))).toBe(422);
    expect(await statusOf('POST', '', state(1))).toBe(200);
    expect(await ask('GET')).toEqual({ status: 200, text: '{"serial":2}' });
    expect(await statusOf('POST', '', state(3, { text: 'x'.repeat(40) }))).toBe(413);
    expect([...double.versions.keys()]).toEqual([2, 1]);
  });

  test('names of the holder what it keeps, and of the asker the rest', async () => {
    await start({ flavour: 'gitlab' });
    expect(await statusOf('POST', '/lock', { ID: 'a' })).toBe(400);
    expect(await statusOf('POST', '/lock', info('a'))).toBe(200);
    const refused = await ask('POST', '/lock', info('b'));
    expect([refused.status, JSON.parse(refused.text)]).toEqual([
      409,
      {
        ...{ ID: 'a', Who: 'the-gitlab-user', Created: '2026-11-20T10:00:00.000Z' },
        ...{ Operation: 'apply b', Info: '', Version: '1', Path: '' },
      },
    ]);
    expect(await statusOf('POST', '?ID=b', state(1))).toBe(500);
    expect(await statusOf('POST', '', state(1))).toBe(500);
    expect(await statusOf('POST', '?ID=a', state(1))).toBe(200);
    expect(await ask('DELETE', '/lock', info('b'))).toEqual({ status: 409, text: '' });
    expect(await statusOf('DELETE', '/lock')).toBe(200);
    expect(await statusOf('POST', '?ID=a', state(2))).toBe(500);
    expect(await statusOf('POST', '', state(2))).toBe(200);
  });
});

describe('the double of Gitea', () => {
  test('wants all that a state of Terraform has', async () => {
    await start({ flavour: 'gitea' });
    const whole = { version: 4, terraform_version: 'x', lineage: 'y', resources: [], outputs: {} };
    expect(await statusOf('GET')).toBe(404);
    for (const key of Object.keys(whole)) {
      const rest = Object.fromEntries(Object.entries(whole).filter(([name]) => name !== key));
      expect(await statusOf('POST', '', state(1, rest))).toBe(400);
    }
    expect(await statusOf('POST', '', whole)).toBe(400);
    expect(await statusOf('POST', '?ID=old', state(1, whole))).toBe(201);
    expect(await statusOf('POST', '', state(1, whole))).toBe(409);
  });

  test('keeps the keys of Terraform of a lock', async () => {
    await start({ flavour: 'gitea' });
    expect(await statusOf('POST', '/lock', {})).toBe(400);
    expect(await statusOf('POST', '/lock', { ...info('a'), Created: 'unknown' })).toBe(400);
    expect(await statusOf('POST', '/lock', info('a'))).toBe(200);
    const refused = await ask('POST', '/lock', info('b'));
    const { Pid, ...known } = info('a');
    expect([refused.status, JSON.parse(refused.text), Pid]).toEqual([423, known, 7]);
    expect(await statusOf('POST', '?ID=b', state(1))).toBe(423);
    expect(await statusOf('DELETE', '/lock', { ID: 'b' })).toBe(423);
    expect(await statusOf('DELETE', '/lock', { ID: 'a' })).toBe(200);
    expect(await statusOf('DELETE', '/lock', { ID: 'a' })).toBe(200);
  });
});
