// Places of git hosts among the checkouts of a worker: one that is slow, or does not answer, leaves places to the others.

/** The host of an address; the same for all repositories of this machine. */
export function nameRepositoryHost(repository: string): string {
  return URL.canParse(repository) ? new URL(repository).host : '';
}

/** A checkout that takes longer counts as slow, in milliseconds. */
const slowMs = 3_000;
/** Most slow checkouts of one host at a time: half of the places of a worker. */
const mostSlow = 2;

/** Counts slow checkouts of this process by host, so that one slow host does not block all runs. */
export class HostCheckoutSlots {
  readonly #slow = new Map<string, number>();
  readonly #slowMs: number;

  constructor(afterMs = slowMs) {
    this.#slowMs = afterMs;
  }

  /** True where no further checkout from the host should begin. */
  isFull(host: string): boolean {
    return (this.#slow.get(host) ?? 0) >= mostSlow;
  }

  /** Begins a checkout. `giveUp` is called once it is slow, and others of its host are so already. @returns its end */
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
