/** Queue of asynchronous work: each piece begins only once all earlier work has ended, whether it succeeded or not. */
export class SequentialWorkQueue {
  #last: Promise<unknown> = Promise.resolve();

  /** Does work after all that was queued before it; settles as the work does. */
  take<T>(work: () => Promise<T>): Promise<T> {
    const run = this.#last.then(work);
    this.#last = run.catch(() => undefined);
    return run;
  }

  /** Resolves once all work queued so far has ended; never rejects. */
  async settle(): Promise<void> {
    await this.#last;
  }
}
