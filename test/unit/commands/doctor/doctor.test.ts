import { chmod, mkdir, rm, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { DoctorCheckUp } from '../../../../src/model/account/check-up.ts';
import { identifyProcess } from '../../../../src/state/lock/lock-holder.ts';
import { DayTwoWorld, type RunOptions } from '../../../support/day-two.ts';
import { openLocalBackend } from '../../../../src/state/backends/local.ts';

let world: DayTwoWorld;
beforeEach(async () => {
  world = await DayTwoWorld.open();
});
afterEach(() => world.close());

interface Answer {
  readonly healthy: boolean;
  readonly checks: readonly DoctorCheckUp[];
}

/** What it tells, by the names of the checks; the last one of each. */
async function examine(options: RunOptions = {}) {
  const { json, code, writes } = await world.run(['doctor', '--json'], options);
  const answer = json as Answer;
  expect(writes).toEqual([]);
  expect(code).toBe(answer.healthy ? 0 : 1);
  const found = (name: string) => answer.checks.filter((one) => one.name === name);
  return {
    ...answer,
    found,
    outcomes: answer.checks.map(({ name, outcome }) => `${name} ${outcome}`),
  };
}

/** Answers some paths in the place of the service. */
const answering =
  (answers: Record<string, () => Response>): NonNullable<RunOptions['meddle']> =>
  (request, pass) => {
    const { pathname } = new URL(request.url);
    const found = answers[pathname];
    return found ? Promise.resolve(found()) : pass();
  };

/** Every request fails in the same way. */
const failing =
  (code: string): NonNullable<RunOptions['meddle']> =>
  () =>
    Promise.reject(
      new TypeError('fetch failed', { cause: Object.assign(new Error(code), { code }) }),
    );

const lockText = (more: object) =>
  JSON.stringify({
    ...{ ID: 'an-id', Operation: 'apply', Info: '', Who: 'me@here', Version: '0', Path: 'x' },
    ...{ Created: '2026-11-21T10:00:00Z', Host: 'here', Pid: process.pid },
    ...more,
  });

const writeState = (name: string, text: string) =>
  writeFile(join(world.directory, '.hostwright', name), text, { mode: 0o600 });

test('nothing is broken', async () => {
  const { outcomes, found } = await examine();
  expect(outcomes).toEqual([
    ...['configuration ok', 'address ok', 'token ok', 'scopes ok', 'clock ok'],
    ...['contract skipped', 'state ok', 'lock ok'],
  ]);
  expect(found('state')[0]?.summary).toBe('3 resources, serial 1');
});

describe('everything that is broken is told at once', () => {
  test('no configuration, no address, no token', async () => {
    await rm(join(world.directory, 'main.yaml'));
    const env = { HOSTWRIGHT_BASE_URL: '', HOSTWRIGHT_TOKEN: '' };
    const { found, outcomes } = await examine({ env });
    expect(outcomes.slice(0, 3)).toEqual([
      'configuration failure',
      'address failure',
      'token failure',
    ]);
    expect(found('configuration')[0]?.hint).toContain('hostwright init');
  });

  test('a broken configuration, and a state that cannot be read: it could say that the address is wrong', async () => {
    await writeFile(join(world.directory, 'main.yaml'), 'version: 1\nx: 1\ny: 2\n');
    await writeState('state.json', '{');
    const { outcomes, found } = await examine({ meddle: failing('ENOTFOUND') });
    expect(outcomes).toEqual([
      ...['configuration failure', 'address failure', 'token skipped', 'scopes skipped'],
      ...['clock skipped', 'contract skipped', 'state failure', 'lock ok'],
    ]);
    expect(found('configuration')[0]).toMatchObject({
      summary: 'main.yaml line 2: the configuration has no key `x`',
      detail: expect.stringContaining('1 more fault besides.') as string,
    });
    expect(found('address')[0]?.code).toBe('state-invalid');
  });
});

describe('the address', () => {
  test.each(['ENOTFOUND', 'ECONNREFUSED', 'CERT_HAS_EXPIRED', 'ERR_TLS_CERT_ALTNAME_INVALID'])(
    'that fails with %s is asked once',
    async (code) => {
      let asked = 0;
      const { found, outcomes } = await examine({
        meddle: (...args) => {
          asked += 1;
          return failing(code)(...args);
        },
      });
      expect(asked).toBe(1);
      expect(outcomes).toContain('address failure');
      expect(found('address')[0]?.detail).toContain(code);
    },
  );

  test.each([
    ['leads elsewhere', 404, '{}', 'failure', 'wrong-base-address'],
    ['is that of a sign-in page', 200, '<html>', 'failure', 'not-the-service'],
    ['is that of another server', 200, '{"type":"about:blank"}', 'failure', 'not-the-service'],
    ['does not answer now', 503, '', 'failure', 'service-unavailable'],
    ['asks for fewer requests', 429, '', 'warning', 'rate-limited'],
  ])('%s', async (_, status, body, outcome, code) => {
    const { found } = await examine({
      meddle: answering({ '/v1/limits': () => new Response(body, { status }) }),
    });
    expect(found('address')[0]).toMatchObject({ outcome, code });
  });

  test('comes from a configuration with other faults, and may be bad itself', async () => {
    const service = "service: { baseUrl: 'http://sandbox/v2' }";
    await writeFile(join(world.directory, 'main.yaml'), `version: 1\n${service}\nx: 1\n`);
    const { outcomes } = await examine({ env: { HOSTWRIGHT_BASE_URL: '' } });
    expect(outcomes).toContain('address failure');
    const env = { HOSTWRIGHT_BASE_URL: 'http://api.example.test/v1' };
    const other = await examine({ env });
    expect(other.found('address')).toMatchObject([{ outcome: 'failure', code: 'other-service' }]);
    const allowed = { ...env, HOSTWRIGHT_ALLOW_OTHER_SERVICE: '1' };
    const plain = await examine({ env: allowed });
    expect(plain.found('address')).toMatchObject([{ outcome: 'failure', code: 'plain-http' }]);
    const { found } = await examine({ env: { ...allowed, HOSTWRIGHT_ALLOW_PLAIN_HTTP: '1' } });
    expect(found('address')).toMatchObject([
      { outcome: 'warning', code: 'other-service' },
      { outcome: 'warning', code: 'unencrypted' },
    ]);
  });

  test('is the embedded sandbox', async () => {
    await writeFile(join(world.directory, 'main.yaml'), 'version: 1\nservice: { sandbox: true }\n');
    const env = { HOSTWRIGHT_BASE_URL: '', HOSTWRIGHT_TOKEN: '' };
    expect((await examine({ env })).found('address')[0]?.code).toBe('other-service');
    await rm(join(world.directory, '.hostwright'), { recursive: true });
    const options = { env };
    const { found, healthy } = await examine(options);
    expect(healthy).toBe(true);
    expect(found('address')[0]?.summary).toContain('nothing was done there so far');
    await mkdir(join(world.directory, '.hostwright/sandbox'), { recursive: true });
    await writeFile(join(world.directory, '.hostwright/sandbox/sandbox.sqlite'), '');
    expect((await examine(options)).found('address')[0]?.summary).toContain('its data is in');
    await rm(join(world.directory, '.hostwright/sandbox'), { recursive: true });
    await mkdir(join(world.directory, '.hostwright/sandbox'));
    await writeFile(join(world.directory, '.hostwright/sandbox/sandbox.sqlite'), 'no database');
    expect((await examine(options)).outcomes.slice(1, 4)).toEqual([
      ...['address failure', 'token ok', 'scopes skipped'],
    ]);
  });
});

describe('the token', () => {
  test('that is not accepted', async () => {
    const { found } = await examine({ env: { HOSTWRIGHT_TOKEN: 'wrong' } });
    expect(found('token')[0]).toMatchObject({ outcome: 'failure', code: 'unauthorized' });
    expect(found('scopes')[0]?.outcome).toBe('skipped');
  });

  test('that no answer tells anything about', async () => {
    const tooMany = () => new Response('', { status: 429 });
    const meddle = answering({ '/v1/limits': tooMany, '/v1/tokens': tooMany });
    const { outcomes } = await examine({ meddle });
    expect(outcomes.slice(1, 4)).toEqual(['address warning', 'token skipped', 'scopes skipped']);
  });

  test('that is not there, while the service is', async () => {
    const { outcomes } = await examine({ env: { HOSTWRIGHT_TOKEN: '' } });
    expect(outcomes.slice(1, 4)).toEqual(['address ok', 'token failure', 'scopes skipped']);
  });

  /** A token of its own, made for some scopes; in seconds, how long it lives. */
  async function makeToken(scopes: string[], livesFor?: number): Promise<string> {
    const { body } = await world.client.call({
      operation: 'createToken',
      params: {},
      body: {
        name: 'other',
        scopes: scopes as never,
        ...(livesFor !== undefined && {
          expiresAt: new Date(world.clock.now() + livesFor * 1000).toISOString(),
        }),
      },
    });
    return (body as { value: string }).value;
  }

  test.each([
    ['too few', ['compute'], 'failure', 'The token lacks account, network'],
    ['none of reads', ['account', 'compute'], 'failure', 'The token lacks network'],
    ['enough', ['compute', 'network', 'account'], 'ok', 'account, compute, network: all that'],
  ])('has %s scopes, as its reads tell', async (_, scopes, outcome, summary) => {
    const token = await makeToken(scopes);
    const { found } = await examine({ env: { HOSTWRIGHT_TOKEN: token } });
    expect(found('scopes')[0]).toMatchObject({ outcome });
    expect(found('scopes')[0]?.summary).toContain(summary);
  });

  const tokenList = (tokens: object[]) => ({
    meddle: answering({
      '/v1/tokens': () =>
        Response.json(
          tokens.map((one, index) => ({
            ...{ id: `t${index}`, name: 'x', scopes: ['full'], expiresAt: null },
            ...{ createdAt: null, lastUsedAt: null, ...one },
          })),
        ),
    }),
  });

  test('ends soon, or later', async () => {
    const at = (days: number) => new Date(world.clock.now() + days * 86_400_000).toISOString();
    const soon = await examine(tokenList([{ expiresAt: at(3) }]));
    expect(soon.found('token')[0]).toMatchObject({ outcome: 'warning', code: 'token-ends' });
    const later = await examine(tokenList([{ expiresAt: at(30) }]));
    expect(later.found('token')[0]).toMatchObject({
      outcome: 'ok',
      summary: expect.stringContaining('until 2026-12-21') as string,
    });
  });

  test.each([
    ['may be one of several', [{ scopes: ['read'] }, { scopes: ['full'] }], 'warning'],
    ['has scopes that nobody knows', [{ scopes: ['vm:write'] }], 'warning'],
    ['is none of those that are listed', [], 'warning'],
    ['has only reads', [{ scopes: ['read'] }], 'failure'],
  ])('%s', async (_, tokens, outcome) => {
    const { found } = await examine(tokenList(tokens));
    expect(found('scopes')[0]?.outcome).toBe(outcome);
  });

  test('whose scopes cannot be told', async () => {
    for (const status of [404, 500]) {
      const meddle = answering({ '/v1/tokens': () => new Response('', { status }) });
      const [scopes] = (await examine({ meddle })).found('scopes');
      expect(scopes).toMatchObject({ outcome: 'warning', code: 'scopes-unknown' });
    }
    await writeFile(join(world.directory, 'main.yaml'), 'version: 1\nx: 1\n');
    expect((await examine()).found('scopes')[0]).toMatchObject({ outcome: 'skipped' });
  });
});

test.each([
  [0, 'ok', "The same time as the service's"],
  [-20_000, 'ok', "It is 20 s ahead of the service's"],
  [90_000, 'warning', "The clock of this machine is 90 s behind the service's"],
  [-400_000, 'failure', "The clock of this machine is 400 s ahead of the service's"],
])('a clock that differs by %i ms is %s', async (aheadMs, outcome, summary) => {
  const { found } = await examine({
    meddle: async (_, pass) => {
      const response = await pass();
      response.headers.set('date', new Date(world.clock.now() + aheadMs).toUTCString());
      return response;
    },
  });
  expect(found('clock')[0]).toMatchObject({ outcome, summary });
});

test('records that are ahead of Date are found by the young ones among them', async () => {
  const meddle: NonNullable<RunOptions['meddle']> = async (request, pass) => {
    const answer = await pass();
    answer.headers.set('date', new Date(world.clock.now() - 600_000).toUTCString());
    return request.url.includes('/tokens')
      ? Response.json([{ id: 't', lastUsedAt: new Date(world.clock.now()).toISOString() }], {
          headers: answer.headers,
        })
      : answer;
  };
  const clocks = (await examine({ meddle })).found('clock');
  expect(clocks).toMatchObject([{}, { outcome: 'warning', code: 'two-clocks' }]);
  expect(clocks[1]?.summary).toContain('600 s ahead of its Date headers');
  const file = join(world.directory, '.hostwright/state.json');
  const state = JSON.parse(await readFile(file, 'utf8')) as object;
  await writeFile(file, JSON.stringify({ ...state, clocks: { resourcesAheadMs: -3_600_000 } }));
  // What the last apply has learned.
  expect((await examine()).found('clock')[1]?.summary).toContain('3600 s behind');
});

test('an interface that differs', async () => {
  const paths = { '/limits': { get: {} }, '/payments': { get: {} } };
  const { found } = await examine({
    meddle: answering({ '/openapi.json': () => Response.json({ openapi: '3.1.0', paths }) }),
  });
  expect(found('contract')[0]).toMatchObject({
    outcome: 'warning',
    summary: '71 of 72 operations are not in its /openapi.json',
    detail: expect.stringContaining(' and 66 more. It has 1 that are not used here.') as string,
  });
});

describe('the state', () => {
  test('that others may read', async () => {
    await chmod(join(world.directory, '.hostwright/state.json'), 0o644);
    await chmod(join(world.directory, '.hostwright'), 0o777);
    const { found } = await examine();
    expect(found('state')).toEqual([
      expect.objectContaining({
        outcome: 'warning',
        summary: 'Other users may read or write .hostwright, .hostwright/state.json',
        hint: 'Run chmod -R go-rwx .hostwright',
      }),
    ]);
  });

  test('of a run that has not finished', async () => {
    const { openStateStore: openState } = await import('../../../../src/state/store.ts');
    const store = await openState(openLocalBackend(world.directory));
    const at = world.clock.now();
    await store.record({
      kind: 'begin',
      runId: 'q',
      version: '0',
      service: 'https://sandbox/v1',
      at,
    });
    await store.close();
    expect((await examine()).found('state')).toEqual([
      expect.objectContaining({ outcome: 'warning', summary: 'A run has not finished' }),
    ]);
    await writeState('lock.json', lockText(identifyProcess(process.pid, 'here')));
    expect((await examine()).found('state')[0]?.outcome).toBe('ok');
  });

  test('that is not there yet', async () => {
    await rm(join(world.directory, '.hostwright'), { recursive: true });
    expect((await examine()).found('state')[0]?.summary).toContain('There is no state yet');
  });
});

describe('the lock', () => {
  test.each(
    // prettier-ignore
    [
      ['of a process that runs here', () => identifyProcess(process.pid, 'here'), 'state-locked', 'runs on this machine'],
      ['of another machine', () => ({ Host: 'there' }), 'state-locked', 'cannot be seen'],
      ['of a process that is gone', () => ({ ...identifyProcess(process.pid, 'here'), Pid: 2 ** 22 + 1 }), 'lock-left', undefined],
    ],
  )('%s', async (_, mark, code, words) => {
    await writeState('lock.json', lockText(mark()));
    const [lock] = (await examine()).found('lock');
    expect(lock).toMatchObject({ outcome: 'warning', code });
    if (words !== undefined) expect(lock?.detail).toContain(words);
  });

  test('that cannot be read', async () => {
    await mkdir(join(world.directory, '.hostwright/lock.json'));
    expect((await examine()).found('lock')[0]).toMatchObject({ outcome: 'failure' });
  });
});
