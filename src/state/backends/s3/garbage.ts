// Objects that nothing names any more. Each is removed one manifest later than it could be: who reads without the lock may
// be in the middle of it. A manifest lists them, so that a run that is killed leaves none behind.
import type { Bucket } from './bucket.ts';
import { epochOfText, textFolder } from './object-names.ts';
import { eachOf, type LogSnapshot } from './read-log.ts';

/** The garbage of one holder. */
export class Garbage {
  readonly #bucket: Bucket;
  readonly #epoch: number;
  /** What a manifest has listed. */
  readonly #listed = new Set<string>();
  #sweeping: Promise<unknown> = Promise.resolve();

  constructor(bucket: Bucket, epoch: number) {
    this.#bucket = bucket;
    this.#epoch = epoch;
  }

  /** Takes over what earlier holders left, texts included that they had not named yet when they ended. */
  async take({ garbage, files }: LogSnapshot): Promise<void> {
    for (const one of garbage) this.#listed.add(one);
    const named = new Set([...files.values()].flat());
    for (const one of await this.#bucket.list(textFolder)) {
      const epoch = epochOfText(one);
      if (!named.has(one) && epoch !== undefined && epoch < this.#epoch) this.#listed.add(one);
    }
  }

  /** What the next manifest lists: these, and what is left of earlier ones. */
  add(names: readonly string[]): readonly string[] {
    return [...this.#listed, ...names];
  }

  /** A manifest that lists these has been written: what was listed before is removed. */
  land(garbage: readonly string[]): void {
    const due = [...this.#listed];
    for (const one of garbage) this.#listed.add(one);
    this.#sweeping = this.#sweeping.then(() => eachOf(due, (name) => this.#remove(name)));
  }

  /** Waits for what is being removed. */
  async settle(): Promise<void> {
    await this.#sweeping;
  }

  async #remove(name: string): Promise<void> {
    if (!this.#listed.has(name)) return;
    try {
      await this.#bucket.delete(name);
      this.#listed.delete(name);
    } catch {
      // It stays listed, and is tried again.
    }
  }
}
