// Objects that nothing names any more. Each is removed one manifest later than it could be: who reads without the lock may
// be in the middle of it. A manifest lists them, so that a run that is killed leaves none behind.
import type { OwnLock } from '../../lock/own-lock.ts';
import type { Bucket } from './bucket.ts';
import type { HeldRecord } from './held-record.ts';
import { epochOfText, generationName, slotOf, textFolder } from './object-names.ts';
import { eachOf, type LogSnapshot } from './read-log.ts';

/** The bucket that garbage is removed from, and the lock under which that is done. */
export interface GarbageKeeping {
  readonly bucket: Bucket;
  readonly held: OwnLock;
  /** Says at which manifest readers begin who have nothing else. */
  readonly record: HeldRecord;
}

/** The garbage of one holder. */
export class Garbage {
  readonly #keeping: GarbageKeeping;
  /** What a manifest has listed. */
  readonly #listed = new Set<string>();
  #sweeping: Promise<unknown> = Promise.resolve();

  constructor(keeping: GarbageKeeping) {
    this.#keeping = keeping;
  }

  /** Takes over what earlier holders left, texts included that they had not named yet when they ended. */
  async take({ garbage, files }: LogSnapshot): Promise<void> {
    for (const one of garbage) this.#listed.add(one);
    const named = new Set([...files.values()].flat());
    const { bucket, held } = this.#keeping;
    for (const one of await bucket.list(textFolder)) {
      const epoch = epochOfText(one);
      if (!named.has(one) && epoch !== undefined && epoch < held.epoch) this.#listed.add(one);
    }
  }

  /** What the next manifest lists: these, and what is left of earlier ones. */
  add(names: readonly string[]): readonly string[] {
    return [...this.#listed, ...names];
  }

  /** A manifest that lists these has been written: what was listed before is removed. */
  land(garbage: readonly string[]): void {
    const due = [...this.#listed].filter((one) => !this.#isLeading(one));
    for (const one of garbage) this.#listed.add(one);
    this.#sweeping = this.#sweeping.then(() => eachOf(due, (name) => this.#remove(name)));
  }

  /** Waits for what is being removed. */
  async settle(): Promise<void> {
    await this.#sweeping;
  }

  /**
   * True for a manifest from which others find the next ones: whoever closes this log begins with the one that the record of
   * the lock names. Where one was free again, they would take it for the end.
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
      // It stays listed, and is tried again.
    }
  }
}
