// A remote as a server of its own, `git daemon`: whoever can reach its port may push.
import { spawn } from 'node:child_process';
import type { Readable } from 'node:stream';
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
  const ended = new Promise<void>((done) => daemon.once('exit', () => done()));
  await hearReady(daemon.stderr, ended);
  return {
    port: own,
    async close() {
      if (daemon.exitCode === null && daemon.signalCode === null) process.kill(-daemon.pid!);
      await ended;
    },
  };
}

/** Waits until it says that it listens. @throws Error with what it said where it ends before */
async function hearReady(stderr: Readable, ended: Promise<void>): Promise<void> {
  let said = '';
  const ready = new Promise<void>((done) =>
    stderr.on('data', (chunk: Buffer) => {
      said += chunk.toString();
      if (said.includes('Ready to rumble')) done();
    }),
  );
  const failed = ended.then(() => {
    throw new Error(`The git server did not start: ${said}`);
  });
  await Promise.race([ready, failed]);
  failed.catch(() => undefined);
}
