import { openGit } from '../../../src/state/backends/git/git-program.ts';
import { makeGitRemote } from '../../support/backends/git-remote.ts';
import { silenceGit } from '../../support/backends/silent-network.ts';
import { describeKills } from './backend-kills.ts';

describeKills('a branch of the program', 12, async () => {
  const remote = await makeGitRemote();
  return {
    async open(plan) {
      const directory = await remote.clone();
      return remote.open({
        directory,
        git: silenceGit(openGit({ directory, env: remote.env }), plan),
      });
    },
    close: () => remote.remove(),
  };
});
