// Claims a slot of the state's log: it belongs to the run that writes it first.
import type { S3Bucket } from './bucket.ts';
import { encodeBucketLogEntry, type BucketLogEntry } from './log-entry.ts';
import { MissingObjectError, retryUntilComplete } from './missing-object.ts';
import { formatLogSlotName, type BucketLogSlot } from './object-names.ts';
import { readBucketLogEntry } from './read-log.ts';

/**
 * Writes an entry into a slot of the log, if the slot is free. Resolves with the entry that is stored there instead;
 * undefined when it is the given entry, perhaps from an attempt whose answer was lost.
 * @throws BackendError; DiagnosticError `state-incomplete` where the write is refused and the stored entry not shown
 */
export async function claimLogSlot(
  bucket: S3Bucket,
  slot: BucketLogSlot,
  entry: BucketLogEntry,
  patienceMs?: number,
): Promise<BucketLogEntry | undefined> {
  const written = await bucket.put(
    formatLogSlotName(slot),
    encodeBucketLogEntry(entry),
    'absent',
    patienceMs,
  );
  if (written !== undefined) return undefined;
  const other = await retryUntilComplete(bucket, async () => {
    const found = await readBucketLogEntry(bucket, slot);
    if (found) return found;
    throw new MissingObjectError(bucket, formatLogSlotName(slot));
  });
  return other.write === entry.write ? undefined : other;
}
