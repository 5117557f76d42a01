// The log of the epoch that is held. Its writes go one after the other, each into the next slot: a successor closes the
// log by taking that slot. A write that got no answer may still come to pass, so the next one finishes it first.
import { randomUUID } from 'node:crypto';
import type { FileName } from '../../files/files.ts';
import type { LockLoss } from '../../lock/fence.ts';
import { writePatienceMs } from '../backend-error.ts';
import { claimSlot } from './claim-slot.ts';
import { Garbage, type GarbageKeeping } from './garbage.ts';
import type { LogEntry } from './log-entry.ts';
import type { LogStart } from './lock-record.ts';
import { untilWhole } from './missing-object.ts';
import { slotName, textName, type Slot } from './object-names.ts';
import { readLog, readParts, type LogBounds, type LogSnapshot } from './read-log.ts';

/** What a log is written with. */
export interface LogKeeping extends GarbageKeeping {
  /** Of what the holders before have left. */
  readonly bounds: LogBounds;
  /** Why the lock is lost; undefined while it is held. */
  readonly findLoss: () => Promise<LockLoss | undefined>;
}

/** A write whose end is not known, and what follows once it has come to pass. */
interface Attempt {
  readonly slot: Slot;
  readonly entry: LogEntry;
  readonly land: () => void;
}

/** The log of one holder. */
export class HeldLog {
  readonly #keeping: LogKeeping;
  readonly #garbage: Garbage;
  #snapshot: LogSnapshot | undefined;
  /** The manifest of this epoch; undefined before the first. */
  #manifest: Slot | undefined;
  /** The number of the next slot of its generation. */
  #number = 1;
  #unsure: Attempt | undefined;
  #last: Promise<unknown> = Promise.resolve();

  constructor(keeping: LogKeeping) {
    this.#keeping = keeping;
    this.#garbage = new Garbage(keeping);
  }

  /** Where readers may begin; undefined before anything was written. */
  get start(): LogStart | undefined {
    return this.#manifest;
  }

  /** The names of all texts. @throws LockLostError, BackendError, as all others */
  list(): Promise<readonly FileName[]> {
    return this.#enqueue(async () => [...(await this.#load()).files.keys()]);
  }

  /** A text; undefined when there is none. */
  read(name: FileName): Promise<string | undefined> {
    return this.#enqueue(async () => {
      const snapshot = await this.#load();
      const parts = snapshot.files.get(name);
      if (!parts) return undefined;
      const { bucket } = this.#keeping;
      return untilWhole(bucket, () => readParts(bucket, snapshot, parts));
    });
  }

  /** Puts a text in place of what was there. */
  replace(name: FileName, text: string): Promise<void> {
    return this.#enqueue(async () => {
      const { bucket, fence } = this.#keeping;
      await this.#begin();
      const object = textName(fence.epoch, randomUUID());
      await bucket.put(object, text, undefined, this.#patienceMs);
      await this.#writeManifest((files) => files.set(name, [object]));
    });
  }

  /** Adds to the end of a text. */
  append(name: FileName, text: string): Promise<void> {
    return this.#enqueue(async () => {
      const { files } = await this.#begin();
      const manifest = this.#manifest ?? (await this.#writeManifest());
      const slot = { ...manifest, number: this.#number };
      const entry: LogEntry = { ...this.#sign(), kind: 'text', name, text };
      const land = () => {
        this.#number += 1;
        files.set(name, [...(files.get(name) ?? []), slotName(slot)]);
      };
      await this.#claim({ slot, entry, land });
    });
  }

  /** Removes a text where there is one. */
  remove(name: FileName): Promise<void> {
    return this.#enqueue(async () => {
      await this.#begin();
      await this.#writeManifest((files) => files.delete(name));
    });
  }

  /** Waits for what is under way, the removal of garbage included. */
  async settle(): Promise<void> {
    await this.#last.catch(() => undefined);
    await this.#garbage.settle();
  }

  get #patienceMs(): number {
    return writePatienceMs(this.#keeping.fence.leaseMs);
  }

  #enqueue<T>(work: () => Promise<T>): Promise<T> {
    const run = this.#last.then(work, work);
    this.#last = run.catch(() => undefined);
    return run;
  }

  async #load(): Promise<LogSnapshot> {
    if (this.#snapshot) return this.#snapshot;
    const { bucket, fence, bounds, findLoss } = this.#keeping;
    const loss = await findLoss();
    if (loss) throw fence.lose(loss);
    const snapshot = await untilWhole(bucket, () => readLog(bucket, bounds));
    await this.#garbage.take(snapshot);
    this.#snapshot = snapshot;
    return snapshot;
  }

  /** What every write begins with. */
  async #begin(): Promise<LogSnapshot> {
    this.#keeping.fence.verify();
    const snapshot = await this.#load();
    if (this.#unsure) await this.#claim(this.#unsure);
    return snapshot;
  }

  /** Begins a generation with what `change` makes of the texts. */
  async #writeManifest(change?: (files: Map<FileName, string[]>) => unknown): Promise<Slot> {
    const { fence } = this.#keeping;
    const before = await this.#load();
    const files = new Map(before.files);
    change?.(files);
    const slot = {
      ...{ epoch: fence.epoch, generation: (this.#manifest?.generation ?? -1) + 1, number: 0 },
    };
    const former = this.#manifest ?? before.manifest;
    const garbage = this.#garbage.add([
      ...(former ? [slotName(former)] : []),
      ...findUnnamed(before.files, files),
    ]);
    const entry: LogEntry = { ...this.#sign(), kind: 'manifest', manifest: { files, garbage } };
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
    return { by: this.#keeping.fence.id, write: randomUUID() };
  }

  async #claim(attempt: Attempt): Promise<void> {
    const { bucket, fence, findLoss } = this.#keeping;
    this.#unsure = attempt;
    const other = await claimSlot(bucket, attempt.slot, attempt.entry, this.#patienceMs);
    if (other) throw fence.lose((await findLoss()) ?? { kind: 'removed' });
    this.#unsure = undefined;
    attempt.land();
  }
}

/** Objects that one set of texts is made of, and the other is not. */
function findUnnamed(
  before: ReadonlyMap<FileName, readonly string[]>,
  after: ReadonlyMap<FileName, readonly string[]>,
): readonly string[] {
  const named = new Set([...after.values()].flat());
  return [...before.values()].flat().filter((one) => !named.has(one));
}
