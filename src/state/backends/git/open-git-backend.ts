// The state on a branch of the repository's remote: no server but git is needed. The branch has the files of the state by
// their names, and a commit for each write.
import { resolve } from 'node:path';
import type { Clock } from '../../../model/runtime.ts';
import { isGitRefName } from '../../../model/text/ref-name.ts';
import { stateFileNames } from '../../files/files.ts';
import { BackendError } from '../backend-error.ts';
import type { StateBackend } from '../backend.ts';
import { findLockedStateFileWriter, openServerStateFiles } from '../server-files.ts';
import { GitLock } from './git-lock.ts';
import { LockedGitBranch } from './held-branch.ts';
import { openRepository, type LocalRepository, type RepositoryPlace } from './open-repository.ts';
import { RemoteBranch } from './remote-branch.ts';
import { fetchRemoteRefs, readStateTree, GitTreeStateReader } from './state-tree.ts';

/** Repository, branch and directory of a state on a git branch. */
export interface GitBackendOptions extends RepositoryPlace {
  /** The branch of the state, which holds nothing else: `hostwright-state`. */
  readonly branch: string;
  /** The name of a configured remote: by default that of the current branch, or `origin`. */
  readonly remote?: string | undefined;
  /** The folder of the state in the branch's tree; the top of the tree by default. All states of a branch share one lock. */
  readonly path?: string | undefined;
  readonly clock: Clock;
  /** The repository on this machine; by default the one that holds the directory. */
  readonly repository?: LocalRepository | undefined;
}

/**
 * Opens the state on a branch of a git remote; only the local repository is read by this.
 * @throws BackendError `broken` when there is no git, no repository or no such remote, or when a name is not valid
 */
export async function openGitBackend(options: GitBackendOptions): Promise<StateBackend> {
  const { branch, path, clock } = options;
  checkBranchName(branch);
  if (path !== undefined) checkStatePath(path);
  const repository = await (options.repository ?? openRepository(options));
  const { name, url } = chooseRemote(repository, options.remote);
  const folder = path === undefined ? '' : `${path}/`;
  const place = `branch ${branch} of ${url}`;
  const remote = new RemoteBranch({ repository, remote: name, branch, place });
  const prefix = `${name}/${branch}:${folder}`;
  const shared = { remote, clock, folder };
  // Makes a path from the top of the tree, as `git show` takes it.
  const pathOf = (file: string) => `${prefix}${file}`;
  const look = async () => {
    const { tip } = await fetchRemoteRefs(remote, clock, ['tip']);
    return new GitTreeStateReader(repository, await readStateTree(repository, tip, folder));
  };
  return {
    kind: 'git',
    place: `${place}${path === undefined ? '' : `, folder ${path}`}`,
    address: `git:${url}#${branch}${path === undefined ? '' : `:${path}`}`,
    capabilities: { epoch: true, expiry: true, history: true, compareAndSwap: true },
    lock: new GitLock({ ...shared, statePath: pathOf(stateFileNames.snapshot) }),
    openFiles: (fence) =>
      openServerStateFiles(
        { pathOf, look },
        fence && findLockedStateFileWriter(fence, LockedGitBranch),
      ),
    close: () => Promise.resolve(),
  };
}

/** Chooses the remote repository of the state, and returns its address. */
function chooseRemote(
  { remotes, branchRemote, top }: LocalRepository,
  wanted: string | undefined,
): { readonly name: string; readonly url: string } {
  // A branch may also name an address, or `.`, in place of a remote: such a value is ignored.
  const own = remotes.size > 1 && remotes.has(branchRemote ?? '') ? branchRemote : undefined;
  const name = wanted ?? own ?? 'origin';
  checkRemoteName(name, [...remotes.keys()]);
  const { fetchUrl = '', pushUrls = [] } = remotes.get(name) ?? {};
  if (pushUrls.length < 2) return { name, url: describeRemoteUrl(fetchUrl, top) };
  throw new BackendError(
    'broken',
    `The git remote ${name} pushes to ${pushUrls.length} repositories; a state can be kept in one only.`,
  );
}

// The names that a configuration gives to this backend. They come from YAML, which a stranger may have written, and end
// up as arguments of git: what could be read as an option, an address or a pattern is refused.

const maxNameLength = 200;

/** Checks the name of a branch. @throws BackendError `broken` unless git accepts the name */
export function checkBranchName(branch: string): void {
  if (isGitRefName(branch) && branch !== 'HEAD') return;
  throw new BackendError(
    'broken',
    `${JSON.stringify(branch)} is not a valid name of a git branch.`,
  );
}

/** @throws BackendError `broken` unless the text is one of the configured remotes */
function checkRemoteName(remote: string, configured: readonly string[]): void {
  if (isGitRefName(remote) && configured.includes(remote)) return;
  const known = configured.length === 0 ? 'it has none' : `it has ${configured.join(', ')}`;
  throw new BackendError(
    'broken',
    `The git repository has no remote named ${JSON.stringify(remote)}: ${known}.`,
  );
}

/**
 * Checks the path of the state in the branch's tree. @throws BackendError `broken` unless it is relative and made of
 * plain names, such as `teams/shop`
 */
export function checkStatePath(path: string): void {
  const isPlain = path.split('/').every((part) => /^\w[\w.-]*$/.test(part));
  if (isPlain && path.length <= maxNameLength) return;
  throw new BackendError(
    'broken',
    `${JSON.stringify(path)} is not a valid path for a state: use letters, digits, "_", "-", "." and "/".`,
  );
}

/**
 * Describes a git remote by one text for all ways to reach it: `git@example.com:acme/infra.git` and
 * `https://token@example.com/acme/infra` are both `example.com/acme/infra`. Holds no secret.
 */
export function describeRemoteUrl(url: string, directory: string): string {
  const [, scheme = '', authority = '', path = ''] =
    /^([a-z][a-z\d+.-]*):\/\/([^/]*@[^/]*|[^/]*)(\/.*)?$/is.exec(url) ?? [];
  if (scheme.toLowerCase() === 'file') return trimPath(path);
  if (scheme !== '') {
    const host = authority.slice(authority.lastIndexOf('@') + 1).toLowerCase();
    const isUsualPort =
      /^(?:ssh|git\+ssh|ssh\+git)$/i.test(scheme) || /:(?:80|443|9418)$/.test(host);
    return joinHost(isUsualPort ? host.replace(/:\d+$/, '') : host, path);
  }
  const [, host, scpPath = ''] = /^(?:[^/]*@)?(\[[^\]]+\]|[^/:]+):(.*)$/s.exec(url) ?? [];
  if (host !== undefined) return joinHost(host.toLowerCase(), scpPath);
  return trimPath(resolve(directory, url));
}

function joinHost(host: string, path: string): string {
  const [plain = ''] = path.split(/[?#]/);
  return `${host}/${trimPath(plain).replace(/^\/+/, '')}`;
}

function trimPath(path: string): string {
  return path.replace(/\/+$/, '').replace(/\.git$/, '');
}
