import type { Clock } from '../model/runtime.ts';

/** What a budget starts from. */
export interface BudgetOptions {
  readonly clock: Clock;
  /** How many requests may be under way at once, at most. */
  readonly maxConcurrency: number;
  /** How many requests may start in a second; no limit unless given. */
  readonly requestsPerSecond?: number | undefined;
}

/**
 * One budget for all requests, reads, writes and polls alike. A refusal for too many requests halves it and holds
 * everybody back for as long as the service asks; every full round of successes raises it by one again.
 */
export class Budget {
  readonly #options: BudgetOptions;
  readonly #waiting: (() => void)[] = [];
  #limit: number;
  #running = 0;
  #successes = 0;
  /** By the clock: nobody starts before. */
  #heldUntil = 0;
  /** By the clock: when the next request may start, by the rate. */
  #nextStart = 0;

  constructor(options: BudgetOptions) {
    this.#options = options;
    this.#limit = options.maxConcurrency;
  }

  /** How many requests may be under way at once, as things stand. */
  get limit(): number {
    return this.#limit;
  }

  /** Does the work once there is room for it. */
  async run<T>(work: () => Promise<T>, signal?: AbortSignal): Promise<T> {
    if (this.#running >= this.#limit) await new Promise<void>((go) => this.#waiting.push(go));
    else this.#running += 1;
    try {
      await this.#awaitStart(signal);
      return await work();
    } finally {
      this.#leave();
    }
  }

  /** A request went through: the budget grows by one for each full round of them. */
  noteSuccess(): void {
    this.#successes += 1;
    if (this.#successes < this.#limit || this.#limit >= this.#options.maxConcurrency) return;
    this.#successes = 0;
    this.#limit += 1;
    this.#admit();
  }

  /** The service had too many requests: everybody holds back, and fewer go out at once afterwards. */
  noteOverload(afterMs: number): void {
    const until = this.#options.clock.now() + afterMs;
    // Answers to requests that were under way together are one event, not many.
    if (this.#options.clock.now() >= this.#heldUntil) {
      this.#limit = Math.max(1, Math.floor(this.#limit / 2));
      this.#successes = 0;
    }
    this.#heldUntil = Math.max(this.#heldUntil, until);
  }

  async #awaitStart(signal: AbortSignal | undefined): Promise<void> {
    const { clock, requestsPerSecond } = this.#options;
    if (requestsPerSecond !== undefined) {
      const start = Math.max(clock.now(), this.#nextStart);
      this.#nextStart = start + 1_000 / requestsPerSecond;
      if (start > clock.now()) await clock.sleep(start - clock.now(), signal);
    }
    while (this.#heldUntil > clock.now()) {
      await clock.sleep(this.#heldUntil - clock.now(), signal);
    }
  }

  #leave(): void {
    this.#running -= 1;
    this.#admit();
  }

  #admit(): void {
    while (this.#running < this.#limit) {
      const next = this.#waiting.shift();
      if (!next) return;
      this.#running += 1;
      next();
    }
  }
}
