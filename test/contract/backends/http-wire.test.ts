// What goes over the wire, and what its answers mean.
import { afterEach, describe, expect, test } from 'vitest';
import type { DiagnosticError } from '../../../src/model/errors.ts';
import type { BackendError } from '../../../src/state/backends/backend-error.ts';
import { resolveStateServerEndpoint } from '../../../src/state/backends/http/endpoint.ts';
import { openStateStore } from '../../../src/state/store.ts';
import { openHttpSetup, type HttpSetup } from '../../support/backends/http-setup.ts';
import type { DoubleOptions, Mishap } from '../../support/backends/http-state-double.ts';
import { buildIntent } from '../../unit/state/build-records.ts';

const credentials = { username: 'robot', password: 'pass/word 1' };
const token = Buffer.from('robot:pass/word 1').toString('base64');

let setup: HttpSetup;
const start = async (options: DoubleOptions = {}) => (setup = await openHttpSetup(options));
afterEach(() => setup.close());

const failureOf = (work: Promise<unknown>) =>
  work.then(
    () => 'passed',
    (error: unknown) => error as BackendError,
  );
const detailOf = async (work: Promise<unknown>) => {
  const error = (await failureOf(work)) as unknown as DiagnosticError;
  return error.diagnostics[0]?.detail;
};

describe('requests', () => {
  test('are those of Terraform', async () => {
    const { double, lock } = await start({ credentials });
    const run = await lock();
    await run.files.replace(run.journal, 'a\n');
    await run.lock.release();
    const { ID } = run.lock.info;
    expect(double.heard.map(({ method, id }) => [method, id])).toEqual([
      ['LOCK', null],
      ['GET', null],
      ['POST', ID],
      ['GET', null],
      ['UNLOCK', null],
    ]);
    const [locking, , writing, , unlocking] = double.heard;
    expect(JSON.parse(locking?.body ?? '')).toMatchObject({
      ...{ ID, Operation: 'apply', Info: '', Who: 'anna@here', Version: '1' },
      ...{ Path: double.address, Created: expect.any(String) as string },
    });
    expect(unlocking?.body).toBe(locking?.body);
    for (const { headers, method } of double.heard) {
      expect(headers.authorization).toBe(`Basic ${token}`);
      const isBare = method === 'GET';
      expect(headers['content-type']).toBe(isBare ? undefined : 'application/json');
      // The double compares it with the body.
      expect(typeof headers['content-md5']).toBe(isBare ? 'undefined' : 'string');
    }
    expect(JSON.parse(writing?.body ?? '')).toMatchObject({
      ...{ version: 4, serial: 1, hostwright: { formatVersion: 1, epoch: 1 } },
    });
  });

  test.each(['gitlab', 'gitea'] as const)('lock below the state on %s', async (flavour) => {
    const { double, lock, readAll } = await start({ flavour });
    const run = await lock();
    await run.files.replace(run.journal, 'a\n');
    await run.files.append(run.journal, 'b\n');
    await run.lock.release();
    const asked = double.heard.map(({ method, isLock, status }) => [method, isLock, status]);
    const written = flavour === 'gitea' ? 201 : 200;
    expect(asked).toEqual([
      ['POST', true, 200],
      ['GET', false, flavour === 'gitea' ? 404 : 204],
      ['POST', false, written],
      ['POST', false, written],
      ['GET', false, 200],
      ['DELETE', true, 200],
    ]);
    expect([...double.versions.keys()]).toEqual([1, 2]);
    expect(double.lock).toBeUndefined();
    expect(await readAll()).toEqual({ [run.journal]: 'a\nb\n' });
  });

  test('go where the options say', () => {
    const address = 'https://one.example.com/state?name=shop&key=secret';
    expect(resolveStateServerEndpoint({ address })).toMatchObject({
      ...{ lockAddress: address, unlockAddress: address, updateMethod: 'POST' },
      ...{ lockMethod: 'LOCK', unlockMethod: 'UNLOCK', place: 'https://one.example.com/state' },
    });
    const other = resolveStateServerEndpoint({
      address: 'https://one.example.com/state?name=other',
    });
    expect(other.identity).not.toBe(resolveStateServerEndpoint({ address }).identity);
    expect(JSON.stringify(other.identity + other.place)).not.toContain('other');
    const gitlab = 'https://gitlab.example.com/api/v4/projects/7/terraform/state/shop';
    expect(resolveStateServerEndpoint({ address: gitlab })).toMatchObject({
      ...{ lockAddress: `${gitlab}/lock`, unlockAddress: `${gitlab}/lock` },
      ...{ lockMethod: 'POST', unlockMethod: 'DELETE', identity: `http:${gitlab}` },
    });
    const own = { lockAddress: 'https://one.example.com/lock', lockMethod: 'PUT' };
    expect(
      resolveStateServerEndpoint({ address: gitlab, ...own, updateMethod: 'PUT' }),
    ).toMatchObject({
      ...{ ...own, unlockAddress: own.lockAddress, unlockMethod: 'DELETE', updateMethod: 'PUT' },
    });
  });

  test.each(['shop', 'ftp://one.example.com/', 'https://robot:secret@one.example.com/state'])(
    'do not go to %s',
    (address) => {
      let error: unknown;
      try {
        resolveStateServerEndpoint({ address });
      } catch (thrown) {
        error = thrown;
      }
      const { diagnostics } = error as DiagnosticError;
      expect(diagnostics[0]?.code).toBe('invalid-state-address');
      expect(JSON.stringify(diagnostics)).not.toContain('secret');
    },
  );

  test('that are ready together share a write; the backup needs none', async () => {
    const { lock, takeMethods, readAll } = await start();
    const run = await lock();
    await run.files.replace(run.journal, '');
    takeMethods();
    const lines = Array.from({ length: 50 }, (_, line) => `${line}\n`);
    await Promise.all(lines.map((line) => run.files.append(run.journal, line)));
    expect(takeMethods().length).toBeLessThanOrEqual(2);
    await run.files.replace('state.json.backup', 'x');
    expect(takeMethods()).toEqual([]);
    expect(await readAll()).toEqual({ [run.journal]: lines.join('') });
  });

  test('of a reader see one document', async () => {
    const { lock, openBackend, takeMethods } = await start();
    const run = await lock();
    await run.files.replace(run.journal, 'a\n');
    takeMethods();
    const files = openBackend().openFiles();
    const names = await files.list();
    await run.files.replace('state.json', 'new');
    await run.files.remove(run.journal);
    expect(names).toEqual([run.journal]);
    expect(await files.read(run.journal)).toBe('a\n');
    expect(await files.read('state.json')).toBeUndefined();
    expect(takeMethods()).toEqual(['GET', 'POST', 'POST']);
    expect(await files.list()).toEqual(['state.json']);
    expect(await files.read('state.json')).toBe('new');
  });

  test('warn once of a large state', async () => {
    const { lock, warnings } = await start();
    const run = await lock();
    await run.files.replace(run.journal, 'x'.repeat(2_000_000));
    expect(warnings).toEqual([]);
    await run.files.replace(run.journal, 'x'.repeat(2_200_000));
    await run.files.append(run.journal, 'x');
    expect(warnings.map(({ code, summary }) => [code, summary])).toEqual([
      ['state-large', 'The state is large for an HTTP backend: 2.1 MB'],
    ]);
  });
});

describe('answers', () => {
  const list = () => setup.openBackend().openFiles().list();

  test.each([
    [{ status: 204 }, []],
    [{ status: 404, text: 'not found' }, []],
    [{ status: 200, text: '' }, []],
  ])('that say that there is no state: %j', async (told, names) => {
    const { double } = await start();
    double.meet('GET', { kind: 'answered', ...told });
    expect(await list()).toEqual(names);
  });

  test.each([
    [401, 'denied'],
    [403, 'denied'],
    [413, 'full'],
    [507, 'full'],
    [400, 'broken'],
    [405, 'broken'],
    [422, 'broken'],
    [501, 'broken'],
  ])('of %d are told as they are: %s', async (status, fault) => {
    const { double, lock } = await start();
    const run = await lock();
    const text = `<b>why</b>\u001b[31m\r\nnot\u202e, ${'x'.repeat(1000)}`;
    double.meet('POST', { kind: 'answered', status, text });
    const error = (await failureOf(run.files.replace('state.json', 'x'))) as BackendError;
    expect(error).toMatchObject({ name: 'BackendError', fault });
    expect(error.message).toContain(`Could not write the state at ${double.address} (POST)`);
    expect(error.message).toContain(`answered ${status} (<b>why</b> [31m not , xxx`);
    expect(error.message.length).toBeLessThan(600);
    // Nothing more is written on top of what nobody knows.
    expect(await failureOf(run.files.replace('state.json', 'y'))).toBe(error);
    expect(double.latest).toBeUndefined();
  });

  test('of GitLab are its words, without what is secret', async () => {
    const { double, openBackend } = await start({ flavour: 'gitlab', credentials });
    const password = 'wrong';
    const other = openBackend({ credentials: { username: 'robot', password } });
    expect(await detailOf(openStateStore(other, {}))).toContain(
      '401 ({"message":"401 Unauthorized"})',
    );
    double.isForbidden = true;
    expect(await detailOf(openStateStore(openBackend(), {}))).toContain('403 Forbidden');
    const text = `${credentials.password} ${token} ${encodeURIComponent(credentials.password)}`;
    double.meet('GET', { kind: 'answered', status: 403, text });
    const error = (await failureOf(list())) as BackendError;
    expect(error.message).toContain('403 ([redacted] [redacted] [redacted])');
  });

  test('that a state is too large for GitLab', async () => {
    const { lock } = await start({ flavour: 'gitlab', largestBytes: 2_000 });
    const run = await lock();
    await run.files.replace('state.json', 'x');
    const error = await failureOf(run.files.replace('state.json', 'x'.repeat(2_000)));
    expect(error).toMatchObject({ fault: 'full' });
  });

  test('that lead elsewhere are not followed', async () => {
    const { double } = await start();
    const location = 'https://elsewhere.example.com/state?token=secret';
    double.meet('GET', { kind: 'answered', status: 302, location });
    const error = (await failureOf(list())) as BackendError;
    expect(error.fault).toBe('broken');
    expect(error.message).toContain('redirects to https://elsewhere.example.com/state,');
    expect(error.message).not.toContain('secret');
  });

  test.each<[string, Mishap, string]>([
    ['a gateway', { kind: 'answered', status: 503, text: 'try later' }, '503 (try later)'],
    ['too many requests', { kind: 'answered', status: 429 }, 'answered 429'],
    ['a connection that breaks', { kind: 'request-lost' }, 'other side closed'],
  ])('that fail for a moment are asked for again: %s', async (_what, mishap, words) => {
    const { double, takeMethods, readAll, lock } = await start();
    double.meet('GET', mishap, mishap);
    expect(await list()).toEqual([]);
    expect(takeMethods()).toEqual(['GET', 'GET', 'GET']);
    const run = await lock();
    double.meet('POST', mishap, mishap);
    await run.files.replace('state.json', 'x');
    expect(await readAll()).toEqual({ 'state.json': 'x' });
    double.meet('GET', ...Array.from({ length: 50 }, () => mishap));
    const error = (await failureOf(list())) as BackendError;
    expect(error.fault).toBe('unreachable');
    expect(error.message).toContain(`Could not read the state at ${double.address} (GET): `);
    expect(error.message).toContain(words);
  });

  test('of nobody are waited for: seconds to read, the lease to write', async () => {
    const { openBackend, lock, double, warnings } = await start();
    let slept = 0;
    let now = 0;
    const clock = {
      now: () => now,
      sleep: (ms: number) => Promise.resolve(void ((slept += ms), (now += ms))),
    };
    const exchange = () => Promise.reject(new Error('connect ECONNREFUSED'));
    const away = openBackend({ clock, exchange });
    expect(await failureOf(away.openFiles().list())).toMatchObject({ fault: 'unreachable' });
    expect(slept).toBeGreaterThan(8_000);
    expect(slept).toBeLessThanOrEqual(15_000);
    const run = await lock(openBackend({ clock }));
    const away2 = Array.from({ length: 200 }, () => ({ kind: 'request-lost' }) as const);
    double.meet('POST', ...away2);
    double.meet('UNLOCK', ...away2);
    slept = 0;
    expect(await failureOf(run.files.replace('state.json', 'x'))).toMatchObject({
      fault: 'unreachable',
    });
    expect(slept).toBeGreaterThan(55_000);
    expect(slept).toBeLessThanOrEqual(60_000);
    await run.lock.release();
    expect(warnings).toMatchObject([
      { code: 'lock-not-released', hint: expect.stringContaining(run.lock.info.ID) as string },
    ]);
  });
});

describe('a body', () => {
  const terraform = { version: 4, terraform_version: '1.11.4', serial: 3, lineage: 'x' };
  const own = { formatVersion: 1, epoch: 1, writer: { ID: 'a' }, files: {} };
  test.each([
    ['of Terraform', terraform, 'holds a state of Terraform. Hostwright does not overwrite it'],
    ['of something else', { a: 1 }, 'holds something else than a state of Hostwright'],
    ['that is no JSON', undefined, 'holds something else than a state of Hostwright'],
    [
      'of a newer Hostwright',
      { serial: 1, hostwright: { ...own, formatVersion: 2 } },
      'newer Hostwright has written (format 2; this version knows up to 1)',
    ],
    ['without a serial', { lineage: 'x', hostwright: own }, 'is damaged'],
    [
      'with a text that is none',
      { serial: 1, lineage: 'x', hostwright: { ...own, files: { 'state.json': 1 } } },
      'is damaged',
    ],
  ])('%s is refused and left as it is; the lock is given back', async (_what, body, words) => {
    const { double, lock, openBackend } = await start();
    const text = body === undefined ? 'x' : JSON.stringify(body);
    double.put(text);
    expect(await detailOf(lock())).toContain(words);
    expect(double.lock).toBeUndefined();
    expect(double.latest).toBe(text);
    expect(await detailOf(openStateStore(openBackend(), {}))).toContain(words);
  });

  test('keeps its lineage, and its serial rises', async () => {
    const { double, lock, openBackend } = await start({ flavour: 'gitea' });
    for (let count = 0; count < 3; count += 1) {
      const run = await lock();
      const store = await openStateStore(run.backend, { fence: run.lock.fence });
      await store.record(buildIntent(`net${count}`));
      await store.compact();
      await store.close();
      await run.lock.release();
    }
    const bodies = [...double.versions.values()].map(
      (text) => JSON.parse(text) as { serial: number; lineage: string; hostwright: object },
    );
    expect(bodies.map(({ serial }) => serial)).toEqual(bodies.map((_, index) => index + 1));
    expect(new Set(bodies.map(({ lineage }) => lineage)).size).toBe(1);
    const found = await openStateStore(openBackend(), { isReadOnly: true });
    expect([...found.state.pending.keys()]).toHaveLength(3);
  });
});
