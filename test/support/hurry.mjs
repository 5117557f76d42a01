// Loaded before the program: its clock runs HURRY times as fast, counted from HURRY_SINCE, and its waits are as much
// shorter. Programs that are given the same two live in one time, so that a test waits for nobody's pauses.
import { syncBuiltinESMExports } from 'node:module';
import { performance } from 'node:perf_hooks';
import timers from 'node:timers/promises';

const factor = Number(process.env.HURRY);
const since = Number(process.env.HURRY_SINCE);
const readClock = performance.now.bind(performance);
const sleep = timers.setTimeout;

performance.now = () => {
  const now = performance.timeOrigin + readClock();
  return since + (now - since) * factor - performance.timeOrigin;
};
timers.setTimeout = (ms, ...rest) => sleep(ms / factor, ...rest);
syncBuiltinESMExports();
