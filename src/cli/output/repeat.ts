import type { Clock } from '../../model/runtime.ts';

/** Calls a function at once, and then at intervals. @returns a function that stops the calls */
export function repeatEvery(clock: Clock, everyMs: number, work: () => void): () => void {
  const stopped = new AbortController();
  const go = async () => {
    while (!stopped.signal.aborted) {
      work();
      await clock.sleep(everyMs, stopped.signal);
    }
  };
  go().catch(() => undefined); // stopped while asleep
  return () => stopped.abort();
}
