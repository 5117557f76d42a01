// The lock of a branch: a ref of its own beside it, `refs/hostwright/lock/<branch>`. Each commit of it is a sign of life,
// has no parent, and replaces the one before by a push that names it: of two that want to, the remote lets one.
// A remote tells no time. When a holder last gave a sign is by the clock of its own machine, so silence is decided
// by watching that the commit stays the same.
import type { Clock } from '../../../model/runtime.ts';
import { epochOf, fileNames } from '../../files/files.ts';
import { OwnLock } from '../../lock/own-lock.ts';
import { isInSight } from '../../lock/lock-holder.ts';
import type { HeldLock, LockInfo, Taking } from '../../lock/lock-info.ts';
import {
  defaultLeaseMs,
  type HeldFence,
  type Holding,
  type IsGone,
  type LockMedium,
} from '../../lock/lock-medium.ts';
import { readHeadEpoch, snapshotHeadBytes } from '../../snapshot/snapshot.ts';
import { readPatienceMs, untilReached, writePatienceMs } from '../backend-error.ts';
import { HeldBranch } from './held-branch.ts';
import type { ObjectId } from './commit-writer.ts';
import { readLockRecord, writeLockCommit, type LockRecord } from './lock-record.ts';
import type { RemoteBranch, RemoteRefs } from './remote-branch.ts';
import { settlePush } from './settle-push.ts';
import { lookAndFetch, readText, readTree } from './state-tree.ts';

/** What a lock is made of. */
export interface GitLockOptions {
  readonly remote: RemoteBranch;
  readonly clock: Clock;
  /** Below which folder of the tree the state is: `''`, or ending in `/`. */
  readonly folder: string;
  /** For messages. */
  readonly statePath: string;
}

/** A lock that was taken and is not held yet. */
interface Taken {
  readonly lock: ObjectId;
  readonly takenAt: number;
}

/** A lock as it was found on the remote. */
interface Found {
  readonly refs: RemoteRefs;
  readonly record: LockRecord | undefined;
  /** Undefined when nobody holds it. */
  readonly holder: HeldLock | undefined;
}

/** The lock of a branch. */
export class GitLock implements LockMedium {
  readonly place: string;
  readonly statePath: string;
  readonly #options: GitLockOptions;
  readonly #taken = new Map<string, Taken>();
  /** The last commit that was seen, and when it was seen first. */
  #seen:
    | { readonly lock: ObjectId | undefined; readonly record: LockRecord; readonly at: number }
    | undefined;

  constructor(options: GitLockOptions) {
    this.#options = options;
    this.place = `the lock of ${options.remote.place}`;
    this.statePath = options.statePath;
  }

  async read(): Promise<HeldLock | undefined> {
    return (await this.#find(['lock'])).holder;
  }

  async take(wanted: LockInfo, isGone: IsGone): Promise<Taking> {
    const { remote, clock } = this.#options;
    for (;;) {
      const { holder, record, refs } = await this.#find(['lock']);
      if (holder && !isGone(holder)) return { kind: 'held', by: holder };
      const stateEpoch = await this.#readStateEpoch(refs);
      if (stateEpoch === undefined) continue;
      const Epoch = 1 + Math.max(record?.info.Epoch ?? 0, stateEpoch);
      const info = { ...wanted, Epoch };
      const to = await writeLockCommit(remote.repository, { info, beat: 1, at: clock.now() });
      // Counted up to here: what the remote does meanwhile is no silence of the holder's.
      const silentMs = holder && this.#countSilence(holder, info);
      const patienceMs = writePatienceMs(wanted.Lease ?? defaultLeaseMs);
      const moves = { lock: { from: refs.lock, to } };
      // Somebody was faster: look again.
      if (await settlePush(remote, moves, { clock, patienceMs })) continue;
      const takenAt = holder ? holder.heartbeatAt + (silentMs ?? 0) : clock.now();
      this.#taken.set(info.ID, { lock: to, takenAt });
      return { kind: 'taken', info, from: holder };
    }
  }

  hold(
    holding: Holding,
  ): Promise<{ readonly held: HeldFence; readonly takenAt: number } | undefined> {
    const { ID } = holding.info;
    const taken = this.#taken.get(ID);
    this.#taken.delete(ID);
    if (!taken) return Promise.resolve(undefined);
    const { remote, clock, folder } = this.#options;
    const { lock, takenAt } = taken;
    const options = { remote, clock, folder, lock };
    const held = new OwnLock(holding, (own) => new HeldBranch({ ...options, held: own }));
    return Promise.resolve({ held, takenAt });
  }

  /** The clock of this machine: the remote has none that could be asked. */
  readTime(): Promise<number> {
    return Promise.resolve(this.#options.clock.now());
  }

  async clear(id: string): Promise<void> {
    const { remote, clock } = this.#options;
    for (;;) {
      const { holder, record, refs } = await this.#find(['lock']);
      if (!record || holder?.info.ID !== id) return;
      const next: LockRecord = {
        ...record,
        beat: record.beat + 1,
        at: clock.now(),
        end: 'removed',
      };
      const to = await writeLockCommit(remote.repository, next);
      const patienceMs = writePatienceMs(defaultLeaseMs);
      const moves = { lock: { from: refs.lock, to } };
      // Its holder gave a sign of life meanwhile.
      if (!(await settlePush(remote, moves, { clock, patienceMs }))) return;
    }
  }

  async #find(wanted: readonly (keyof RemoteRefs)[]): Promise<Found> {
    const { remote, clock } = this.#options;
    const refs = await lookAndFetch(remote, clock, wanted);
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

  /**
   * For how long a holder was silent at least; milliseconds. Its own clock counts only where it is this machine's: by
   * another, a request of it that is under way could be taken for one that is long over.
   */
  #countSilence(holder: HeldLock, own: LockInfo): number {
    const now = this.#options.clock.now();
    const since = isInSight(holder.info, own.Host) ? holder.heartbeatAt : (this.#seen?.at ?? now);
    return Math.max(0, now - since);
  }

  /**
   * The highest epoch that the state has seen. It counts where somebody has deleted the ref of the lock. Undefined
   * when the remote has gone on meanwhile.
   */
  async #readStateEpoch({ tip }: RemoteRefs): Promise<number | undefined> {
    const { remote, clock, folder } = this.#options;
    const isHere = await untilReached(() => remote.fetch({ tip }), {
      clock,
      patienceMs: readPatienceMs,
    });
    if (!isHere) return undefined;
    const { files } = await readTree(remote.repository, tip, folder);
    const snapshot = files.get(fileNames.snapshot);
    const epochs = [...files.keys()].flatMap((name) => epochOf(name) ?? []);
    if (snapshot === undefined) return Math.max(0, ...epochs);
    const head = (await readText(remote.repository, snapshot)).subarray(0, snapshotHeadBytes);
    return Math.max(readHeadEpoch(head.toString('latin1')), ...epochs);
  }
}
