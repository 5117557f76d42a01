import { openLazyNetwork } from '../../src/cli/network/open-network.ts';
import { openLineReader } from '../../src/cli/read-lines.ts';
import { hostname } from 'node:os';
import { resolve } from 'node:path';
import { PassThrough, Readable } from 'node:stream';
import type { StandardStreams } from '../../src/cli/command-context.ts';
import { runCommandLine } from '../../src/cli/program.ts';
import type { Runtime, ServerRunAttempt } from '../../src/model/runtime.ts';
import { ownEnvironment } from '../support/own-home.ts';
import { createRecordingSink } from '../support/recording-sink.ts';
import { silentRuntime } from '../support/silent-runtime.ts';
import { hurriedClock } from './hurried-clock.ts';
import type { Ended, ProgramOptions } from './program.ts';

type InProcessOptions = Omit<ProgramOptions, 'full'> &
  Partial<
    Pick<
      Runtime,
      'clock' | 'execute' | 'openNetwork' | 'openProber' | 'interrupted' | 'reservedQuotas'
    >
  > & {
    /** Run of a server whose process it is. */
    readonly serverRun?: ServerRunAttempt;
    /** Told of standard output, piece by piece. */
    readonly onStdout?: (text: string) => void;
    /** Standard input and output of a protocol. */
    readonly streams?: StandardStreams;
  };

/**
 * Runs a command line as `run` does, without the second that a process costs: for what is no matter of processes, as
 * signals, terminals and disks are.
 */
export async function runInProcess(
  args: readonly string[],
  options: InProcessOptions = {},
): Promise<Ended> {
  const stdout = createRecordingSink(undefined, options.onStdout);
  const stderr = createRecordingSink();
  const lines = options.input?.split('\n').slice(0, -1) ?? [];
  const runtime: Runtime = {
    ...silentRuntime,
    clock: options.clock ?? hurriedClock,
    random: () => Math.random(),
    openNetwork: (settings) => openLazyNetwork({ ...options.env }, settings),
    cwd: options.cwd ?? resolve(import.meta.dirname, '../..'),
    env: { ...ownEnvironment, ...options.env },
    stdout,
    stderr,
    ask(question) {
      stdout.write(question);
      return Promise.resolve(lines.shift());
    },
    readInput: () => Promise.resolve(options.input ?? ''),
    openLines: (settings) => {
      const input = Readable.from([options.input ?? '']);
      return Promise.resolve(openLineReader({ input, output: new PassThrough() }, settings));
    },
    ...(options.execute && { execute: options.execute }),
    openProber: (means) => (options.openProber ?? silentRuntime.openProber)(means),
    ...(options.reservedQuotas && { reservedQuotas: options.reservedQuotas }),
    ...(options.openNetwork && { openNetwork: options.openNetwork }),
    interrupted: options.interrupted ?? new AbortController().signal,
    process: {
      ...{ pid: process.pid, host: hostname(), user: 'me' },
      ...(options.serverRun && { run: options.serverRun }),
    },
  };
  const { streams } = options;
  const parts = streams && { openStreams: () => streams };
  const code = await runCommandLine(args, runtime, parts);
  return { code, stdout: stdout.text, stderr: stderr.text };
}

/** A sandbox of its own, served over HTTP. */
export interface ServedSandbox {
  readonly baseUrl: string;
  readonly token: string;
  readonly adminUrl?: string;
  readonly env: Record<string, string>;
  /** What the account answers to a GET. */
  get(path: string): Promise<unknown>;
  /** Resolves with what it has written. */
  stop(): Promise<Ended>;
}

/** Serves a sandbox on a free port, by `hostwright sandbox` with these flags. */
export async function serve(...flags: readonly string[]): Promise<ServedSandbox> {
  const stopping = new AbortController();
  let onStdout: (text: string) => void = () => undefined;
  const announced = new Promise<string>((resolve) => (onStdout = resolve));
  const ended = runInProcess(['sandbox', '--port', '0', '--json', ...flags], {
    interrupted: stopping.signal,
    onStdout,
  });
  const failed = ended.then(({ stderr }) => {
    throw new Error(`The sandbox did not start:\n${stderr}`);
  });
  const told = JSON.parse(await Promise.race([announced, failed])) as Pick<
    ServedSandbox,
    'baseUrl' | 'token' | 'adminUrl'
  >;
  const { baseUrl, token } = told;
  failed.catch(() => undefined);
  return {
    ...told,
    env: { HOSTWRIGHT_BASE_URL: baseUrl, HOSTWRIGHT_TOKEN: token },
    async get(path) {
      const headers = { authorization: `Bearer ${token}` };
      const response = await fetch(`${baseUrl}${path}`, { headers });
      return response.json();
    },
    stop() {
      stopping.abort();
      return ended;
    },
  };
}
