// What a repository gets that a configuration takes a module from, and what the author of a pull request gets by naming one.
import { execFileSync } from 'node:child_process';
import { chmod, mkdir, readdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { join, relative } from 'node:path';
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { runInProcess } from '../cli/run-in-process.ts';
import { hashDirectory } from '../../src/config/modules/hash-content.ts';
import { formatModulePins } from '../../src/config/modules/lock-file.ts';
import { makeRepository, type GitRepository, type Tree } from '../support/git-repositories.ts';
import { makeSelfSigned } from '../support/self-signed.ts';
import { openFolder } from '../support/open-folder.ts';

const token = 'hw_Zx9-Qe7+Lm5/Tk3~Vb1';
const identity = {
  ...{ GIT_AUTHOR_NAME: 'a', GIT_AUTHOR_EMAIL: 'a@example.com' },
  ...{ GIT_COMMITTER_NAME: 'a', GIT_COMMITTER_EMAIL: 'a@example.com' },
};
const main = 'outputs: { x: { value: 1 } }\n';

let room = '';
let conf = '';
let repository: GitRepository;
beforeEach(async () => {
  room = await openFolder('attack');
  conf = join(room, 'conf');
  await mkdir(conf);
  repository = await makeRepository(join(room, 'repo'));
});

const use = (source: string) =>
  writeFile(
    join(conf, 'main.yaml'),
    `version: 1\nservice: { sandbox: true }\nmodules: { x: { source: ${JSON.stringify(source)} } }\n`,
  );

async function run(command: string, env: Record<string, string> = {}) {
  const { code, stdout, stderr } = await runInProcess([command, '--allow-outside-files'], {
    cwd: conf,
    env: { HOSTWRIGHT_TOKEN: token, ...env },
  });
  expect(stdout + stderr).not.toContain(token);
  return { code, said: (stdout + stderr).replaceAll(/\n│ ?/g, ' ') };
}

/** Fetches a module from a repository that holds this. */
async function fetch(tree: Tree, env: Record<string, string> = {}) {
  await repository.commit({ 'main.yaml': main, ...tree });
  await use(`git::file://${room}/repo`);
  return run('init', env);
}

/** Nothing is pinned, and of what was fetched nothing is left. */
async function expectNothing() {
  expect(await readdir(conf)).not.toContain('hostwright.lock.yaml');
  expect(await readdir(join(conf, '.hostwright/modules')).catch(() => [])).toEqual([]);
}

describe('a repository', () => {
  it.each<[string, Tree]>([
    ['to the root', { x: { leadsTo: '/etc/passwd' } }],
    ['upwards', { 'a/b/x': { leadsTo: '../../../conf/main.yaml' } }],
    ['to nothing, upwards', { x: { leadsTo: '../nothing' } }],
    ['by a name that leads nowhere', { x: { leadsTo: 'nothing/../../y' } }],
    ['by way of another link', { 'a/b/up': { leadsTo: '../..' }, x: { leadsTo: 'a/b/up/../..' } }],
  ])('holds a link %s', async (_name, tree) => {
    const { code, said } = await fetch(tree);
    expect(said).toContain('[file-outside]');
    expect(code).toBe(1);
    await expectNothing();
  });

  it('holds links within itself', async () => {
    const links = { 'a/c': { leadsTo: 'b.txt' }, d: { leadsTo: 'a' }, 'a/gone': { leadsTo: 'x' } };
    const circles = { 'a/self': { leadsTo: '.' }, p: { leadsTo: 'q' }, q: { leadsTo: 'p' } };
    expect((await fetch({ 'a/b.txt': 'b', ...links, ...circles })).code).toBe(0);
    expect((await run('validate')).code).toBe(0);
    const modules = join(conf, '.hostwright/modules');
    const [place = ''] = await readdir(modules);
    const all = await readdir(join(modules, place), { recursive: true, withFileTypes: true });
    expect(all.filter((one) => !one.isFile() && !one.isDirectory())).toEqual([]);
    const paths = all.map(({ parentPath, name }) =>
      relative(join(modules, place, '/'), join(parentPath, name)),
    );
    expect(paths.sort()).toEqual([
      'a',
      'a/b.txt',
      'a/c',
      'a/self',
      'a/self/b.txt',
      'a/self/c',
      'd',
      'd/b.txt',
      'd/c',
      'd/self',
      'd/self/b.txt',
      'd/self/c',
      'main.yaml',
    ]);
    expect(await readFile(join(modules, place, 'd/self/c'), 'utf8')).toBe('b');
  });

  it('holds thousands of links that lead through one another: they are followed, each once', async () => {
    const links = Array.from({ length: 1_000 }, (_, at): [string, { leadsTo: string }] => [
      `l${at}`,
      { leadsTo: `${'./'.repeat(450)}l${at + 1}` },
    ]);
    expect((await fetch(Object.fromEntries(links))).code).toBe(0);
  });

  it('holds a link to more than a path may be long', async () => {
    const { said } = await fetch({ x: { leadsTo: './'.repeat(600) } });
    expect(said).toContain('[invalid-module-content]');
    await expectNothing();
  });

  it.each([
    ['twice, as a link and as a directory', 'x', true],
    ['in two cases', 'X', false],
    ['composed in two ways', 'x\u0041\u030a', false],
  ])('holds one name %s: nothing outside is made', async (_name, other, isChecked) => {
    const victim = join(room, 'victim');
    await mkdir(victim);
    const link = git(['hash-object', '-w', '--stdin'], victim);
    const blob = git(['hash-object', '-w', '--stdin'], 'x\n');
    const inner = git(['mktree'], `100644 blob ${blob}\tpwned\n`);
    const name = other.normalize('NFC') === other ? 'x' : other.normalize('NFC');
    const raw = Buffer.concat([
      ...[`120000 ${name}\0`, Buffer.from(link, 'hex')].map((part) => Buffer.from(part)),
      ...[`40000 ${other}\0`, Buffer.from(inner, 'hex')].map((part) => Buffer.from(part)),
    ]);
    const tree = git(['hash-object', '-t', 'tree', '-w', '--literally', '--stdin'], raw);
    const commit = git(['commit-tree', tree, '-m', 'x']);
    await repository.git('update-ref', 'refs/heads/main', commit);
    await use(`git::file://${room}/repo`);
    const settings = join(room, 'gitconfig');
    const lax = ['duplicateEntries', 'treeNotSorted', 'badTree', 'fullPathname'];
    await writeFile(settings, `[fetch "fsck"]\n${lax.map((id) => `\t${id} = ignore\n`).join('')}`);
    for (const env of isChecked
      ? [{}, { GIT_CONFIG_GLOBAL: settings }]
      : [{ GIT_CONFIG_GLOBAL: settings }]) {
      const { code, said } = await run('init', env);
      expect(said).toContain('[invalid-module-content]');
      expect(code).toBe(1);
      await expectNothing();
    }
    expect(await readdir(victim)).toEqual([]);
  });

  it('has a submodule that runs a command: it stays out', async () => {
    await repository.commit({ 'main.yaml': main });
    const id = await repository.git('rev-parse', 'HEAD');
    await writeFile(
      join(room, 'repo/.gitmodules'),
      `[submodule "s"]\n\tpath = s\n\turl = ext::sh -c touch%20${room}/ran\n`,
    );
    await repository.git('update-index', '--add', '--cacheinfo', `160000,${id},s`);
    await repository.git('add', '.gitmodules');
    await repository.git('commit', '--quiet', '--message=s');
    await use(`git::file://${room}/repo`);
    expect((await run('init')).code).toBe(0);
    expect(await readdir(room)).not.toContain('ran');
  });

  it('asks for a filter, and the user has hooks: nothing of them is run', async () => {
    const hooks = join(room, 'template/hooks');
    await mkdir(hooks, { recursive: true });
    for (const name of ['post-checkout', 'reference-transaction', 'post-index-change']) {
      await writeFile(join(hooks, name), `#!/bin/sh\ntouch ${room}/ran\n`);
      await chmod(join(hooks, name), 0o755);
    }
    const settings = join(room, 'gitconfig');
    const filter = `sh -c "touch ${room}/ran; cat"`;
    await writeFile(
      settings,
      `[init]\n\ttemplateDir = ${room}/template\n[core]\n\thooksPath = ${hooks}\n[filter "x"]\n\tsmudge = ${JSON.stringify(filter)}\n`,
    );
    const { code } = await fetch(
      { '.gitattributes': '* filter=x\n' },
      { GIT_CONFIG_GLOBAL: settings },
    );
    expect(code).toBe(0);
    expect(await readdir(room)).not.toContain('ran');
  });

  it('holds more files than a module may', async () => {
    const empty = 'e69de29bb2d1d6434b8b29ae775ad8c2e48c5391';
    const lines = Array.from({ length: 10_001 }, (_, at) => `100644 blob ${empty}\tf${at}\n`);
    await commitTree(lines.join(''));
    expect((await run('init')).said).toContain('[module-too-large]');
    await expectNothing();
  });

  it('is a bomb: a few objects that stand for more files than anybody has', async () => {
    const cwd = join(room, 'repo');
    let tree = `100644 blob ${await emptyBlob()}\tf\n`;
    for (let depth = 0; depth < 8; depth += 1) {
      const id = execFileSync('git', ['mktree'], { cwd, input: tree }).toString().trim();
      tree = Array.from({ length: 20 }, (_, at) => `040000 tree ${id}\td${at}\n`).join('');
    }
    await commitTree(tree);
    expect((await run('init')).said).toContain('[module-too-large]');
    await expectNothing();
  });

  it('holds a path of git itself', async () => {
    const id = execFileSync('git', ['mktree'], {
      cwd: join(room, 'repo'),
      input: `100644 blob ${await emptyBlob()}\tconfig\n`,
    });
    await commitTree(`040000 tree ${id.toString().trim()}\t.git\n`);
    const { said } = await run('init');
    expect(said).toContain('[invalid-module-content]');
    expect(said.replaceAll(/\s+/g, ' ')).toContain('fetch.fsck.hasDotgit ignore');
    await expectNothing();
  });

  function git(args: readonly string[], input: string | Buffer = ''): string {
    const env = { PATH: process.env.PATH, ...identity };
    return execFileSync('git', args, { cwd: join(room, 'repo'), env, input })
      .toString()
      .trim();
  }

  async function emptyBlob(): Promise<string> {
    await writeFile(join(room, 'empty'), '');
    return repository.git('hash-object', '-w', join(room, 'empty'));
  }

  async function commitTree(listing: string): Promise<void> {
    await emptyBlob();
    const cwd = join(room, 'repo');
    const tree = execFileSync('git', ['mktree'], { cwd, input: listing }).toString().trim();
    const commit = await repository.git('commit-tree', tree, '-m', 'x');
    await repository.git('update-ref', 'refs/heads/main', commit);
    await use(`git::file://${room}/repo`);
  }
});

describe('the address of a module', () => {
  it.each([
    'git::ext::sh -c touch% ran',
    `git::ext::sh%20-c%20touch%20ran`,
    'git::--upload-pack=touch ran',
    'git::ssh://-oProxyCommand=touch%20ran/x',
    'git::https://example.com/x?ref=--upload-pack=touch',
  ])('cannot be a command or an option: %s', async (source) => {
    await use(source);
    for (const command of ['init', 'validate']) {
      const { code, said } = await run(command);
      expect(code).toBe(1);
      expect(said).toContain('[invalid-module-source]');
      expect(said).not.toContain('Fetching');
    }
    expect((await readdir(conf)).sort()).toEqual(['main.yaml']);
  });

  it('cannot lead to another protocol by the settings of the user', async () => {
    const settings = join(room, 'gitconfig');
    await writeFile(
      settings,
      `[url "ext::sh -c touch% ${room}/ran "]\n\tinsteadOf = https://modules.example.com/\n[protocol "ext"]\n\tallow = always\n`,
    );
    await use('git::https://modules.example.com/x');
    expect((await run('init', { GIT_CONFIG_GLOBAL: settings })).code).toBe(1);
    expect(await readdir(room)).not.toContain('ran');
  });

  it('cannot lead to a file by an answer of its server', async () => {
    await repository.commit({ 'main.yaml': main });
    const server = createServer((_request, response) =>
      response.writeHead(302, { location: `file://${room}/repo/.git/info/refs` }).end(),
    );
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => void server.close());
    const { port } = server.address() as AddressInfo;
    await use(`git::http://127.0.0.1:${port}/x`);
    const { code, said } = await run('init');
    expect(code).toBe(1);
    expect(said).toContain('[module-unreachable]');
  });

  it('shows no credentials, and none get into the lock file', async () => {
    for (const source of [
      'git::https://me:s3cr3tpass@example.com/x',
      'https://me:s3cr3tpass@example.com/x',
      'git::https://example.com/x?token=s3cr3tpass',
    ]) {
      await use(source);
      const { code, said } = await run('init');
      expect(code).toBe(1);
      expect(said).toContain('[invalid-module-source]');
      expect(said).not.toContain('s3cr3tpass');
    }
    expect(await readdir(conf)).toEqual(['main.yaml']);
  });
});

it('a program that answers git for the host of the checkout answers no other host', async () => {
  const heard: (string | undefined)[] = [];
  const server = createTlsServer(makeSelfSigned('localhost'), ({ headers }, response) => {
    heard.push(headers.authorization);
    response.writeHead(401, { 'www-authenticate': 'Basic realm="x"' }).end();
  });
  await new Promise<void>((resolve) => server.listen(0, resolve));
  const { port } = server.address() as AddressInfo;
  const ask = join(room, 'ask');
  await writeFile(ask, '#!/bin/sh\necho s3cr3tpass\n', { mode: 0o755 });
  const git = (...args: string[]) => execFileSync('git', args, { cwd: conf });
  git('init', '--quiet');
  git('remote', 'add', 'origin', `https://localhost:${port}/own.git`);
  const isTold = async (host: string, env: Record<string, string>) => {
    heard.length = 0;
    await use(`git::https://${host}:${port}/x`);
    expect((await run('init', { GIT_SSL_NO_VERIFY: '1', HOME: room, ...env })).code).toBe(1);
    expect(heard.length).toBeGreaterThan(0);
    return heard.some((one) => one !== undefined);
  };
  await writeFile(join(room, '.gitconfig'), `[core]\n\taskPass = ${ask}\n`);
  for (const env of [{ GIT_ASKPASS: ask }, { SSH_ASKPASS: ask }, {}]) {
    expect(await isTold('127.0.0.1', env)).toBe(false);
    expect(await isTold('localhost', env)).toBe(true);
  }
  server.close();
});

describe('the directory of the configuration', () => {
  it.each(['.hostwright', '.hostwright/modules'])(
    'has a link as %s: nothing goes there',
    async (link) => {
      await mkdir(join(room, 'victim'));
      await mkdir(join(conf, link, '..'), { recursive: true });
      await symlink(join(room, 'victim'), join(conf, link));
      const { code, said } = await fetch({});
      expect(code).toBe(1);
      expect(said).toContain('[cannot-write]');
      expect(await readdir(join(room, 'victim'))).toEqual([]);
    },
  );

  it('has a link as the lock file', async () => {
    await writeFile(join(room, 'victim'), 'mine');
    await repository.commit({ 'main.yaml': main });
    await use(`git::file://${room}/repo`);
    await symlink(join(room, 'victim'), join(conf, 'hostwright.lock.yaml'));
    expect((await run('init')).code).toBe(1);
    expect(await readFile(join(room, 'victim'), 'utf8')).toBe('mine');
  });

  it('brings a module along that fits its lock file and links to the outside', async () => {
    const source = 'git::https://modules.example.com/x';
    const content = join(room, 'content');
    await mkdir(content);
    await writeFile(join(room, 'secret.yaml'), `outputs: { ${token}: [\n`);
    await symlink(join(room, 'secret.yaml'), join(content, 'main.yaml'));
    const hash = hashDirectory(content) ?? '';
    const pins = new Map([[source, { commit: 'a'.repeat(40), content: hash }]]);
    await writeFile(join(conf, 'hostwright.lock.yaml'), formatModulePins(pins));
    const place = join(conf, '.hostwright/modules', hash.slice(7, 23));
    await mkdir(place, { recursive: true });
    await symlink(join(room, 'secret.yaml'), join(place, 'main.yaml'));
    await use(source);
    const { code, stdout, stderr } = await runInProcess(['validate'], { cwd: conf });
    expect(code).toBe(1);
    expect(stderr).toContain('[file-outside]');
    expect(stdout + stderr).not.toContain('Zx9');
  });
});
