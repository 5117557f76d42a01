// One branch of a remote repository and the ref of its lock, reached by git. Fetched commits get refs of Hostwright's own,
// which only keep objects and shorten the next fetch; they are never read, since another process in the same repository
// writes to them too. Objects are read by the names that the remote has just given.
import { BackendError, stateReadRetryMs } from '../backend-error.ts';
import {
  cleanGitText,
  explainGitFailure,
  classifyGitFailure,
  quoteGitMessages,
} from './git-faults.ts';
import type { GitObjectId } from './commit-writer.ts';
import type { GitRunResult, OpenGitRepository } from './git-program.ts';

/** Commits of the branch and of the lock's ref on the remote; undefined for a ref that does not exist. */
export interface GitRemoteRefs {
  readonly tip: GitObjectId | undefined;
  readonly lock: GitObjectId | undefined;
}

/** The move of a ref from one commit to another; `from` is undefined where the ref is made. */
export interface GitRefMove {
  readonly from: GitObjectId | undefined;
  readonly to: GitObjectId;
}

/** Changes of refs in one push, of which either all happen or none. */
export interface GitRefMoves {
  readonly lock: GitRefMove;
  readonly branch?: GitRefMove;
}

/** Repository, remote and name of a branch. */
export interface RemoteBranchOptions {
  readonly repository: OpenGitRepository;
  /** Name of the git remote. */
  readonly remote: string;
  readonly branch: string;
  /** Name of the branch for messages, without any secret. */
  readonly place: string;
}

const fetchTimeoutMs = 120_000;
/** Options that keep a push from bringing along any ref, hook or submodule beyond the named ones. */
const plainPush = ['--no-verify', '--no-follow-tags', '--no-recurse-submodules', '--no-signed'];
const plainFetch = ['--no-tags', '--no-recurse-submodules', '--no-auto-gc', '--no-filter'];

/** Branch of a git remote, together with the ref of its lock. Each operation is one attempt, and rejects with a BackendError. */
export class RemoteBranch {
  readonly repository: OpenGitRepository;
  readonly place: string;
  readonly #remote: string;
  readonly #branch: string;
  readonly #headRef: string;
  readonly #lockRef: string;
  /** Git objects that are known to be in this repository, so that they need no fetch. */
  readonly #present = new Set<GitObjectId>();

  constructor({ repository, remote, branch, place }: RemoteBranchOptions) {
    this.repository = repository;
    this.place = place;
    this.#remote = remote;
    this.#branch = branch;
    this.#headRef = `refs/heads/${branch}`;
    this.#lockRef = `refs/hostwright/lock/${branch}`;
  }

  /** Asks the remote for the commits of both refs: one round trip. */
  async look(): Promise<GitRemoteRefs> {
    const refs = [this.#headRef, this.#lockRef];
    const answer = await this.repository.git(
      ['ls-remote', '--quiet', '--', this.#remote, ...refs],
      {
        // Half of the patience, so that one attempt that hangs does not use it all up.
        timeoutMs: stateReadRetryMs / 2,
      },
    );
    if (answer.status !== 0) throw explainGitFailure(`Git cannot read ${this.place}`, answer);
    const found = new Map<string, GitObjectId>();
    for (const line of answer.stdout.toString('utf8').split('\n')) {
      const [id = '', ref = ''] = line.split('\t');
      found.set(ref, id);
    }
    return { tip: found.get(this.#headRef), lock: found.get(this.#lockRef) };
  }

  /** Fetches the commits that are not here yet. False when the remote no longer has them: look again. */
  async fetch({ tip, lock }: Partial<GitRemoteRefs>): Promise<boolean> {
    const wanted = [
      {
        id: tip,
        from: this.#headRef,
        to: `refs/hostwright/remote/${this.#remote}/${this.#branch}`,
      },
      {
        id: lock,
        from: this.#lockRef,
        to: `refs/hostwright/lock-of/${this.#remote}/${this.#branch}`,
      },
    ].flatMap(({ id, from, to }) => (id === undefined ? [] : [{ id, refspec: `+${from}:${to}` }]));
    const missing = await this.#findMissing(wanted.map(({ id }) => id));
    if (missing.size === 0) return true;
    const refspecs = wanted.filter(({ id }) => missing.has(id)).map(({ refspec }) => refspec);
    // In a shallow repository one commit of history is enough for us, too. In any other, a depth would make the whole
    // repository a shallow one.
    const depth = this.repository.isShallow ? ['--depth=1'] : [];
    const options = ['--quiet', '--no-write-fetch-head', '--refmap=', ...plainFetch, ...depth];
    const answer = await this.repository.git(
      ['fetch', ...options, '--', this.#remote, ...refspecs],
      {
        timeoutMs: fetchTimeoutMs,
      },
    );
    if (answer.status !== 0 && !/couldn't find remote ref/.test(answer.stderr)) {
      throw explainGitFailure(`Git cannot fetch ${this.place}`, answer);
    }
    return (await this.#findMissing([...missing])).size === 0;
  }

  /**
   * Moves the refs on the remote, all or none, and only from the given commits: the remote itself compares, in the step in
   * which it writes. Undefined when the refs have moved. Else an error; after any but `denied` and `full`, the push may have
   * happened all the same, or may still happen.
   */
  async push({ lock, branch }: GitRefMoves, timeoutMs: number): Promise<BackendError | undefined> {
    const moves = [
      { ref: this.#lockRef, ...lock },
      ...(branch ? [{ ref: this.#headRef, ...branch }] : []),
    ];
    const leases = moves.map(({ ref, from = '' }) => `--force-with-lease=${ref}:${from}`);
    const refspecs = moves.map(({ ref, to }) => `${to}:${ref}`);
    for (const { to } of moves) this.#present.add(to);
    const options = ['--porcelain', '--atomic', '--no-progress', ...plainPush, ...leases];
    const answer = await this.repository.git(
      ['push', ...options, '--', this.#remote, ...refspecs],
      {
        timeoutMs,
      },
    );
    return answer.status === 0 ? undefined : explainPush(this.place, answer);
  }

  async #findMissing(ids: readonly GitObjectId[]): Promise<ReadonlySet<GitObjectId>> {
    const unknown = ids.filter((id) => !this.#present.has(id));
    if (unknown.length === 0) return new Set();
    const input = unknown.map((id) => `${id}\n`);
    const answer = await this.repository.git(['cat-file', '--batch-check=%(objectname)'], {
      input,
    });
    if (answer.status !== 0) throw explainGitFailure('Git cannot read its objects here', answer);
    const lines = answer.stdout.toString('utf8').split('\n');
    const missing = new Set(unknown.filter((id) => lines.includes(`${id} missing`)));
    for (const id of unknown) if (!missing.has(id)) this.#present.add(id);
    return missing;
  }
}

/** Makes the error of a push that the remote refused. */
function explainPush(place: string, answer: GitRunResult): BackendError {
  const what = `Git cannot push to ${place}`;
  const { stderr } = answer;
  if (/does not support --atomic/.test(stderr)) {
    return new BackendError(
      'broken',
      `${what}: the remote does not support atomic pushes, without which a state is not safe there.`,
    );
  }
  const refusals = [...answer.stdout.toString('utf8').matchAll(/^!\t\S+\t\[(.+?)\] \((.*)\)$/gm)]
    .map(([, kind = '', reason = '']) => ({ kind, reason: cleanGitText(reason) }))
    // A ref that was fine is refused because of another one: that line gives no reason.
    .filter(({ reason }) => reason !== 'atomic push failed');
  const [first] = refusals;
  if (answer.status === undefined || !first) return explainGitFailure(what, answer);
  const words = `${stderr}\n${first.reason}`;
  // Refused before it was sent: a ref had moved. The caller checks whether another run was faster; if not, the next attempt
  // succeeds.
  const classified = first.kind === 'rejected' ? 'unreachable' : classifyGitFailure(words);
  // A refusal for an unknown reason comes from a rule of the remote itself.
  const fault = classified === 'broken' ? 'denied' : classified;
  const quote = /^remote: \S/m.test(stderr) ? ` (${quoteGitMessages(stderr)})` : '';
  return new BackendError(fault, `${what}: ${first.reason}${quote}.`);
}
