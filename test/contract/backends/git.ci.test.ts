import { makeGitRemote } from '../../support/backends/git-remote.ts';
import { describeBackend } from './backend-contract.ts';

describeBackend('a git branch', async () => {
  const remote = await makeGitRemote();
  // Some have a repository in common, as two processes on one machine do.
  const directories = [await remote.clone(), await remote.clone()];
  let count = 0;
  return {
    open: () => remote.open({ directory: directories[count++ % directories.length]! }),
    close: () => remote.remove(),
  };
});
