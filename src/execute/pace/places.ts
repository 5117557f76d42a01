// Who may be at work: so many changes at once, those with the longest way first.

/** A change that has begun and waits for a free place to go on. */
interface Waiting {
  readonly rank: number;
  readonly go: () => void;
}

/** Slots for the changes that a run carries out at once. A change holds one from its request to the known end of its operation. */
export class RunConcurrencySlots {
  readonly #count: number;
  #taken = 0;
  /** The highest rank first, equal ones in the order in which they came. */
  readonly #waiting: Waiting[] = [];
  /** Called when a place may have become free for another change. */
  onChange: () => void = () => undefined;
  /** True while something that could go on has no place: then every delay counts. */
  isCrowded = false;

  constructor(count: number) {
    this.#count = count;
  }

  /** True while another change may start or go on. */
  get hasRoom(): boolean {
    return this.#taken < this.#count;
  }

  /** Takes a place for a change, even where none is free. */
  take(): void {
    this.#taken += 1;
  }

  /** Gives the place of a change back. */
  release(): void {
    this.#taken -= 1;
  }

  /** The highest rank of those that wait; undefined where nobody does. */
  get nextRank(): number | undefined {
    return this.#waiting[0]?.rank;
  }

  /** Gives a place to the waiting change of the highest rank, be there room or not. */
  admit(): void {
    const next = this.#waiting.shift();
    if (!next) return;
    this.take();
    next.go();
  }

  /** Does the last of a change without its place: it has it again afterwards, be there room or not. */
  async lend<T>(work: () => Promise<T>): Promise<T> {
    this.release();
    this.onChange();
    try {
      return await work();
    } finally {
      this.take();
    }
  }

  /**
   * Does without a place what needs none, then waits for one again.
   * @param rank how much there is still to do, in milliseconds: whoever has more goes first
   * @throws what `work` throws; the place is held then, too
   */
  async leaveFor<T>(rank: number, work: () => Promise<T>): Promise<T> {
    this.release();
    this.onChange();
    let result: T;
    try {
      result = await work();
    } catch (error) {
      this.take();
      throw error;
    }
    await new Promise<void>((go) => {
      const after = this.#waiting.findIndex((other) => other.rank < rank);
      this.#waiting.splice(after < 0 ? this.#waiting.length : after, 0, { rank, go });
      this.onChange();
    });
    return result;
  }
}
