// Writes any repository at exactly one commit to a directory, for the runs of a server. As for modules, git fetches objects
// and prints them, and writes no file of the repository.
import { join } from 'node:path';
import { findModulePinDirectory } from '../config/modules/git-modules.ts';
import type { GitProtocol } from '../config/modules/git-source.ts';
import { hashModuleEntries } from '../config/modules/hash-content.ts';
import { formatNameList, suggestNearestName } from '../model/text/suggest.ts';
import type { Runtime } from '../model/runtime.ts';
import { BackendError } from '../state/backends/backend-error.ts';
import { fetchCommit, openTemporaryFetchRepository, readCommitContent } from './fetch-content.ts';
import type { RepositoryContent } from './module-files.ts';
import { rethrowAsRepositoryError, RepositoryError } from './repository-error.ts';
import { findGitRefCommit, listGitRefNames } from './resolve-ref.ts';
import { writeModuleContent } from './write-content.ts';

/** Environment of git processes, and the hook that removes their files when the process is interrupted. */
export type GitRuntime = Pick<Runtime, 'env' | 'beforeAbruptEnd'>;

/**
 * Finds the newest commit of a branch. The usual retry time applies unless `patienceMs` is given. @throws
 * RepositoryError where there is none; BackendError
 */
export async function findBranchCommit(
  means: GitRuntime,
  url: string,
  branch: string,
  patienceMs?: number,
): Promise<string> {
  const shop = await openTemporaryFetchRepository(
    { ...means, protocols: [findRepositoryProtocol(url)] },
    'sha1',
  );
  try {
    const commit = await findGitRefCommit(shop.git, { url, ref: branch }, patienceMs);
    if (commit !== undefined) return commit;
    throw explainBranch(branch, (await listGitRefNames(shop.git, url, patienceMs)).branches);
  } finally {
    await shop.close();
  }
}

/**
 * Writes the content of a repository at a commit below the directory `root`, which nobody else may use.
 * @returns the top directory of the repository, a function that follows a path in it through links (which are written
 * as copies), and the submodules, which are left out
 * @throws RepositoryError, BackendError
 */
export async function checkOutCommit(
  means: GitRuntime,
  {
    url,
    commit,
    root,
    signal,
  }: {
    readonly url: string;
    readonly commit: string;
    readonly root: string;
    /** Signal that ends the git process. */
    readonly signal?: AbortSignal;
  },
): Promise<
  { readonly top: string; readonly submodules: readonly string[] } & Pick<
    RepositoryContent,
    'follow'
  >
> {
  const format = commit.length === 64 ? 'sha256' : 'sha1';
  const place = {
    ...means,
    protocols: [findRepositoryProtocol(url)],
    // Fetched objects stay in the checkout's own directory, so that they are deleted with it, also after a kill.
    within: root,
    ...(signal && { signal }),
  };
  const shop = await openTemporaryFetchRepository(place, format);
  try {
    await fetchCommit(shop, url, commit);
    const { files, follow, submodules } = await readCommitContent(shop, commit);
    const pin = { commit, content: hashModuleEntries(files) };
    await writeModuleContent(root, pin, files);
    return { top: join(root, findModulePinDirectory(pin)), follow, submodules };
  } catch (error) {
    return rethrowAsRepositoryError(error);
  } finally {
    await shop.close();
  }
}

/** Finds the protocol of a repository's address. @throws BackendError for a protocol that git must not use */
export function findRepositoryProtocol(url: string): GitProtocol {
  const [, protocol] = /^(https|file):\/\//.exec(url) ?? [];
  if (protocol === 'https' || protocol === 'file') return protocol;
  throw new BackendError('broken', 'A repository is reached by https:// or file://.');
}

function explainBranch(branch: string, branches: readonly string[]): RepositoryError {
  const what = `The repository of the workspace has no branch ${formatNameList([branch])}.`;
  const meant = suggestNearestName(branch, branches);
  const others =
    branches.length === 0
      ? 'It has no branch yet: push a commit.'
      : `It has the ${branches.length === 1 ? 'branch' : 'branches'} ${formatNameList(branches, 8)}.`;
  return new RepositoryError(
    `${what} ${meant === undefined ? others : `Did you mean ${formatNameList([meant])}?`}`,
  );
}
