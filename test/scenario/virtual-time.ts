import type { Clock } from '../../src/model/runtime.ts';

interface Sleeper {
  readonly at: number;
  readonly wake: () => void;
}

/** Time that passes only when everything waits for it: a whole apply takes milliseconds. */
export class VirtualTime {
  #now: number;
  readonly #sleepers = new Set<Sleeper>();

  constructor(start = Date.UTC(2026, 0, 1)) {
    this.#now = start;
  }

  now(): number {
    return this.#now;
  }

  /** A clock of one process. After `stop()`, as after a kill, nobody who sleeps on it wakes up any more. */
  openClock(): Clock & { stop(): void } {
    let isStopped = false;
    return {
      now: () => this.#now,
      sleep: (ms, signal) =>
        new Promise((resolve, reject) => {
          signal?.throwIfAborted();
          const sleeper = {
            at: this.#now + Math.ceil(Math.max(0, ms)),
            wake: () => {
              signal?.removeEventListener('abort', onAbort);
              if (!isStopped) resolve();
            },
          };
          const onAbort = () => {
            this.#sleepers.delete(sleeper);
            reject(signal?.reason as Error);
          };
          signal?.addEventListener('abort', onAbort, { once: true });
          this.#sleepers.add(sleeper);
        }),
      stop: () => {
        isStopped = true;
      },
    };
  }

  /** Lets time pass until the work is done. @throws when it waits for something that time does not bring */
  async run<T>(work: Promise<T>): Promise<T> {
    let end: 'none' | 'some' = 'none';
    const finish = () => {
      end = 'some';
    };
    work.then(finish, finish);
    const hasEnded = () => end === 'some';
    let idleTurns = 0;
    while (!hasEnded()) {
      // Everything that needs no time gets its turns first: promises, body streams, immediates.
      for (let turn = 0; turn < 8 && !hasEnded(); turn += 1) {
        await new Promise((resolve) => setImmediate(resolve));
      }
      if (hasEnded()) break;
      const next = [...this.#sleepers].sort((a, b) => a.at - b.at)[0];
      if (!next) {
        idleTurns += 1;
        if (idleTurns > 50)
          throw new Error('the work waits for something that time does not bring');
        continue;
      }
      idleTurns = 0;
      this.#now = Math.max(this.#now, next.at);
      for (const sleeper of [...this.#sleepers]) {
        if (sleeper.at > this.#now) continue;
        this.#sleepers.delete(sleeper);
        sleeper.wake();
      }
    }
    return work;
  }
}
