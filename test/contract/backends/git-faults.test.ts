// A remote of git whose answers are lost, and a branch that somebody pushes to without the lock.
import { expect, test } from 'vitest';
import { openGitBackend } from '../../../src/state/backends/git/open-git-backend.ts';
import {
  complain,
  openMemoryGit,
  openMemoryRepository,
  openMemoryRemote,
  type Carry,
} from '../../support/backends/git-double.ts';
import { readTexts, startRun } from '../../support/backends/git-run.ts';
import { openQuickClock } from '../../support/backends/quick-clock.ts';

const branchRef = 'refs/heads/hostwright-state';
const remote = openMemoryRemote();

const open = (carry?: Carry) =>
  openGitBackend({
    ...{ directory: '/', env: {}, branch: 'hostwright-state', clock: openQuickClock() },
    repository: openMemoryRepository(openMemoryGit(remote, carry)),
  });

test('the answer to every push is lost: the lock is held, and each write is made once', async () => {
  remote.refs.clear();
  const backend = await open((args, work) => {
    const answer = work();
    return Promise.resolve(args[0] === 'push' ? complain('') : answer);
  });
  const { files, journal, lock } = await startRun(backend);
  await files.replace(journal, 'a\n');
  await files.append(journal, 'b\n');
  await files.append(journal, 'c\n');
  expect(await readTexts(await open())).toEqual({ [journal]: 'a\nb\nc\n' });
  await lock.release();
  const next = await startRun(await open(), 'machine-2', { timeoutMs: 0 });
  expect(next.lock.diagnostics).toEqual([]);
});

test('somebody pushed to the branch without the lock: the write fails at once, and names the cause', async () => {
  remote.refs.clear();
  let pushes = 0;
  const backend = await open((args, work) => {
    if (args[0] === 'push') pushes += 1;
    return Promise.resolve(work());
  });
  const { files, journal } = await startRun(backend);
  await files.replace(journal, 'a\n');
  const before = remote.refs.get(branchRef) ?? '';
  await files.append(journal, 'b\n');
  remote.refs.set(branchRef, before);
  pushes = 0;
  await expect(files.append(journal, 'c\n')).rejects.toMatchObject({
    fault: 'broken',
    message: expect.stringContaining('only Hostwright may write to that branch') as string,
  });
  expect(pushes).toBe(1);
  expect(remote.refs.get(branchRef)).toBe(before);
});
