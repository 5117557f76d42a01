import type { CommandLineContext } from '../../src/cli/command-context.ts';
import type { Runtime } from '../../src/model/runtime.ts';

const silent = {
  write: () => undefined,
  ready: () => Promise.resolve(true),
  isTTY: false,
  columns: undefined,
  rows: undefined,
};
const refuse = () => Promise.reject(new Error('nothing is run here'));

/** A runtime for a program that is looked at and never run. */
export const silentRuntime: Runtime = {
  clock: { now: () => 0, sleep: refuse },
  random: () => 0,
  openNetwork: () => ({ exchange: refuse, close: () => undefined }),
  cwd: '/',
  env: {},
  stdout: silent,
  stderr: silent,
  ask: refuse,
  readInput: refuse,
  openLines: refuse,
  execute: refuse,
  openProber: () => refuse,
  interrupted: new AbortController().signal,
  holdInterrupts: () => () => undefined,
  beforeAbruptEnd: () => () => undefined,
  aroundSuspension: () => () => undefined,
  process: { pid: 1, host: 'here', user: 'me' },
};

/** What a program is made with that is looked at and never run. */
export const silentContext: CommandLineContext = {
  runtime: silentRuntime,
  globals: { isColorRefused: true, isCompact: false, isVerbose: false },
  exit: () => undefined,
  writeExactly: () => undefined,
  runCommandLine: () => Promise.resolve(0),
};
