import { setTimeout as sleep } from 'node:timers/promises';
import type { Clock } from '../model/runtime.ts';

/**
 * Opens a clock that takes the time of day once, at the start of the process, and adds the time that has passed since. If
 * somebody sets the computer's time while a change is waited for, the wait neither ends early nor takes longer. Time for which a
 * laptop sleeps does not count either, since no request could be sent then.
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
