// A slot of the log goes to whoever writes it first.
import type { Bucket } from './bucket.ts';
import { encodeEntry, type LogEntry } from './log-entry.ts';
import { MissingObject, untilWhole } from './missing-object.ts';
import { slotName, type Slot } from './object-names.ts';
import { readEntry } from './read-log.ts';

/**
 * Puts an entry into a slot that is free. Resolves with what is there instead; undefined when the entry itself is, be it
 * from an attempt whose answer was lost. @throws BackendError; DiagnosticError `state-incomplete` where it is refused and not shown
 */
export async function claimSlot(
  bucket: Bucket,
  slot: Slot,
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
