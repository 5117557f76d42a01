// The branch as the holder of its lock writes it. Each write is one push of two commits, the next of the branch and the next
// of the lock; the remote takes both or none, and none when the lock's ref has moved: so an overtaken holder writes nothing,
// whenever its push arrives. All pushes of a holder go one after the other.
//
// A push without an answer may still happen later. Its commits are remembered until another push has happened, which makes
// the first one impossible; after a refusal, the holder goes on from any of these commits that it finds on the remote.
import type { Clock } from '../../../model/runtime.ts';
import { InternalError } from '../../../model/errors.ts';
import { parseHistorySerial, parseJournalEpoch, type StateFileName } from '../../files/files.ts';
import type { LockLoss, LockSuccessor } from '../../lock/fence.ts';
import type { OwnLock } from '../../lock/own-lock.ts';
import { BackendError, stateReadRetryMs, findWriteRetryMs } from '../backend-error.ts';
import type { StateFileChange, LockedStateFileWriter } from '../server-files.ts';
import { SequentialWorkQueue } from '../turns.ts';
import { writeCommits, type GitObjectId } from './commit-writer.ts';
import { draftLockCommit, readLockRecord, type GitLockEnd } from './lock-record.ts';
import type { GitRefMoves, RemoteBranch, GitRemoteRefs } from './remote-branch.ts';
import { pushUntilSettled } from './settle-push.ts';
import {
  fetchRemoteRefs,
  readGitBlob,
  readStateTree,
  GitTreeStateReader,
  type StateTree,
} from './state-tree.ts';

/** Options for writing a git branch while its lock is held. */
export interface LockedGitBranchOptions {
  readonly remote: RemoteBranch;
  readonly clock: Clock;
  /** Folder of the tree in which the state is: `''`, or ending in `/`. */
  readonly folder: string;
  readonly held: OwnLock;
  /** The commit of the lock's ref by which this run took the lock. */
  readonly lock: GitObjectId;
}

/** The file that grows (a journal), with its whole text: each commit has all of it. */
interface Growing {
  readonly name: StateFileName;
  readonly text: readonly Buffer[];
}

/** Commits of the branch and of the lock's ref, as far as this holder knows. */
interface Position {
  readonly lock: GitObjectId;
  /** Files of the branch; undefined until it was read. */
  readonly tree: StateTree | undefined;
  readonly growing: Growing | undefined;
}

/** A prepared push, with the commits that both refs have after it. */
interface Attempt {
  readonly moves: GitRefMoves;
  readonly next: Position;
}

/** Number of pieces from which a growing text is joined into one. */
const maxPieces = 64;

const unknownSuccessor: LockSuccessor = {
  Who: 'unknown',
  Operation: 'unknown',
  Created: 'an unknown time',
};

/** State on a git branch while this run holds its lock: reads it, writes it and renews the lock. */
export class LockedGitBranch implements LockedStateFileWriter {
  readonly #held: OwnLock;
  readonly #options: LockedGitBranchOptions;
  #position: Position;
  #unsettled = new Map<GitObjectId, Position>();
  #beat = 1;
  #batch = 0;
  /** Number of pushes that have begun, and the number of the last one that has happened. */
  #begun = 0;
  #happened = 0;
  readonly #turns = new SequentialWorkQueue();
  #isReleased = false;

  constructor(options: LockedGitBranchOptions) {
    this.#options = options;
    this.#position = { lock: options.lock, tree: undefined, growing: undefined };
    this.#held = options.held;
  }

  async list(): Promise<readonly StateFileName[]> {
    return (await this.#readTexts()).list();
  }

  async read(name: StateFileName): Promise<string | undefined> {
    return (await this.#readTexts()).read(name);
  }

  write(change: StateFileChange): Promise<void> {
    return this.#turns.take(async () => {
      this.#held.verify();
      if (this.#isReleased) throw this.#held.lose({ kind: 'removed' });
      await this.#knowTree();
      const patienceMs = findWriteRetryMs(this.#held.leaseMs);
      const loss = await this.#push((position) => this.#prepare(position, change), patienceMs);
      if (loss) throw this.#held.lose(loss);
    });
  }

  renew(): Promise<LockLoss | undefined> {
    const begunBefore = this.#begun;
    return this.#turns.take(async () => {
      if (this.#held.lost) return this.#held.lost.loss;
      // A later write has renewed the lock as well, so this heartbeat is needless.
      if (this.#isReleased || this.#happened > begunBefore) return undefined;
      return this.#push((position) => this.#prepare(position), stateReadRetryMs);
    });
  }

  release(): Promise<LockLoss | undefined> {
    return this.#turns.take(() => {
      this.#isReleased = true;
      return this.#push((position) => this.#prepare(position, 'released'), stateReadRetryMs);
    });
  }

  /** Reads the texts of the state as the last write left them. */
  #readTexts(): Promise<GitTreeStateReader> {
    const { repository } = this.#options.remote;
    return this.#turns.take(async () => new GitTreeStateReader(repository, await this.#knowTree()));
  }

  /** Reads the files from the remote the first time only: nobody else writes them. */
  async #knowTree(): Promise<StateTree> {
    const { remote, clock, folder } = this.#options;
    if (this.#position.tree) return this.#position.tree;
    const { tip } = await fetchRemoteRefs(remote, clock, ['tip']);
    const tree = await readStateTree(remote.repository, tip, folder);
    this.#position = { ...this.#position, tree };
    return tree;
  }

  /**
   * Pushes the commits that `prepare` makes for the present position. Resolves with the reason why the lock is lost, or
   * undefined.
   */
  async #push(
    prepare: (position: Position) => Promise<Attempt>,
    patienceMs: number,
  ): Promise<LockLoss | undefined> {
    const { remote, clock } = this.#options;
    for (;;) {
      const { moves, next } = await prepare(this.#position);
      this.#unsettled.set(next.lock, next);
      this.#begun += 1;
      const since = this.#held.readMoment();
      const refs = await pushUntilSettled(remote, moves, { clock, patienceMs });
      if (!refs) {
        this.#position = next;
        this.#unsettled.clear();
        this.#happened = this.#begun;
        this.#held.noteWritten(since);
        return undefined;
      }
      const late = refs.lock === undefined ? undefined : this.#unsettled.get(refs.lock);
      if (!late) return this.#explainLoss(refs);
      // A push that seemed to have failed has reached the remote after all.
      this.#position = { ...late, tree: late.tree ?? this.#position.tree };
    }
  }

  async #prepare(position: Position, change?: StateFileChange | GitLockEnd): Promise<Attempt> {
    const { remote, clock, folder } = this.#options;
    const { info } = this.#held;
    const { tree } = position;
    this.#beat += 1;
    const at = clock.now();
    const isEnd = typeof change === 'string';
    const record = { info, beat: this.#beat, at, ...(isEnd && { end: change }) };
    const drafts = [draftLockCommit(record)];
    // A file that is not there need not be removed: only the lock's commit is pushed, which shows that the lock is held.
    const isChange = change && !isEnd && (change.kind !== 'remove' || tree?.files.has(change.name));
    const growing = isChange ? await this.#grow(position, change) : position.growing;
    if (isChange) {
      const { kind, name } = change;
      const text = kind === 'remove' ? undefined : (growing?.text ?? []);
      const message = this.#describe(change);
      drafts.push({ message, at, parent: tree?.tip, path: `${folder}${name}`, text });
    }
    const [lock, state] = await writeCommits(remote.repository, drafts);
    if (!lock) throw new InternalError('A commit was asked for, and none was made.');
    const lockMove = { from: position.lock, to: lock.commit };
    if (!isChange || !state) {
      return { moves: { lock: lockMove }, next: { ...position, lock: lock.commit } };
    }
    const files = new Map(tree?.files);
    if (state.blob === undefined) files.delete(change.name);
    else files.set(change.name, state.blob);
    return {
      moves: { lock: lockMove, branch: { from: tree?.tip, to: state.commit } },
      next: { lock: lock.commit, tree: { tip: state.commit, files }, growing },
    };
  }

  /** The whole text of a file after a change; the pieces of a journal stay as they are, and one piece is added. */
  async #grow({ tree, growing }: Position, change: StateFileChange): Promise<Growing | undefined> {
    const { kind, name, text } = change;
    if (kind === 'remove') return growing?.name === name ? undefined : growing;
    const piece = Buffer.from(text);
    if (kind === 'replace') return { name, text: [piece] };
    if (growing?.name === name) {
      const { text: pieces } = growing;
      const joined = pieces.length < maxPieces ? pieces : [Buffer.concat(pieces)];
      return { name, text: [...joined, piece] };
    }
    const id = tree?.files.get(name);
    if (id === undefined) throw new BackendError('broken', `There is no ${name} to add to.`);
    return { name, text: [await readGitBlob(this.#options.remote.repository, id), piece] };
  }

  /** Message of the commit for a change, as the branch's history shows it. */
  #describe({ kind, name }: StateFileChange): string {
    const { folder } = this.#options;
    const epoch = parseJournalEpoch(name);
    const serial = parseHistorySerial(name);
    this.#batch = epoch === undefined || kind === 'remove' ? 0 : this.#batch + 1;
    const what =
      kind === 'remove'
        ? `removed ${name}`
        : epoch !== undefined
          ? `journal ${epoch}, batch ${this.#batch}`
          : serial !== undefined
            ? `history, serial ${serial}`
            : name;
    return `Hostwright: ${what}${folder === '' ? '' : ` (${folder.slice(0, -1)})`}\n`;
  }

  async #explainLoss({ lock }: GitRemoteRefs): Promise<LockLoss> {
    const { remote } = this.#options;
    const own = this.#held.info;
    if (lock === undefined) return { kind: 'removed' };
    try {
      const isHere = await remote.fetch({ lock });
      if (!isHere) return { kind: 'taken', by: unknownSuccessor };
    } catch (error) {
      // The lock is lost for certain; the name of the new holder is worth only one attempt.
      if (error instanceof BackendError) return { kind: 'taken', by: unknownSuccessor };
      throw error;
    }
    const { info, end } = await readLockRecord(remote, lock);
    const { Epoch = 0 } = own;
    const isOurs = info.ID === own.ID;
    // Epochs rise, unless somebody has deleted the lock's ref. A lock of this run without an end is a commit that has been
    // replaced since.
    const isEarlier = (info.Epoch ?? Epoch) < Epoch && info.Created < own.Created;
    if (isOurs ? end === undefined : isEarlier) {
      const found = `a commit of the lock of epoch ${info.Epoch ?? 0} that was replaced since`;
      return {
        kind: 'set-back',
        confirmed: `commit ${this.#position.lock} of epoch ${Epoch}`,
        found,
        epoch: info.Epoch ?? 0,
      };
    }
    return isOurs ? { kind: 'removed' } : { kind: 'taken', by: info };
  }
}
