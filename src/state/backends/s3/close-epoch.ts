// How the log of an epoch is closed: where its next objects would be written, there is a fence by then. A holder that
// wakes finds its slot taken, whatever it writes. Fences are never removed.
import { randomUUID } from 'node:crypto';
import type { Bucket } from './bucket.ts';
import { claimSlot } from './claim-slot.ts';
import type { LogStart } from './lock-record.ts';
import type { LogEntry } from './log-entry.ts';
import { epochFolder, slotOf, type Slot } from './object-names.ts';
import { readEntry } from './read-log.ts';

/**
 * Closes the log of an epoch; what its holder had written by then stays. `by` is the lock that closes it. A bucket may list
 * objects late: from `start` on all manifests of its epoch are there, so that each leads to the next.
 */
export async function closeEpoch(
  bucket: Bucket,
  epoch: number,
  by: string,
  start: LogStart | null,
): Promise<void> {
  const fence: LogEntry = { kind: 'fence', by, write: randomUUID() };
  const isClosedAt = async (slot: Slot) => {
    const other = await claimSlot(bucket, slot, fence);
    return other === undefined || other.kind === 'fence';
  };
  const end = await findEnd(bucket, epoch, start);
  if (end === 'closed') return;
  let { generation, number } = end;
  for (;;) {
    // Its holder may go on writing until both are there: what grows, and the next manifest.
    while (generation >= 0 && !(await isClosedAt({ epoch, generation, number }))) number += 1;
    generation += 1;
    if (await isClosedAt({ epoch, generation, number: 0 })) return;
    number = 1;
  }
}

/** Where the holder of an epoch writes next what grows. Before its first manifest, there is no generation. */
async function findEnd(
  bucket: Bucket,
  epoch: number,
  start: LogStart | null,
): Promise<'closed' | Omit<Slot, 'epoch'>> {
  const last = slotOf((await bucket.list(epochFolder(epoch))).at(-1) ?? '');
  const known = start?.epoch === epoch ? start.generation : -1;
  if (!last || last.generation < known) return { generation: known, number: known < 0 ? 0 : 1 };
  const entry = await readEntry(bucket, last);
  const { generation, number } = last;
  if (entry?.kind !== 'fence') return { generation, number: number + 1 };
  // The fence in place of a manifest is the last that is written.
  return number === 0 ? 'closed' : { generation, number };
}
