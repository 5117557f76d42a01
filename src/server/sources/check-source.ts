// Checks that the repository of a workspace can be read, before somebody waits for a run to fail on it.
import { findBranch } from '../../modules/check-out.ts';
import { RepositoryError } from '../../modules/repository-error.ts';
import { BackendError } from '../../state/backends/backend-error.ts';
import { cleanGitText } from '../../state/backends/git/git-faults.ts';
import { Problem } from '../errors/problem.ts';
import { adviseOnCertificate, adviseOnHost } from '../hosts/advise.ts';
import { HostFault } from '../hosts/host-fault.ts';
import type { Hosts } from '../hosts/open-hosts.ts';
import { RunFault } from '../errors/run-fault.ts';

/** Repository, branch and directory of a workspace. */
export interface Source {
  readonly repository: string;
  readonly branch: string;
  readonly connection?: string | null | undefined;
}

/**
 * Asks git for the branch. No transaction waits for it.
 * @returns why that could not be found out now; undefined where the branch is there
 * @throws Problem where the repository or the branch is wrong, or git may not read it
 */
export type CheckSource = (source: Source) => Promise<string | undefined>;

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
export function openSourceCheck(hosts: Pick<Hosts, 'openGit'>): CheckSource {
  return async ({ repository, branch, connection }) => {
    try {
      const git = await hosts.openGit({ repository, connection: connection ?? undefined });
      await findBranch(git, repository, branch, patienceMs);
      return undefined;
    } catch (error) {
      const reason = explainSource(error, connection ?? undefined);
      if (isOutage(error)) return `The repository is not checked, as it is out of reach. ${reason}`;
      throw new Problem(422, 'The repository cannot be read', reason);
    }
  };
}

/** Tells whether the repository may become readable again without a change. */
export function isOutage(error: unknown): boolean {
  if (error instanceof HostFault) return error.isOutage;
  return error instanceof BackendError && error.fault === 'unreachable';
}

/** Words an error of git or of the host, without the credentials of an address, and with advice. @throws any other error */
export function explainSource(error: unknown, connection: string | undefined): string {
  if (error instanceof BackendError) {
    const { fault } = error;
    const words = cleanGitText(error.message);
    const isRefused = fault === 'denied' && connection !== undefined;
    const hint = isRefused ? hintAtToken(connection) : hints[fault];
    return `${words} ${adviseOnCertificate(words) ?? hint}`;
  }
  const isKnown =
    error instanceof HostFault || error instanceof RepositoryError || error instanceof RunFault;
  if (!isKnown) throw error;
  const advice = adviseOnHost(error);
  return advice === undefined
    ? cleanGitText(error.message)
    : `${cleanGitText(error.message)}. ${advice}`;
}

function hintAtToken(connection: string): string {
  return `Check the address, and that the token of the connection ${connection} is valid and may read the repository.`;
}
