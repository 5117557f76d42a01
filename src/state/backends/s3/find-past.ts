// The locks before this one: the record of the lock says so, unless somebody has deleted it or put an earlier one back. Then the log tells.
import type { Bucket } from './bucket.ts';
import type { LockRecord } from './lock-record.ts';
import { epochFolder, epochOfObject, logFolder } from './object-names.ts';
import { untilWhole } from './missing-object.ts';
import { readLog } from './read-log.ts';

/** The log and the epochs that the next lock goes on from. */
export interface Past extends Pick<LockRecord, 'fencedEpoch' | 'start'> {
  /** No earlier holder has a higher epoch. */
  readonly lastEpoch: number;
}

/** Before the first lock. Its holder closes epoch 0, which nobody had: from then on, the log shows that there was one. */
const nothing: Past = { lastEpoch: 0, fencedEpoch: -1, start: null };

/** Finds it; `record` is what the lock says. @throws BackendError, DiagnosticError */
export async function findPast(bucket: Bucket, record: LockRecord | undefined): Promise<Past> {
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
    // One more: the last holder may have written nothing yet.
    lastEpoch: Math.max(...epochs) + 1,
    // Whoever wrote a manifest had closed all epochs before.
    fencedEpoch: (manifest?.epoch ?? Math.min(...epochs)) - 1,
    start: null,
  };
}
