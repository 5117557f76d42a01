// One branch of a remote repository and the ref of its lock, as git reaches them. What is fetched goes to refs of
// Hostwright's own; those are there to keep objects and to fetch the less, and are never read: another process in
// the same repository writes to them too. Objects are read by the names that the remote has just told.
import { BackendError, readPatienceMs } from '../backend-error.ts';
import { clean, explainGitFailure, classifyGitFailure, quoteGit } from './git-faults.ts';
import type { ObjectId } from './commit-writer.ts';
import type { GitAnswer, Repository } from './git-program.ts';

/** Where both refs of the remote are; undefined where there is none. */
export interface RemoteRefs {
  readonly tip: ObjectId | undefined;
  readonly lock: ObjectId | undefined;
}

/** A ref moves from one commit to another; `from` is undefined where the ref is made. */
export interface RefMove {
  readonly from: ObjectId | undefined;
  readonly to: ObjectId;
}

/** What one push changes, all of it or nothing. */
export interface RefMoves {
  readonly lock: RefMove;
  readonly branch?: RefMove;
}

/** What tells a branch. */
export interface RemoteBranchOptions {
  readonly repository: Repository;
  /** The name of a configured remote. */
  readonly remote: string;
  readonly branch: string;
  /** As messages name it; holds no secret. */
  readonly place: string;
}

const fetchTimeoutMs = 120_000;
/** Nothing that is merely pushed by name may bring anything else along. */
const plainPush = ['--no-verify', '--no-follow-tags', '--no-recurse-submodules', '--no-signed'];
const plainFetch = ['--no-tags', '--no-recurse-submodules', '--no-auto-gc', '--no-filter'];

/** The branch of a remote. Each operation is one attempt, and rejects with a BackendError. */
export class RemoteBranch {
  readonly repository: Repository;
  readonly place: string;
  readonly #remote: string;
  readonly #branch: string;
  readonly #headRef: string;
  readonly #lockRef: string;
  /** Objects that are known to be in this repository. */
  readonly #present = new Set<ObjectId>();

  constructor({ repository, remote, branch, place }: RemoteBranchOptions) {
    this.repository = repository;
    this.place = place;
    this.#remote = remote;
    this.#branch = branch;
    this.#headRef = `refs/heads/${branch}`;
    this.#lockRef = `refs/hostwright/lock/${branch}`;
  }

  /** Asks the remote where both refs are: one round trip. */
  async look(): Promise<RemoteRefs> {
    const refs = [this.#headRef, this.#lockRef];
    const answer = await this.repository.git(
      ['ls-remote', '--quiet', '--', this.#remote, ...refs],
      {
        // Half of it, so that one attempt that hangs does not take it all.
        timeoutMs: readPatienceMs / 2,
      },
    );
    if (answer.status !== 0) throw explainGitFailure(`Git cannot read ${this.place}`, answer);
    const found = new Map<string, ObjectId>();
    for (const line of answer.stdout.toString('utf8').split('\n')) {
      const [id = '', ref = ''] = line.split('\t');
      found.set(ref, id);
    }
    return { tip: found.get(this.#headRef), lock: found.get(this.#lockRef) };
  }

  /** Fetches what is not here yet. False when the remote has it no longer: look again. */
  async fetch({ tip, lock }: Partial<RemoteRefs>): Promise<boolean> {
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
    // Where a part of the history is enough for the user, it is for us: the last commit. Elsewhere that would make
    // the whole repository a shallow one.
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
   * Moves the refs on the remote, all or none, and only from where they are said to be: the remote itself compares,
   * in the step in which it writes. Undefined when it is done. Else an error; after each but `denied` and `full`, the
   * push may have happened all the same, or may still happen.
   */
  async push({ lock, branch }: RefMoves, timeoutMs: number): Promise<BackendError | undefined> {
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

  async #findMissing(ids: readonly ObjectId[]): Promise<ReadonlySet<ObjectId>> {
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

/** Why a push was not accepted. */
function explainPush(place: string, answer: GitAnswer): BackendError {
  const what = `Git cannot push to ${place}`;
  const { stderr } = answer;
  if (/does not support --atomic/.test(stderr)) {
    return new BackendError(
      'broken',
      `${what}: the remote does not support atomic pushes, without which a state is not safe there.`,
    );
  }
  const refusals = [...answer.stdout.toString('utf8').matchAll(/^!\t\S+\t\[(.+?)\] \((.*)\)$/gm)]
    .map(([, kind = '', reason = '']) => ({ kind, reason: clean(reason) }))
    // Said of the ref that was well.
    .filter(({ reason }) => reason !== 'atomic push failed');
  const [first] = refusals;
  if (answer.status === undefined || !first) return explainGitFailure(what, answer);
  const words = `${stderr}\n${first.reason}`;
  // Refused on this side: a ref is elsewhere. The caller checks if somebody was faster; where not, it was a moment.
  const classified = first.kind === 'rejected' ? 'unreachable' : classifyGitFailure(words);
  // A reason that is not known is the remote's own: its policy.
  const fault = classified === 'broken' ? 'denied' : classified;
  const quote = /^remote: \S/m.test(stderr) ? ` (${quoteGit(stderr)})` : '';
  return new BackendError(fault, `${what}: ${first.reason}${quote}.`);
}
