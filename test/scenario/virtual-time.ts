import type { Clock } from '../../src/model/runtime.ts';
import { VirtualClock } from '../../src/sandbox/clock/virtual-clock.ts';

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

/** Virtual time for several processes, each with a clock of its own that can stop, stand still and jump. */
export class VirtualTime extends VirtualClock {
  /** How much of the time that has passed was none. */
  jumpedMs = 0;

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
    const readNow = () => this.nowMs;
    const clock: ProcessClock = {
      now: () => this.nowMs + aheadMs,
      sleep: (ms, signal) =>
        new Promise((resolve, reject) => {
          signal?.throwIfAborted();
          const sleepFor = (leftMs: number) => {
            const sleeper = this.wakeIn(leftMs, () => {
              signal?.removeEventListener('abort', onAbort);
              if (isStopped) return;
              if (standsUntil > this.nowMs) sleepFor(standsUntil - this.nowMs);
              else resolve();
            });
            const onAbort = () => {
              sleeper.isGone = true;
              reject(signal?.reason as Error);
            };
            signal?.addEventListener('abort', onAbort, { once: true });
          };
          sleepFor(ms);
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
        const until = this.nowMs + Math.ceil(ms);
        const addedMs = Math.max(0, until - Math.max(this.nowMs, standsUntil));
        pausedMs += addedMs;
        standsUntil = Math.max(standsUntil, until);
        return addedMs;
      },
      ready: async () => {
        if (standsUntil > this.nowMs) await clock.sleep(0);
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
        this.release();
        try {
          await clock.sleep(ms, signal);
        } finally {
          this.takeHold();
        }
      },
    };
  }

  /** The clock is set forward, as when a laptop wakes up. */
  jump(ms: number): void {
    this.jumpedMs += ms;
    this.nowMs += ms;
  }
}
