// The end of the worker's pipe in a server's run: it leases the requests that it may send from its worker. All workers share
// the budget of an account. Loaded for such a run alone.
import { getAbortReason } from '../model/errors.ts';
import type { Clock } from '../model/runtime.ts';
import type { SharedRequestBudget } from '../model/account/shared-budget.ts';
import type { WorkerConnection } from './worker-line.ts';

/** The worker's answer to a request for a lease: permission to send requests to the service. */
interface Lease {
  /** Requests that may be sent; 0 while the service asks to send nothing. */
  readonly count: number;
  readonly waitMs: number;
  /**
   * Milliseconds for which the requests may be sent. They count from when the run asked its worker, or, where the worker had
   * to wait before it could answer (`isDelayed`), from the answer.
   */
  readonly leftMs: number;
  readonly isDelayed: boolean;
}

const mostAtOnce = 20;
const graceMs = 50;

/**
 * Request budget of a run's process: it sends a request to the service only under a lease from its worker, so that all runs
 * together keep to the rate limit of the account. Closing it returns unused requests.
 */
export class LeasedRequestBudget implements SharedRequestBudget {
  readonly #line: WorkerConnection;
  readonly #clock: Clock;
  #asking: Promise<void> | undefined;
  #answered: (() => void) | undefined;
  #waiting = 0;
  #count = 0;
  #askedAt = 0;
  #until = 0;
  #heldUntil = 0;
  #used = 0;
  #lastCount = 0;
  #expiry: NodeJS.Timeout | undefined;
  /** Set once the worker is gone: then requests are not counted any more. */
  #isAlone = false;

  constructor(line: WorkerConnection, clock: Clock) {
    this.#line = line;
    this.#clock = clock;
    line.hear((said: Partial<Lease>) => {
      if (said.count !== undefined) this.#hear(said as Lease);
    });
    line.onGone(() => {
      this.#isAlone = true;
      this.#answered?.();
    });
  }

  /** Tells the worker which service the requests go to: the worker knows the token, and not always the address. */
  enter(service: string): this {
    this.#say({ service });
    return this;
  }

  async take(signal?: AbortSignal): Promise<number> {
    signal?.throwIfAborted();
    this.#waiting += 1;
    try {
      for (;;) {
        if (this.#isAlone) return 0;
        const now = this.#clock.now();
        if (this.#heldUntil > now) return this.#heldUntil - now;
        if (now >= this.#until) this.#giveBack();
        if (this.#count > 0) {
          this.#count -= 1;
          this.#used += 1;
          return 0;
        }
        this.#asking ??= this.#ask();
        await raceSignal(this.#asking, signal);
      }
    } finally {
      this.#waiting -= 1;
    }
  }

  noteOverload(afterMs: number, status: number | undefined): void {
    this.#heldUntil = Math.max(this.#heldUntil, this.#clock.now() + afterMs);
    const used = this.#takeUsed();
    this.#say({ hold: Math.ceil(afterMs), isRefused: status === 429, used });
    this.#giveBack();
  }

  close(): void {
    this.#giveBack();
  }

  async #ask(): Promise<void> {
    const answered = new Promise<void>((resolve) => (this.#answered = resolve));
    // A lease that was used up early was too small: the next one asks for twice as many.
    const take = Math.min(mostAtOnce, Math.max(this.#waiting, this.#lastCount * 2, 1));
    this.#askedAt = this.#clock.now();
    this.#say({ take, used: this.#takeUsed() });
    await this.#line.hold(answered);
    this.#asking = undefined;
  }

  #hear({ count, waitMs, leftMs, isDelayed }: Lease): void {
    const now = this.#clock.now();
    const until = (isDelayed ? now : this.#askedAt) + leftMs;
    if (count === 0) this.#heldUntil = Math.max(this.#heldUntil, now + waitMs);
    // A lease that comes too late gives a single request, so that a slow machine gets somewhere.
    const usable = now < until ? count : Math.min(count, 1);
    if (usable < count) this.#say({ back: count - usable });
    this.#count += usable;
    this.#until = Math.max(until, now + graceMs);
    this.#lastCount = usable;
    this.#expiry = setTimeout(() => this.#giveBack(), this.#until - now).unref();
    this.#answered?.();
  }

  #giveBack(): void {
    clearTimeout(this.#expiry);
    const back = this.#count;
    const used = this.#takeUsed();
    this.#count = 0;
    this.#lastCount = 0;
    if (back > 0 || used > 0) this.#say({ back, used });
  }

  #takeUsed(): number {
    const used = this.#used;
    this.#used = 0;
    return used;
  }

  #say(message: object): void {
    if (!this.#isAlone) this.#line.say(message);
  }
}

async function raceSignal(work: Promise<void>, signal: AbortSignal | undefined): Promise<void> {
  if (!signal) return work;
  let stop = () => {};
  const aborted = new Promise<never>((_, reject) => {
    stop = () => reject(getAbortReason(signal));
    signal.addEventListener('abort', stop, { once: true });
  });
  try {
    await Promise.race([work, aborted]);
  } finally {
    signal.removeEventListener('abort', stop);
  }
}
