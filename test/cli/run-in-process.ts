import { openNetwork } from '../../src/cli/network/open-network.ts';
import { openLines } from '../../src/cli/read-lines.ts';
import { hostname } from 'node:os';
import { resolve } from 'node:path';
import { PassThrough, Readable } from 'node:stream';
import { runCommandLine } from '../../src/cli/program.ts';
import type { Runtime } from '../../src/model/runtime.ts';
import { createRecordingSink } from '../support/recording-sink.ts';
import { silentRuntime } from '../support/silent-runtime.ts';
import { hurriedClock } from './hurried-clock.ts';
import type { Ended, ProgramOptions } from './program.ts';

/**
 * Runs a command line as `run` does, without the second that a process costs: for what is no matter of processes, as
 * signals, terminals and disks are.
 */
export async function runInProcess(
  args: readonly string[],
  options: Omit<ProgramOptions, 'full'> &
    Partial<Pick<Runtime, 'execute' | 'openNetwork' | 'reservedQuotas'>> = {},
): Promise<Ended> {
  const [stdout, stderr] = [createRecordingSink(), createRecordingSink()];
  const lines = options.input?.split('\n').slice(0, -1) ?? [];
  const code = await runCommandLine(args, {
    ...silentRuntime,
    clock: hurriedClock,
    random: () => Math.random(),
    openNetwork: (settings) => openNetwork({ ...options.env }, settings),
    cwd: options.cwd ?? resolve(import.meta.dirname, '../..'),
    env: { PATH: process.env.PATH, HOME: process.env.HOME, ...options.env },
    stdout,
    stderr,
    ask(question) {
      stdout.write(question);
      return Promise.resolve(lines.shift());
    },
    readInput: () => Promise.resolve(options.input ?? ''),
    openLines: (settings) => {
      const input = Readable.from([options.input ?? '']);
      return Promise.resolve(openLines({ input, output: new PassThrough() }, settings));
    },
    ...(options.execute && { execute: options.execute }),
    ...(options.reservedQuotas && { reservedQuotas: options.reservedQuotas }),
    ...(options.openNetwork && { openNetwork: options.openNetwork }),
    interrupted: new AbortController().signal,
    process: { pid: process.pid, host: hostname(), user: 'me' },
  });
  return { code, stdout: stdout.text, stderr: stderr.text };
}
