// The lock of a branch: a ref of its own beside the branch, `refs/hostwright/lock/<branch>`. Each commit of that ref is a
// heartbeat without a parent, and replaces the one before by a push that names it: of two runs that push, the remote accepts
// one. A remote has no clock that could be asked. The time of a heartbeat is by the clock of the holder's machine, so silence
// is decided by watching that the commit stays the same.
import type { Clock } from '../../../model/runtime.ts';
import { parseJournalEpoch, stateFileNames } from '../../files/files.ts';
import { OwnLock } from '../../lock/own-lock.ts';
import { isProcessInSight } from '../../lock/lock-holder.ts';
import type { ObservedLock, LockInfo, LockAttempt } from '../../lock/lock-info.ts';
import {
  defaultLockLeaseMs,
  type OwnLockHandle,
  type TakenLock,
  type IsLockHolderGone,
  type LockMedium,
} from '../../lock/lock-medium.ts';
import {
  clearLockRecord,
  takeLockRecord,
  type FoundLockRecord,
  type RemovableLockRecord,
} from '../../lock/record-lock.ts';
import { readSnapshotHeadEpoch, snapshotHeadBytes } from '../../snapshot/snapshot.ts';
import { stateReadRetryMs, retryUntilReached, findWriteRetryMs } from '../backend-error.ts';
import { LockedGitBranch } from './held-branch.ts';
import type { GitObjectId } from './commit-writer.ts';
import { readLockRecord, writeLockCommit, type GitLockRecord } from './lock-record.ts';
import type { RemoteBranch, GitRemoteRefs } from './remote-branch.ts';
import { pushUntilSettled } from './settle-push.ts';
import { fetchRemoteRefs, readGitBlob, readStateTree } from './state-tree.ts';

/** Options of the lock of a state on a git branch. */
export interface GitLockOptions {
  readonly remote: RemoteBranch;
  readonly clock: Clock;
  /** Folder of the tree in which the state is: `''`, or ending in `/`. */
  readonly folder: string;
  /** Path of the state, for messages. */
  readonly statePath: string;
}

/** A lock that this run has pushed, and has not begun to hold yet. */
interface Taken {
  readonly lock: GitObjectId;
  readonly takenAt: number;
}

/** A lock as it was read from the remote repository. */
interface FoundCommit extends FoundLockRecord {
  readonly refs: GitRemoteRefs;
  readonly record: GitLockRecord | undefined;
}

/** Lock of a state on a git branch, kept as commits of a ref of its own. */
export class GitLock implements LockMedium, RemovableLockRecord<FoundCommit> {
  readonly place: string;
  readonly statePath: string;
  readonly #options: GitLockOptions;
  readonly #taken = new Map<string, Taken>();
  /** The last commit of the lock's ref that was seen, and the time when it was first seen. */
  #seen:
    | {
        readonly lock: GitObjectId | undefined;
        readonly record: GitLockRecord;
        readonly at: number;
      }
    | undefined;

  constructor(options: GitLockOptions) {
    this.#options = options;
    this.place = `the lock of ${options.remote.place}`;
    this.statePath = options.statePath;
  }

  async read(): Promise<ObservedLock | undefined> {
    return (await this.find()).holder;
  }

  take(wanted: LockInfo, isGone: IsLockHolderGone): Promise<LockAttempt> {
    return takeLockRecord(this, wanted, isGone);
  }

  clear(id: string): Promise<void> {
    return clearLockRecord(this, id);
  }

  async pass(found: FoundCommit, to: LockInfo): Promise<LockInfo | undefined> {
    const { remote, clock } = this.#options;
    const { holder, record, refs } = found;
    const stateEpoch = await this.#readStateEpoch(refs);
    if (stateEpoch === undefined) return undefined;
    const info = { ...to, Epoch: 1 + Math.max(record?.info.Epoch ?? 0, stateEpoch) };
    const next = { info, beat: 1, at: clock.now() };
    const lock = await writeLockCommit(remote.repository, next);
    // The silence ends at the push: time that the remote takes afterwards is no silence of the holder.
    const takenAt = holder ? holder.heartbeatAt + this.#countSilence(holder, info) : next.at;
    this.#taken.set(info.ID, { lock, takenAt });
    return (await this.#push(refs, lock, to.Lease)) ? info : undefined;
  }

  async end({ record, refs }: FoundCommit): Promise<boolean> {
    if (!record) return true;
    const { remote, clock } = this.#options;
    const next = { ...record, beat: record.beat + 1, at: clock.now(), end: 'removed' } as const;
    return this.#push(refs, await writeLockCommit(remote.repository, next));
  }

  hold(
    holding: TakenLock,
  ): Promise<{ readonly held: OwnLockHandle; readonly takenAt: number } | undefined> {
    const { ID } = holding.info;
    const taken = this.#taken.get(ID);
    this.#taken.delete(ID);
    if (!taken) return Promise.resolve(undefined);
    const { remote, clock, folder } = this.#options;
    const { lock, takenAt } = taken;
    const options = { remote, clock, folder, lock };
    const held = new OwnLock(holding, (own) => new LockedGitBranch({ ...options, held: own }));
    return Promise.resolve({ held, takenAt });
  }

  /** The clock of this machine: the remote has none that could be asked. */
  readTime(): Promise<number> {
    return Promise.resolve(this.#options.clock.now());
  }

  async find(): Promise<FoundCommit> {
    const { remote, clock } = this.#options;
    const refs = await fetchRemoteRefs(remote, clock, ['lock']);
    const { lock } = refs;
    if (lock === undefined) return { refs, record: undefined, holder: undefined };
    if (this.#seen?.lock !== lock) {
      const record = await readLockRecord(remote, lock);
      this.#seen = { lock, record, at: clock.now() };
    }
    const { record } = this.#seen;
    const { info, at } = record;
    const holder = record.end ? undefined : { info, heartbeatAt: at, beat: lock };
    return { refs, record, holder };
  }

  /** Moves the ref of the lock away from the commit that was found. False where another run was faster. */
  async #push(
    { lock: from }: GitRemoteRefs,
    to: GitObjectId,
    leaseMs = defaultLockLeaseMs,
  ): Promise<boolean> {
    const { remote, clock } = this.#options;
    const patienceMs = findWriteRetryMs(leaseMs);
    return (
      (await pushUntilSettled(remote, { lock: { from, to } }, { clock, patienceMs })) === undefined
    );
  }

  /**
   * Time for which a holder was silent at least; milliseconds. The time in its commit counts only where holder and reader
   * share a machine: by another machine's clock, a request that is still under way could be taken for one that is long over.
   */
  #countSilence(holder: ObservedLock, own: LockInfo): number {
    const now = this.#options.clock.now();
    const since = isProcessInSight(holder.info, own.Host)
      ? holder.heartbeatAt
      : (this.#seen?.at ?? now);
    return Math.max(0, now - since);
  }

  /**
   * The highest epoch in the state's files, which counts where somebody has deleted the ref of the lock. Undefined when the
   * remote has moved on meanwhile.
   */
  async #readStateEpoch({ tip }: GitRemoteRefs): Promise<number | undefined> {
    const { remote, clock, folder } = this.#options;
    const isHere = await retryUntilReached(() => remote.fetch({ tip }), {
      clock,
      patienceMs: stateReadRetryMs,
    });
    if (!isHere) return undefined;
    const { files } = await readStateTree(remote.repository, tip, folder);
    const snapshot = files.get(stateFileNames.snapshot);
    const epochs = [...files.keys()].flatMap((name) => parseJournalEpoch(name) ?? []);
    if (snapshot === undefined) return Math.max(0, ...epochs);
    const head = (await readGitBlob(remote.repository, snapshot)).subarray(0, snapshotHeadBytes);
    return Math.max(readSnapshotHeadEpoch(head.toString('latin1')), ...epochs);
  }
}
