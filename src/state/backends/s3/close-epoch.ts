// Closing the log of an epoch: a fence is put where its holder would write next. A holder that wakes up finds its slot taken,
// whatever it writes. Fences are never removed.
import { randomUUID } from 'node:crypto';
import type { S3Bucket } from './bucket.ts';
import { claimLogSlot } from './claim-slot.ts';
import type { BucketLogStart } from './lock-record.ts';
import type { BucketLogEntry } from './log-entry.ts';
import { nameEpochFolder, parseLogSlotName, type BucketLogSlot } from './object-names.ts';
import { readBucketLogEntry } from './read-log.ts';

/**
 * Closes the log of an epoch, so that its holder can write no more; its earlier writes stay. `by` is the lock of the
 * closing run. A bucket may list objects late: from `start` on all manifests of the epoch exist, so that each leads to
 * the next.
 */
export async function closeEpochLog(
  bucket: S3Bucket,
  epoch: number,
  by: string,
  start: BucketLogStart | null,
): Promise<void> {
  const fence: BucketLogEntry = { kind: 'fence', by, write: randomUUID() };
  const isClosedAt = async (slot: BucketLogSlot) => {
    const other = await claimLogSlot(bucket, slot, fence);
    return other === undefined || other.kind === 'fence';
  };
  const end = await findEnd(bucket, epoch, start);
  if (end === 'closed') return;
  let { generation, number } = end;
  for (;;) {
    // The holder may go on writing until both fences are there: one in place of its next text, one in place of its next
    // manifest.
    while (generation >= 0 && !(await isClosedAt({ epoch, generation, number }))) number += 1;
    generation += 1;
    if (await isClosedAt({ epoch, generation, number: 0 })) return;
    number = 1;
  }
}

/** The next slots of an epoch's holder. Before its first manifest, there is no generation. */
async function findEnd(
  bucket: S3Bucket,
  epoch: number,
  start: BucketLogStart | null,
): Promise<'closed' | Omit<BucketLogSlot, 'epoch'>> {
  const last = parseLogSlotName((await bucket.list(nameEpochFolder(epoch))).at(-1) ?? '');
  const known = start?.epoch === epoch ? start.generation : -1;
  if (!last || last.generation < known) return { generation: known, number: known < 0 ? 0 : 1 };
  const entry = await readBucketLogEntry(bucket, last);
  const { generation, number } = last;
  if (entry?.kind !== 'fence') return { generation, number: number + 1 };
  // The fence in the place of a manifest is written last: with it, the epoch is closed.
  return number === 0 ? 'closed' : { generation, number };
}
