// The remote is a server, `git daemon`, with an unreliable network in between.
import { spawn } from 'node:child_process';
import { makeGitRemote } from '../../support/backends/git-remote.ts';
import { findFreePort } from '../../support/backends/find-port.ts';
import { describeNetwork } from './backend-network.ts';

describeNetwork('the network to a remote of git', {
  every: 23,
  openPlace: async () => {
    const remote = await makeGitRemote();
    const port = await findFreePort();
    const daemon = spawn(
      'git',
      [
        ...['daemon', '--reuseaddr', '--listen=127.0.0.1', `--port=${port}`, '--verbose'],
        ...['--export-all', '--enable=receive-pack', `--base-path=${remote.folder}`],
      ],
      { stdio: ['ignore', 'ignore', 'pipe'], detached: true },
    );
    await new Promise((done) => daemon.stderr.once('data', done));
    return {
      port,
      async open(way, clock) {
        const directory = await remote.clone();
        const url = `git://127.0.0.1:${way}/remote.git`;
        await remote.git(['remote', 'set-url', 'origin', url], directory);
        return remote.open({ directory, clock });
      },
      async close() {
        const ended = new Promise((done) => daemon.once('exit', done));
        process.kill(-daemon.pid!);
        await ended;
        await remote.remove();
      },
    };
  },
});
