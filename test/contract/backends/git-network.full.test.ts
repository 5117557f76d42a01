// The remote is a server, `git daemon`, with an unreliable network in between.
import { makeGitRemote } from '../../support/backends/git-remote.ts';
import { startGitDaemon } from '../../support/backends/git-daemon.ts';
import { describeNetwork } from './backend-network.ts';

describeNetwork('the network to a remote of git', {
  every: 23,
  openPlace: async () => {
    const remote = await makeGitRemote();
    const daemon = await startGitDaemon(remote.folder);
    return {
      port: daemon.port,
      async open(way, clock) {
        const directory = await remote.clone();
        const url = `git://127.0.0.1:${way}/remote.git`;
        await remote.git(['remote', 'set-url', 'origin', url], directory);
        return remote.open({ directory, clock });
      },
      async close() {
        await daemon.close();
        await remote.remove();
      },
    };
  },
});
