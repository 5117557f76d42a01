// What a pull request brings never vouches for itself: neither its YAML, nor a state, a memory or a commit that lies beside it.
import { execFileSync } from 'node:child_process';
import { chmod, cp, mkdir, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { DayTwoWorld, type RunOptions } from '../support/day-two.ts';
import { makeRepository } from '../support/git-repositories.ts';
import { makeSelfSigned } from '../support/self-signed.ts';
import { drawSome } from '../support/budget/budget.ts';

const evil = 'https://evil.test/v1';
const own = 'https://sandbox/v1';

let world: DayTwoWorld;
let home: string;
let sent: string[];
beforeEach(async () => {
  world = await DayTwoWorld.open();
  home = `${world.directory}-home`;
  sent = [];
});
afterEach(async () => {
  await rm(home, { recursive: true, force: true });
  await world.close();
});

/** Nothing but the configuration names the service. */
const run = (argv: readonly string[], options: RunOptions = {}) =>
  world.run(argv, {
    ...options,
    meddle: (request, pass) => {
      sent.push(new URL(request.url).origin);
      return pass();
    },
    env: { HOSTWRIGHT_BASE_URL: '', XDG_STATE_HOME: home, ...options.env },
  });
const typing = (...answers: string[]): RunOptions => ({ answers, isTTY: true });

const inDirectory = (name: string) => join(world.directory, name);
const statePath = () => inDirectory('.hostwright/state.json');
const trustFolder = () => join(home, 'hostwright/trust');

const configure = (baseUrl: string, more = '') =>
  writeFile(
    inDirectory('main.yaml'),
    `version: 1\nservice: { baseUrl: ${baseUrl} }\nvariables: { s: { type: string, default: x } }\noutputs: { o: { value: "a" } }\nprojects: { shop: }\n${more}`,
  );

/** Writes a state as somebody else would, in place of the one that is there or elsewhere. */
async function forge(changes: object, path = statePath()): Promise<void> {
  const state = JSON.parse(await readFile(statePath(), 'utf8')) as object;
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, JSON.stringify({ ...state, ...changes }));
}

const commands = [
  ...[['plan'], ['plan', '--json'], ['apply', '--auto-approve'], ['destroy', '--auto-approve']],
  ...[
    ['limits'],
    ['doctor'],
    ['account'],
    ['export', '--all'],
    ['vm', 'start', 'projects.shop.vms.web[0]'],
  ],
];

/** Every command refuses, and not a byte goes out. */
async function expectRefused(
  code: string,
  tried: readonly (readonly string[])[] = commands,
  env = {},
) {
  for (const argv of tried) {
    const { code: exit, stdout, stderr } = await run(argv, { env });
    const isDoctor = argv.includes('doctor');
    expect({ argv, exit, sent, said: stdout + stderr }).toMatchObject({
      ...{ argv, exit: 1, sent: [] },
      said: (isDoctor ? expect.anything() : expect.stringContaining(code)) as unknown,
    });
  }
}

describe('a service that only the configuration names', () => {
  test('gets nothing where nobody can be asked, from no command', async () => {
    await expectRefused('other-service');
    await configure(evil);
    await forge({ lineage: 'forged', service: evil });
    await expectRefused('other-service');
    await rm(statePath());
    await expectRefused('other-service', [['plan'], ['limits']]);
  });

  test('is asked about once, by its address, and remembered', async () => {
    const asked = await run(['plan'], typing('yes'));
    expect(asked.code).toBe(0);
    expect(asked.stderr).toContain(`Only the configuration sends the access token to ${own}`);
    expect((await run(['limits'])).code).toBe(0);
    for (const [options, env] of [
      [typing('no'), {}],
      [typing(), {}],
      [typing('yes'), { CI: 'true' }],
    ] as const) {
      sent = [];
      const other = { XDG_STATE_HOME: `${home}/other`, ...env };
      const { code } = await run(['plan'], { ...options, env: other });
      expect({ code, sent }).toEqual({ code: 1, sent: [] });
    }
    const [name = ''] = await readdir(trustFolder());
    expect((await stat(trustFolder())).mode & 0o777).toBe(0o700);
    expect((await stat(join(trustFolder(), name))).mode & 0o777).toBe(0o600);
  });

  test('is let pass by the one who runs the command, for this state alone', async () => {
    expect((await run(['plan', '--allow-other-service'])).code).toBe(0);
    expect((await run(['plan'])).code).toBe(0);
    sent = [];
    await forge({ lineage: 'another' });
    await expectRefused('other-service', [['plan'], ['limits']]);
  });

  test('is no other than that of the memory, whatever the state says of it', async () => {
    await run(['plan', '--allow-other-service']);
    sent = [];
    await configure(evil);
    for (const service of [evil, null]) {
      await forge({ service });
      await expectRefused('other-service');
      // What contradicts the memory is no first use.
      expect((await run(['plan'], typing('yes'))).code).toBe(1);
    }
  });

  test('stays trusted where the directory moves, and once an empty state is written', async () => {
    await rm(statePath());
    await configure(own);
    expect((await run(['plan', '--adopt'], typing('yes'))).code).toBe(0);
    expect((await run(['apply', '--auto-approve', '--adopt'])).code).toBe(0);
    expect((await run(['plan'])).code).toBe(0);
    const elsewhere = `${home}-moved`;
    onTestFinished(() => rm(elsewhere, { recursive: true }));
    await cp(world.directory, elsewhere, { recursive: true });
    expect((await run(['--chdir', elsewhere, 'plan'])).code).toBe(0);
  });

  test('is trusted with the authorities that were confirmed, and with no other', async () => {
    const name = (file: string) =>
      configure(`${own}, tls: { caFile: ${file} }`).then(() => forge({ service: null }));
    for (const file of ['a.pem', 'b.pem']) {
      await writeFile(inDirectory(file), makeSelfSigned('sandbox').cert);
    }
    await name('a.pem');
    expect((await run(['plan', '--allow-other-service'])).code).toBe(0);
    expect((await run(['plan'])).code).toBe(0);
    sent = [];
    await name('b.pem');
    await expectRefused('other-authority', [['plan'], ['limits']]);
  });

  test('needs no memory where the environment names it', async () => {
    const env = { HOSTWRIGHT_BASE_URL: own, XDG_STATE_HOME: '', HOME: '' };
    expect((await run(['plan'], { env })).code).toBe(0);
    expect((await run(['plan'], { env: { HOSTWRIGHT_BASE_URL: own } })).code).toBe(0);
    await expect(stat(home)).rejects.toThrow();
  });

  test.each(['.state', 'sub/.state'])(
    'is not vouched for by a memory in the work tree: %s',
    async (name) => {
      const root = await makeRepository(world.directory);
      const sub = inDirectory('sub');
      await mkdir(sub);
      await configure(own);
      await cp(inDirectory('main.yaml'), join(sub, 'main.yaml'));
      const memory = inDirectory(name);
      const chdir = ['--chdir', sub];
      expect((await run([...chdir, 'plan', '--adopt', '--allow-other-service'])).code).toBe(0);
      await cp(home, memory, { recursive: true });
      sent = [];
      const env = { XDG_STATE_HOME: memory };
      await expectRefused('other-service', [[...chdir, 'plan']], env);
      expect((await run([...chdir, 'plan'], { ...typing('yes'), env })).stderr).toContain(
        '[trust-not-remembered]',
      );
      expect(root.directory).toBe(world.directory);
    },
  );

  test.each(['open', 'a file', 'none'])(
    'is asked about again where the memory cannot be kept: %s',
    async (what) => {
      await mkdir(trustFolder(), { recursive: true });
      if (what === 'open') await chmod(trustFolder(), 0o777);
      await writeFile(join(home, 'file'), '');
      const XDG_STATE_HOME = what === 'a file' ? join(home, 'file') : home;
      const env = what === 'none' ? { XDG_STATE_HOME: 'relative', HOME: '' } : { XDG_STATE_HOME };
      for (let time = 0; time < 2; time += 1) {
        const { code, stderr } = await run(['plan'], { ...typing('yes'), env });
        expect({ code, stderr }).toMatchObject({
          code: 0,
          stderr: expect.stringContaining('[trust-not-remembered]') as string,
        });
      }
      sent = [];
      await expectRefused('other-service', [['plan']], env);
    },
  );
});

describe('the place of a state', () => {
  const places = [
    'http: { address: "https://evil.test/state" }',
    's3: { bucket: b, key: k, region: r, endpoint: "https://evil.test", pathStyle: true }',
  ];
  const credentials = {
    ...{ HOSTWRIGHT_STATE_HTTP_USERNAME: 'me', HOSTWRIGHT_STATE_HTTP_PASSWORD: 'secret' },
    ...{ AWS_ACCESS_KEY_ID: 'key', AWS_SECRET_ACCESS_KEY: 'secret', HOSTWRIGHT_BASE_URL: own },
  };
  const reading = [
    ...commands,
    ['show'],
    ['state', 'list'],
    ['state', 'history'],
    ['output', 'o'],
    ['state', 'lock', '--reason', 'r'],
  ];

  test.each(places)('gets no credentials by the configuration alone: %s', async (place) => {
    await configure(own, `state: { ${place} }\n`);
    await expectRefused('other-state-host', reading, credentials);
    await expectRefused('other-state-host', [['init', '--migrate-state']], credentials);
    await rm(inDirectory('.hostwright'), { recursive: true });
    await expectRefused('other-state-host', [['plan'], ['limits']], credentials);
    await run(['plan'], { ...typing('yes'), env: credentials });
    expect(sent).toContain('https://evil.test');
    await configure(own, `state: { ${place.replace('evil', 'worse')} }\n`);
    sent = [];
    await expectRefused('other-state-host', [['plan'], ['state', 'list']], credentials);
    await run(['plan', '--allow-other-state'], { env: credentials });
    expect(sent).toContain('https://worse.test');
  });

  test('nor where another address of it leads elsewhere', async () => {
    await rm(inDirectory('.hostwright'), { recursive: true });
    const block = (lock: string) =>
      `state: { http: { address: "https://good.test/s", lockAddress: "https://${lock}.test/l" } }\n`;
    await configure(own, block('good'));
    await run(['plan', '--allow-other-state'], { env: credentials });
    sent = [];
    await configure(own, block('evil'));
    await expectRefused('other-state-host', [['plan'], ['apply', '--auto-approve']], credentials);
  });

  test.each(['http://evil.test/s', 'http://127.0.0.1.evil.test/s'])(
    'nor in the clear, whoever names it: %s',
    async (address) => {
      const env = { ...credentials, HOSTWRIGHT_STATE: `{ http: { address: "${address}" } }` };
      await expectRefused('state-plain-http', [['plan'], ['state', 'list']], env);
    },
  );

  test('is no other directory, whatever that holds, unless a person says so', async () => {
    const env = { HOSTWRIGHT_BASE_URL: own };
    await forge({ lineage: 'forged', serial: 9 }, inDirectory('other/state.json'));
    await configure(own, 'state: { local: { path: other } }\n');
    await expectRefused('state-elsewhere', reading, env);
    expect((await run(['plan'], { ...typing('yes'), env })).code).toBe(0);
    expect((await run(['plan'], { env })).code).toBe(0);
    sent = [];
    await forge({ lineage: 'third' }, inDirectory('third/state.json'));
    await configure(own, 'state: { local: { path: third } }\n');
    await expectRefused('state-elsewhere', [['plan'], ['limits']], env);
  });

  test('is no other branch, whatever that holds', async () => {
    const env = { HOSTWRIGHT_BASE_URL: own, PATH: process.env.PATH ?? '' };
    const remote = `${home}/remote.git`;
    const { git } = await makeRepository(world.directory);
    await git('init', '--quiet', '--bare', remote);
    await git('remote', 'add', 'origin', remote);
    const state = await readFile(statePath(), 'utf8');
    await rm(inDirectory('.hostwright'), { recursive: true });
    await configure(own, 'state: { git: { branch: one } }\n');
    expect((await run(['apply', '--auto-approve', '--adopt'], { env })).code).toBe(0);
    const work = await makeRepository(`${home}/work`);
    await work.commit({ 'state.json': state.replace(own, evil) });
    await work.git('push', '--quiet', remote, 'HEAD:refs/heads/two');
    sent = [];
    await configure(own, 'state: { git: { branch: two } }\n');
    await expectRefused('state-elsewhere', drawSome(reading, 5, 'commands on a branch'), env);
    await configure(own, '');
    await expectRefused('state-elsewhere', [['plan']], env);
  });
});

describe('a state that git tracks', () => {
  test.each([
    ['.hostwright', ''],
    ['other', 'state: { local: { path: other } }\n'],
  ])('is refused: %s', async (folder, more) => {
    const env = { HOSTWRIGHT_BASE_URL: own, PATH: process.env.PATH ?? '' };
    const { git } = await makeRepository(world.directory);
    await configure(own, more);
    if (folder === 'other')
      await cp(inDirectory('.hostwright'), inDirectory(folder), { recursive: true });
    if (folder === 'other') await rm(inDirectory('.hostwright'), { recursive: true });
    expect((await run(['plan'], { env })).code).toBe(0);
    sent = [];
    await git('add', '--force', `${folder}/state.json`);
    const tried = drawSome([...commands, ['state', 'list'], ['output', 'o']], 4, folder);
    await expectRefused('state-tracked', tried, env);
    for (const form of [['--index-version', '4'], ['--split-index']]) {
      await git('update-index', ...form);
      await expectRefused('state-tracked', [['plan']], env);
    }
    await git('rm', '--quiet', '--cached', `${folder}/state.json`);
    expect((await run(['plan'], { env })).code).toBe(0);
  });

  test('is refused beside a state that is elsewhere, where it could pass for a rescued one', async () => {
    const { git } = await makeRepository(world.directory);
    await cp(statePath(), inDirectory('.hostwright/rescue/state.json'));
    await git('add', '--force', '.hostwright/rescue');
    const env = { HOSTWRIGHT_STATE: '{ local: { path: kept } }', PATH: process.env.PATH ?? '' };
    await expectRefused('state-tracked', [['plan'], ['apply', '--auto-approve']], env);
  });
});

describe('completion', () => {
  const complete = (word: string) => run(['complete', '--', 'plan', '--var', word]);
  const asVariable = `vms: { w: { image: i, configuration: "\${var.s}", tariff: t } }`;

  test('sends nothing where a command would not', async () => {
    const withVm = (baseUrl: string) =>
      configure(baseUrl).then(async () => {
        const text = await readFile(inDirectory('main.yaml'), 'utf8');
        await writeFile(
          inDirectory('main.yaml'),
          text.replace('shop: }', `shop: { ${asVariable} } }`),
        );
      });
    await withVm(evil);
    await forge({ lineage: 'forged', service: evil });
    expect((await complete('s=')).stdout).toBe('');
    expect(sent).toEqual([]);
    await forge({ service: own });
    await withVm(own);
    expect((await complete('s=')).stdout).toBe('');
    expect(sent).toEqual([]);
    await run(['plan', '--allow-other-service']);
    expect((await complete('s=')).stdout).toContain('s=');
  });

  test.each(['pipe', 'directory'])('waits for no %s in place of the state', async (what) => {
    await rm(statePath());
    if (what === 'pipe') execFileSync('mkfifo', [statePath()]);
    else await mkdir(statePath());
    for (const words of [
      ['plan', '--target', ''],
      ['state', 'show', ''],
      ['output', ''],
      ['plan', '--var', 's='],
    ]) {
      expect(await run(['complete', '--', ...words])).toMatchObject({ code: 0 });
    }
  });
});
