// The lock of a state in a bucket: one object with the holder. Each write of it names the version that it replaces, so of two
// runs that want the lock one finds that it came too late.
import { randomUUID } from 'node:crypto';
import type { ObservedLock, LockInfo, LockAttempt } from '../../lock/lock-info.ts';
import type { TakenLock, IsLockHolderGone, LockMedium } from '../../lock/lock-medium.ts';
import { OwnLock } from '../../lock/own-lock.ts';
import {
  clearLockRecord,
  takeLockRecord,
  type FoundLockRecord,
  type RemovableLockRecord,
} from '../../lock/record-lock.ts';
import { BackendError } from '../backend-error.ts';
import type { S3Bucket } from './bucket.ts';
import { closeEpochLog } from './close-epoch.ts';
import { LockedBucketLog } from './held-log.ts';
import {
  createRefusedLockWriteError,
  OwnBucketLockRecord,
  readBucketLockRecord,
} from './held-record.ts';
import {
  findBucketLockHolder,
  encodeBucketLockRecord,
  type LockRecordWithETag,
  type BucketLockRecord,
} from './lock-record.ts';
import { retryUntilComplete } from './missing-object.ts';
import {
  lockObjectName,
  nameProbeObject,
  nameEpochFolder,
  parseObjectEpoch,
  bucketLogFolder,
} from './object-names.ts';
import { type BucketLogBounds, readBucketLog } from './read-log.ts';

interface FoundObject extends FoundLockRecord {
  readonly found: LockRecordWithETag | undefined;
}

/** Lock of a state in an S3 bucket. `server` identifies the server, on which conditional writes are tried out once. */
export class S3Lock implements LockMedium {
  readonly place: string;
  readonly statePath: string;
  readonly #bucket: S3Bucket;
  readonly #server: string;

  constructor(bucket: S3Bucket, server: string) {
    this.#bucket = bucket;
    this.#server = server;
    this.place = bucket.place;
    this.statePath = bucket.place;
  }

  async read(): Promise<ObservedLock | undefined> {
    return findBucketLockHolder(await readBucketLockRecord(this.#bucket));
  }

  take(wanted: LockInfo, isGone: IsLockHolderGone): Promise<LockAttempt> {
    return takeLockRecord(this.#openRegister(), wanted, isGone);
  }

  async hold(holding: TakenLock) {
    const found = await readBucketLockRecord(this.#bucket);
    if (!found?.record.isHeld || found.record.info.ID !== holding.info.ID) return undefined;
    const { epoch, fencedEpoch, start } = found.record;
    // Closing the former epochs: after it no earlier holder can write, and all earlier writes can be read.
    for (let former = fencedEpoch + 1; former < epoch; former += 1) {
      await closeEpochLog(this.#bucket, former, holding.info.ID, start);
    }
    const keeping = {
      bucket: this.#bucket,
      record: new OwnBucketLockRecord(this.#bucket, found),
      bounds: { start, closedEpoch: epoch - 1, lastEpoch: epoch - 1 },
    };
    const held = new OwnLock(holding, (own) => new LockedBucketLog({ ...keeping, held: own }));
    return { held, takenAt: found.writtenAt };
  }

  readTime(): Promise<number> {
    return this.#bucket.readTime(lockObjectName);
  }

  clear(id: string): Promise<void> {
    return clearLockRecord(this.#openRegister(), id);
  }

  /** Finds the bounds of the log without reading it. */
  async findBounds(): Promise<BucketLogBounds> {
    const {
      start = null,
      fencedEpoch = -1,
      epoch = -1,
    } = (await readBucketLockRecord(this.#bucket))?.record ?? {};
    return { start, closedEpoch: fencedEpoch, lastEpoch: epoch };
  }

  /** Opens the lock's object for one attempt to replace it. */
  #openRegister(): RemovableLockRecord<FoundObject> {
    const bucket = this.#bucket;
    let refused: string | undefined;
    const swap = async (found: LockRecordWithETag | undefined, next: BucketLockRecord) => {
      const condition = found ? { etag: found.etag } : 'absent';
      refused = found?.etag;
      return (
        (await bucket.put(lockObjectName, encodeBucketLockRecord(next), condition)) !== undefined
      );
    };
    return {
      async find() {
        const found = await readBucketLockRecord(bucket);
        if (found && found.etag === refused) throw createRefusedLockWriteError(bucket);
        return { found, holder: findBucketLockHolder(found) };
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
        await closeEpochLog(bucket, record.epoch, holder.info.ID, record.start);
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

// A trial whether a server respects the conditions of a write. Several servers that speak S3 ignore them without a word:
// there, every run would get the lock.

/** Tries writes that must be refused. @throws BackendError `broken` where one is accepted */
async function probeConditions(bucket: S3Bucket): Promise<void> {
  const name = nameProbeObject(randomUUID());
  try {
    const etag = await bucket.put(name, 'one', 'absent');
    const second = await bucket.put(name, 'two', 'absent');
    const found = await bucket.get(name);
    // The answer to the first write may have been lost, and its repetition refused.
    const isKept = second === undefined && found?.text === 'one';
    const wrong = { etag: '"00000000000000000000000000000000"' };
    if (!isKept || (await bucket.put(name, 'three', wrong)) !== undefined) throw refuse(bucket);
    const replaced = await bucket.put(name, 'four', { etag: etag ?? found.etag });
    if (replaced === undefined && (await bucket.get(name))?.text !== 'four') throw refuse(bucket);
  } finally {
    // An object left by a trial is in nobody's way.
    await bucket.delete(name).catch(() => undefined);
  }
}

function refuse({ place }: S3Bucket): BackendError {
  return new BackendError(
    'broken',
    `${place}: the server does not keep to conditions (If-None-Match, If-Match), so two runs could write at once. ` +
      'Use a server with conditional writes.',
  );
}

// The locks before this one: the record of the lock names the last, unless somebody has deleted it or put an earlier record
// back. Then the log has to show them.

/** The log and the epochs on which the next lock builds. */
interface LockPast extends Pick<BucketLockRecord, 'fencedEpoch' | 'start'> {
  /** Upper bound of the epochs of earlier holders. */
  readonly lastEpoch: number;
}

/** Before the first lock. Its holder closes epoch 0, which nobody had: from then on, the log shows that there was a holder. */
const nothing: LockPast = { lastEpoch: 0, fencedEpoch: -1, start: null };

/** Finds the past of a lock; `record` is the stored record of the lock. @throws BackendError, DiagnosticError */
async function findLockPast(
  bucket: S3Bucket,
  record: BucketLockRecord | undefined,
): Promise<LockPast> {
  const names = record
    ? await bucket.list(bucketLogFolder, nameEpochFolder(record.epoch + 1))
    : await bucket.list('');
  const epochs = names.flatMap((name) => parseObjectEpoch(name) ?? []);
  if (epochs.length === 0) {
    if (!record) return nothing;
    const { epoch: lastEpoch, fencedEpoch, start } = record;
    return { lastEpoch, fencedEpoch, start };
  }
  const unknown = { start: null, closedEpoch: -1, lastEpoch: -1 };
  const { manifest } = await retryUntilComplete(bucket, () => readBucketLog(bucket, unknown));
  return {
    // An epoch more than the log shows: the last holder of the lost record may have written nothing yet.
    lastEpoch: Math.max(...epochs) + 1,
    // The writer of a manifest had closed all epochs before its own.
    fencedEpoch: (manifest?.epoch ?? Math.min(...epochs)) - 1,
    start: null,
  };
}
