import { setTimeout as sleep } from 'node:timers/promises';
import type { Clock } from '../model/runtime.ts';

/**
 * The process's clock: the time of day at its start, and from there on what has passed. A time of day that is set, or
 * jumps, while a change is waited for must neither end the wait nor draw it out; the time that a laptop sleeps does
 * not count either, since nothing could be looked at.
 */
export function openClock(): Clock {
  return {
    now: () => Math.floor(performance.timeOrigin + performance.now()),
    sleep: (ms, signal) => sleep(ms, undefined, { signal }),
  };
}
