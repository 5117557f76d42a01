import { openRepository } from '../../../src/state/backends/git/open-repository.ts';
import { makeGitRemote } from '../../support/backends/git-remote.ts';
import { silenceGit } from '../../support/backends/silent-network.ts';
import { describeKills, type KillPlace } from './backend-kills.ts';

const openPlace = async (): Promise<KillPlace> => {
  const remote = await makeGitRemote();
  return {
    async open(plan) {
      const directory = await remote.clone();
      const repository = await openRepository({ directory, env: remote.env });
      return remote.open({
        directory,
        repository: { ...repository, git: silenceGit(repository.git, plan) },
      });
    },
    close: () => remote.remove(),
  };
};

// A course runs the program more than a thousand times, so there is only the harder one.
describeKills('a branch of the program', 12, openPlace, ['unanswered']);
