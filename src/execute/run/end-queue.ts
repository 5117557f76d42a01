/** Ends of tasks that run at once, in the order in which they come: each waiter takes one end, once. */
export class EndQueue<T> {
  readonly #ends: T[] = [];
  #wake: () => void = () => undefined;

  readonly push = (end: T): void => {
    this.#ends.push(end);
    this.#wake();
  };

  /** The next end; waits for it where none is there. For one taker at a time. */
  async next(): Promise<T> {
    for (;;) {
      const end = this.#ends.shift();
      if (end !== undefined) return end;
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
  }
}
