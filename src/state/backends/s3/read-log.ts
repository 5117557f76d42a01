// The state, read from its log: the newest manifest, and the texts that have grown since. A bucket may list objects late, and
// somebody may have deleted some: up to its end the log's numbers have no gap, and each object is named by its number. So an
// object that is not listed is asked for by its name, and its absence is noticed.
import type { StateFileName } from '../../files/files.ts';
import { BackendError } from '../backend-error.ts';
import type { S3Bucket } from './bucket.ts';
import { decodeBucketLogEntry, type BucketLogEntry, type StateLogManifest } from './log-entry.ts';
import type { BucketLogStart } from './lock-record.ts';
import {
  formatLogGenerationName,
  bucketLogFolder,
  formatLogSlotName,
  parseLogSlotName,
  type BucketLogSlot,
} from './object-names.ts';
import { MissingObjectError } from './missing-object.ts';

/** Bounds of the state's log that are known before the log is read. */
export interface BucketLogBounds {
  /** The newest manifest that the lock's record names; there may be newer ones. */
  readonly start: BucketLogStart | null;
  /** The logs of all epochs up to this one are closed; -1 where none is known to be. */
  readonly closedEpoch: number;
  /** The last epoch that is known to exist. */
  readonly lastEpoch: number;
}

/** Files of a state at one moment, read from its log. */
export interface BucketLogSnapshot {
  /** Objects that each file of the state consists of, in their order, by the name of the file. */
  readonly files: Map<StateFileName, string[]>;
  /** Texts of the objects that were read on the way, by name, so that they are read once. */
  readonly texts: Map<string, string>;
  /** Names of objects that no manifest uses any more, to be deleted. */
  readonly garbage: readonly string[];
  /** The slot of the manifest; undefined where none was written yet. */
  readonly manifest: BucketLogSlot | undefined;
}

/** Number of S3 objects that are read at the same time. */
const atOnce = 8;

/** Reads an object of the log. @throws BackendError for an object that is no entry */
export async function readBucketLogEntry(
  bucket: S3Bucket,
  slot: BucketLogSlot,
): Promise<BucketLogEntry | undefined> {
  const name = formatLogSlotName(slot);
  const found = await bucket.get(name);
  if (!found) return undefined;
  const entry = decodeBucketLogEntry(found.text);
  if (entry) return entry;
  throw new BackendError('broken', `${bucket.place}: ${name} is not an object of Hostwright.`);
}

/**
 * Reads the state's files from its log.
 * @throws MissingObjectError where a writer was faster and has removed an object that was to be read, and where the
 * bucket does not show all objects yet or has lost one
 */
export async function readBucketLog(
  bucket: S3Bucket,
  bounds: BucketLogBounds,
): Promise<BucketLogSnapshot> {
  const { start } = bounds;
  const names = await bucket.list(
    bucketLogFolder,
    start ? formatLogGenerationName(start) : undefined,
  );
  const log = new ListedLog(
    bucket,
    bounds,
    names.flatMap((name) => parseLogSlotName(name) ?? []),
  );
  return log.read();
}

/** The state's log in S3, as the names of its objects show it. */
class ListedLog {
  readonly #bucket: S3Bucket;
  readonly #bounds: BucketLogBounds;
  readonly #slots: readonly BucketLogSlot[];

  constructor(bucket: S3Bucket, bounds: BucketLogBounds, slots: readonly BucketLogSlot[]) {
    this.#bucket = bucket;
    this.#bounds = bounds;
    this.#slots = slots;
  }

  async read(): Promise<BucketLogSnapshot> {
    for (const epoch of this.#listEpochs()) {
      const found = await this.#findManifest(epoch);
      if (!found) continue;
      const { manifest, slot, isClosed } = found;
      return assemble(manifest, slot, await this.#readLater(slot, isClosed));
    }
    return { files: new Map(), texts: new Map(), garbage: [], manifest: undefined };
  }

  /** Epochs that may have objects, the last first. A closed epoch has some, listed or not; an open one may have some. */
  #listEpochs(): readonly number[] {
    const { start, closedEpoch, lastEpoch } = this.#bounds;
    const epochs = new Set(this.#slots.map(({ epoch }) => epoch));
    const first = start?.epoch ?? Math.min(...epochs, closedEpoch);
    for (let epoch = Math.max(0, first); epoch <= lastEpoch; epoch += 1) epochs.add(epoch);
    return [...epochs].sort((left, right) => right - left);
  }

  /** The newest manifest of an epoch; undefined where its holder wrote none. */
  async #findManifest(epoch: number) {
    const { start, closedEpoch } = this.#bounds;
    const listed = this.#slots.filter((one) => one.epoch === epoch);
    const known = start?.epoch === epoch ? start.generation : 0;
    const slotAt = (generation: number): BucketLogSlot => ({ epoch, generation, number: 0 });
    let generation = Math.max(known, ...listed.map((one) => one.generation));
    let entry = await readBucketLogEntry(this.#bucket, slotAt(generation));
    if (!entry) {
      const isUsed = listed.length > 0 || epoch <= closedEpoch || start?.epoch === epoch;
      if (isUsed) throw this.#miss(slotAt(generation));
      return undefined;
    }
    let isClosed = false;
    while (entry.kind === 'manifest') {
      const next: BucketLogEntry | undefined = await readBucketLogEntry(
        this.#bucket,
        slotAt(generation + 1),
      );
      isClosed = next?.kind === 'fence';
      if (!next || isClosed) break;
      [entry, generation] = [next, generation + 1];
    }
    // A fence stands where the next manifest of a closed epoch would have been: the manifest is the one before.
    while (entry.kind !== 'manifest') {
      isClosed = true;
      generation -= 1;
      if (generation < 0) return undefined;
      const before = await readBucketLogEntry(this.#bucket, slotAt(generation));
      if (!before) throw this.#miss(slotAt(generation));
      entry = before;
    }
    if (!isClosed && epoch <= closedEpoch) throw this.#miss(slotAt(generation + 1));
    return { manifest: entry.manifest, slot: slotAt(generation), isClosed };
  }

  /** Reads the entries of the log behind a manifest, in their order. */
  async #readLater(
    manifest: BucketLogSlot,
    isClosed: boolean,
  ): Promise<readonly (readonly [BucketLogSlot, BucketLogEntry])[]> {
    const { epoch, generation } = manifest;
    const listed = this.#slots.filter(
      (one) => one.epoch === epoch && one.generation === generation,
    );
    const count = Math.max(0, ...listed.map(({ number }) => number));
    const slots = Array.from({ length: count }, (_, index) => ({ ...manifest, number: index + 1 }));
    const entries = await mapConcurrently(slots, (slot) => readBucketLogEntry(this.#bucket, slot));
    const later = slots.map((slot, index) => {
      const entry = entries[index];
      if (!entry) throw this.#miss(slot);
      return [slot, entry] as const;
    });
    while (later.at(-1)?.[1].kind !== 'fence') {
      const slot = { ...manifest, number: later.length + 1 };
      const entry = await readBucketLogEntry(this.#bucket, slot);
      if (!entry && isClosed) throw this.#miss(slot);
      if (!entry) break;
      later.push([slot, entry]);
    }
    return later;
  }

  #miss(slot: BucketLogSlot): MissingObjectError {
    return new MissingObjectError(this.#bucket, formatLogSlotName(slot));
  }
}

function assemble(
  { files: named, garbage }: StateLogManifest,
  manifest: BucketLogSlot,
  later: readonly (readonly [BucketLogSlot, BucketLogEntry])[],
): BucketLogSnapshot {
  const files = new Map([...named].map(([name, parts]) => [name, [...parts]]));
  const texts = new Map<string, string>();
  for (const [slot, entry] of later) {
    if (entry.kind !== 'text') continue;
    texts.set(formatLogSlotName(slot), entry.text);
    files.set(entry.name, [...(files.get(entry.name) ?? []), formatLogSlotName(slot)]);
  }
  return { files, texts, garbage, manifest };
}

/**
 * Reads a file of the state from a snapshot of the log; undefined where there is no such file. @throws
 * MissingObjectError where one of its objects is gone
 */
export async function readStateFileFromBucket(
  bucket: S3Bucket,
  { files, texts }: Pick<BucketLogSnapshot, 'files' | 'texts'>,
  name: StateFileName,
): Promise<string | undefined> {
  const parts = files.get(name);
  if (!parts) return undefined;
  const read = await mapConcurrently(parts, async (part) => {
    const slot = parseLogSlotName(part);
    const entry = slot && !texts.has(part) ? await readBucketLogEntry(bucket, slot) : undefined;
    const text =
      texts.get(part) ??
      (slot ? entry?.kind === 'text' && entry.text : (await bucket.get(part))?.text);
    if (typeof text === 'string') return text;
    throw new MissingObjectError(bucket, part);
  });
  return read.join('');
}

/** Maps items by an asynchronous function, a few at once; the results are in the order of `items`. */
export async function mapConcurrently<T, R>(
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
