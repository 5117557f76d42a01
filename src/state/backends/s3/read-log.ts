// What a state consists of by its log: the newest manifest, and what has grown since.
import type { FileName } from '../../files/files.ts';
import { BackendError } from '../backend-error.ts';
import type { Bucket } from './bucket.ts';
import { decodeEntry, type LogEntry } from './log-entry.ts';
import type { LogStart } from './lock-record.ts';
import { generationName, logFolder, slotName, slotOf, type Slot } from './object-names.ts';

/** A state at one moment. */
export interface LogSnapshot {
  /** By the name of a text, the objects that make it up, in their order. */
  readonly files: Map<FileName, string[]>;
  /** Texts of objects that were read on the way, by their names. */
  readonly texts: Map<string, string>;
  /** Objects that nothing names any more. */
  readonly garbage: readonly string[];
  /** The manifest; undefined where none was written yet. */
  readonly manifest: Slot | undefined;
}

/** Objects are asked for at once, so many. */
const atOnce = 8;

/** An object of the log. @throws BackendError where it is none */
export async function readEntry(bucket: Bucket, slot: Slot): Promise<LogEntry | undefined> {
  const name = slotName(slot);
  const found = await bucket.get(name);
  if (!found) return undefined;
  const entry = decodeEntry(found.text);
  if (entry) return entry;
  throw new BackendError('broken', `${bucket.place}: ${name} is not an object of Hostwright.`);
}

/** Reads the state. Undefined where a writer was faster: what was listed had been replaced before it could be read. */
export async function readLog(
  bucket: Bucket,
  start: LogStart | null,
): Promise<LogSnapshot | undefined> {
  const names = await bucket.list(logFolder, start ? generationName(start) : undefined);
  const slots = names.flatMap((name) => slotOf(name) ?? []);
  for (const slot of slots.filter(({ number }) => number === 0).toReversed()) {
    const entry = await readEntry(bucket, slot);
    if (!entry) return undefined;
    // Where an epoch was closed, its next manifest would have been.
    if (entry.kind !== 'manifest') continue;
    const { epoch, generation } = slot;
    const later = slots.filter(
      (one) => one.number > 0 && one.epoch === epoch && one.generation === generation,
    );
    return addLater(bucket, entry.manifest, slot, later);
  }
  return { files: new Map(), texts: new Map(), garbage: [], manifest: undefined };
}

async function addLater(
  bucket: Bucket,
  { files: named, garbage }: Extract<LogEntry, { kind: 'manifest' }>['manifest'],
  manifest: Slot,
  later: readonly Slot[],
): Promise<LogSnapshot | undefined> {
  const files = new Map([...named].map(([name, parts]) => [name, [...parts]]));
  const texts = new Map<string, string>();
  const entries = await eachOf(later, (slot) => readEntry(bucket, slot));
  for (const [index, slot] of later.entries()) {
    const entry = entries[index];
    if (!entry) return undefined;
    if (entry.kind !== 'text') continue;
    texts.set(slotName(slot), entry.text);
    files.set(entry.name, [...(files.get(entry.name) ?? []), slotName(slot)]);
  }
  return { files, texts, garbage, manifest };
}

/** A text of a snapshot; null where one of its objects is gone. */
export async function readParts(
  bucket: Bucket,
  { texts }: Pick<LogSnapshot, 'texts'>,
  parts: readonly string[],
): Promise<string | null> {
  const read = await eachOf(parts, async (part) => {
    const known = texts.get(part);
    if (known !== undefined) return known;
    const slot = slotOf(part);
    if (!slot) return (await bucket.get(part))?.text;
    const entry = await readEntry(bucket, slot);
    return entry?.kind === 'text' ? entry.text : undefined;
  });
  return read.some((one) => one === undefined) ? null : read.join('');
}

/** Does the same for each, a few at once; in the order of `items`. */
export async function eachOf<T, R>(
  items: readonly T[],
  work: (item: T) => Promise<R>,
): Promise<readonly R[]> {
  const results: R[] = [];
  const rest = items.entries();
  const lane = async () => {
    for (const [index, item] of rest) results[index] = await work(item);
  };
  await Promise.all(Array.from({ length: Math.min(atOnce, items.length) }, lane));
  return results;
}
