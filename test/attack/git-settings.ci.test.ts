// A stranger's directory makes git do nothing. Every command that asks a state on a git branch runs in a directory that
// looks like a repository with settings of its own, below one whose settings name commands.
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { chown, mkdir, readdir, rm, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { runInProcess } from '../cli/run-in-process.ts';
import { layOutRepository } from '../support/git-repositories.ts';
import { openFolder } from '../support/open-folder.ts';

const noSettings = { GIT_CONFIG_GLOBAL: '/dev/null', GIT_CONFIG_NOSYSTEM: '1' };

let room: string;
/** The directory of the configuration, below the top of a work tree. */
let hosting: string;
beforeEach(async () => {
  room = await openFolder('attack');
  hosting = join(room, 'work/hosting');
  await mkdir(hosting, { recursive: true });
  await layOutRepository(join(room, 'remote.git'), { isBare: true });
  await layOutRepository(join(room, 'work'), { origin: '../remote.git' });
  await writeFile(
    join(hosting, 'main.yaml'),
    'version: 1\nservice: { sandbox: true }\nstate: { git: {} }\noutputs: { x: { value: 1 } }\n',
  );
});

function git(...args: string[]): string {
  const env = { PATH: process.env.PATH, ...noSettings };
  return execFileSync('git', args, { env, cwd: room, encoding: 'utf8', stdio: 'pipe' });
}

const unwrap = (text: string) => text.replaceAll(/\s*│?\s+/g, ' ');

/** A command line that leaves a trace. */
const trace = () => `touch ${room}/ran;`;

/** Settings of git that each name a command, or lead to one. */
const settings = () => `[core]
\trepositoryformatversion = 0
\tbare = true
\tsshCommand = ${trace()}
\tfsmonitor = ${trace()}
\taskPass = ${trace()}
\tgitProxy = ${trace()}
\talternateRefsCommand = ${trace()}
\tpager = ${trace()}
\thooksPath = ${room}/hooks
[protocol "ext"]
\tallow = always
[credential]
\thelper = !${trace()}
[uploadpack]
\tpackObjectsHook = ${trace()}
[filter "lfs"]
\tclean = ${trace()}
\tsmudge = ${trace()}
[include]
\tpath = ${room}/included
[remote "origin"]
\turl = ssh://nobody@127.0.0.1:1/x
\tuploadpack = ${trace()}
\treceivepack = ${trace()}
\tvcs = ext
\tproxy = http://127.0.0.1:1
`;

async function lookLikeRepository(directory: string): Promise<void> {
  for (const folder of ['objects', 'refs']) {
    await mkdir(join(directory, folder), { recursive: true });
    await writeFile(join(directory, folder, '.keep'), '');
  }
  await writeFile(join(directory, 'HEAD'), 'ref: refs/heads/main\n');
  await writeFile(join(directory, 'config'), settings());
}

async function addHooks(directory: string): Promise<void> {
  await mkdir(directory, { recursive: true });
  for (const name of ['reference-transaction', 'pre-push', 'post-checkout', 'pre-auto-gc'])
    await writeFile(join(directory, name), `#!/bin/sh\n${trace()}\n`, { mode: 0o755 });
}

const run = (argv: readonly string[], env: Record<string, string> = {}) =>
  runInProcess(argv, { cwd: hosting, env: { ...noSettings, ...env } });

const commands: readonly (readonly string[])[] = [
  ['apply', '--auto-approve'],
  ['plan'],
  ['show'],
  ['state', 'list'],
  ['state', 'history'],
  ['output'],
  ['doctor'],
  ['limits'],
  ['lock', 'show'],
  ['destroy', '--auto-approve'],
];

/** They all reach the state in one way. */
const few = commands.slice(0, 2);

describe('a directory that looks like a bare repository', () => {
  test.each([
    ['is the directory of the configuration', () => hosting, commands],
    ['is above it', () => join(room, 'work'), few],
  ])('%s: nothing in it is read', async (_, place, lines) => {
    await lookLikeRepository(place());
    await addHooks(join(room, 'hooks'));
    for (const argv of lines) {
      expect((await run(argv)).stderr, argv.join(' ')).not.toMatch(/git|nobody/i);
      expect(await readdir(room)).not.toContain('ran');
    }
    expect(git('-C', join(room, 'remote.git'), 'branch', '--list')).toContain('hostwright-state');
  });

  test('is no repository by itself', async () => {
    await rm(join(room, 'work/.git'), { recursive: true });
    await lookLikeRepository(hosting);
    const { code, stderr } = await run(['plan']);
    expect(code).toBe(1);
    expect(unwrap(stderr)).toContain('not a git repository');
    expect(await readdir(room)).not.toContain('ran');
  });
});

// Only root can give a directory to somebody else.
test.runIf(process.geteuid?.() === 0)(
  'the repository of another user is used where the own settings call it safe, as git has it',
  async () => {
    const top = join(room, 'work');
    await chown(top, 12_345, 12_345);
    const withSafe = async (...safe: string[]) => {
      const lines = safe.map((one) => `\tdirectory = ${one}\n`).join('');
      await writeFile(join(room, 'own'), `[safe]\n${lines}`);
      return run(['plan'], { GIT_CONFIG_GLOBAL: join(room, 'own') });
    };
    for (const safe of [[], [hosting], [top, '""'], ['/elsewhere']]) {
      const { code, stderr } = await withSafe(...safe);
      expect([safe, code]).toEqual([safe, 1]);
      expect(unwrap(stderr)).toContain(`git config --global --add safe.directory ${top}`);
    }
    for (const safe of [[top], ['*'], ['""', `${top}/`]])
      expect([safe, (await withSafe(...safe)).code]).toEqual([safe, 0]);
  },
);

describe('the settings of the repository', () => {
  test('name commands: where its remotes are is all that is taken from them', async () => {
    const own = `${settings().replace('bare = true', 'bare = false')}\turl =\n\turl = ../remote.git\n`;
    const file = join(room, 'work/.git/config');
    await writeFile(file, own.replace(/\turl = ssh.*\n/, '').replace('\turl =\n', ''));
    await writeFile(join(room, 'included'), settings().replace(/\[include[^]*/, ''));
    await addHooks(join(room, 'hooks'));
    await addHooks(join(room, 'work/.git/hooks'));
    for (const argv of few) {
      expect((await run(argv)).stderr, argv.join(' ')).not.toMatch(/git/i);
      expect(await readdir(room)).not.toContain('ran');
    }
    expect(git('-C', join(room, 'remote.git'), 'branch', '--list')).toContain('hostwright-state');
  });

  test.each(['ext::sh -c "touch ran"', '--upload-pack=touch ran', 'fd::7'])(
    'lead to a remote that is a command: %s',
    async (url) => {
      git('-C', join(room, 'work'), 'remote', 'set-url', 'origin', '--', url);
      expect((await run(['plan'])).code).toBe(1);
      expect(await readdir(hosting)).toEqual(['main.yaml']);
    },
  );

  test('give a job its credentials, also in a file that is included; no process shows them', async () => {
    const { server, url, seen } = await listen((_request, response) =>
      response.writeHead(401).end(),
    );
    const config = (...args: string[]) => git('-C', join(room, 'work'), 'config', ...args);
    git('-C', join(room, 'work'), 'remote', 'set-url', 'origin', `${url}/x.git`);
    await writeFile(
      join(room, 'job.gitconfig'),
      `[http "${url}/"]\n\textraheader = AUTHORIZATION: basic am9iOnNlY3JldA==\n`,
    );
    config(`includeIf.gitdir:${join(room, 'work/.git')}.path`, join(room, 'job.gitconfig'));
    onTestFinished(() => void server.close());
    expect((await run(['plan'])).stderr).not.toContain('am9iOnNlY3JldA');
    expect(seen.at(-1)).toBe('basic am9iOnNlY3JldA==');
    config('--remove-section', `includeIf.gitdir:${join(room, 'work/.git')}`);
    config(`http.${url}/.extraheader`, 'AUTHORIZATION: basic b3RoZXI=');
    await run(['plan']);
    expect(seen.at(-1)).toBe('basic b3RoZXI=');
  });
});

test('a redirect is not followed: the credentials would go along; where it leads is told', async () => {
  const other = await listen((_request, response) => response.writeHead(404).end());
  const first = await listen((request, response) =>
    response.writeHead(301, { location: `${other.url}${request.url ?? ''}` }).end(),
  );
  onTestFinished(() => {
    first.server.close();
    other.server.close();
  });
  const url = first.url.replace('//', '//me:s3cr3t@');
  git('-C', join(room, 'work'), 'remote', 'set-url', 'origin', `${url}/x.git`);
  const { code, stderr } = await run(['plan']);
  expect(code).toBe(1);
  expect(unwrap(stderr)).toContain(`the address leads on to ${other.url}/x.git`);
  expect(stderr).not.toContain('s3cr3t');
  expect(other.seen).toEqual([]);
});

/** A server on the loopback, and what it was told of who asks. */
async function listen(answer: Parameters<typeof createServer>[1] & object) {
  const seen: (string | undefined)[] = [];
  const server: Server = createServer((request, response) => {
    seen.push(request.headers.authorization);
    answer(request, response);
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { server, url, seen };
}

test('one place starts git, and three start programs at all', () => {
  const source = join(import.meta.dirname, '../../src');
  const starters = readdirSync(source, { recursive: true, encoding: 'utf8' }).filter(
    (file) =>
      file.endsWith('.ts') &&
      readFileSync(join(source, file), 'utf8').includes('node:child_process'),
  );
  expect(starters.sort()).toEqual([
    'cli/execute-command.ts',
    'server/runs/run-child.ts',
    'state/backends/git/git-program.ts',
  ]);
});
