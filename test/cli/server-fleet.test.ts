// `server plan` and `server apply`: a file of workspaces against the API of a server.
import { readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
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
const isFleetDocument = ajv.compile({ $ref: `${documents.$id}#/$defs/server%20plan` });

let rig: PagesRig;
let cwd: string;
/** Requests that were sent, as `METHOD path`. */
let sent: string[] = [];
/** How many requests are answered before the server is gone. */
let answered = Infinity;

const exchange: HttpExchange = async ({ method, url, headers, body }) => {
  sent.push(`${method} ${new URL(url).pathname.replace('/api/v1', '')}`);
  if (sent.length > answered) throw new Error('the connection was closed');
  const request = new Request(url, { method, headers, ...(body !== undefined && { body }) });
  const response = await rig.app.fetch(request, { address: '192.0.2.1' });
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
  cwd = await mkdtemp(join(tmpdir(), 'hostwright-fleet-'));
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
    expect(isFleetDocument(JSON.parse(stdout)), JSON.stringify(isFleetDocument.errors)).toBe(true);
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
    // A set takes two requests, and the workspace network one: what comes then is not answered.
    const reading = await plan().then(() => sent.length);
    answered = reading + 3;
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
      ...['PUT /variable-sets/production', 'PATCH /workspaces/network', 'PATCH /workspaces/shop'],
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
    expect(stdout).toContain('Apply incomplete: 1 added, 0 changed, 0 destroyed. 1 change failed.');
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
