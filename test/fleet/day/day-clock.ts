// The clock of a day in a fleet: it moves on in steps of a second, once everything that was awoken waits again, be it for
// the clock or for nothing. PostgreSQL has the same time.
import type { Clock } from '../../../src/model/runtime.ts';
import { VirtualClockSleepers } from '../../../src/sandbox/clock/sleeper-queue.ts';

/** What is due within a step is awoken together: so PostgreSQL has something to do for each of its connections. */
const stepMs = 1_000;
/** So many turns of the event loop without anything under way: then only time is waited for. */
const quietTurns = 4;

/** So often nothing may happen, a millisecond apart. */
const mostIdle = 5_000;

/** Virtual time that heeds work on the machine: statements, files. */
export class DayClock implements Clock {
  readonly #sleepers = new VirtualClockSleepers();
  readonly #tell: (nowMs: number) => Promise<void>;
  #nowMs: number;
  #turns = 0;
  #held = 0;

  /** `tell` is called before each step, with what time it is then. */
  constructor(startMs: number, tell: (nowMs: number) => Promise<void>) {
    this.#nowMs = startMs;
    this.#tell = tell;
  }

  now(): number {
    return this.#nowMs;
  }

  sleep(ms: number, signal?: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      signal?.throwIfAborted();
      const wake = () => {
        signal?.removeEventListener('abort', stop);
        resolve();
      };
      const at = this.#nowMs + Math.max(1, Math.ceil(ms / stepMs)) * stepMs;
      const sleeper = { at, turn: (this.#turns += 1), isGone: false, wake };
      const stop = () => {
        sleeper.isGone = true;
        reject(signal?.reason as Error);
      };
      signal?.addEventListener('abort', stop, { once: true });
      this.#sleepers.push(sleeper);
    });
  }

  /** Time does not move while the work is under way. */
  async hold<T>(work: () => Promise<T>): Promise<T> {
    this.#held += 1;
    try {
      return await work();
    } finally {
      this.#held -= 1;
    }
  }

  /** Lets time pass until the work has ended. @throws Error where it waits for nothing that time brings */
  async run<T>(work: Promise<T>): Promise<T> {
    let hasEnded = false as boolean;
    let idle = 0;
    const end = () => {
      hasEnded = true;
    };
    work.then(end, end);
    while (!hasEnded) {
      if (!(await this.#settle(() => hasEnded))) continue;
      const next = this.#sleepers.peek();
      if (!next) {
        // The machine may be at something that nobody has told the clock of.
        if ((idle += 1) > mostIdle) throw new Error('Everything waits, and nothing for the clock.');
        await new Promise((done) => setTimeout(done, 1));
        continue;
      }
      idle = 0;
      this.#nowMs = Math.max(this.#nowMs, next.at);
      await this.#tell(this.#nowMs);
      for (
        let one = this.#sleepers.peek();
        one && one.at <= this.#nowMs;
        one = this.#sleepers.peek()
      )
        this.#sleepers.pop()?.wake();
    }
    return work;
  }

  /** False where the work has ended meanwhile. */
  async #settle(hasEnded: () => boolean): Promise<boolean> {
    for (let turn = 0; turn < quietTurns; turn += 1) {
      await new Promise((done) => setImmediate(done));
      if (hasEnded()) return false;
      if (this.#held > 0) turn = -1;
    }
    return true;
  }
}
