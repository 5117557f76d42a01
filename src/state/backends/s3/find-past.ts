// The locks before this one: the record of the lock names the last, unless somebody has deleted it or put an earlier record
// back. Then the log has to show them.
import type { Bucket } from './bucket.ts';
import type { BucketLockRecord } from './lock-record.ts';
import { epochFolder, epochOfObject, logFolder } from './object-names.ts';
import { untilWhole } from './missing-object.ts';
import { readLog } from './read-log.ts';

/** The log and the epochs on which the next lock builds. */
export interface LockPast extends Pick<BucketLockRecord, 'fencedEpoch' | 'start'> {
  /** Upper bound of the epochs of earlier holders. */
  readonly lastEpoch: number;
}

/** Before the first lock. Its holder closes epoch 0, which nobody had: from then on, the log shows that there was a holder. */
const nothing: LockPast = { lastEpoch: 0, fencedEpoch: -1, start: null };

/** Finds the past of a lock; `record` is the stored record of the lock. @throws BackendError, DiagnosticError */
export async function findLockPast(
  bucket: Bucket,
  record: BucketLockRecord | undefined,
): Promise<LockPast> {
  const names = record
    ? await bucket.list(logFolder, epochFolder(record.epoch + 1))
    : await bucket.list('');
  const epochs = names.flatMap((name) => epochOfObject(name) ?? []);
  if (epochs.length === 0) {
    if (!record) return nothing;
    const { epoch: lastEpoch, fencedEpoch, start } = record;
    return { lastEpoch, fencedEpoch, start };
  }
  const unknown = { start: null, closedEpoch: -1, lastEpoch: -1 };
  const { manifest } = await untilWhole(bucket, () => readLog(bucket, unknown));
  return {
    // One more than the log shows: the last holder may have written nothing yet.
    lastEpoch: Math.max(...epochs) + 1,
    // The writer of a manifest had closed all epochs before its own.
    fencedEpoch: (manifest?.epoch ?? Math.min(...epochs)) - 1,
    start: null,
  };
}
