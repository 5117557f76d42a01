// What becomes of writes on a git branch when answers are lost, pushes come late, or others come between.
import { readFile, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { LockLostError } from '../../../src/state/lock/fence.ts';
import { readStateLockHolder } from '../../../src/state/lock/lock.ts';
import { makeGitRemote, type GitRemote } from '../../support/backends/git-remote.ts';
import { readTexts, startRun } from '../../support/backends/git-run.ts';

const branchRef = 'refs/heads/hostwright-state';
const lockRef = 'refs/hostwright/lock/hostwright-state';

let remote: GitRemote;
beforeEach(async () => {
  remote = await makeGitRemote();
});
afterEach(() => remote.remove());

const flag = (name: string) => join(remote.folder, name);
const raise = (name: string) => writeFile(flag(name), '');
const isRaised = (name: string) =>
  stat(flag(name)).then(
    () => true,
    () => false,
  );
const until = async (condition: () => Promise<boolean>) => {
  while (!(await condition())) await new Promise((done) => setTimeout(done, 5));
};
const tipOf = async (ref: string) => (await remote.git(['rev-parse', ref])).trim();

/** The remote dies right after it has moved the refs, once for each time that `kill` is raised. */
const loseAnswers = () =>
  remote.hook(
    'reference-transaction',
    `cat >/dev/null; if [ "$1" = committed ] && rm '${flag('kill')}' 2>/dev/null; then kill -9 $PPID; fi`,
  );

/** While `refuse` is raised, the remote refuses with these words, or dies; what it was sent is noted in `sent`. */
const refuse = (words: string, end = 'exit 1') =>
  remote.hook(
    'pre-receive',
    `test -e '${flag('refuse')}' || exit 0; cat >>'${flag('sent')}'; printf '${words}' >&2; ${end}`,
  );

describe('a lost answer', () => {
  test('of a write is no failure, and the write is made once', async () => {
    await loseAnswers();
    const run = await startRun(await remote.open());
    await run.files.replace(run.journal, 'a\n');
    await raise('kill');
    await run.files.append(run.journal, 'b\n');
    expect(await isRaised('kill')).toBe(false);
    await run.files.append(run.journal, 'c\n');
    expect(await readTexts(await remote.open())).toEqual({ [run.journal]: 'a\nb\nc\n' });
    expect(await remote.git(['log', '--format=%s', '--reverse', branchRef])).toBe(
      [1, 2, 3].map((batch) => `Hostwright: journal 1, batch ${batch}\n`).join(''),
    );
  });

  test('of a lock that was taken, renewed or released is no failure', async () => {
    await loseAnswers();
    await raise('kill');
    const backend = await remote.open();
    const run = await startRun(backend);
    expect(run.lock.fence.epoch).toBe(1);
    expect(await isRaised('kill')).toBe(false);
    await raise('kill');
    await (run.lock.fence as unknown as { beat(): Promise<void> }).beat();
    expect(await isRaised('kill')).toBe(false);
    await raise('kill');
    await run.lock.release();
    expect(await isRaised('kill')).toBe(false);
    expect(await readStateLockHolder(backend.lock)).toBeUndefined();
  });
});

describe('a push that comes late', () => {
  test('is gone on from by the holder that had given it up', async () => {
    await refuse('', 'kill -9 $PPID');
    const directory = await remote.clone();
    const run = await startRun(await remote.open({ directory }));
    await run.files.replace(run.journal, 'a\n');
    await raise('refuse');
    await expect(run.files.append(run.journal, 'late\n')).rejects.toMatchObject({
      fault: 'unreachable',
    });
    await rm(flag('refuse'));
    // All attempts were the same push: it arrives now.
    const sent = (await readFile(flag('sent'), 'utf8')).trim().split('\n');
    const moves = [...new Set(sent)].map((line) => line.split(' '));
    expect(sent.length).toBeGreaterThan(moves.length);
    expect(moves.map(([, , ref]) => ref).toSorted()).toEqual([branchRef, lockRef]);
    await remote.git(
      ['push', '--quiet', remote.path, ...moves.map(([, to, ref]) => `+${to}:${ref}`)],
      join(directory, '.git/hostwright/sha1'),
    );
    await run.files.append(run.journal, 'next\n');
    expect(await readTexts(await remote.open())).toEqual({ [run.journal]: 'a\nlate\nnext\n' });
    await run.lock.release();
    expect(await readStateLockHolder(run.backend.lock)).toBeUndefined();
  });

  test('is refused by the remote when the lock was taken over while it was under way', async () => {
    await remote.hook(
      'pre-receive',
      `mv '${flag('block')}' '${flag('blocked')}' 2>/dev/null || exit 0
      until test -e '${flag('go')}'; do sleep 0.01; done`,
    );
    const old = await startRun(await remote.open(), 'machine-1');
    await old.files.replace(old.journal, 'a\n');
    await raise('block');
    const late = old.files.append(old.journal, 'late\n');
    const ended = expect(late).rejects.toBeInstanceOf(LockLostError);
    await until(() => isRaised('blocked'));
    const next = await startRun(await remote.open(), 'machine-2');
    const [tip, lock] = [await tipOf(branchRef), await tipOf(lockRef)];
    expect(await readTexts(next.backend)).toEqual({ [old.journal]: 'a\n' });
    await raise('go');
    await ended;
    expect([await tipOf(branchRef), await tipOf(lockRef)]).toEqual([tip, lock]);
    expect(old.lock.fence.lost?.loss).toMatchObject({ kind: 'taken', by: next.lock.info });
    await next.files.replace(next.journal, 'b\n');
    expect(await readTexts(next.backend)).toEqual({ [old.journal]: 'a\n', [next.journal]: 'b\n' });
  });

  test('wins over a takeover that comes second: the holder lives', async () => {
    const old = await startRun(await remote.open(), 'machine-1');
    const other = await remote.open();
    let looks = 0;
    const wanted = { ...old.lock.info, ID: 'other' };
    const taking = await other.lock.take(wanted, () => {
      looks += 1;
      return looks === 1;
    });
    expect(taking.kind).toBe('taken');
    // The other way about: it writes between the look and the taking.
    const third = await startRun(await remote.open(), 'machine-3');
    let isWritten = false;
    const hook = `test -e '${flag('first')}' && exit 0; touch '${flag('first')}'
      until test -e '${flag('go')}'; do sleep 0.01; done`;
    await remote.hook('pre-receive', hook);
    const second = (await remote.open()).lock.take({ ...wanted, ID: 'second' }, () => !isWritten);
    await until(() => isRaised('first'));
    await third.files.replace(third.journal, 'a\n');
    isWritten = true;
    await raise('go');
    expect(await second).toMatchObject({ kind: 'held', by: { info: { ID: third.lock.info.ID } } });
    expect(await readTexts(third.backend)).toEqual({ [third.journal]: 'a\n' });
  });
});

describe('refused', () => {
  test('by the policy of the remote, it is told in its own words, and not tried again', async () => {
    await refuse('branch is protected: ask \\033[31mops\\033[0m\\007');
    const run = await startRun(await remote.open());
    await raise('refuse');
    await expect(run.files.replace(run.journal, 'a\n')).rejects.toMatchObject({
      fault: 'denied',
      message: `Git cannot push to ${run.backend.place}: pre-receive hook declined (remote: branch is protected: ask ops).`,
    });
    expect((await readFile(flag('sent'), 'utf8')).trim().split('\n')).toHaveLength(2);
    await rm(flag('refuse'));
    expect(await readTexts(run.backend)).toEqual({});
    await run.files.replace(run.journal, 'b\n');
  });

  test('for want of room', async () => {
    await refuse('fatal: write error: No space left on device');
    const run = await startRun(await remote.open());
    await raise('refuse');
    await expect(run.files.replace(run.journal, 'a\n')).rejects.toMatchObject({ fault: 'full' });
  });

  test('where pushes are not atomic', async () => {
    await remote.git(['config', 'receive.advertiseAtomic', 'false']);
    await expect(startRun(await remote.open())).rejects.toMatchObject({
      cause: { fault: 'broken', message: expect.stringMatching(/atomic/) as string },
    });
    expect(await remote.git(['for-each-ref'])).toBe('');
  });
});

describe('changed by hand', () => {
  test('a branch that was deleted or pushed to is told, and left alone', async () => {
    const run = await startRun(await remote.open());
    await run.files.replace(run.journal, 'a\n');
    await remote.git(['update-ref', '-d', branchRef]);
    await expect(run.files.append(run.journal, 'b\n')).rejects.toMatchObject({
      fault: 'broken',
      message: expect.stringMatching(/^Somebody pushed to branch/) as string,
    });
    expect(await readTexts(run.backend)).toEqual({});
  });

  test('a lock that was deleted is lost, and the next epoch is higher nonetheless', async () => {
    const run = await startRun(await remote.open());
    await run.files.replace('journal.7.jsonl', 'a\n');
    await run.files.replace('state.json', '{ "epoch": 9 }');
    await remote.git(['update-ref', '-d', lockRef]);
    await expect(run.files.append('journal.7.jsonl', 'b\n')).rejects.toMatchObject({
      loss: { kind: 'removed' },
    });
    expect((await startRun(await remote.open())).lock.fence.epoch).toBe(10);
  });

  test('a lock that says nothing is a lock still, and can be removed', async () => {
    const directory = await remote.clone();
    const tree = (await remote.git(['hash-object', '-wt', 'tree', '/dev/null'], directory)).trim();
    const who = ['-c', 'user.name=a', '-c', 'user.email=a@example.com'];
    const commit = (await remote.git([...who, 'commit-tree', '-m', 'x', tree], directory)).trim();
    await remote.git(['push', '--quiet', 'origin', `${commit}:${lockRef}`], directory);
    const backend = await remote.open({ directory });
    expect((await readStateLockHolder(backend.lock))?.info).toMatchObject({
      ID: 'unknown',
      Who: 'unknown',
    });
    await backend.lock.clear('unknown');
    expect(await readStateLockHolder(backend.lock)).toBeUndefined();
  });
});

test('silence is counted by the own clock: one that is ahead says nothing of another machine', async () => {
  const old = await startRun(await remote.open(), 'machine-1');
  // Its record, as a machine has it whose clock is an hour behind.
  const [tip] = [await tipOf(lockRef)];
  const text = await remote.git(['show', `${tip}:lock.json`]);
  const far = {
    ...(JSON.parse(text) as object),
    Host: 'far',
    Realm: 'far',
    Beaten: '2001-01-01T00:00:00.000Z',
  };
  const directory = await remote.clone();
  await writeFile(join(directory, 'lock.json'), JSON.stringify(far));
  const who = ['-c', 'user.name=a', '-c', 'user.email=a@example.com'];
  await remote.git(['add', 'lock.json'], directory);
  await remote.git([...who, 'commit', '--quiet', '-m', 'x'], directory);
  await remote.git(['push', '--quiet', '--force', 'origin', `HEAD:${lockRef}`], directory);
  const clock = { now: () => Date.now(), sleep: () => Promise.resolve() };
  const backend = await remote.open({ clock });
  const next = await startRun(backend, 'machine-2', { clock });
  expect(next.lock.diagnostics[0]?.code).toBe('lock-taken-over');
  expect(next.lock.silentForMs).toBeLessThan(10_000);
  await expect(old.files.replace('state.json', 'a')).rejects.toBeInstanceOf(LockLostError);
});
