// Checks that the repository of a workspace can be read, before somebody waits for a run to fail on it.
import { findBranchCommit } from '../../modules/check-out.ts';
import { RepositoryError } from '../../modules/repository-error.ts';
import { BackendError } from '../../state/backends/backend-error.ts';
import { cleanGitText } from '../../state/backends/git/git-faults.ts';
import { ApiProblemError } from '../errors/problem.ts';
import { adviseOnCertificate, adviseOnGitHost } from '../hosts/advise.ts';
import { GitHostFault } from '../hosts/host-fault.ts';
import type { GitHosts } from '../hosts/open-hosts.ts';
import { RunFault } from '../errors/run-fault.ts';

/** Repository and branch of a workspace, and the connection by which git reads them. */
export interface WorkspaceSource {
  readonly repository: string;
  readonly branch: string;
  readonly connection?: string | null | undefined;
}

/**
 * Checks by git that the branch of a workspace can be read. To be called outside of a transaction, since git may be slow.
 * @returns why that could not be found out now; undefined where the branch exists
 * @throws ApiProblemError where the repository or the branch is wrong, or git may not read it
 */
export type CheckWorkspaceSource = (source: WorkspaceSource) => Promise<string | undefined>;

/** Milliseconds that git may take, as somebody waits for the answer. */
const patienceMs = 10_000;

const hints: Readonly<Record<BackendError['fault'], string>> = {
  unreachable: 'The first run asks again.',
  denied:
    'Check the address. For a private repository, name a connection whose token may read it, or give git on the server a credential.',
  full: 'Make room on the disk of the server.',
  broken: 'Check the address: "git ls-remote" must answer for it.',
};

/** Makes the check of repositories by git, for any host. */
export function openWorkspaceSourceCheck(hosts: Pick<GitHosts, 'openGit'>): CheckWorkspaceSource {
  return async ({ repository, branch, connection }) => {
    try {
      const git = await hosts.openGit({ repository, connection: connection ?? undefined });
      await findBranchCommit(git, repository, branch, patienceMs);
      return undefined;
    } catch (error) {
      const reason = explainSourceError(error, connection ?? undefined);
      if (isRepositoryOutage(error))
        return `The repository is not checked, as it is out of reach. ${reason}`;
      throw new ApiProblemError(422, 'The repository cannot be read', reason);
    }
  };
}

/** Tells whether the repository may become readable again without a change. */
export function isRepositoryOutage(error: unknown): boolean {
  if (error instanceof GitHostFault) return error.isOutage;
  return error instanceof BackendError && error.fault === 'unreachable';
}

/**
 * Explains an error of git or of a git host in words, with advice and without credentials of an address.
 * @throws any other error
 */
export function explainSourceError(error: unknown, connection: string | undefined): string {
  if (error instanceof BackendError) {
    const { fault } = error;
    const words = cleanGitText(error.message);
    const isRefused = fault === 'denied' && connection !== undefined;
    const hint = isRefused ? hintAtToken(connection) : hints[fault];
    return `${words} ${adviseOnCertificate(words) ?? hint}`;
  }
  const isKnown =
    error instanceof GitHostFault || error instanceof RepositoryError || error instanceof RunFault;
  if (!isKnown) throw error;
  const advice = adviseOnGitHost(error);
  return advice === undefined
    ? cleanGitText(error.message)
    : `${cleanGitText(error.message)}. ${advice}`;
}

function hintAtToken(connection: string): string {
  return `Check the address, and that the token of the connection ${connection} is valid and may read the repository.`;
}
