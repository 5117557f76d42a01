import type { Clock } from '../../src/model/runtime.ts';

interface Sleeper {
  readonly at: number;
  /** Of two that are due at one moment, who went to sleep first wakes up first. */
  readonly turn: number;
  readonly wake: () => void;
  isGone: boolean;
}

/**
 * The clock of one process. It may be set otherwise than the service's, and jump; what sleeps on it sleeps as long as it
 * should whatever it shows.
 */
export interface ProcessClock extends Clock {
  /** As after a kill: nobody who sleeps on it wakes up any more. */
  stop(): void;
  readonly isStopped: boolean;
  /** Resolves once it is. */
  readonly stopped: Promise<void>;
  /**
   * The process stands still for so long, as when it is stopped or its machine is suspended: none of its timers fires.
   * @returns by how much longer than it would have anyway
   */
  pause(ms: number): number;
  /** Resolves once the process runs; at once where it does. */
  ready(): Promise<void>;
  /** Sets the clock forward, or back. */
  jump(ms: number): void;
  /** For how long it has stood still so far. */
  readonly pausedMs: number;
}

/** How often nothing may happen before the work is said to wait for something that never comes. */
const idleTurnsAtMost = 50;

/** Time that passes only when everything waits for it: a whole apply takes milliseconds. */
export class VirtualTime {
  #now: number;
  /** A binary heap: the sleeper who is due next comes first. Those who are gone stay until they come up. */
  readonly #sleepers: Sleeper[] = [];
  #turns = 0;
  /** How much of the time that has passed was none. */
  jumpedMs = 0;
  /** Work outside virtual time that is under way: files on a real disk. Time waits for it. */
  #held = 0;
  readonly #onFree: (() => void)[] = [];

  constructor(start = Date.UTC(2026, 0, 1)) {
    this.#now = start;
  }

  now(): number {
    return this.#now;
  }

  /** A clock of one process, `offsetMs` ahead of the service's. */
  openClock(offsetMs = 0): ProcessClock {
    let isStopped = false;
    let noteStop: () => void = () => undefined;
    const stopped = new Promise<void>((done) => {
      noteStop = done;
    });
    let aheadMs = offsetMs;
    let standsUntil = Number.NEGATIVE_INFINITY;
    let pausedMs = 0;
    const readNow = () => this.#now;
    const clock: ProcessClock = {
      now: () => this.#now + aheadMs,
      sleep: (ms, signal) =>
        new Promise((resolve, reject) => {
          signal?.throwIfAborted();
          const sleepUntil = (at: number) => {
            const sleeper: Sleeper = {
              at,
              turn: (this.#turns += 1),
              isGone: false,
              wake: () => {
                signal?.removeEventListener('abort', onAbort);
                if (isStopped) return;
                if (standsUntil > this.#now) sleepUntil(standsUntil);
                else resolve();
              },
            };
            const onAbort = () => {
              sleeper.isGone = true;
              reject(signal?.reason as Error);
            };
            signal?.addEventListener('abort', onAbort, { once: true });
            this.#push(sleeper);
          };
          sleepUntil(this.#now + Math.ceil(Math.max(0, ms)));
        }),
      stop: () => {
        isStopped = true;
        noteStop();
      },
      stopped,
      get isStopped() {
        return isStopped;
      },
      pause: (ms) => {
        const until = this.#now + Math.ceil(ms);
        const addedMs = Math.max(0, until - Math.max(this.#now, standsUntil));
        pausedMs += addedMs;
        standsUntil = Math.max(standsUntil, until);
        return addedMs;
      },
      ready: async () => {
        if (standsUntil > this.#now) await clock.sleep(0);
      },
      jump: (ms) => {
        aheadMs += ms;
      },
      get pausedMs() {
        return pausedMs - Math.max(0, standsUntil - readNow());
      },
    };
    return clock;
  }

  /** A clock for work on a real disk: time stands still meanwhile, but where the work itself sleeps. */
  openHeldClock(clock: Clock): Clock {
    return {
      now: () => clock.now(),
      sleep: async (ms, signal) => {
        this.#release();
        try {
          await clock.sleep(ms, signal);
        } finally {
          this.#held += 1;
        }
      },
    };
  }

  /** Holds time while the work runs. */
  async hold<T>(work: () => Promise<T>): Promise<T> {
    this.#held += 1;
    try {
      return await work();
    } finally {
      this.#release();
    }
  }

  #release(): void {
    this.#held -= 1;
    if (this.#held > 0) return;
    for (const go of this.#onFree.splice(0)) go();
  }

  /** The clock is set forward, as when a laptop wakes up. */
  jump(ms: number): void {
    this.jumpedMs += ms;
    this.#now += ms;
  }

  /** Lets time pass until the work is done. @throws when it waits for something that time does not bring */
  async run<T>(work: Promise<T>): Promise<T> {
    let end: 'none' | 'some' = 'none';
    const finish = () => {
      end = 'some';
    };
    const ended = work.then(finish, finish);
    const hasEnded = () => end === 'some';
    let idleTurns = 0;
    while (!hasEnded()) {
      // Everything that needs no time gets its turn first: promises, body streams.
      await new Promise((resolve) => setImmediate(resolve));
      if (hasEnded()) continue;
      if (this.#held > 0) {
        await Promise.race([new Promise<void>((go) => this.#onFree.push(go)), ended]);
        continue;
      }
      const next = this.#pop();
      if (!next) {
        idleTurns += 1;
        if (idleTurns > idleTurnsAtMost)
          throw new Error('the work waits for something that time does not bring');
        continue;
      }
      idleTurns = 0;
      this.#now = Math.max(this.#now, next.at);
      next.wake();
      for (let one = this.#peek(); one && one.at <= this.#now; one = this.#peek()) {
        this.#pop();
        one.wake();
      }
    }
    return work;
  }

  /** The sleeper who is due next, and still sleeps. */
  #peek(): Sleeper | undefined {
    while (this.#sleepers[0]?.isGone) this.#take();
    return this.#sleepers[0];
  }

  #pop(): Sleeper | undefined {
    return this.#peek() && this.#take();
  }

  #take(): Sleeper | undefined {
    const heap = this.#sleepers;
    const [first] = heap;
    const last = heap.pop();
    if (!last || heap.length === 0) return first;
    let at = 0;
    for (;;) {
      let child = 2 * at + 1;
      if (child + 1 < heap.length && isBefore(heap[child + 1], heap[child])) child += 1;
      if (child >= heap.length || !isBefore(heap[child], last)) break;
      heap[at] = heap[child] as Sleeper;
      at = child;
    }
    heap[at] = last;
    return first;
  }

  #push(sleeper: Sleeper): void {
    const heap = this.#sleepers;
    let at = heap.length;
    heap.push(sleeper);
    while (at > 0) {
      const parent = (at - 1) >> 1;
      if (!isBefore(sleeper, heap[parent])) break;
      heap[at] = heap[parent] as Sleeper;
      at = parent;
    }
    heap[at] = sleeper;
  }
}

function isBefore(one: Sleeper | undefined, other: Sleeper | undefined): boolean {
  if (!one || !other) return false;
  return one.at < other.at || (one.at === other.at && one.turn < other.turn);
}
