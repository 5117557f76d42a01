// A remote as a server of its own, `git daemon`: whoever can reach its port may push.
import { spawn } from 'node:child_process';
import { findFreePort } from './find-port.ts';

/** A server that runs. */
export interface GitDaemon {
  readonly port: number;
  readonly close: () => Promise<void>;
}

/** Serves the repositories of a folder. */
export async function startGitDaemon(folder: string, port?: number): Promise<GitDaemon> {
  const own = port ?? (await findFreePort());
  const daemon = spawn(
    'git',
    [
      ...['daemon', '--reuseaddr', '--listen=127.0.0.1', `--port=${own}`, '--verbose'],
      ...['--export-all', '--enable=receive-pack', `--base-path=${folder}`],
    ],
    { stdio: ['ignore', 'ignore', 'pipe'], detached: true },
  );
  await new Promise((done) => daemon.stderr.once('data', done));
  return {
    port: own,
    async close() {
      const ended = new Promise((done) => daemon.once('exit', done));
      process.kill(-daemon.pid!);
      await ended;
    },
  };
}
