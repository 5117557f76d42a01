// Places of git hosts among the checkouts of a worker: one that is slow, or does not answer, leaves places to the others.

/** Host name in the address of a repository; one name for all repositories of this machine. */
export function nameRepositoryHost(repository: string): string {
  return URL.canParse(repository) ? new URL(repository).host : '';
}

/** A checkout that takes longer counts as slow, in milliseconds. */
const slowMs = 3_000;
/** Most slow checkouts of one host at a time: half of the places of a worker. */
const mostSlow = 2;

/**
 * Limits how many slow checkouts of one git host this process has at once, so that a slow host does not block the runs of others.
 */
export class SlowCheckoutLimiter {
  readonly #slow = new Map<string, number>();
  readonly #slowMs: number;

  constructor(afterMs = slowMs) {
    this.#slowMs = afterMs;
  }

  /** Tells whether the host has so many slow checkouts that no further one should begin. */
  isFull(host: string): boolean {
    return (this.#slow.get(host) ?? 0) >= mostSlow;
  }

  /**
   * Counts a checkout from its beginning. `giveUp` is called once it is slow while the host has its limit of slow ones.
   * @returns a function to call at its end
   */
  begin(host: string, giveUp: () => void): () => void {
    let isSlow = false;
    const count = (change: number) => this.#slow.set(host, (this.#slow.get(host) ?? 0) + change);
    const timer = setTimeout(() => {
      if (this.isFull(host)) {
        giveUp();
        return;
      }
      isSlow = true;
      count(1);
    }, this.#slowMs);
    return () => {
      clearTimeout(timer);
      if (isSlow) count(-1);
    };
  }
}
