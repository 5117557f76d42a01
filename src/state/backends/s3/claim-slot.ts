// A slot of the log goes to whoever writes it first.
import { BackendError } from '../backend-error.ts';
import type { Bucket } from './bucket.ts';
import { encodeEntry, type LogEntry } from './log-entry.ts';
import { slotName, type Slot } from './object-names.ts';
import { readEntry } from './read-log.ts';

/**
 * Puts an entry into a slot that is free. Resolves with what is there instead; undefined when the entry itself is, be it
 * from an attempt whose answer was lost. @throws BackendError
 */
export async function claimSlot(
  bucket: Bucket,
  slot: Slot,
  entry: LogEntry,
  patienceMs?: number,
): Promise<LogEntry | undefined> {
  const written = await bucket.put(slotName(slot), encodeEntry(entry), 'absent', patienceMs);
  if (written !== undefined) return undefined;
  const other = await readEntry(bucket, slot);
  if (!other) {
    const message = `${bucket.place}: ${slotName(slot)} was refused, and is not there.`;
    throw new BackendError('broken', message);
  }
  return other.write === entry.write ? undefined : other;
}
