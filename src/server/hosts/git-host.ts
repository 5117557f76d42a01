// Port of a git host, GitHub or GitLab.

/** A pull request, or a merge request at GitLab, as the host has it now. */
export interface PullRequest {
  readonly number: number;
  readonly state: 'open' | 'merged' | 'closed';
  /** Hash of the newest commit that is to be merged. */
  readonly head: string;
  /** Name of the branch that the pull request is to be merged into. */
  readonly base: string;
  /** Set where its commits come from a fork, to which strangers can push. */
  readonly isFork: boolean;
  /** Hash of the commit that the merge made; undefined before a merge. */
  readonly mergeCommit: string | undefined;
  /** Id of whoever opened it; undefined where the host does not know any more. */
  readonly author: string | undefined;
}

/** A person's approval of a pull request that holds at its host. */
export interface PullApproval {
  readonly person: GitHostPerson;
  /** Hash of the newest commit that the person has approved. */
  readonly commit: string;
  /** Time of the approval, as the host writes it. */
  readonly at: string;
}

/** Commit status: the mark that a git host shows beside a commit. */
export interface CommitStatus {
  readonly state: 'pending' | 'success' | 'failure' | 'error';
  readonly context: string;
  readonly description: string;
  readonly url: string | undefined;
}

/** A comment of the server on a pull request that is updated in place. It is found again by its first line and its author. */
export interface UpdatablePullComment {
  readonly marker: string;
  /** Text of the comment, which begins with the marker that makes it recognisable. */
  readonly body: string;
  /** Id of the comment as last known; undefined where nobody knows it. */
  readonly id: string | undefined;
}

/** A user of the git host. */
export interface GitHostPerson {
  /** Id of the user in the host's API. */
  readonly id: string;
  /** Name of the user at the host, for people. */
  readonly name: string;
}

/** A git host as one connection reaches it. Repositories are given by path, as `acme/infra`. Every method throws GitHostFault. */
export interface GitHost {
  /** Reads the user name and password with which git signs in. */
  readCredential(): Promise<{ readonly user: string; readonly password: string }>;
  readPull(repository: string, number: number): Promise<PullRequest>;
  /** Lists the files that a pull request changes; undefined where there are too many for the host to list. */
  listChangedFiles(repository: string, number: number): Promise<readonly string[] | undefined>;
  /** The files that differ between two commits of a branch; undefined where the host cannot say all of them. */
  listFilesBetween(
    repository: string,
    before: string,
    after: string,
  ): Promise<readonly string[] | undefined>;
  /**
   * Finds the commit that merging exactly this head would make; undefined where it cannot be merged, `unknown` while the host has
   * not tried yet.
   */
  findMergeResult(repository: string, pull: PullRequest): Promise<string | undefined>;
  setStatus(repository: string, commit: string, status: CommitStatus): Promise<void>;
  /** Creates a comment, or updates the one that has its marker. @returns its id */
  keepComment(repository: string, number: number, comment: UpdatablePullComment): Promise<string>;
  /** Lists the approvals of a pull request that hold now; undefined where there are too many to list. */
  listApprovals(repository: string, number: number): Promise<readonly PullApproval[] | undefined>;
  /** Lists the e-mail addresses of the authors of a pull request's commits; undefined where there are too many to list. */
  listPullAuthors(repository: string, number: number): Promise<ReadonlySet<string> | undefined>;
  /** Adds a reaction to a comment of a pull request, to show that the server has seen it. */
  react(repository: string, number: number, comment: string): Promise<void>;
  /** Tells whether a person may push to the repository. */
  mayWrite(repository: string, person: GitHostPerson): Promise<boolean>;
}
