// A clock on which time passes only when everything waits for it: the service and the engine in one process go through
// a whole apply in milliseconds. It never reads the time of the machine, so that a run depends on its input alone.
import { getAbortReason } from '../../model/errors.ts';
import { VirtualClockSleepers, type VirtualClockSleeper } from './sleeper-queue.ts';
import type { Clock } from '../../model/runtime.ts';

/** Error for work on a virtual clock that did not end; nothing that sleeps on the clock wakes up any more. */
export class VirtualTimeError extends Error {
  /**
   * Reason of the error. `stalled`: nobody sleeps, so that the work waits for something outside of virtual time.
   * `limit`: more virtual time would pass than the work may take.
   */
  readonly reason: 'stalled' | 'limit';

  constructor(reason: VirtualTimeError['reason'], message: string) {
    super(message);
    this.name = 'VirtualTimeError';
    this.reason = reason;
  }
}

/** Turns of the event loop without progress after which the work counts as stalled. */
const idleTurnsAtMost = 50;

/** Start of a virtual clock unless given: the first moment of 2026. */
const defaultStartMs = Date.UTC(2026, 0, 1);

/** A virtual clock. Several in one process are independent of each other. */
export class VirtualClock implements Clock {
  /** Present virtual time, in milliseconds since the Unix epoch. */
  protected nowMs: number;
  readonly #sleepers = new VirtualClockSleepers();
  #turns = 0;
  /** Work outside of virtual time that is under way: files on a real disk. Time waits for it. */
  #held = 0;
  readonly #onFree: (() => void)[] = [];

  constructor(startMs = defaultStartMs) {
    this.nowMs = startMs;
  }

  now(): number {
    return this.nowMs;
  }

  sleep(ms: number, signal?: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      signal?.throwIfAborted();
      const sleeper = this.wakeIn(ms, () => {
        signal?.removeEventListener('abort', onAbort);
        resolve();
      });
      const onAbort = () => {
        sleeper.isGone = true;
        if (signal) reject(getAbortReason(signal));
      };
      signal?.addEventListener('abort', onAbort, { once: true });
    });
  }

  /** Calls `wake` after so many milliseconds, unless `isGone` is set before. */
  wakeIn(ms: number, wake: () => void): VirtualClockSleeper {
    const at = this.nowMs + Math.ceil(Math.max(0, ms));
    const sleeper = { at, turn: (this.#turns += 1), isGone: false, wake };
    this.#sleepers.push(sleeper);
    return sleeper;
  }

  /** Stops the virtual time while the work runs, so that work on real files takes no virtual time. */
  async hold<T>(work: () => Promise<T>): Promise<T> {
    this.takeHold();
    try {
      return await work();
    } finally {
      this.release();
    }
  }

  protected takeHold(): void {
    this.#held += 1;
  }

  protected release(): void {
    this.#held -= 1;
    if (this.#held > 0) return;
    for (const go of this.#onFree.splice(0)) go();
  }

  /**
   * Lets time pass until the work is done, `limitMs` of it at most, and until the signal is aborted.
   * @throws VirtualTimeError when it waits for something that time does not bring, or for too long; the signal's reason
   */
  async run<T>(
    work: Promise<T>,
    limitMs = Number.POSITIVE_INFINITY,
    signal?: AbortSignal,
  ): Promise<T> {
    let end: 'none' | 'some' = 'none';
    const finish = () => {
      end = 'some';
    };
    const ended = work.then(finish, finish);
    const hasEnded = () => end === 'some';
    const lastMs = this.nowMs + limitMs;
    let idleTurns = 0;
    while (!hasEnded()) {
      // Everything that needs no time gets its turn first: promises, body streams.
      await new Promise((resolve) => setImmediate(resolve));
      if (hasEnded()) continue;
      signal?.throwIfAborted();
      if (this.#held > 0) {
        await Promise.race([new Promise<void>((go) => this.#onFree.push(go)), ended]);
        continue;
      }
      if (this.#passTime(lastMs)) idleTurns = 0;
      else if ((idleTurns += 1) > idleTurnsAtMost) {
        throw new VirtualTimeError(
          'stalled',
          'The work waits for something that time does not bring.',
        );
      }
    }
    return work;
  }

  /** Wakes up who is due next, and all who are due at the same moment. False when nobody sleeps. */
  #passTime(lastMs: number): boolean {
    const next = this.#sleepers.pop();
    if (!next) return false;
    if (next.at > lastMs) throw new VirtualTimeError('limit', 'The work takes longer than it may.');
    this.nowMs = Math.max(this.nowMs, next.at);
    next.wake();
    for (
      let one = this.#sleepers.peek();
      one && one.at <= this.nowMs;
      one = this.#sleepers.peek()
    ) {
      this.#sleepers.pop();
      one.wake();
    }
    return true;
  }
}
