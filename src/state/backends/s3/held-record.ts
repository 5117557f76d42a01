// The object of the lock as its holder writes it: each write replaces exactly the previous one.
import type { LockLoss } from '../../lock/fence.ts';
import { BackendError } from '../backend-error.ts';
import type { S3Bucket } from './bucket.ts';
import {
  decodeBucketLockRecord,
  encodeBucketLockRecord,
  type LockRecordWithETag,
  type BucketLockRecord,
} from './lock-record.ts';
import { lockObjectName } from './object-names.ts';

/** Record of an S3 lock that this run holds, with the ETag that replacing it needs. */
export class OwnBucketLockRecord {
  readonly #bucket: S3Bucket;
  #found: Pick<LockRecordWithETag, 'record' | 'etag'>;

  constructor(bucket: S3Bucket, found: LockRecordWithETag) {
    this.#bucket = bucket;
    this.#found = found;
  }

  /** The lock's record as it was last written. */
  get record(): BucketLockRecord {
    return this.#found.record;
  }

  /** Writes the record with a change. Resolves with the reason why the lock is lost, or undefined. @throws BackendError */
  async write(
    change: Partial<BucketLockRecord>,
    patienceMs: number,
  ): Promise<LockLoss | undefined> {
    for (;;) {
      const { record, etag } = this.#found;
      const next = { ...record, ...change, beat: record.beat + 1 };
      const written = await this.#bucket.put(
        lockObjectName,
        encodeBucketLockRecord(next),
        { etag },
        patienceMs,
      );
      if (written !== undefined) {
        this.#found = { record: next, etag: written };
        return undefined;
      }
      const found = await readBucketLockRecord(this.#bucket);
      if (!isSameHolder(found, record)) return describeLoss(found, record);
      // An earlier attempt of this run was carried out, though its answer was lost.
      this.#found = found;
      if (encodeBucketLockRecord(found.record) === encodeBucketLockRecord(next)) return undefined;
      if (found.etag === etag) throw createRefusedLockWriteError(this.#bucket);
    }
  }

  /** The reason why the lock is lost; undefined while it is held. */
  async findLoss(): Promise<LockLoss | undefined> {
    const found = await readBucketLockRecord(this.#bucket);
    return isSameHolder(found, this.record) ? undefined : describeLoss(found, this.record);
  }
}

/** Reads the stored record of the lock; undefined when there is none. @throws BackendError where the object is no record */
export async function readBucketLockRecord(
  bucket: S3Bucket,
): Promise<LockRecordWithETag | undefined> {
  const object = await bucket.get(lockObjectName);
  if (!object) return undefined;
  const found = decodeBucketLockRecord(object);
  if (found) return found;
  throw new BackendError(
    'broken',
    `${bucket.place}: ${lockObjectName} is not a lock of Hostwright.`,
  );
}

/** Creates the error for a server that refuses to replace a lock record although it has not changed since it was read. */
export function createRefusedLockWriteError({ place }: S3Bucket): BackendError {
  const message =
    `${place}: the server did not replace ${lockObjectName} under the ETag that it was read with. ` +
    'Make sure that nothing between here and the server changes ETags, as a proxy does that compresses answers.';
  return new BackendError('broken', message);
}

function isSameHolder(
  found: LockRecordWithETag | undefined,
  last: BucketLockRecord,
): found is LockRecordWithETag {
  if (!found || isEarlier(found, last)) return false;
  return found.record.info.ID === last.info.ID && found.record.isHeld;
}

/**
 * Tells whether a record is of an earlier moment: epochs rise, and heartbeats within an epoch. A lock that was taken later,
 * after somebody deleted this one, is none.
 */
function isEarlier(
  { record: { epoch, beat, info } }: LockRecordWithETag,
  last: BucketLockRecord,
): boolean {
  const isLater = info.ID !== last.info.ID && info.Created > last.info.Created;
  return !isLater && (epoch < last.epoch || (epoch === last.epoch && beat < last.beat));
}

function describeLoss(found: LockRecordWithETag | undefined, last: BucketLockRecord): LockLoss {
  const { epoch } = last;
  if (found && isEarlier(found, last)) {
    const nameOf = ({ beat, epoch: of }: BucketLockRecord) => `sign of life ${beat} of epoch ${of}`;
    return {
      kind: 'set-back',
      confirmed: nameOf(last),
      found: nameOf(found.record),
      epoch: found.record.epoch,
    };
  }
  // The last holder stays in the record, so a successor that has ended already is named as well.
  return found && found.record.epoch > epoch
    ? { kind: 'taken', by: found.record.info }
    : { kind: 'removed' };
}
