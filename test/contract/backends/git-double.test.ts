// Git in memory keeps what the program keeps: the simulation runs on it.
import { openGitBackend } from '../../../src/state/backends/git/open-git-backend.ts';
import {
  openMemoryGit,
  openMemoryRemote,
  openMemoryRepository,
} from '../../support/backends/git-double.ts';
import { openQuickClock } from '../../support/backends/quick-clock.ts';
import { describeBackend } from './backend-contract.ts';
import { openSmallBranch } from '../../support/backends/places-in-small.ts';
import { describeDeletedLock } from './courses/deleted-lock.ts';
import { describeSlowMedium } from './courses/slow-medium.ts';

describeBackend('a git branch in memory', () => {
  const remote = openMemoryRemote();
  const pause = () => new Promise((done) => setImmediate(done));
  return Promise.resolve({
    open: () =>
      openGitBackend({
        ...{ directory: '/', env: {}, branch: 'hostwright-state', clock: openQuickClock() },
        repository: openMemoryRepository(
          openMemoryGit(remote, (_args, work) => pause().then(work)),
        ),
      }),
    close: () => Promise.resolve(),
  });
});

describeDeletedLock('a git branch in memory', openSmallBranch);

describeSlowMedium('a git branch in memory', openSmallBranch, true);
