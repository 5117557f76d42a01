import type { Clock } from '../../../src/model/runtime.ts';

/** A clock that only sleeping moves on: an hour passes at once. */
export function openQuickClock(): Clock {
  let now = Date.now();
  return {
    now: () => now,
    sleep: async (ms) => {
      now += ms;
      await new Promise((done) => setImmediate(done));
    },
  };
}
