// Modules from git, through the program: real repositories, fetched over HTTP on the loopback, over ssh and from files.
import {
  chmod,
  cp,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rename,
  rm,
  symlink,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import {
  makeRepository,
  serveRepositories,
  type GitRepository,
  type GitServer,
} from '../support/git-repositories.ts';
import { runInProcess } from './run-in-process.ts';
import { expectFailure, expectOutput, expectWords } from '../support/expect-words.ts';

const moduleText = (name: string) => `projects: { shop: { name: ${name} } }\n`;

let room = '';
let repository: GitRepository;
let server: GitServer;
let conf = '';
let first = '';

beforeAll(async () => {
  room = await mkdtemp(join(tmpdir(), 'hostwright-modules-'));
  repository = await makeRepository(join(room, 'repos/net'));
  first = await repository.commit({
    'shop/main.yaml': `${moduleText('one')}modules: { base: { source: ../base } }\n`,
    'base/main.yaml': 'outputs: { size: { value: 1 } }\n',
  });
  await repository.git('tag', '--annotate', '--message=one', 'v1.0.0');
  await repository.git('tag', 'v1.1.0');
  server = await serveRepositories(join(room, 'repos'));
});
afterAll(async () => {
  await server.close();
  await rm(room, { recursive: true });
});

let count = 0;
beforeEach(async () => {
  conf = join(room, `conf-${(count += 1)}`);
  await mkdir(conf);
});

const write = (name: string, text: string) => writeFile(join(conf, name), text);
const read = (name: string) => readFile(join(conf, name), 'utf8');
const run = (args: string[], env: Record<string, string> = {}) =>
  runInProcess(args, { cwd: conf, env });
const source = (rest: string, base = `git::${server.url}`) => `${base}/net${rest}`;
const use = (text: string) =>
  write(
    'main.yaml',
    `version: 1\nservice: { sandbox: true }\nmodules: { net: { source: ${JSON.stringify(text)} } }\n`,
  );
const pinned = async () =>
  Object.fromEntries(
    [...(await read('hostwright.lock.yaml')).matchAll(/^ {2}(\S+):\n {4}commit: (\S+)$/gm)].map(
      ([, name = '', commit = '']) => [name, commit],
    ),
  );

describe('a module from git', () => {
  test('is fetched by init alone, pinned, and then read without a network', async () => {
    await use(source('//shop?ref=v1.0.0'));
    expectFailure(await run(['validate']), '[module-not-fetched]', 'Run hostwright init.');
    const init = await run(['init']);
    expect(init.code).toBe(0);
    expect(init.stderr).toBe(`Fetching git::${server.url}/net?ref=v1.0.0...\n`);
    expect(init.stdout).toContain(`pinned to ${first.slice(0, 12)}`);
    expect(await pinned()).toEqual({ [`git::${server.url}/net?ref=v1.0.0`]: first });
    const asked = server.requests.length;
    expect((await run(['validate'])).stdout).toContain('valid: 1 resource.');
    expect((await run(['plan'])).stdout).toContain('# modules.net.projects.shop will be created');
    expect(server.requests.length).toBe(asked);
    expect(await readdir(conf)).toEqual(['.hostwright', 'hostwright.lock.yaml', 'main.yaml']);
  });

  test('is fetched again exactly as it is pinned, wherever its ref has moved to', async () => {
    await use(source('//shop?ref=stable'));
    await repository.git('branch', '--force', 'stable', first);
    expect((await run(['init'])).code).toBe(0);
    const second = await repository.commit({ 'shop/main.yaml': moduleText('two') });
    await repository.git('branch', '--force', 'stable', second);
    await repository.git('reset', '--quiet', '--hard', first);
    const lock = await read('hostwright.lock.yaml');
    await rm(join(conf, '.hostwright'), { recursive: true });
    const again = await run(['init', '--lockfile', 'readonly']);
    expect(again.stdout).toContain(`fetched ${first.slice(0, 12)} again`);
    expect(await read('hostwright.lock.yaml')).toBe(lock);
    const upgraded = await run(['init', '--upgrade']);
    expect(upgraded.stdout).toContain(`moved from ${first.slice(0, 12)} to ${second.slice(0, 12)}`);
    expect(await pinned()).toEqual({ [`git::${server.url}/net?ref=stable`]: second });
    expect((await run(['plan'])).stdout).toContain('+ name = "two"');
    expect((await run(['init', '--upgrade'])).stdout).toContain(`is at ${second.slice(0, 12)}`);
  });

  test('is removed once nothing pins it any more, and nothing else is', async () => {
    const below = join(conf, '.hostwright/modules');
    await use(source('//shop?ref=v1.0.0'));
    await run(['init']);
    const [used = ''] = await readdir(below);
    const [left, alike] = ['0123456789abcdef', 'fedcba9876543210'];
    await mkdir(join(room, 'elsewhere/kept'), { recursive: true });
    await mkdir(join(below, left, 'deep'), { recursive: true });
    await symlink(join(room, 'elsewhere'), join(below, left, 'deep/out'));
    await symlink(join(room, 'elsewhere'), join(below, alike));
    await mkdir(join(below, 'mine'));
    const again = await run(['init', '--lockfile', 'readonly']);
    expect(again.code).toBe(0);
    expect(again.stderr).toBe(
      `Removed from .hostwright/modules, since nothing pins it any more: \`${left}\`.\n`,
    );
    expect((await readdir(below)).sort()).toEqual([used, alike, 'mine'].sort());
    expect(await readdir(join(room, 'elsewhere'))).toEqual(['kept']);

    await write('main.yaml', 'version: 1\nservice: { sandbox: true }\nprojects: { a: }\n');
    const last = await run(['init']);
    expect(last.stderr).toContain(`\`${used}\``);
    expect(last.stdout).toContain('hostwright.lock.yaml is removed');
    expect((await readdir(below)).sort()).toEqual([alike, 'mine'].sort());
  });

  test('is not removed through a link', async () => {
    await use(source('//shop?ref=v1.0.0'));
    await run(['init']);
    const outside = join(room, `moved-${count}`);
    await rename(join(conf, '.hostwright'), outside);
    await symlink(outside, join(conf, '.hostwright'));
    await write('main.yaml', 'version: 1\nservice: { sandbox: true }\nprojects: { a: }\n');
    expect((await run(['init'])).stdout).toContain('hostwright.lock.yaml is removed');
    expect(await readdir(join(outside, 'modules'))).toHaveLength(1);
  });

  test('that is in place costs no request', async () => {
    await use(source('//shop?ref=v1.0.0'));
    await run(['init']);
    const asked = server.requests.length;
    const again = await run(['init']);
    expect(again).toMatchObject({ code: 0, stderr: '' });
    expect(again.stdout).toContain('hostwright.lock.yaml stays as it is.');
    expect(server.requests.length).toBe(asked);
  });

  test.each([
    ['another byte', 'shop/main.yaml', 'projects: {}\n'],
    ['another file', 'shop/more.yaml', 'projects: {}\n'],
  ])('that was changed is refused, and mended by init: %s', async (_what, file, text) => {
    await use(source('//shop?ref=v1.0.0'));
    await run(['init']);
    const [hash = ''] = await readdir(join(conf, '.hostwright/modules'));
    await write(`.hostwright/modules/${hash}/${file}`, text);
    const planned = await run(['plan']);
    expect(planned).toMatchObject({ code: 1, stdout: '' });
    expect(planned.stderr).toContain('[module-changed]');
    expect(planned.stderr).toContain('Run hostwright init: it fetches the pinned commit again.');
    expect((await run(['init'])).code).toBe(0);
    expect((await run(['validate'])).code).toBe(0);
  });

  test('whose ref was changed is not taken from what the former ref has pinned', async () => {
    await use(source('//shop?ref=v1.0.0'));
    await run(['init']);
    await use(source('//shop?ref=v1.1.0'));
    const planned = await run(['plan']);
    expect(planned).toMatchObject({ code: 1, stdout: '' });
    expectWords(planned.stderr, '[module-not-fetched]', 'net?ref=v1.1.0');
  });

  test('whose pin was edited is refused by init, too', async () => {
    await use(source('//shop?ref=v1.0.0'));
    await run(['init']);
    const lock = await read('hostwright.lock.yaml');
    const edited = lock.replace(/sha256:(.)/, (_all, one) => `sha256:${one === '0' ? '1' : '0'}`);
    await write('hostwright.lock.yaml', edited);
    expectFailure(await run(['init']), '[module-changed]');
    expect(await read('hostwright.lock.yaml')).toBe(edited);
    expect((await run(['init', '--upgrade'])).code).toBe(0);
    expect(await read('hostwright.lock.yaml')).toBe(lock);
  });

  test('uses modules from git itself, and is pinned with them by the configuration', async () => {
    const outer = await makeRepository(join(room, 'repos/outer'));
    await outer.commit({
      'main.yaml': `modules: { net: { source: '${source('//shop?ref=v1.0.0')}' } }\n`,
    });
    await use(`git::${server.url}/outer`);
    expect((await run(['init'])).stdout).toContain('2 modules from git are in place.');
    expect(Object.keys(await pinned())).toEqual([
      `git::${server.url}/net?ref=v1.0.0`,
      `git::${server.url}/outer`,
    ]);
    const plan = await run(['plan']);
    expect(plan.stdout).toContain('# modules.net.modules.net.projects.shop will be created');
  });

  test('names nothing outside of its repository', async () => {
    const outer = await makeRepository(join(room, 'repos/greedy'));
    await outer.commit({ 'main.yaml': 'modules: { x: { source: ../../../mine } }\n' });
    await mkdir(join(conf, 'mine'));
    await write('mine/main.yaml', moduleText('mine'));
    await use(`git::${server.url}/greedy`);
    expectFailure(await run(['init']), 'it is outside of the repository of the module');
    expect(await readdir(conf)).not.toContain('hostwright.lock.yaml');
  });

  test('over the files of a server that knows no git', async () => {
    await cp(join(room, 'repos/net/.git'), join(room, 'plain/net'), { recursive: true });
    const other = await makeRepository(join(room, 'plain/net-info'));
    await other.git('--git-dir', join(room, 'plain/net'), 'update-server-info');
    const plain = await serveRepositories(join(room, 'plain'), { isDumb: true });
    onTestFinished(() => plain.close());
    await use(`git::${plain.url}/net//shop?ref=${first}`);
    expect((await run(['init'])).code).toBe(0);
    expect(await pinned()).toEqual({ [`git::${plain.url}/net?ref=${first}`]: first });
  });

  test('over ssh, with the settings of the user and without the secrets of Hostwright', async () => {
    const ssh = join(room, 'ssh.sh');
    // What stands behind the host is the command that git wants to run over there.
    const script = `#!/bin/sh\nenv > ${room}/ssh-env\nprintf '%s\\n' "$@" > ${room}/ssh-args\nfor last; do :; done\ncd ${room}/repos && eval "$(printf %s "$last" | sed "s#'/#'#")"\n`;
    await writeFile(ssh, script);
    await chmod(ssh, 0o755);
    await use('git::ssh://git@modules.example.com/net//shop?ref=v1.0.0');
    const env = { GIT_SSH_COMMAND: ssh, HOSTWRIGHT_TOKEN: 'hw_secret', GIT_SSH_VARIANT: 'ssh' };
    const init = await run(['init'], env);
    expect(init.stderr).not.toContain('Error');
    expect(init.code).toBe(0);
    expect(await readFile(`${room}/ssh-env`, 'utf8')).not.toContain('HOSTWRIGHT');
    expect(await readFile(`${room}/ssh-args`, 'utf8')).toContain('git@modules.example.com');
    expect(await pinned()).toEqual({ 'git::ssh://git@modules.example.com/net?ref=v1.0.0': first });
  });

  test('from a file, only where the person who runs it allows that', async () => {
    await use(`git::file://${room}/repos/net//shop?ref=v1.0.0`);
    expectFailure(await run(['init']), '--allow-outside-files');
    expect((await run(['init', '--allow-outside-files'])).code).toBe(0);
    expect((await run(['validate'])).code).toBe(0);
  });
});

describe('what cannot be fetched', () => {
  test.each([
    ['?ref=v1.2.0', ['no tag and no branch `v1.2.0`', '`v1.1.0`, `v1.0.0`', 'Did you mean']],
    ['?ref=production', ['has the tags `v1.1.0`, `v1.0.0` and the branch', 'or a whole commit']],
    ['?ref=0123abc', ['Write a commit in full']],
    [`?ref=${'0'.repeat(40)}`, ['[module-commit-gone]', 'init --upgrade']],
    ['//nothing?ref=v1.0.0', ['has no directory `nothing`']],
    ['-gone.git?ref=v1.0.0', ['[module-unreachable]', 'not found']],
  ])('%s', async (rest, words) => {
    await use(source(rest));
    const init = await run(['init']);
    expect(init).toMatchObject({ code: 1, stdout: '' });
    const said = init.stderr.replaceAll(/\n│ ?/g, ' ');
    for (const word of words) expect(said).toContain(word);
    expect(await readdir(conf)).not.toContain('hostwright.lock.yaml');
  });

  test('a repository behind a password asks nobody', async () => {
    const closed = await serveRepositories(join(room, 'repos'), { credentials: 'me:pass' });
    onTestFinished(() => closed.close());
    await use(`git::${closed.url}/net//shop?ref=v1.0.0`);
    const init = await run(['init']);
    expect(init.code).toBe(1);
    expect(init.stderr.replaceAll(/\n│ ?/g, ' ')).toContain('a credential helper or an SSH key');
    await writeFile(
      join(room, 'gitconfig'),
      `[http]\n\textraHeader = Authorization: Basic ${Buffer.from('me:pass').toString('base64')}\n`,
    );
    const env = { GIT_CONFIG_GLOBAL: join(room, 'gitconfig') };
    expect((await run(['init'], env)).code).toBe(0);
  });

  test('anything, where there is no git', async () => {
    await use(source('?ref=v1.0.0'));
    const init = await run(['init'], { PATH: '/nonexistent' });
    expectFailure(init, 'Install git, and run hostwright init again.');
  });

  test('plain http beyond this machine', async () => {
    await use('git::http://modules.example.com/net');
    const init = await run(['init']);
    expect(init.stderr).toContain('[plain-http]');
    expect(init.stderr).not.toContain('Fetching');
  });

  test('what has no pin, where the lock file must stay as it is', async () => {
    await use(source('?ref=v1.0.0'));
    expectFailure(await run(['init', '--lockfile=readonly']), '[module-not-pinned]');
  });

  test('a broken lock file', async () => {
    await use(source('?ref=v1.0.0'));
    await write('hostwright.lock.yaml', 'version: 1\nmodules: { x: { commit: abc } }\n');
    for (const command of ['init', 'validate']) {
      const { code, stderr } = await run([command]);
      expect(code).toBe(1);
      expectWords(stderr, 'hostwright.lock.yaml line 2', '[invalid-lock-file]');
      expect(stderr).not.toContain('Fetching');
    }
  });
});

describe('init beside a configuration', () => {
  test('whose modules come from git no more removes the pins', async () => {
    await use(source('//shop?ref=v1.0.0'));
    await run(['init']);
    await write('main.yaml', 'version: 1\nservice: { sandbox: true }\n');
    expectOutput(await run(['init']), 'No module comes from git');
    expect(await readdir(conf)).not.toContain('hostwright.lock.yaml');
  });

  test('without modules from git writes nothing, and refuses as ever', async () => {
    await write('main.yaml', 'version: 1\nservice: { sandbox: true }\n');
    const init = await run(['init']);
    expectFailure(init, '[file-exists]');
    expect((await run(['init', '--lockfile', 'readonly'])).code).toBe(0);
    expect(await readdir(conf)).toEqual(['main.yaml']);
  });

  test('--upgrade of nothing', async () => {
    expectFailure(await run(['init', '--upgrade']), '[no-configuration]');
    expect(await readdir(conf)).toEqual([]);
  });
});
