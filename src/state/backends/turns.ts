/** Lets work begin only once all that came before has ended, however that ended. */
export class Turns {
  #last: Promise<unknown> = Promise.resolve();

  /** Does work in its turn. Settles as the work does. */
  take<T>(work: () => Promise<T>): Promise<T> {
    const run = this.#last.then(work);
    this.#last = run.catch(() => undefined);
    return run;
  }

  /** Resolves once all that came before has ended; never rejects. */
  async settle(): Promise<void> {
    await this.#last;
  }
}
