// A bare repository in a temporary folder as the remote of others beside it.
import { execFile } from 'node:child_process';
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { StateBackend } from '../../../src/state/backends/backend.ts';
import {
  openGitBackend,
  type GitBackendOptions,
} from '../../../src/state/backends/git/open-git-backend.ts';
import { openQuickClock } from './quick-clock.ts';

const run = promisify(execFile);

/** What git is run with: no settings of whoever runs the tests. */
const gitEnv = { PATH: process.env['PATH'], HOME: '/nonexistent', GIT_CONFIG_NOSYSTEM: '1' };

/** A remote, and how it is worked with. */
export interface GitRemote {
  /** The bare repository. */
  readonly path: string;
  /** A temporary folder: for more. */
  readonly folder: string;
  /** What git is run with. */
  readonly env: Record<string, string | undefined>;
  /** Runs git in the remote, or in the repository that is given; resolves with what it prints. */
  git(args: readonly string[], directory?: string): Promise<string>;
  /** Another repository with the remote `origin`; resolves with its path. */
  clone(): Promise<string>;
  /** A backend on a repository, a new one unless given. */
  open(options?: Partial<GitBackendOptions>): Promise<StateBackend>;
  /** Makes the remote run a shell script as one of its hooks. */
  hook(name: string, script: string): Promise<void>;
  remove(): Promise<void>;
}

/** Makes an empty remote. */
export async function makeGitRemote(): Promise<GitRemote> {
  const folder = await mkdtemp(join(tmpdir(), 'hostwright-git-'));
  const path = join(folder, 'remote.git');
  let count = 0;
  const git = async (args: readonly string[], cwd = path) =>
    (await run('git', [...args], { cwd, env: gitEnv })).stdout;
  await git(['init', '--quiet', '--bare', path], folder);
  // It lives for seconds: nothing is ever collected.
  await git(['config', 'receive.autogc', 'false']);
  const clone = async () => {
    count += 1;
    const directory = join(folder, `clone-${count}`);
    await git(['init', '--quiet', directory], folder);
    await git(['remote', 'add', 'origin', path], directory);
    return directory;
  };
  return {
    path,
    folder,
    env: gitEnv,
    git,
    clone,
    open: async (options = {}) =>
      openGitBackend({
        directory: options.directory ?? (await clone()),
        branch: 'hostwright-state',
        clock: openQuickClock(),
        env: gitEnv,
        ...options,
      }),
    hook: async (name, script) => {
      const file = join(path, 'hooks', name);
      await writeFile(file, `#!/bin/sh\n${script}\n`);
      await chmod(file, 0o755);
    },
    remove: () => rm(folder, { recursive: true, force: true, maxRetries: 3 }),
  };
}
