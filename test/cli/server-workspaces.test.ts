// `server plan` and `server apply`: a file of workspaces against the API of a server.
import { readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { HttpExchange } from '../../src/model/http.ts';
import { readRunVariables } from '../../src/server/runs/run-variables.ts';
import { readPage, root } from '../support/pages/read-pages.ts';
import { openPagesRig, origin, type PagesRig } from '../support/server/pages-rig.ts';
import { runInProcess } from './run-in-process.ts';

const secret = 'a-token-that-nobody-reads';
/** The sample of the page about the server. */
const file =
  readPage('docs/server.md').blocks.find(({ text }) => text.includes('variableSets:\n'))?.text ??
  '';
const documents = JSON.parse(readFileSync(join(root, 'schemas/day-two.schema.json'), 'utf8')) as {
  readonly $id: string;
};
const ajv = new Ajv2020({ strict: true, allowUnionTypes: true, strictRequired: false });
addFormats.default(ajv);
ajv.addSchema(documents);
const isPlanDocument = ajv.compile({ $ref: `${documents.$id}#/$defs/server%20plan` });

let rig: PagesRig;
let cwd: string;
/** Requests that were sent, as `METHOD path`. */
let sent: string[] = [];
/** Number of requests that are answered before the server is gone. */
let answered = Infinity;
/** Answers a request in place of the server; undefined where that answers itself. */
let interfere: (
  method: string,
  path: string,
) => Response | undefined | Promise<Response | undefined> = () => undefined;

const exchange: HttpExchange = async ({ method, url, headers, body }) => {
  const path = new URL(url).pathname.replace('/api/v1', '');
  sent.push(`${method} ${path}`);
  if ((body ?? '').length > 1024 * 1024) throw new Error('the body is larger than 1 MB');
  if (sent.length > answered) throw new Error('the connection was closed');
  const request = new Request(url, { method, headers, ...(body !== undefined && { body }) });
  const response =
    (await interfere(method, path)) ?? (await rig.app.fetch(request, { address: '192.0.2.1' }));
  return { status: response.status, headers: response.headers, text: await response.text() };
};

interface Call {
  readonly input?: string;
  readonly env?: Readonly<Record<string, string>>;
}

/** Runs a command line with the server in reach. */
async function run(args: readonly string[], { input, env = {} }: Call = {}) {
  sent = [];
  return runInProcess(args, {
    cwd,
    env: {
      ...{ HOSTWRIGHT_SERVER_URL: origin, HOSTWRIGHT_SERVER_TOKEN: rig.adminToken },
      ...{ PRODUCTION_TOKEN: secret, ...env },
    },
    openNetwork: () => ({ exchange, close: () => undefined }),
    ...(input !== undefined && { input }),
  });
}
const write = (text: string) => writeFile(join(cwd, 'workspaces.yaml'), text);
const plan = (call?: Call) =>
  run(['server', 'plan', 'workspaces.yaml', '--detailed-exitcode'], call);
const apply = (call?: Call) => run(['server', 'apply', 'workspaces.yaml', '--auto-approve'], call);
const readVariables = async (name: string) => {
  const { id = '' } = (await rig.store.workspaces.find(name)) ?? {};
  return readRunVariables(rig.store, id);
};
const changes = () => sent.filter((one) => /^(?:PUT|PATCH|DELETE)|^POST \/workspaces/.test(one));

beforeAll(async () => {
  rig = await openPagesRig();
  cwd = await mkdtemp(join(tmpdir(), 'hostwright-workspaces-'));
  await write(file);
});
afterAll(async () => {
  await rig.close();
  await rm(cwd, { recursive: true });
});

describe('a file of workspaces', () => {
  it('is planned without a change, and shows each value but those of variables', async () => {
    const { code, stdout } = await plan();
    expect([code, changes()]).toEqual([2, []]);
    expect(stdout).toContain(`  + variable set production will be created
      + HOSTWRIGHT_BASE_URL (value not shown)
      + HOSTWRIGHT_TOKEN (secret)

  + workspace network will be created
      + repository: "https://git.example.com/acme/infra.git"
      + directory: "network"
      + variableSets: ["production"]

  + workspace shop will be created`);
    expect(stdout).toContain('Plan: 3 to add, 0 to change, 0 to destroy.');
    expect(stdout).not.toContain(secret);
  });

  it('is described to programs, without a value of a variable', async () => {
    const { stdout } = await run(['server', 'plan', 'workspaces.yaml', '--json']);
    expect(isPlanDocument(JSON.parse(stdout)), JSON.stringify(isPlanDocument.errors)).toBe(true);
    expect(JSON.parse(stdout)).toMatchObject({
      changes: [
        {
          ...{ kind: 'variable set', name: 'production', action: 'create' },
          variables: [
            { name: 'HOSTWRIGHT_BASE_URL', action: 'add', secret: false },
            { name: 'HOSTWRIGHT_TOKEN', action: 'add', secret: true },
          ],
        },
        { kind: 'workspace', name: 'network' },
        { kind: 'workspace', name: 'shop' },
      ],
      unlisted: { workspaces: [], variableSets: [] },
    });
    expect(stdout).not.toContain(secret);
    const asked = ['server', 'apply', 'workspaces.yaml', '--json'];
    const declined = await run(asked, { input: 'no\n' });
    expect([declined.code, changes()]).toEqual([1, []]);
    expect(JSON.parse(declined.stdout)).toMatchObject({ declined: true });
  });

  it('is applied after a yes alone', async () => {
    for (const input of ['no\n', '']) {
      const { code, stderr } = await run(['server', 'apply', 'workspaces.yaml'], { input });
      expect([code, changes()]).toEqual([1, []]);
      expect(stderr).toContain('Apply cancelled.');
    }
  });

  it('goes on after its process or its server was gone in the middle, and then has no changes', async () => {
    // A set takes one request, and the workspace network one: what comes then is not answered.
    const reading = await plan().then(() => sent.length);
    answered = reading + 2;
    const cut = await apply();
    expect(cut.code).toBe(1);
    expect(cut.stderr).toContain('server-unreachable');
    answered = Infinity;
    expect((await rig.store.workspaces.list()).map(({ name }) => name)).toEqual(['network']);
    const input = 'yes\n';
    const done = await run(['server', 'apply', 'workspaces.yaml'], { input });
    expect([done.code, changes()]).toEqual([0, ['POST /workspaces']]);
    expect(done.stdout).toContain('Apply complete! 1 added, 0 changed, 0 destroyed.');
    expect(await rig.store.workspaces.find('shop')).toMatchObject({
      ...{ after: ['network'], approvals: { count: 1, byAuthor: false }, branch: 'main' },
    });
    expect(await readVariables('shop')).toEqual({
      values: {
        HOSTWRIGHT_BASE_URL: 'https://api.example.com/v1',
        ...{ HOSTWRIGHT_TOKEN: secret, HOSTWRIGHT_VAR_size: 'large' },
      },
      secrets: ['HOSTWRIGHT_TOKEN'],
    });
    for (const again of [await apply(), await plan()])
      expect([again.code, again.stdout, changes()]).toEqual([
        ...[0, 'No changes. The server matches the file.\n', []],
      ]);
    // A pipeline without the secret has it empty: the server keeps what it has.
    expect((await plan({ env: { PRODUCTION_TOKEN: '' } })).stdout).toContain('No changes.');
    const log = await (await rig.send('GET', '/api/v1/audit?after=0')).text();
    expect(log).toContain('"act":"variables.compare"');
    expect(log).not.toContain(secret);
  });

  it('changes what it says and leaves everything else, also what it does not name', async () => {
    await rig.send('PATCH', '/api/v1/workspaces/network', {
      body: { poll: true, variables: { HOSTWRIGHT_VAR_own: '1', HOSTWRIGHT_VAR_gone: '2' } },
    });
    await rig.send('PUT', '/api/v1/variable-sets/production', {
      body: {
        variables: {
          ...{ HOSTWRIGHT_BASE_URL: { secret: false }, HOSTWRIGHT_TOKEN: { secret: true } },
          HOSTWRIGHT_VAR_kept: 'by hand',
        },
      },
    });
    const other = { name: 'other', repository: 'https://git.example.com/acme/infra.git' };
    await rig.send('POST', '/api/v1/workspaces', { body: other });
    await write(
      file
        .replace('count: 1', 'count: 2')
        .replace('size: large', 'size: small')
        .replace(
          'directory: network',
          'directory: network\n    variables: { HOSTWRIGHT_VAR_gone: null }',
        ),
    );
    const { code, stdout } = await apply({ env: { PRODUCTION_TOKEN: 'another-token' } });
    expect(code).toBe(0);
    expect(stdout).toContain('~ approvals: {"count":1} -> {"count":2}');
    expect(stdout).toContain('~ HOSTWRIGHT_VAR_size (value not shown)');
    expect(stdout).toContain('- HOSTWRIGHT_VAR_gone (value not shown)');
    expect(stdout).toContain('~ HOSTWRIGHT_TOKEN (secret)');
    expect(stdout).toContain('1 workspace of the server is not in the file: it stays as it is.');
    expect(changes()).toEqual([
      ...['PATCH /variable-sets/production', 'PATCH /workspaces/network', 'PATCH /workspaces/shop'],
    ]);
    expect(await rig.store.workspaces.find('network')).toMatchObject({ poll: true });
    expect((await readVariables('network')).values).toEqual({
      HOSTWRIGHT_BASE_URL: 'https://api.example.com/v1',
      ...{ HOSTWRIGHT_TOKEN: 'another-token', HOSTWRIGHT_VAR_own: '1' },
      HOSTWRIGHT_VAR_kept: 'by hand',
    });
    expect(await rig.store.workspaces.find('other')).toBeDefined();
  });

  it('that the server refuses in part is applied but for that', async () => {
    await write(`version: 1
workspaces:
  refused:
    repository: https://git.example.com/acme/infra.git
    applyOnMerge: true
  taken:
    repository: https://git.example.com/acme/infra.git
`);
    const { code, stdout, stderr } = await apply();
    expect([code, changes().length]).toEqual([1, 2]);
    expect(stderr).toContain('The server refuses the workspace refused: The body is not valid');
    expect(stderr).toContain('on workspaces.yaml line 3, column 3');
    expect(stdout).toContain(
      'Apply incomplete: 1 added, 0 changed, 0 destroyed. 1 change not made.',
    );
  });
});

describe('an apply that cannot go on', () => {
  const problem = (status: number, title: string) =>
    Response.json({ type: 'about:blank', title, status }, { status });
  const page = (status: number) => new Response('<html>Bad gateway</html>', { status });
  const repository = 'repository: https://git.example.com/acme/infra.git';
  const three = (name: string) =>
    `version: 1\nworkspaces:\n${[1, 2, 3].map((at) => `  ${name}-${at}: { ${repository} }\n`).join('')}`;

  afterEach(() => {
    interfere = () => undefined;
  });

  it.each([
    ['a fault of the server', 'a', () => problem(500, 'Internal'), 'server-unreachable', 'run the'],
    ['a proxy in its place', 'b', () => page(502), 'server-unreachable', 'status 502'],
    ['a revoked token', 'c', () => problem(401, 'Unknown'), 'server-refused', 'neither revoked'],
    ['a role that is gone', 'd', () => problem(403, 'No'), 'server-refused', 'the role admin'],
    ['too many requests', 'e', () => problem(429, 'Slow'), 'server-refused', 'Wait a minute'],
    ['another program', 'f', () => page(404), 'server-answer-unknown', 'Check the address'],
  ])('ends with %s, and says what was made', async (_what, name, answer, code, hint) => {
    await write(three(name));
    interfere = () => (changes().length === 2 ? answer() : undefined);
    const args = ['server', 'apply', 'workspaces.yaml', '--auto-approve', '--json'];
    const { code: exit, stdout, stderr } = await run(args);
    expect([exit, changes().length]).toEqual([1, 2]);
    expect(stderr).toContain(`[${code}]`);
    expect(stderr).toContain(hint);
    expect(stderr).not.toContain('Correct the file');
    expect(JSON.parse(stdout)).toMatchObject({ made: [{ kind: 'workspace', name: `${name}-1` }] });
    const words = await apply();
    expect(words.stdout).toContain('Apply incomplete: 1 added, 0 changed, 0 destroyed.');
    expect(words.stdout).toContain('1 change not made.');
  });

  it('says whether something may be done', async () => {
    await write(three('words'));
    interfere = () => page(503);
    expect((await apply()).stderr).toContain('Nothing was changed.');
    interfere = () => (changes().length === 1 ? page(504) : undefined);
    expect((await apply()).stderr).toContain('What was sent before is done, and the last');
  });
});

describe('a set that somebody else changes meanwhile', () => {
  const text = (size: string) =>
    `version: 1\nvariableSets:\n  common: { HOSTWRIGHT_VAR_size: ${size} }\n`;
  afterEach(() => {
    interfere = () => undefined;
  });

  it('keeps what was added after the plan was made', async () => {
    await write(text('one'));
    expect((await apply()).code).toBe(0);
    await write(text('two'));
    interfere = async (method) => {
      if (method !== 'PATCH') return undefined;
      const variables = { HOSTWRIGHT_VAR_size: {}, HOSTWRIGHT_VAR_other: 'added' };
      const kept = { ...variables, HOSTWRIGHT_VAR_size: { secret: false } };
      await rig.send('PUT', '/api/v1/variable-sets/common', { body: { variables: kept } });
      return undefined;
    };
    expect((await apply()).code).toBe(0);
    expect((await rig.store.variableSets.find('common'))?.values).toEqual({
      ...{ HOSTWRIGHT_VAR_size: 'two', HOSTWRIGHT_VAR_other: 'added' },
    });
  });

  it('is not made anew with a part of its variables where it was removed', async () => {
    await write(text('three'));
    interfere = async (method) => {
      if (method === 'PATCH') await rig.send('DELETE', '/api/v1/variable-sets/common');
      return undefined;
    };
    const { code, stderr } = await apply();
    expect([code, await rig.store.variableSets.find('common')]).toEqual([1, undefined]);
    expect(stderr).toContain('somebody has removed it');
  });
});

describe('a file with', () => {
  it('the names of members that every object has is applied', async () => {
    await write(`version: 1
variableSets:
  constructor: { HOSTWRIGHT_VAR_a: b }
workspaces:
  constructor: { repository: 'https://git.example.com/acme/infra.git', variables: { HOSTWRIGHT_VAR_a: b } }
`);
    const planned = await plan();
    expect([planned.code, planned.stdout]).toEqual([2, expect.stringContaining('2 to add')]);
    expect((await apply()).code).toBe(0);
    expect((await plan()).stdout).toContain('No changes.');
  });

  it('more than a request can have is sent in several', async () => {
    const large = Array.from({ length: 15 }, (_, at) => {
      return `HOSTWRIGHT_VAR_v${at}: ${'x'.repeat(60_000)}`;
    });
    await write(`version: 1
variableSets:
  large: { ${large.join(', ')} }
workspaces:
  large: { repository: 'https://git.example.com/acme/infra.git', variables: { ${large.join(', ')} } }
`);
    expect(await apply()).toMatchObject({ code: 0 });
    expect(changes()).toEqual([
      ...['PUT /variable-sets/large', 'PATCH /variable-sets/large'],
      ...['POST /workspaces', 'PATCH /workspaces/large'],
    ]);
    expect((await plan()).stdout).toContain('No changes.');
    expect(Object.keys((await readVariables('large')).values)).toHaveLength(15);
  });
});

describe('the faults of a file', () => {
  const listFaults = async (text: string) => {
    await write(text);
    const { code, stderr } = await plan();
    expect(code).toBe(1);
    return {
      places: [...stderr.matchAll(/on workspaces\.yaml line (\d+), column (\d+)/g)].map((found) =>
        found.slice(1).join(':'),
      ),
      stderr,
    };
  };

  it('are told at once, each with its place, before anything is asked of the server', async () => {
    const { places, stderr } = await listFaults(`version: 1
variableSets:
  Common: {}
workspaces:
  shop:
    branch: main
    pol: true
    driftEveryMinutes: 1
    variables:
      HOSTWRIGHT_TOKEN: ${secret}
      PATH: /bin
    windows: [{ days: Sut, from: '2', to: '05:00', zone: Europe/Berlin }]
`);
    expect(places).toEqual(['3:3', '5:3', '7:5', '8:24', '10:7', '11:7', '12:23', '12:34']);
    expect(sent).toEqual([]);
    expect(stderr).not.toContain(secret);
  });

  it('that only the server shows are told at once, too, and nothing is changed', async () => {
    const { places, stderr } = await listFaults(`version: 1
variableSets:
  fresh:
    HOSTWRIGHT_TOKEN: { secret: true, env: NOWHERE_SET }
workspaces:
  shop:
    repository: https://git.example.com/acme/infra.git
    connection: hub
    after: [nothing]
    variableSets: [productio]
`);
    expect(places).toEqual(['4:5', '8:17', '9:13', '10:20']);
    expect(stderr).toContain('NOWHERE_SET is not set in the environment');
    expect(stderr).toContain('Did you mean `production`?');
    expect(changes()).toEqual([]);
  });

  it('are those of workspaces that come after each other, too', async () => {
    const repository = 'repository: file:///r';
    const { places } = await listFaults(`version: 1
workspaces:
  a: { ${repository}, after: [b] }
  b: { ${repository}, after: [a] }
  c: { ${repository} }
`);
    expect(places).toEqual(['3:38', '4:38']);
  });

  it('are what the server refuses whatever it has', async () => {
    const many = Array.from({ length: 101 }, (_, at) => `HOSTWRIGHT_VAR_v${at}: x`).join(', ');
    const names = Array.from({ length: 21 }, (_, at) => `w${at}`).join(', ');
    const { places, stderr } = await listFaults(`version: 1
variableSets:
  many: { ${many} }
workspaces:
  shop:
    repository: git@git.example.com:acme/infra.git
    account: Prod
    after: [${names}]
    allowProbes: [999.0.0.0/99]
    windows: [{ days: Sat, from: '02:00', to: '05:00', zone: Mars/X }]
    freezes:
      - { reason: x, from: '2026-12-20T00:00:00Z', to: '2026-12-19T00:00:00Z' }
    variables:
      HOSTWRIGHT_BASE_URL: { secret: true, env: X }
      HOSTWRIGHT_VAR_long: ${'x'.repeat(65_537)}
`);
    expect(places.map((place) => place.split(':')[0])).toEqual([
      ...['3', '6', '7', '8', '9', '10', '12', '14', '15'],
    ]);
    expect(sent).toEqual([]);
    expect(stderr).not.toContain('wrong-type] workspaces.shop.account must be');
  });

  it('are a value of the environment that no variable can have', async () => {
    await write(file);
    const { stderr } = await plan({ env: { PRODUCTION_TOKEN: `${secret}${'x'.repeat(65_536)}` } });
    expect(stderr).toContain('HOSTWRIGHT_TOKEN of production cannot be set: it has more than');
    expect([sent, stderr.includes(secret)]).toEqual([[], false]);
  });

  it('are of an empty file, and of broken YAML', async () => {
    expect((await listFaults('')).places).toEqual(['1:1']);
    expect((await listFaults('version: [1\n')).stderr).toContain('broken-yaml');
  });
});

describe('the way to the server', () => {
  it.each([
    ['no address', { HOSTWRIGHT_SERVER_URL: '' }, 'server-address-missing'],
    [
      'an address with a path',
      { HOSTWRIGHT_SERVER_URL: `${origin}/api` },
      'server-address-invalid',
    ],
    ['plain http to elsewhere', { HOSTWRIGHT_SERVER_URL: 'http://192.0.2.9' }, 'plain-http'],
    ['no token', { HOSTWRIGHT_SERVER_TOKEN: ' ' }, 'server-token-missing'],
  ])('is refused with %s', async (_what, env, code) => {
    await write(file);
    const { code: exit, stderr } = await plan({ env });
    expect([exit, sent]).toEqual([1, []]);
    expect(stderr).toContain(`[${code}]`);
  });

  it('is refused with a token that may not do it, and says what it needs', async () => {
    const made = await rig.store.members.addToken('viewer', 1);
    await rig.store.members.grant(made?.member.id ?? '', [{ role: 'view' }]);
    const { stderr } = await plan({ env: { HOSTWRIGHT_SERVER_TOKEN: made?.token ?? '' } });
    expect(stderr).toContain('This needs the role admin');
  });
});
