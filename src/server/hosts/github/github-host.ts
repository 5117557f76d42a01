import { askGitHost, askGitHostIfPresent, askGitHostPages, type GitHostApi } from '../ask-host.ts';
import { readPullRequestAuthors } from '../../../modules/list-authors.ts';
import type {
  CommitStatus,
  GitHost,
  GitHostPerson,
  PullApproval,
  UpdatablePullComment,
  PullRequest,
} from '../git-host.ts';

/** Way to authenticate at GitHub: as an App or with a token. */
export interface GithubAuthentication {
  readonly readToken: () => Promise<string>;
  /** Reads the name under which the server writes comments. */
  readonly readOwnName: () => Promise<string>;
}

interface GithubPull {
  readonly number: number;
  readonly state: 'open' | 'closed';
  readonly merged: boolean;
  readonly mergeable: boolean | null;
  readonly merge_commit_sha: string | null;
  readonly head: { readonly sha: string; readonly repo: { readonly id: number } | null };
  readonly base: { readonly ref: string; readonly repo: { readonly id: number } };
  readonly user: { readonly id: number } | null;
}

interface GithubReview {
  readonly user: GithubAccount | null;
  readonly state: string;
  readonly commit_id: string | null;
  /** Absent in one that is not sent yet. */
  readonly submitted_at?: string;
}

/** States of the reviews that say yes or no; a comment leaves what its author has said before. */
const decidingStates = new Set(['APPROVED', 'CHANGES_REQUESTED', 'DISMISSED']);

interface GithubFile {
  readonly filename: string;
  readonly previous_filename?: string;
}

interface GithubComparison {
  readonly status: 'ahead' | 'behind' | 'diverged' | 'identical';
  /** On the first page alone, whatever the pages of the commits are. */
  readonly files?: readonly GithubFile[];
}

interface GithubComment {
  readonly id: number;
  readonly user: { readonly login: string } | null;
  readonly body?: string;
}

interface GithubCommit {
  readonly commit: {
    readonly author: { readonly email?: string } | null;
    readonly committer: { readonly email?: string } | null;
    readonly message: string;
  };
  /** Accounts that GitHub knows by these addresses. */
  readonly author: GithubAccount | null;
  readonly committer: GithubAccount | null;
}

interface GithubAccount {
  readonly id: number;
  readonly login: string;
}

/** Most pages of changed files that are read: with more of them, every file counts as changed. */
const mostFilePages = 5;
/** Most entries in a comparison at GitHub: a list of that length may be cut off. */
const mostCompared = 300;
const mostDescription = 140;

/** Git host for GitHub and GitHub Enterprise. */
export class GithubHost implements GitHost {
  readonly #api: GitHostApi;
  readonly #signIn: GithubAuthentication;

  constructor(api: GitHostApi, signIn: GithubAuthentication) {
    this.#api = api;
    this.#signIn = signIn;
  }

  async readCredential() {
    return { user: 'x-access-token', password: await this.#signIn.readToken() };
  }

  async readPull(repository: string, number: number): Promise<PullRequest> {
    const pull = await this.#readPull(repository, number);
    const { state, merged, head, base, merge_commit_sha: commit, user } = pull;
    return {
      number: pull.number,
      state: merged ? 'merged' : state,
      head: head.sha,
      base: base.ref,
      isFork: head.repo?.id !== base.repo.id,
      mergeCommit: merged ? (commit ?? undefined) : undefined,
      author: user ? String(user.id) : undefined,
    };
  }

  async listChangedFiles(
    repository: string,
    number: number,
  ): Promise<readonly string[] | undefined> {
    const path = `/repos/${repository}/pulls/${number}/files?per_page=100`;
    const files: string[] = [];
    for await (const page of askGitHostPages<GithubFile>(this.#api, path, mostFilePages)) {
      if (!page) return undefined;
      files.push(...page.flatMap(listNames));
    }
    return files;
  }

  async listFilesBetween(
    repository: string,
    before: string,
    after: string,
  ): Promise<readonly string[] | undefined> {
    const path = `/repos/${repository}/compare/${before}...${after}?per_page=1`;
    const missing = [404, 410, 422];
    const request = { method: 'GET', path } as const;
    const found = await askGitHostIfPresent<GithubComparison>(this.#api, request, missing);
    // After a push by force, the comparison is with a commit that both have: its files are not all.
    if (found?.status !== 'ahead' && found?.status !== 'identical') return undefined;
    const { files } = found;
    return files && files.length < mostCompared ? files.flatMap(listNames) : undefined;
  }

  async findMergeResult(
    repository: string,
    { number, head }: PullRequest,
  ): Promise<string | undefined> {
    const { mergeable, merge_commit_sha: commit } = await this.#readPull(repository, number);
    if (mergeable === null) return 'unknown';
    if (!mergeable || commit === null) return undefined;
    // GitHub makes it some time after the push: it may still be that of the head before.
    const { data } = await askGitHost<{ parents: readonly { sha: string }[] }>(this.#api, {
      method: 'GET',
      path: `/repos/${repository}/git/commits/${commit}`,
    });
    return data.parents.some(({ sha }) => sha === head) ? commit : 'unknown';
  }

  async setStatus(repository: string, commit: string, status: CommitStatus): Promise<void> {
    const { state, context, description, url } = status;
    await askGitHost(this.#api, {
      method: 'POST',
      path: `/repos/${repository}/statuses/${commit}`,
      body: {
        state,
        context,
        description: description.slice(0, mostDescription),
        ...(url !== undefined && { target_url: url }),
      },
    });
  }

  async keepComment(
    repository: string,
    number: number,
    comment: UpdatablePullComment,
  ): Promise<string> {
    const { body } = comment;
    const id = comment.id ?? (await this.#findComment(repository, number, comment.marker));
    if (id !== undefined) {
      const path = `/repos/${repository}/issues/comments/${id}`;
      // The comment may have been deleted at the host; then a new one is written.
      if (await askGitHostIfPresent(this.#api, { method: 'PATCH', path, body: { body } }))
        return id;
    }
    const { data } = await askGitHost<GithubComment>(this.#api, {
      method: 'POST',
      path: `/repos/${repository}/issues/${number}/comments`,
      body: { body },
    });
    return String(data.id);
  }

  async listApprovals(
    repository: string,
    number: number,
  ): Promise<readonly PullApproval[] | undefined> {
    const path = `/repos/${repository}/pulls/${number}/reviews?per_page=100`;
    // The oldest comes first: the last word of each person counts.
    const last = new Map<number, GithubReview>();
    for await (const page of askGitHostPages<GithubReview>(this.#api, path)) {
      if (!page) return undefined;
      for (const review of page)
        if (review.user && decidingStates.has(review.state)) last.set(review.user.id, review);
    }
    return [...last.values()].flatMap(({ user, state, commit_id: commit, submitted_at: at }) =>
      user && state === 'APPROVED' && commit !== null && at !== undefined
        ? [{ person: { id: String(user.id), name: user.login }, commit, at }]
        : [],
    );
  }

  async listPullAuthors(
    repository: string,
    number: number,
  ): Promise<ReadonlySet<string> | undefined> {
    const path = `/repos/${repository}/pulls/${number}/commits?per_page=100`;
    const { data } = await askGitHost<readonly GithubCommit[]>(this.#api, { method: 'GET', path });
    return readPullRequestAuthors(
      data.map(({ commit, author, committer }) => ({
        message: commit.message,
        addresses: [
          commit.author?.email ?? '',
          commit.committer?.email ?? '',
          nameHidden(author),
          nameHidden(committer),
        ],
      })),
    );
  }

  async react(repository: string, _number: number, comment: string): Promise<void> {
    const path = `/repos/${repository}/issues/comments/${comment}/reactions`;
    await askGitHostIfPresent(this.#api, { method: 'POST', path, body: { content: 'eyes' } });
  }

  async mayWrite(repository: string, { name }: GitHostPerson): Promise<boolean> {
    const path = `/repos/${repository}/collaborators/${encodeURIComponent(name)}/permission`;
    const found = await askGitHostIfPresent<{ permission: string }>(this.#api, {
      method: 'GET',
      path,
    });
    return found?.permission === 'admin' || found?.permission === 'write';
  }

  async #findComment(
    repository: string,
    number: number,
    marker: string,
  ): Promise<string | undefined> {
    const own = await this.#signIn.readOwnName();
    const path = `/repos/${repository}/issues/${number}/comments?per_page=100`;
    for await (const page of askGitHostPages<GithubComment>(this.#api, path)) {
      const found = page?.find(
        ({ user, body }) => user?.login === own && body?.startsWith(marker) === true,
      );
      if (found) return String(found.id);
    }
    return undefined;
  }

  async #readPull(repository: string, number: number): Promise<GithubPull> {
    const path = `/repos/${repository}/pulls/${number}`;
    return (await askGitHost<GithubPull>(this.#api, { method: 'GET', path })).data;
  }
}

function listNames({ filename, previous_filename: before }: GithubFile): readonly string[] {
  return before === undefined ? [filename] : [filename, before];
}

/** The address that GitHub makes up for an account, whatever the one of the commit. */
function nameHidden(account: GithubAccount | null): string {
  return account ? `${account.id}+${account.login}@users.noreply.github.com` : '';
}
