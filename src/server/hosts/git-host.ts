// Port of a git host, GitHub or GitLab.

/** A pull request, or a merge request, as the host has it now. */
export interface Pull {
  readonly number: number;
  readonly state: 'open' | 'merged' | 'closed';
  /** The newest commit of what is to be merged. */
  readonly head: string;
  /** The branch that it is to be merged into. */
  readonly base: string;
  /** Set where its commits are from another repository, which anybody may have made. */
  readonly isFork: boolean;
  /** Commit that the merge made; only of a merged one. */
  readonly mergeCommit: string | undefined;
}

/** Status that is shown beside a commit. */
export interface CommitStatus {
  readonly state: 'pending' | 'success' | 'failure' | 'error';
  readonly context: string;
  readonly description: string;
  readonly url: string | undefined;
}

/** A comment that is found again by its first line and its author. */
export interface KeptComment {
  readonly marker: string;
  /** Begins with the marker. */
  readonly body: string;
  /** Id of the comment as last known; undefined where nobody knows it. */
  readonly id: string | undefined;
}

/** Somebody at the host. */
export interface HostPerson {
  /** As the API takes it. */
  readonly id: string;
  /** As people know it. */
  readonly name: string;
}

/** A host, for one connection. Repositories are paths, as `acme/infra`. All of it throws HostFault. */
export interface GitHost {
  /** Reads the credentials that git signs in with. */
  readCredential(): Promise<{ readonly user: string; readonly password: string }>;
  readPull(repository: string, number: number): Promise<Pull>;
  /** The files that a pull request touches; undefined where they are too many to say. */
  listChangedFiles(repository: string, number: number): Promise<readonly string[] | undefined>;
  /** The files that differ between two commits of a branch; undefined where the host cannot say all of them. */
  listFilesBetween(
    repository: string,
    before: string,
    after: string,
  ): Promise<readonly string[] | undefined>;
  /** The commit that merging this very head would make; undefined where it cannot be merged, `unknown` where that is not done yet. */
  findMergeResult(repository: string, pull: Pull): Promise<string | undefined>;
  setStatus(repository: string, commit: string, status: CommitStatus): Promise<void>;
  /** Writes a comment, or puts it in the place of the one with its marker. @returns its id */
  keepComment(repository: string, number: number, comment: KeptComment): Promise<string>;
  /** Shows at a comment of a pull request that it was seen. */
  react(repository: string, number: number, comment: string): Promise<void>;
  /** True for somebody who may change the repository. */
  mayWrite(repository: string, person: HostPerson): Promise<boolean>;
}
