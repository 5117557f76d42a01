// Where a state on a git branch may be, what is left in the repository of the user, and how a remote fails.
import { chmod, readFile, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { explainGitFailure } from '../../../src/state/backends/git/git-faults.ts';
import { openGitRunner } from '../../../src/state/backends/git/git-program.ts';
import type { GitBackendOptions } from '../../../src/state/backends/git/open-git-backend.ts';
import { isProcessGone, identifyProcess } from '../../../src/state/lock/lock-holder.ts';
import { readStateLockHolder } from '../../../src/state/lock/lock.ts';
import { findFreePort } from '../../support/backends/find-port.ts';
import { startGitDaemon } from '../../support/backends/git-daemon.ts';
import { makeGitRemote, type GitRemote } from '../../support/backends/git-remote.ts';
import { readTexts, startRun } from '../../support/backends/git-run.ts';

let remote: GitRemote;
beforeEach(async () => {
  remote = await makeGitRemote();
});
afterEach(() => remote.remove());

/** Where what is fetched lies, within the repository of the user. */
const ownRepository = '.git/hostwright/sha1';
const author = ['-c', 'user.name=a', '-c', 'user.email=a@example.com'];

/** A repository with a commit of its own on `main`, pushed. */
async function cloneWithWork(): Promise<string> {
  const directory = await remote.clone();
  await remote.git(['switch', '--quiet', '--orphan', 'main'], directory);
  await writeFile(join(directory, 'work.txt'), 'one\n');
  await remote.git(['add', 'work.txt'], directory);
  await remote.git([...author, 'commit', '--quiet', '-m', 'one'], directory);
  await remote.git([...author, 'commit', '--quiet', '--allow-empty', '-m', 'two'], directory);
  await remote.git(['push', '--quiet', 'origin', 'main'], directory);
  return directory;
}

describe('the repository of the user', () => {
  test('keeps its work tree, index, branches and hooks to itself', async () => {
    const directory = await cloneWithWork();
    await writeFile(join(directory, 'work.txt'), 'two\n');
    for (const hook of ['pre-push', 'reference-transaction', 'post-index-change']) {
      const file = join(directory, '.git/hooks', hook);
      await writeFile(file, `#!/bin/sh\ntouch '${join(directory, 'hook-ran')}'\n`);
      await chmod(file, 0o755);
    }
    const look = async () => [
      await readFile(join(directory, '.git/index'), 'latin1'),
      await readFile(join(directory, '.git/HEAD'), 'utf8'),
      await readdir(directory),
      (await readdir(join(directory, '.git'))).filter((name) => name !== 'hostwright'),
      await remote.git(['for-each-ref', 'refs/heads', 'refs/tags'], directory),
    ];
    const before = await look();
    const run = await startRun(await remote.open({ directory }));
    await run.files.replace(run.journal, 'a\n');
    await run.lock.release();
    const other = await remote.clone();
    const next = await startRun(await remote.open({ directory: other }));
    await next.files.append(run.journal, 'b\n');
    expect(await readTexts(await remote.open({ directory }))).toEqual({ [run.journal]: 'a\nb\n' });
    expect((await readStateLockHolder((await remote.open({ directory })).lock))?.info.ID).toBe(
      next.lock.info.ID,
    );
    expect(await look()).toEqual(before);
    const listRefs = async (from: string) =>
      (await remote.git(['for-each-ref', '--format=%(refname)'], from)).trim().split('\n');
    expect(await listRefs(directory)).toEqual(['refs/heads/main', 'refs/remotes/origin/main']);
    expect(await listRefs(join(directory, ownRepository))).toEqual([
      'refs/hostwright/lock-of/origin/hostwright-state',
      'refs/hostwright/remote/origin/hostwright-state',
    ]);
  });

  test('may be a shallow clone, and stays one', async () => {
    const directory = await cloneWithWork();
    const first = await startRun(await remote.open({ directory }));
    await first.files.replace(first.journal, 'a\n');
    await first.files.append(first.journal, 'b\n');
    await first.lock.release();
    const shallow = join(remote.folder, 'shallow');
    const from = ['--depth', '1', '--branch', 'main', `file://${remote.path}`, shallow];
    await remote.git(['clone', '--quiet', ...from], remote.folder);
    const run = await startRun(await remote.open({ directory: shallow }));
    await run.files.append(first.journal, 'c\n');
    await run.files.append(first.journal, 'd\n');
    await run.lock.release();
    const fetched = 'refs/hostwright/remote/origin/hostwright-state';
    const own = join(shallow, ownRepository);
    expect(await remote.git(['rev-list', '--count', fetched], own)).toBe('1\n');
    const reader = await remote.open({ directory });
    expect(await readTexts(reader)).toEqual({ [first.journal]: 'a\nb\nc\nd\n' });
    expect(await remote.git(['rev-list', '--count', 'hostwright-state'])).toBe('4\n');
  });

  test('may name its objects by SHA-256', async () => {
    const path = join(remote.folder, 'long.git');
    const directory = join(remote.folder, 'long');
    const init = ['init', '--quiet', '--object-format=sha256'];
    await remote.git([...init, '--bare', path], remote.folder);
    await remote.git([...init, directory], remote.folder);
    await remote.git(['remote', 'add', 'origin', path], directory);
    const run = await startRun(await remote.open({ directory }));
    await run.files.replace(run.journal, 'a\n');
    await run.files.append(run.journal, 'b\n');
    expect(await readTexts(run.backend)).toEqual({ [run.journal]: 'a\nb\n' });
    const own = join(directory, '.git/hostwright/sha256');
    expect(await remote.git(['for-each-ref', '--format=%(refname)'], own)).not.toContain('scratch');
  });
});

describe('a place', () => {
  test('may be a folder of the branch; its neighbours are not seen', async () => {
    const top = await startRun(await remote.open());
    await top.files.replace('state.json', 'top');
    await top.files.replace('history/3.json', 'three');
    await top.lock.release();
    const shop = await startRun(await remote.open({ path: 'teams/shop' }));
    expect(shop.lock.fence.epoch).toBe(2);
    await shop.files.replace('state.json', 'shop');
    await shop.files.replace('history/4.json', 'four');
    expect(shop.files.pathOf('state.json')).toBe('origin/hostwright-state:teams/shop/state.json');
    const subjects = await remote.git(['log', '--format=%an <%ae> %s', 'hostwright-state']);
    expect(subjects.split('\n')[0]).toBe(
      'Hostwright <hostwright@localhost> Hostwright: history, serial 4 (teams/shop)',
    );
    expect(await readTexts(shop.backend)).toEqual({
      'state.json': 'shop',
      'history/4.json': 'four',
    });
    expect(await readTexts(top.backend)).toEqual({
      'state.json': 'top',
      'history/3.json': 'three',
    });
    expect(shop.backend.address).toBe(
      `git:${remote.path.slice(0, -4)}#hostwright-state:teams/shop`,
    );
  });

  test('what was listed is read as it was then', async () => {
    const run = await startRun(await remote.open());
    await run.files.replace('state.json', 'one');
    const reader = (await remote.open()).openFiles();
    await reader.list();
    await run.files.replace('state.json', 'two');
    await run.files.remove('state.json');
    expect(await reader.read('state.json')).toBe('one');
    expect(await reader.list()).toEqual([]);
    expect(await reader.read('state.json')).toBeUndefined();
  });

  test('is on the remote of the current branch, or else on origin', async () => {
    const directory = await cloneWithWork();
    const other = await makeGitRemote();
    await remote.git(['remote', 'add', 'other', other.path], directory);
    const placeOf = async (options: Partial<GitBackendOptions>) =>
      (await remote.open({ directory, ...options })).place;
    const suffix = (path: string) => `branch hostwright-state of ${path.slice(0, -4)}`;
    expect(await placeOf({})).toBe(suffix(remote.path));
    await remote.git(['config', 'branch.main.remote', 'other'], directory);
    expect(await placeOf({})).toBe(suffix(other.path));
    expect(await placeOf({ remote: 'origin' })).toBe(suffix(remote.path));
    await remote.git(['config', 'branch.main.remote', other.path], directory);
    expect(await placeOf({})).toBe(suffix(remote.path));
    await other.remove();
  });

  test.each<[string, Partial<GitBackendOptions>, RegExp]>([
    ['a branch that is an option', { branch: '--upload-pack=x' }, /not a valid name/],
    ['a remote that is an option', { remote: '--upload-pack=x' }, /no remote named/],
    ['a remote that is an address', { remote: 'ext::sh -c x' }, /no remote named/],
    ['a remote that is a path', { remote: '/tmp' }, /no remote named "\/tmp": it has origin/],
    ['a path that leads out', { path: '../x' }, /not a valid path/],
    ['a folder without a repository', { directory: '/' }, /not a git repository/],
    ['a folder that is not there', { directory: '/nonexistent/x' }, /the directory does not exist/],
  ])('is refused: %s', async (_, options, message) => {
    const wrong = remote.open(options);
    await expect(wrong).rejects.toMatchObject({ name: 'BackendError', fault: 'broken' });
    await expect(wrong).rejects.toThrow(message);
  });

  test('is refused where there is no remote, or more than one is pushed to', async () => {
    const directory = await remote.clone();
    await remote.git(['remote', 'set-url', '--add', '--push', 'origin', '/a'], directory);
    await remote.git(['remote', 'set-url', '--add', '--push', 'origin', '/b'], directory);
    await expect(remote.open({ directory })).rejects.toThrow(/pushes to 2 repositories/);
    await remote.git(['remote', 'remove', 'origin'], directory);
    await expect(remote.open({ directory })).rejects.toThrow(
      /no remote named "origin": it has none/,
    );
  });
});

describe('a remote', () => {
  test('can be a server, and be out of reach for a while', async () => {
    const port = await findFreePort();
    const startDaemon = async () => (await startGitDaemon(remote.folder, port)).close;
    let stop = await startDaemon();
    onTestFinished(() => stop().catch(() => undefined));
    const directory = await remote.clone();
    const url = `git://127.0.0.1:${port}/remote.git`;
    await remote.git(['remote', 'set-url', 'origin', url], directory);
    // The server is away until the run has waited for the second time.
    let pauses = 0;
    let passedMs = 0;
    const clock = {
      now: () => Date.now() + passedMs,
      sleep: async (ms: number) => {
        passedMs += ms;
        pauses += 1;
        if (pauses === 2) stop = await startDaemon();
      },
    };
    const run = await startRun(await remote.open({ directory, clock }));
    await run.files.replace(run.journal, 'a\n');
    await stop();
    await run.files.append(run.journal, 'b\n');
    expect(pauses).toBe(2);
    expect(await readTexts(run.backend)).toEqual({ [run.journal]: 'a\nb\n' });
    await stop();
    await expect(run.files.append(run.journal, 'c\n')).rejects.toMatchObject({
      fault: 'unreachable',
      message: expect.stringMatching(/^Git cannot (?:push to|read) branch .*refused/) as string,
    });
    await expect(run.backend.openFiles().list()).rejects.toMatchObject({ fault: 'unreachable' });
  });

  test('that does not answer shows no password', async () => {
    const port = await findFreePort();
    const directory = await remote.clone();
    const url = `http://user:pass%40word@127.0.0.1:${port}/acme/infra.git`;
    await remote.git(['remote', 'set-url', 'origin', url], directory);
    const backend = await remote.open({ directory });
    expect(backend.address).toBe(`git:127.0.0.1:${port}/acme/infra#hostwright-state`);
    const failed = await backend
      .openFiles()
      .list()
      .catch((error: unknown) => error);
    expect(failed).toMatchObject({ fault: 'unreachable' });
    expect(`${String(failed)} ${backend.place} ${backend.lock.place}`).not.toMatch(/user|word/);
  });

  test('that hangs is left after a while, with all that was started for it', async () => {
    const directory = await remote.clone();
    const [file, script] = [join(remote.folder, 'pid'), join(remote.folder, 'hang.sh')];
    await writeFile(script, `echo $$ >'${file}'\nwhile :; do sleep 0.05; done\n`);
    await remote.git(['config', 'remote.origin.uploadpack', `sh '${script}'`], directory);
    const git = openGitRunner({ directory: join(directory, '.git'), env: remote.env });
    const answer = await git(['ls-remote', 'origin'], { timeoutMs: 500 });
    expect(answer.status).toBeUndefined();
    expect(explainGitFailure('Git cannot read', answer)).toMatchObject({ fault: 'unreachable' });
    const pid = Number(await readFile(file, 'utf8'));
    expect(pid).toBeGreaterThan(1);
    const { Realm } = identifyProcess(process.pid, 'here');
    const mark = { Pid: pid, Host: 'here', ...(Realm !== undefined && { Realm }) };
    await expect.poll(() => isProcessGone(mark, 'here')).toBe(true);
  });

  test('that is no repository is not tried again', async () => {
    const directory = await remote.clone();
    await remote.git(['remote', 'set-url', 'origin', join(remote.folder, 'gone.git')], directory);
    const backend = await remote.open({ directory });
    await expect(backend.openFiles().list()).rejects.toMatchObject({
      fault: 'broken',
      message: expect.stringMatching(/does not appear to be a git repository/) as string,
    });
  });
});
