// Content of the lock's object. The object is never removed: its epoch must not go back.
import { decodeLockInfo, type ObservedLock, type LockInfo } from '../../lock/lock-info.ts';
import type { S3BucketObject } from './bucket.ts';
import type { BucketLogSlot } from './object-names.ts';
import { parseJsonObject } from '../../../model/json-object.ts';

/** Manifest from which a reader of the log can start. */
export type BucketLogStart = Omit<BucketLogSlot, 'number'>;

/** Record of the lock, as the bucket stores it. */
export interface BucketLockRecord {
  readonly format: 1;
  /** Number of the last lock; it grows with each lock that is taken. */
  readonly epoch: number;
  /** Number that rises with each write, so that no two records have the same text, and thus the same ETag. */
  readonly beat: number;
  readonly isHeld: boolean;
  /** Info about the present or last holder of the lock. */
  readonly info: LockInfo;
  /** Epoch up to which the logs of all former locks are closed for good. */
  readonly fencedEpoch: number;
  /** The newest manifest that the writer knew; there may be newer ones. */
  readonly start: BucketLogStart | null;
  /** Server on which conditional writes were tried and worked, so that no further trial is needed. */
  readonly probed: string;
}

/** A stored record, with the ETag that is needed to replace it. */
export interface LockRecordWithETag {
  readonly record: BucketLockRecord;
  readonly etag: string;
  readonly writtenAt: number;
}

/** Writes the record of a lock as text. */
export function encodeBucketLockRecord(record: BucketLockRecord): string {
  return `${JSON.stringify(record, null, 2)}\n`;
}

/** Decodes the record of a lock; undefined when an object holds none. */
export function decodeBucketLockRecord({
  text,
  etag,
  writtenAt,
}: S3BucketObject): LockRecordWithETag | undefined {
  const given = parseJsonObject(text);
  const info = decodeLockInfo(JSON.stringify(given?.info ?? null));
  const isWhole =
    given?.format === 1 &&
    [given.epoch, given.beat, given.fencedEpoch].every((one) => Number.isSafeInteger(one));
  if (!isWhole || !info) return undefined;
  const record = { start: null, probed: '', ...given, info } as BucketLockRecord;
  return { record, etag, writtenAt };
}

/** Describes the holder of the lock; undefined when nobody holds it. */
export function findBucketLockHolder(
  found: LockRecordWithETag | undefined,
): ObservedLock | undefined {
  if (!found?.record.isHeld) return undefined;
  const { record, writtenAt } = found;
  return { info: record.info, heartbeatAt: writtenAt, beat: `${record.info.ID} ${record.beat}` };
}
