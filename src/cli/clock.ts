import { setTimeout as sleep } from 'node:timers/promises';
import type { Clock } from '../model/runtime.ts';

/**
 * The process's clock: the time of day at its start, and from there on what has passed. A time of day that is set, or
 * jumps, while a change is waited for must neither end the wait nor draw it out; the time that a laptop sleeps does
 * not count either, since nothing could be looked at.
 */
export function openProcessClock(): Clock {
  return {
    now: () => Math.floor(performance.timeOrigin + performance.now()),
    sleep: sleepInParts,
  };
}

/** The longest time that a timer of Node takes: a longer one would be over at once. */
const longestTimerMs = 2 ** 31 - 1;

async function sleepInParts(ms: number, signal?: AbortSignal): Promise<void> {
  const end = performance.now() + ms;
  try {
    for (let leftMs = ms; leftMs > 0; leftMs = end - performance.now()) {
      await sleep(Math.min(Math.ceil(leftMs), longestTimerMs), undefined, { signal });
    }
  } catch (error) {
    // Node's timer wraps the reason of an abort; here the caller gets the reason itself.
    signal?.throwIfAborted();
    throw error;
  }
}
