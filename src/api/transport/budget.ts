import PQueue from 'p-queue';
import { getAbortReason } from '../../model/errors.ts';
import type { Clock } from '../../model/runtime.ts';
import type { SharedRequestBudget } from '../../model/account/shared-budget.ts';

/** Limits of the requests that may be under way at once, with the clock that times their waits. */
export interface RequestBudgetOptions {
  readonly clock: Clock;
  /** Most requests under way at once; fewer for a while after the service was overloaded. */
  readonly maxConcurrency: number;
  /** Most requests that may start in a second; no limit unless given. */
  readonly requestsPerSecond?: number | undefined;
  /** Budget of the whole server, on which the runs of other processes draw, too. */
  readonly sharedBudget?: SharedRequestBudget | undefined;
  /** Signal of the client's end: once it is aborted, no request gets a turn any more. */
  readonly closed: AbortSignal;
}

/** Combines two abort signals into one that aborts when either does. */
export function combineAbortSignals(
  closed: AbortSignal,
  signal: AbortSignal | undefined,
): AbortSignal {
  return signal ? AbortSignal.any([closed, signal]) : closed;
}

/** Limits of a request's wait for its turn, and its rank in the queue. */
export interface RequestQueueLimits {
  /** Signal that ends the wait for a turn at once, with the signal's reason. */
  readonly signal?: AbortSignal | undefined;
  /** Time by the clock: a wait that would last beyond it is not begun. */
  readonly deadline?: number | undefined;
  /**
   * Set for a request whose answer others wait for: it overtakes the queue, unless the service or the user limits
   * requests.
   */
  readonly goesFirst?: boolean | undefined;
}

/** A request that the budget could not let start before its deadline. */
export class RequestHeldBackError extends Error {
  /** Milliseconds that the request would still have had to wait. */
  readonly forMs: number;

  constructor(forMs: number) {
    super(`held back for another ${forMs} ms`);
    this.name = 'RequestHeldBackError';
    this.forMs = forMs;
  }
}

/** The queue's order, the highest first. One of the rest that was overtaken is next: it gets every second turn. */
const priorities = { rest: 0, first: 1, overtaken: 2 };

/** A request that waits for its turn in the budget. */
interface Waiting {
  readonly id: string;
  readonly priority: number;
  readonly deadline: number;
  readonly giveUp: (reason: Error) => void;
}

/** Requests that wait for their turn under one signal, with its one listener. */
interface Watched {
  readonly waiting: Set<Waiting>;
  readonly onAbort: () => void;
}

/**
 * One budget for all requests, reads, writes and polls alike. A refusal for too many requests halves it and holds
 * everybody back for as long as the service asks; every full round of successes raises it by one again.
 */
export class ClientRequestBudget {
  readonly #options: RequestBudgetOptions;
  readonly #queue: PQueue;
  readonly #waiting = new Set<Waiting>();
  readonly #bySignal = new Map<AbortSignal, Watched>();
  #asked = 0;
  #successes = 0;
  /** Time by the clock before which no request starts, as the service asked. */
  #heldUntil = 0;
  /** Time by the clock at which the rate lets the next request start. */
  #nextStart = 0;

  constructor(options: RequestBudgetOptions) {
    this.#options = options;
    const { closed, maxConcurrency } = options;
    this.#queue = new PQueue({ concurrency: maxConcurrency });
    closed.addEventListener('abort', () => {
      for (const waiting of this.#waiting) waiting.giveUp(getAbortReason(closed));
    });
  }

  /** Tells whether the service or the user wants less to be sent: looks must become rarer then, and not go first. */
  get #isLimited(): boolean {
    const { maxConcurrency, requestsPerSecond, sharedBudget } = this.#options;
    return this.limit < maxConcurrency || (requestsPerSecond ?? sharedBudget) !== undefined;
  }

  /** True while the next request would have to wait, or the service or the user wants less to be sent. */
  get isHeldBack(): boolean {
    return this.#isLimited || this.#queue.pending >= this.limit;
  }

  /** Requests that may be under way at once, as the service's load allows now. */
  get limit(): number {
    return this.#queue.concurrency;
  }

  /**
   * Does the work once there is room for it.
   * @throws RequestHeldBackError when that would be after its deadline; the reason of its signal
   */
  async run<T>(work: () => Promise<T>, patience: RequestQueueLimits = {}): Promise<T> {
    const { signal, deadline = Number.POSITIVE_INFINITY } = patience;
    this.#options.closed.throwIfAborted();
    signal?.throwIfAborted();
    this.#checkHold(deadline);
    const start = async () => {
      await this.#awaitStart(patience);
      return await work();
    };
    return this.#queue.pending < this.limit
      ? await this.#queue.add(start)
      : await this.#runInTurn(start, patience);
  }

  /** Waits for its turn, in the order of asking but for what goes first. */
  #runInTurn<T>(
    start: () => Promise<T>,
    { signal, deadline = Number.POSITIVE_INFINITY, goesFirst = false }: RequestQueueLimits,
  ): Promise<T> {
    const id = String((this.#asked += 1));
    const priority = goesFirst && !this.#isLimited ? priorities.first : priorities.rest;
    return new Promise((resolve, reject) => {
      const leave = () => {
        this.#waiting.delete(waiting);
        if (signal) this.#unwatch(signal, waiting);
      };
      const waiting: Waiting = {
        id,
        priority,
        deadline,
        giveUp: (reason) => {
          leave();
          reject(reason);
        },
      };
      this.#waiting.add(waiting);
      if (signal) this.#watch(signal, waiting);
      const startInTurn = async () => {
        // The turn of one that gave up passes: a signal of the queue would take ten times as long, and stop requests under way.
        if (!this.#waiting.has(waiting)) return;
        leave();
        if (priority === priorities.first) this.#promoteOvertaken();
        await start().then(resolve, reject);
      };
      void this.#queue.add(startInTurn, { id, priority });
    });
  }

  /** After a request that went first, lets the longest waiting one of the others be next. */
  #promoteOvertaken(): void {
    for (const { id, priority } of this.#waiting) {
      if (priority !== priorities.rest) continue;
      this.#queue.setPriority(id, priorities.overtaken);
      return;
    }
  }

  /**
   * Waits until nothing is held back. @throws RequestHeldBackError when that is after the deadline; the reason of the
   * signal
   */
  async awaitHold({
    signal,
    deadline = Number.POSITIVE_INFINITY,
  }: RequestQueueLimits): Promise<void> {
    const { clock, closed } = this.#options;
    signal?.throwIfAborted();
    while (this.#heldUntil > clock.now()) {
      this.#checkHold(deadline);
      await clock.sleep(this.#heldUntil - clock.now(), combineAbortSignals(closed, signal));
    }
  }

  /** A request went through: the budget grows by one for each full round of them. */
  noteSuccess(): void {
    this.#successes += 1;
    if (this.#successes < this.limit || this.limit >= this.#options.maxConcurrency) return;
    this.#successes = 0;
    this.#queue.concurrency += 1;
  }

  /** The service had too many requests: everybody holds back, and fewer go out at once afterwards. */
  noteOverload(afterMs: number, status?: number): void {
    const now = this.#options.clock.now();
    this.#options.sharedBudget?.noteOverload(afterMs, status);
    // Answers to requests that were under way together are one event, not many.
    if (now >= this.#heldUntil) {
      this.#queue.concurrency = Math.max(1, Math.floor(this.limit / 2));
      this.#successes = 0;
    }
    this.#heldUntil = Math.max(this.#heldUntil, now + afterMs);
    this.#giveUpOverdue(now);
  }

  /** Gives up one that waits when its signal says so. A thousand may wait for the same signal, which has one listener. */
  #watch(signal: AbortSignal, waiting: Waiting): void {
    const known = this.#bySignal.get(signal);
    if (known) {
      known.waiting.add(waiting);
      return;
    }
    const watched: Watched = {
      waiting: new Set([waiting]),
      onAbort: () => {
        for (const each of watched.waiting) each.giveUp(getAbortReason(signal));
      },
    };
    this.#bySignal.set(signal, watched);
    signal.addEventListener('abort', watched.onAbort, { once: true });
  }

  #unwatch(signal: AbortSignal, waiting: Waiting): void {
    const known = this.#bySignal.get(signal);
    known?.waiting.delete(waiting);
    if (!known || known.waiting.size > 0) return;
    this.#bySignal.delete(signal);
    signal.removeEventListener('abort', known.onAbort);
  }

  async #awaitStart(patience: RequestQueueLimits): Promise<void> {
    const { clock, requestsPerSecond, sharedBudget, closed } = this.#options;
    if (requestsPerSecond !== undefined) {
      const start = Math.max(clock.now(), this.#nextStart);
      this.#nextStart = start + 1_000 / requestsPerSecond;
      if (start > clock.now()) {
        await clock.sleep(start - clock.now(), combineAbortSignals(closed, patience.signal));
      }
    }
    if (this.#heldUntil > clock.now()) await this.awaitHold(patience);
    if (sharedBudget) await this.#awaitToken(sharedBudget, patience);
  }

  /** Waits for the budget that processes share: a refusal elsewhere holds the requests of this process back, too. */
  async #awaitToken(shared: SharedRequestBudget, patience: RequestQueueLimits): Promise<void> {
    const { clock } = this.#options;
    for (;;) {
      const heldMs = await shared.take(patience.signal);
      if (heldMs <= 0) return;
      const now = clock.now();
      this.#heldUntil = Math.max(this.#heldUntil, now + heldMs);
      this.#giveUpOverdue(now);
      await this.awaitHold(patience);
    }
  }

  /** Fails the waiting requests at once that would have to wait beyond their deadline. */
  #giveUpOverdue(now: number): void {
    for (const waiting of this.#waiting) {
      if (this.#heldUntil > waiting.deadline)
        waiting.giveUp(new RequestHeldBackError(this.#heldUntil - now));
    }
  }

  #checkHold(deadline: number): void {
    const heldForMs = this.#heldUntil - this.#options.clock.now();
    if (heldForMs > 0 && this.#heldUntil > deadline) throw new RequestHeldBackError(heldForMs);
  }
}
