// Git in memory keeps what the program keeps: the simulation runs on it.
import { openGitBackend } from '../../../src/state/backends/git/open-git-backend.ts';
import {
  complain,
  openMemoryGit,
  openMemoryRemote,
  openMemoryRepository,
} from '../../support/backends/git-double.ts';
import { openQuickClock } from '../../support/backends/quick-clock.ts';
import { describeBackend } from './backend-contract.ts';
import { openSmallBranch } from '../../support/backends/places-in-small.ts';
import { describeDeletedLock } from './courses/deleted-lock.ts';
import { describeSlowMedium } from './courses/slow-medium.ts';
import { describeSwallowed } from './courses/swallowed.ts';
import { describeSetBack, type SetBackPlace } from './courses/set-back.ts';

const openPlace = (): Promise<SetBackPlace> => {
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
    copy() {
      const kept = [...remote.refs];
      return Promise.resolve(() => {
        remote.refs.clear();
        for (const [ref, id] of kept) remote.refs.set(ref, id);
        return Promise.resolve();
      });
    },
    close: () => Promise.resolve(),
  });
};

describeBackend('a git branch in memory', openPlace);
describeSetBack('a git branch in memory', openPlace, {
  except: { 'before there was a state': 'the lock is gone, as where somebody has deleted its ref' },
});

describeDeletedLock('a git branch in memory', openSmallBranch);

describeSlowMedium('a git branch in memory', openSmallBranch, true);
describeSwallowed(
  'a git branch in memory',
  () => {
    const remote = openMemoryRemote();
    return Promise.resolve({
      open: ({ clock, connect }) =>
        openGitBackend({
          ...{ directory: '/', env: {}, branch: 'hostwright-state', clock },
          repository: openMemoryRepository(
            // A git that is ended since it takes too long says nothing.
            openMemoryGit(remote, (_args, work, timeoutMs = 60_000) =>
              connect(timeoutMs).then(work, () => complain('')),
            ),
          ),
        }),
      close: () => Promise.resolve(),
    });
    // An attempt is a push and a look, each a connection of its own with half of the patience.
  },
  1,
);
