// The lock of a state in a bucket: one object with the holder. Each write of it names the version that it replaces, so of two
// runs that want the lock one finds that it came too late.
import { OwnLock } from '../../lock/own-lock.ts';
import type { HeldLock, LockInfo, LockAttempt } from '../../lock/lock-info.ts';
import type { TakenLock, IsHolderGone, LockMedium } from '../../lock/lock-medium.ts';
import {
  clearLockRecord,
  takeLockRecord,
  type FoundLock,
  type LockRegister,
} from '../../lock/record-lock.ts';
import type { Bucket } from './bucket.ts';
import { closeEpoch } from './close-epoch.ts';
import { HeldLog } from './held-log.ts';
import { createRefusedError, HeldRecord, readStoredLock } from './held-record.ts';
import {
  describeHolder,
  encodeStoredLock,
  type StoredLockRecord,
  type BucketLockRecord,
} from './lock-record.ts';
import { lockObjectName } from './object-names.ts';
import { probeConditions } from './probe-conditions.ts';
import type { LogBounds } from './read-log.ts';
import { findLockPast, type LockPast } from './find-past.ts';

interface FoundObject extends FoundLock {
  readonly found: StoredLockRecord | undefined;
}

/** The lock of a state. `server` differs from that of every other server. */
export class S3Lock implements LockMedium {
  readonly place: string;
  readonly statePath: string;
  readonly #bucket: Bucket;
  readonly #server: string;

  constructor(bucket: Bucket, server: string) {
    this.#bucket = bucket;
    this.#server = server;
    this.place = bucket.place;
    this.statePath = bucket.place;
  }

  async read(): Promise<HeldLock | undefined> {
    return describeHolder(await readStoredLock(this.#bucket));
  }

  take(wanted: LockInfo, isGone: IsHolderGone): Promise<LockAttempt> {
    return takeLockRecord(this.#openRegister(), wanted, isGone);
  }

  async hold(holding: TakenLock) {
    const found = await readStoredLock(this.#bucket);
    if (!found?.record.isHeld || found.record.info.ID !== holding.info.ID) return undefined;
    const { epoch, fencedEpoch, start } = found.record;
    // Closing the former epochs: after it no earlier holder can write, and all earlier writes can be read.
    for (let former = fencedEpoch + 1; former < epoch; former += 1) {
      await closeEpoch(this.#bucket, former, holding.info.ID, start);
    }
    const keeping = {
      bucket: this.#bucket,
      record: new HeldRecord(this.#bucket, found),
      bounds: { start, closedEpoch: epoch - 1, lastEpoch: epoch - 1 },
    };
    const held = new OwnLock(holding, (own) => new HeldLog({ ...keeping, held: own }));
    return { held, takenAt: found.writtenAt };
  }

  readTime(): Promise<number> {
    return this.#bucket.readTime(lockObjectName);
  }

  clear(id: string): Promise<void> {
    return clearLockRecord(this.#openRegister(), id);
  }

  /** Finds the bounds of the log without reading it. */
  async findBounds(): Promise<LogBounds> {
    const {
      start = null,
      fencedEpoch = -1,
      epoch = -1,
    } = (await readStoredLock(this.#bucket))?.record ?? {};
    return { start, closedEpoch: fencedEpoch, lastEpoch: epoch };
  }

  /** Opens the lock's object for one attempt to replace it. */
  #openRegister(): LockRegister<FoundObject> {
    const bucket = this.#bucket;
    let refused: string | undefined;
    const swap = async (found: StoredLockRecord | undefined, next: BucketLockRecord) => {
      const condition = found ? { etag: found.etag } : 'absent';
      refused = found?.etag;
      return (await bucket.put(lockObjectName, encodeStoredLock(next), condition)) !== undefined;
    };
    return {
      async find() {
        const found = await readStoredLock(bucket);
        if (found && found.etag === refused) throw createRefusedError(bucket);
        return { found, holder: describeHolder(found) };
      },
      pass: async ({ found }, to) => {
        if (found?.record.probed !== this.#server) await probeConditions(bucket);
        const record = this.#succeed(found?.record, await findLockPast(bucket, found?.record), to);
        return (await swap(found, record)) ? record.info : undefined;
      },
      async end({ found, holder }) {
        if (!found || !holder) return true;
        const { record } = found;
        if (!(await swap(found, { ...record, isHeld: false, beat: record.beat + 1 }))) return false;
        // The holder finds out at its next write, and not only when another run takes the lock.
        await closeEpoch(bucket, record.epoch, holder.info.ID, record.start);
        return true;
      },
    };
  }

  #succeed(
    former: BucketLockRecord | undefined,
    { lastEpoch, fencedEpoch, start }: LockPast,
    wanted: LockInfo,
  ): BucketLockRecord {
    const epoch = lastEpoch + 1;
    return {
      format: 1,
      epoch,
      beat: (former?.beat ?? 0) + 1,
      isHeld: true,
      info: { ...wanted, Epoch: epoch },
      probed: this.#server,
      fencedEpoch,
      start,
    };
  }
}
