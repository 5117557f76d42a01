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
import { GitHostFault } from '../host-fault.ts';

interface GitlabMergeRequest {
  readonly iid: number;
  readonly state: 'opened' | 'closed' | 'locked' | 'merged';
  readonly sha: string;
  readonly target_branch: string;
  readonly source_project_id: number | null;
  readonly target_project_id: number;
  readonly merge_commit_sha: string | null;
  readonly squash_commit_sha: string | null;
  readonly author: { readonly id: number } | null;
}

interface GitlabApprovals {
  readonly approved_by: readonly {
    readonly user: { readonly id: number; readonly username: string };
    /** Older versions of GitLab do not say when it was. */
    readonly approved_at?: string | null;
  }[];
}

/** The commits of a merge request as one push has left them. */
interface GitlabVersion {
  readonly head_commit_sha: string;
  readonly created_at: string;
}

interface GitlabCommit {
  readonly author_email: string;
  readonly committer_email: string;
  readonly message: string;
}

interface GitlabDiff {
  readonly old_path: string;
  readonly new_path: string;
}

interface GitlabComparison {
  /** Set where the differences are too many or too long, and some are left out. */
  readonly compare_timeout: boolean;
  readonly diffs: readonly GitlabDiff[];
}

interface GitlabNote {
  readonly id: number;
  readonly body: string;
  readonly author: { readonly id: number };
}

/** Maintainer: whoever may merge into a protected branch by default. */
const leastLevel = 40;
const mostFilePages = 5;
const mostDescription = 255;
const stateNames: Readonly<Record<CommitStatus['state'], string>> = {
  pending: 'pending',
  success: 'success',
  failure: 'failed',
  error: 'canceled',
};

/** Git host for GitLab, on gitlab.com or elsewhere. */
export class GitlabHost implements GitHost {
  readonly #api: GitHostApi;
  readonly #token: string;

  constructor(api: GitHostApi, token: string) {
    this.#api = api;
    this.#token = token;
  }

  readCredential() {
    return Promise.resolve({ user: 'oauth2', password: this.#token });
  }

  async readPull(repository: string, number: number): Promise<PullRequest> {
    const path = placeOf(repository, number);
    const { data } = await askGitHost<GitlabMergeRequest>(this.#api, { method: 'GET', path });
    const { state, sha, target_branch: base } = data;
    const isMerged = state === 'merged';
    return {
      number: data.iid,
      state: isMerged ? 'merged' : state === 'closed' ? 'closed' : 'open',
      head: sha,
      base,
      isFork: data.source_project_id !== data.target_project_id,
      // A fast-forward merge makes no merge commit, so the merged commit itself counts.
      mergeCommit: isMerged ? (data.merge_commit_sha ?? data.squash_commit_sha ?? sha) : undefined,
      author: data.author ? String(data.author.id) : undefined,
    };
  }

  async listChangedFiles(
    repository: string,
    number: number,
  ): Promise<readonly string[] | undefined> {
    const path = `${placeOf(repository, number)}/diffs?per_page=100`;
    const files: string[] = [];
    for await (const page of askGitHostPages<GitlabDiff>(this.#api, path, mostFilePages)) {
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
    // Straight: of these two commits, whatever a push by force did to the history.
    const query = new URLSearchParams({ from: before, to: after, straight: 'true' }).toString();
    const found = await this.#find<GitlabComparison>(
      `/projects/${encodeURIComponent(repository)}/repository/compare?${query}`,
    );
    return found?.compare_timeout === false ? found.diffs.flatMap(listNames) : undefined;
  }

  async findMergeResult(
    repository: string,
    { number, head }: PullRequest,
  ): Promise<string | undefined> {
    const merge = await this.#find<{ commit_id: string }>(
      `${placeOf(repository, number)}/merge_ref`,
    );
    if (!merge) return undefined;
    const commit = await this.#find<{ parent_ids: readonly string[] }>(
      `/projects/${encodeURIComponent(repository)}/repository/commits/${merge.commit_id}`,
    );
    return commit?.parent_ids.includes(head) ? merge.commit_id : 'unknown';
  }

  async setStatus(repository: string, commit: string, status: CommitStatus): Promise<void> {
    const { state, context: name, description, url } = status;
    try {
      await askGitHost(this.#api, {
        method: 'POST',
        path: `/projects/${encodeURIComponent(repository)}/statuses/${commit}`,
        body: {
          state: stateNames[state],
          name,
          description: description.slice(0, mostDescription),
          ...(url !== undefined && { target_url: url }),
        },
      });
    } catch (error) {
      // GitLab refuses a status that the commit already has, as after a lost answer.
      if (error instanceof GitHostFault && /cannot transition status/i.test(error.message)) return;
      throw error;
    }
  }

  async keepComment(
    repository: string,
    number: number,
    comment: UpdatablePullComment,
  ): Promise<string> {
    const { body } = comment;
    const notes = `${placeOf(repository, number)}/notes`;
    const id = comment.id ?? (await this.#findNote(notes, comment.marker));
    if (id !== undefined) {
      const path = `${notes}/${id}`;
      // The comment may have been deleted at the host; then a new one is written.
      if (await askGitHostIfPresent(this.#api, { method: 'PUT', path, body: { body } })) return id;
    }
    const made = { method: 'POST' as const, path: notes, body: { body } };
    return String((await askGitHost<GitlabNote>(this.#api, made)).data.id);
  }

  async listApprovals(
    repository: string,
    number: number,
  ): Promise<readonly PullApproval[] | undefined> {
    const place = placeOf(repository, number);
    const approvals = await askGitHost<GitlabApprovals>(this.#api, {
      method: 'GET',
      path: `${place}/approvals`,
    });
    const versions: GitlabVersion[] = [];
    const path = `${place}/versions?per_page=100`;
    for await (const page of askGitHostPages<GitlabVersion>(this.#api, path)) {
      if (!page) return undefined;
      versions.push(...page);
    }
    return approvals.data.approved_by.flatMap(({ user, approved_at: at }) => {
      // An approval names no commit: it is of the one that was the newest at its time.
      if (at == null) return [];
      const commit = findHeadAt(versions, Date.parse(at));
      const person = { id: String(user.id), name: user.username };
      return commit === undefined ? [] : [{ person, commit, at }];
    });
  }

  async listPullAuthors(
    repository: string,
    number: number,
  ): Promise<ReadonlySet<string> | undefined> {
    const path = `${placeOf(repository, number)}/commits?per_page=100`;
    const { data } = await askGitHost<readonly GitlabCommit[]>(this.#api, { method: 'GET', path });
    return readPullRequestAuthors(
      data.map(({ author_email: author, committer_email: committer, message }) => ({
        addresses: [author, committer],
        message,
      })),
    );
  }

  async react(repository: string, number: number, comment: string): Promise<void> {
    const path = `${placeOf(repository, number)}/notes/${comment}/award_emoji`;
    // For a reaction that is there already, GitLab answers 404.
    await askGitHostIfPresent(this.#api, { method: 'POST', path, body: { name: 'eyes' } });
  }

  async mayWrite(repository: string, { id }: GitHostPerson): Promise<boolean> {
    const member = await this.#find<{ access_level: number; state: string }>(
      `/projects/${encodeURIComponent(repository)}/members/all/${encodeURIComponent(id)}`,
    );
    return member?.state === 'active' && member.access_level >= leastLevel;
  }

  async #findNote(notes: string, marker: string): Promise<string | undefined> {
    const { data: own } = await askGitHost<{ id: number }>(this.#api, {
      method: 'GET',
      path: '/user',
    });
    const path = `${notes}?per_page=100&order_by=created_at&sort=asc`;
    for await (const page of askGitHostPages<GitlabNote>(this.#api, path)) {
      const found = page?.find(
        ({ author, body }) => author.id === own.id && body.startsWith(marker),
      );
      if (found) return String(found.id);
    }
    return undefined;
  }

  /** Undefined where there is none: GitLab says 400 of a merge or a comparison that it cannot make. */
  #find<T>(path: string): Promise<T | undefined> {
    return askGitHostIfPresent<T>(this.#api, { method: 'GET', path }, [404, 400]);
  }
}

function placeOf(repository: string, number: number): string {
  return `/projects/${encodeURIComponent(repository)}/merge_requests/${number}`;
}

function findHeadAt(versions: readonly GitlabVersion[], atMs: number): string | undefined {
  return versions
    .map((one) => ({ commit: one.head_commit_sha, sinceMs: Date.parse(one.created_at) }))
    .filter(({ sinceMs }) => sinceMs <= atMs)
    .toSorted((left, right) => left.sinceMs - right.sinceMs)
    .at(-1)?.commit;
}

function listNames({ old_path: before, new_path: after }: GitlabDiff): readonly string[] {
  return [before, after];
}
