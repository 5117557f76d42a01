import { resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Clock } from '../../src/model/runtime.ts';

const factor = 10;
const since = Date.now();

/** The environment in which programs live ten times as fast, in one time: nobody waits for their pauses. */
export const hurried = {
  NODE_OPTIONS: `--import=${resolve(import.meta.dirname, '../support/hurry.mjs')}`,
  HURRY: String(factor),
  HURRY_SINCE: String(since),
};

/** The time of those programs, in this one. */
export const hurriedClock: Clock = {
  now: () => Math.floor(since + (performance.timeOrigin + performance.now() - since) * factor),
  sleep: (ms, signal) => sleep(ms / factor, undefined, { signal }),
};
