// The state on a branch of the repository's remote: `git` is all that it needs. The branch has the files of the state
// by their names, and a commit for each write.
import type { Clock } from '../../../model/runtime.ts';
import { InternalError } from '../../../model/errors.ts';
import { fileNames } from '../../files/files.ts';
import type { StateBackend } from '../backend.ts';
import { BackendError } from '../backend-error.ts';
import { GitFiles } from './git-files.ts';
import { explainGitFailure } from './git-faults.ts';
import { GitLock } from './git-lock.ts';
import {
  checkBranchName,
  checkRemoteName,
  checkStatePath,
  describeRemoteUrl,
} from './git-names.ts';
import { openGit, type GitPlace, type Repository, type RunGit } from './git-program.ts';
import { RemoteBranch } from './remote-branch.ts';

/** Where a state on a git branch is. */
export interface GitBackendOptions extends GitPlace {
  /** The branch that keeps the state, and nothing else: `hostwright-state`. */
  readonly branch: string;
  /** The name of a configured remote. Unless given: that of the current branch, or `origin`. */
  readonly remote?: string | undefined;
  /** The folder of the state in the branch's tree; its top unless given. All states of a branch share one lock. */
  readonly path?: string | undefined;
  readonly clock: Clock;
  /** Runs git; the program unless given. */
  readonly git?: RunGit | undefined;
}

/**
 * The state on a branch of a remote. Opening it asks the local repository alone.
 * @throws BackendError `broken` when there is no git, no repository or no such remote, or when a name is not valid
 */
export async function openGitBackend(options: GitBackendOptions): Promise<StateBackend> {
  const { directory, branch, path, clock } = options;
  checkBranchName(branch);
  if (path !== undefined) checkStatePath(path);
  const { git = openGit(options) } = options;
  const repository = await inspectRepository(git, directory);
  const { name, url: address } = await chooseRemote(git, options.remote);
  const url = describeRemoteUrl(address, directory);
  const folder = path === undefined ? '' : `${path}/`;
  const place = `branch ${branch} of ${url}`;
  const remote = new RemoteBranch({ repository, remote: name, branch, place });
  const prefix = `${name}/${branch}:${folder}`;
  const shared = { remote, clock, folder };
  const lock = new GitLock({ ...shared, statePath: `${prefix}${fileNames.snapshot}` });
  return {
    kind: 'git',
    place: `${place}${path === undefined ? '' : `, folder ${path}`}`,
    address: `git:${url}#${branch}${path === undefined ? '' : `:${path}`}`,
    capabilities: { epoch: true, expiry: true, history: true, compareAndSwap: true },
    lock,
    openFiles(fence) {
      const held = fence && lock.branchOf(fence);
      if (fence && !held) throw new InternalError('The fence is of another backend.');
      return new GitFiles({ ...shared, prefix, held });
    },
    close: () => Promise.resolve(),
  };
}

async function inspectRepository(git: RunGit, directory: string): Promise<Repository> {
  const answer = await git(['rev-parse', '--is-shallow-repository', '--show-object-format']);
  if (answer.status !== 0) throw explainGitFailure(`Git cannot use ${directory}`, answer);
  const [isShallow, format] = answer.stdout.toString('utf8').split('\n');
  const noObject = '0'.repeat(format === 'sha256' ? 64 : 40);
  return { git, noObject, isShallow: isShallow === 'true' };
}

/** A remote as it is configured; `insteadOf` of the user's settings is applied. */
interface ConfiguredRemote {
  readonly fetchUrl: string;
  readonly pushUrls: readonly string[];
}

async function readRemotes(git: RunGit): Promise<ReadonlyMap<string, ConfiguredRemote>> {
  const remotes = new Map<string, ConfiguredRemote>();
  for (const line of await readLines(git, ['remote', '--verbose'])) {
    // A partial clone says its filter at the end.
    const [, name, url, use] = /^(\S+)\t(.*) \((fetch|push)\)(?: \[.*\])?$/.exec(line) ?? [];
    if (name === undefined || url === undefined) continue;
    const { fetchUrl = url, pushUrls = [] } = remotes.get(name) ?? {};
    remotes.set(name, { fetchUrl, pushUrls: use === 'push' ? [...pushUrls, url] : pushUrls });
  }
  return remotes;
}

/** The remote to use, and its address. */
async function chooseRemote(
  git: RunGit,
  wanted: string | undefined,
): Promise<{ readonly name: string; readonly url: string }> {
  const remotes = await readRemotes(git);
  const name = wanted ?? (await findOwnRemote(git, remotes)) ?? 'origin';
  checkRemoteName(name, [...remotes.keys()]);
  const { fetchUrl: url = '', pushUrls = [] } = remotes.get(name) ?? {};
  if (pushUrls.length < 2) return { name, url };
  throw new BackendError(
    'broken',
    `The git remote ${name} pushes to ${pushUrls.length} repositories; a state can be kept in one only.`,
  );
}

/** The remote of the current branch, where there is a choice. What is set there may also be an address, or `.`: then it counts for nothing. */
async function findOwnRemote(
  git: RunGit,
  remotes: ReadonlyMap<string, ConfiguredRemote>,
): Promise<string | undefined> {
  if (remotes.size < 2) return undefined;
  const [branch] = await readLines(git, ['symbolic-ref', '--quiet', '--short', 'HEAD']);
  if (branch === undefined) return undefined;
  const [own = ''] = await readLines(git, ['config', '--get', `branch.${branch}.remote`]);
  return remotes.has(own) ? own : undefined;
}

/** The lines of an answer; none where git has nothing to say. */
async function readLines(git: RunGit, args: readonly string[]): Promise<readonly string[]> {
  const { status, stdout } = await git(args);
  if (status !== 0) return [];
  return stdout
    .toString('utf8')
    .split('\n')
    .filter((line) => line !== '');
}
