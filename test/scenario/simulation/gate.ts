/** Lets many pass at once, or one alone: what is done alone, nobody else's request falls into. */
export class Gate {
  #passing = 0;
  #closed: Promise<void> | undefined;
  #onEmpty: (() => void) | undefined;

  async pass<T>(work: () => Promise<T>): Promise<T> {
    while (this.#closed) await this.#closed;
    this.#passing += 1;
    try {
      return await work();
    } finally {
      this.#passing -= 1;
      if (this.#passing === 0) this.#onEmpty?.();
    }
  }

  async alone<T>(work: () => Promise<T>): Promise<T> {
    while (this.#closed) await this.#closed;
    let open: () => void = () => undefined;
    this.#closed = new Promise((resolve) => {
      open = resolve;
    });
    try {
      if (this.#passing > 0) await new Promise<void>((resolve) => (this.#onEmpty = resolve));
      return await work();
    } finally {
      this.#onEmpty = undefined;
      this.#closed = undefined;
      open();
    }
  }
}
