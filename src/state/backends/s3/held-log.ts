// The log of the held epoch. Its writes go one after the other, each into the next slot: a successor closes the log by taking
// that slot. A write without an answer may still be carried out, so the next one finishes it first.
import { randomUUID } from 'node:crypto';
import type { StateFileName } from '../../files/files.ts';
import type { LockLoss } from '../../lock/fence.ts';
import type { OwnLock } from '../../lock/own-lock.ts';
import { stateReadRetryMs, findWriteRetryMs } from '../backend-error.ts';
import type { StateFileChange, LockedStateFileWriter } from '../server-files.ts';
import { SequentialWorkQueue } from '../turns.ts';
import type { S3Bucket } from './bucket.ts';
import { claimLogSlot } from './claim-slot.ts';
import { closeEpochLog } from './close-epoch.ts';
import type { OwnBucketLockRecord } from './held-record.ts';
import type { BucketLockRecord } from './lock-record.ts';
import type { BucketLogEntry } from './log-entry.ts';
import { retryUntilComplete } from './missing-object.ts';
import {
  formatLogSlotName,
  nameStateFileObject,
  type BucketLogSlot,
  parseStateFileObjectEpoch,
  formatLogGenerationName,
  parseLogSlotName,
  bucketStateFileFolder,
} from './object-names.ts';
import {
  readBucketLog,
  readStateFileFromBucket,
  type BucketLogBounds,
  type BucketLogSnapshot,
  mapConcurrently,
} from './read-log.ts';

// Objects that no manifest uses any more. Each is removed one manifest later than it could be: a reader without the lock may
// be in the middle of it. A manifest lists them, so that a killed run leaves none behind.

/** The bucket that garbage is removed from, and the lock under which it is removed. */
interface GarbageKeeping {
  readonly bucket: S3Bucket;
  readonly held: OwnLock;
  /** Names the manifest at which readers begin who know nothing else. */
  readonly record: OwnBucketLockRecord;
}

/** The garbage of one holder. */
class LogGarbage {
  readonly #keeping: GarbageKeeping;
  /** Objects that a manifest has listed as garbage. */
  readonly #listed = new Set<string>();
  #sweeping: Promise<unknown> = Promise.resolve();

  constructor(keeping: GarbageKeeping) {
    this.#keeping = keeping;
  }

  /** Takes over the garbage of earlier holders, and their texts that no manifest uses yet. */
  async take({ garbage, files }: BucketLogSnapshot): Promise<void> {
    for (const one of garbage) this.#listed.add(one);
    const named = new Set([...files.values()].flat());
    const { bucket, held } = this.#keeping;
    for (const one of await bucket.list(bucketStateFileFolder)) {
      const epoch = parseStateFileObjectEpoch(one);
      if (!named.has(one) && epoch !== undefined && epoch < held.epoch) this.#listed.add(one);
    }
  }

  /** Garbage for the next manifest: these names, and those left from earlier manifests. */
  add(names: readonly string[]): readonly string[] {
    return [...this.#listed, ...names];
  }

  /** Called once a manifest with this garbage is written: objects that an earlier manifest listed are removed. */
  land(garbage: readonly string[]): void {
    const due = [...this.#listed].filter((one) => !this.#isLeading(one));
    for (const one of garbage) this.#listed.add(one);
    this.#sweeping = this.#sweeping.then(() => mapConcurrently(due, (name) => this.#remove(name)));
  }

  /** Waits for the removals under way. */
  async settle(): Promise<void> {
    await this.#sweeping;
  }

  /**
   * Tells whether others find their way by a manifest: a run that closes this log begins at the one that the record of the
   * lock names. If a slot were free again, it would be taken for the end.
   */
  #isLeading(name: string): boolean {
    const slot = parseLogSlotName(name);
    const { held, record } = this.#keeping;
    if (slot?.number !== 0 || slot.epoch !== held.epoch) return false;
    const { start } = record.record;
    return start === null || name >= formatLogGenerationName(start);
  }

  async #remove(name: string): Promise<void> {
    if (!this.#listed.has(name)) return;
    try {
      await this.#keeping.bucket.delete(name);
      this.#listed.delete(name);
    } catch {
      // The object stays listed, and is tried again.
    }
  }
}

/** Bucket, lock and known bounds that are needed to write the state's log. */
export interface BucketLogDependencies extends GarbageKeeping {
  /** Bounds of the log that earlier holders of the lock have left. */
  readonly bounds: BucketLogBounds;
}

/** A write with an unknown end, and the work that follows once it is stored. */
interface Attempt {
  readonly slot: BucketLogSlot;
  readonly entry: BucketLogEntry;
  readonly land: () => void;
}

/** Log of the state in S3 while this run holds the lock: reads it, writes it and renews the lock. */
export class LockedBucketLog implements LockedStateFileWriter {
  readonly #keeping: BucketLogDependencies;
  readonly #garbage: LogGarbage;
  #snapshot: BucketLogSnapshot | undefined;
  /** The slot of this epoch's last manifest; undefined before the first. */
  #manifest: BucketLogSlot | undefined;
  /** Number of the next slot in the manifest's generation. */
  #number = 1;
  #unsure: Attempt | undefined;
  readonly #turns = new SequentialWorkQueue();

  constructor(keeping: BucketLogDependencies) {
    this.#keeping = keeping;
    this.#garbage = new LogGarbage(keeping);
  }

  list(): Promise<readonly StateFileName[]> {
    return this.#turns.take(async () => [...(await this.#load()).files.keys()]);
  }

  read(name: StateFileName): Promise<string | undefined> {
    return this.#turns.take(async () => {
      const snapshot = await this.#load();
      const { bucket } = this.#keeping;
      return retryUntilComplete(bucket, () => readStateFileFromBucket(bucket, snapshot, name));
    });
  }

  write({ kind, name, text }: StateFileChange): Promise<void> {
    return this.#turns.take(async () => {
      const { files } = await this.#begin();
      switch (kind) {
        case 'replace':
          return this.#replace(name, text);
        case 'append':
          return this.#append(files, name, text);
        case 'remove':
          await this.#writeManifest((left) => left.delete(name));
      }
    });
  }

  /** Waits for the writes under way, and for the removal of garbage. */
  async settle(): Promise<void> {
    await this.#turns.settle();
    await this.#garbage.settle();
  }

  /** Renews the lock by one attempt; the next heartbeat makes the next one. */
  renew(): Promise<LockLoss | undefined> {
    const { held, record } = this.#keeping;
    return record.write(this.#describe(held.epoch - 1), 0);
  }

  async release(): Promise<LockLoss | undefined> {
    await this.settle();
    const { bucket, held, record } = this.#keeping;
    const loss = await record.findLoss();
    if (loss) return loss;
    const { id, epoch } = held;
    await closeEpochLog(bucket, epoch, id, this.#manifest ?? null);
    return record.write({ ...this.#describe(epoch), isHeld: false }, stateReadRetryMs);
  }

  /** Describes the log for the record of the lock. */
  #describe(fencedEpoch: number): Partial<BucketLockRecord> {
    if (!this.#manifest) return { fencedEpoch };
    const { epoch, generation } = this.#manifest;
    return { fencedEpoch, start: { epoch, generation } };
  }

  get #patienceMs(): number {
    return findWriteRetryMs(this.#keeping.held.leaseMs);
  }

  async #replace(name: StateFileName, text: string): Promise<void> {
    const { bucket, held } = this.#keeping;
    const object = nameStateFileObject(held.epoch, randomUUID());
    await bucket.put(object, text, undefined, this.#patienceMs);
    await this.#writeManifest((files) => files.set(name, [object]));
  }

  async #append(
    files: BucketLogSnapshot['files'],
    name: StateFileName,
    text: string,
  ): Promise<void> {
    const manifest = this.#manifest ?? (await this.#writeManifest());
    const slot = { ...manifest, number: this.#number };
    const entry: BucketLogEntry = { ...this.#sign(), kind: 'text', name, text };
    const land = () => {
      this.#number += 1;
      files.set(name, [...(files.get(name) ?? []), formatLogSlotName(slot)]);
    };
    await this.#claim({ slot, entry, land });
  }

  async #load(): Promise<BucketLogSnapshot> {
    if (this.#snapshot) return this.#snapshot;
    const { bucket, held, bounds, record } = this.#keeping;
    const loss = await record.findLoss();
    if (loss) throw held.lose(loss);
    const snapshot = await retryUntilComplete(bucket, () => readBucketLog(bucket, bounds));
    await this.#garbage.take(snapshot);
    this.#snapshot = snapshot;
    return snapshot;
  }

  /** First step of every write: the lock is verified, and the log is read. */
  async #begin(): Promise<BucketLogSnapshot> {
    this.#keeping.held.verify();
    const snapshot = await this.#load();
    if (this.#unsure) await this.#claim(this.#unsure);
    return snapshot;
  }

  /** Starts a new generation of the log, with the texts as `change` leaves them. */
  async #writeManifest(
    change?: (files: Map<StateFileName, string[]>) => unknown,
  ): Promise<BucketLogSlot> {
    const { epoch } = this.#keeping.held;
    const before = await this.#load();
    const files = new Map(before.files);
    change?.(files);
    const slot = { epoch, generation: (this.#manifest?.generation ?? -1) + 1, number: 0 };
    const former = this.#manifest ?? before.manifest;
    const garbage = this.#garbage.add([
      ...(former ? [formatLogSlotName(former)] : []),
      ...findUnnamed(before.files, files),
    ]);
    const entry: BucketLogEntry = {
      ...this.#sign(),
      kind: 'manifest',
      manifest: { files, garbage },
    };
    const land = () => {
      this.#snapshot = { ...before, files };
      this.#manifest = slot;
      this.#number = 1;
      this.#garbage.land(garbage);
    };
    await this.#claim({ slot, entry, land });
    return slot;
  }

  #sign() {
    return { by: this.#keeping.held.id, write: randomUUID() };
  }

  async #claim(attempt: Attempt): Promise<void> {
    const { bucket, held, record } = this.#keeping;
    this.#unsure = attempt;
    const other = await claimLogSlot(bucket, attempt.slot, attempt.entry, this.#patienceMs);
    if (other) throw held.lose((await record.findLoss()) ?? { kind: 'removed' });
    this.#unsure = undefined;
    attempt.land();
  }
}

/** Finds the objects that the state's files consisted of before a change and no longer do after it. */
function findUnnamed(
  before: ReadonlyMap<StateFileName, readonly string[]>,
  after: ReadonlyMap<StateFileName, readonly string[]>,
): readonly string[] {
  const named = new Set([...after.values()].flat());
  return [...before.values()].flat().filter((one) => !named.has(one));
}
