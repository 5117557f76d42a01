// Claims a slot of the state's log: it belongs to the run that writes it first.
import type { Bucket } from './bucket.ts';
import { encodeEntry, type LogEntry } from './log-entry.ts';
import { MissingObject, untilWhole } from './missing-object.ts';
import { slotName, type LogSlot } from './object-names.ts';
import { readEntry } from './read-log.ts';

/**
 * Puts an entry into a free slot. Resolves with the entry that is stored there instead; undefined when it is the given entry,
 * perhaps from an attempt with a lost answer. @throws BackendError; DiagnosticError `state-incomplete` where the write is
 * refused and the stored entry not shown
 */
export async function claimSlot(
  bucket: Bucket,
  slot: LogSlot,
  entry: LogEntry,
  patienceMs?: number,
): Promise<LogEntry | undefined> {
  const written = await bucket.put(slotName(slot), encodeEntry(entry), 'absent', patienceMs);
  if (written !== undefined) return undefined;
  const other = await untilWhole(bucket, async () => {
    const found = await readEntry(bucket, slot);
    if (found) return found;
    throw new MissingObject(bucket, slotName(slot));
  });
  return other.write === entry.write ? undefined : other;
}
