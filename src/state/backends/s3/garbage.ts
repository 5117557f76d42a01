// Objects that no manifest uses any more. Each is removed one manifest later than it could be: a reader without the lock may
// be in the middle of it. A manifest lists them, so that a killed run leaves none behind.
import type { OwnLock } from '../../lock/own-lock.ts';
import type { Bucket } from './bucket.ts';
import type { HeldRecord } from './held-record.ts';
import { epochOfText, generationName, slotOf, textFolder } from './object-names.ts';
import { mapConcurrently, type LogSnapshot } from './read-log.ts';

/** The bucket that garbage is removed from, and the lock under which it is removed. */
export interface GarbageKeeping {
  readonly bucket: Bucket;
  readonly held: OwnLock;
  /** Names the manifest at which readers begin who know nothing else. */
  readonly record: HeldRecord;
}

/** The garbage of one holder. */
export class LogGarbage {
  readonly #keeping: GarbageKeeping;
  /** Objects that a manifest has listed as garbage. */
  readonly #listed = new Set<string>();
  #sweeping: Promise<unknown> = Promise.resolve();

  constructor(keeping: GarbageKeeping) {
    this.#keeping = keeping;
  }

  /** Takes over the garbage of earlier holders, and their texts that no manifest uses yet. */
  async take({ garbage, files }: LogSnapshot): Promise<void> {
    for (const one of garbage) this.#listed.add(one);
    const named = new Set([...files.values()].flat());
    const { bucket, held } = this.#keeping;
    for (const one of await bucket.list(textFolder)) {
      const epoch = epochOfText(one);
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
    const slot = slotOf(name);
    const { held, record } = this.#keeping;
    if (slot?.number !== 0 || slot.epoch !== held.epoch) return false;
    const { start } = record.record;
    return start === null || name >= generationName(start);
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
