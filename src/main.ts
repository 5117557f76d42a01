#!/usr/bin/env node
// The process: argv, streams, signals. Everything impure is made here and passed down; the exit code is set once.
import { hostname, userInfo } from 'node:os';
import { setFlagsFromString } from 'node:v8';
import { openProcessClock } from './cli/clock.ts';
import { executeCommand, openTerminalRunner } from './cli/execute-command.ts';
import { openLazyNetwork } from './cli/network/open-network.ts';
import { openProber } from './cli/network/open-prober.ts';
import { openOutputSink } from './cli/output/output-sink.ts';
import { runCommandLine } from './cli/program.ts';
import { watchProcessEnd } from './cli/watch-ends.ts';
import type { ServerRunRuntime } from './cli/join-server-run.ts';
import type { Clock, Runtime } from './model/runtime.ts';

/** Reads one line of the user's; undefined when standard input has ended. */
async function ask(question: string): Promise<string | undefined> {
  const { createInterface } = await import('node:readline/promises');
  const lines = createInterface({ input: process.stdin, output: process.stdout });
  // On a terminal it takes the keys itself, so that Ctrl-C is no signal.
  lines.on('SIGINT', () => process.emit('SIGINT'));
  try {
    return await new Promise<string | undefined>((resolve, reject) => {
      lines.once('close', () => resolve(undefined));
      lines.question(question).then(resolve, reject);
    });
  } finally {
    lines.close();
  }
}

function userName(): string {
  try {
    return userInfo().username;
  } catch {
    return 'unknown'; // a user id without an entry, as in containers
  }
}

/** Joins the server's run that this process carries out; undefined for a process started by a user. */
async function joinRun(clock: Clock): Promise<ServerRunRuntime | undefined> {
  if (process.env.HOSTWRIGHT_SERVER_RUN === undefined) return undefined;
  const { joinServerRun, openWorkerPipe: openPipe } = await import('./cli/join-server-run.ts');
  return joinServerRun(process.env, { clock, openPipe, end: () => process.exit(130) });
}

// By itself the heap grows up to fourfold before what nobody holds any more is taken out of it, which is most of it.
setFlagsFromString('--heap-growing-percent=100');

/** Everything impure that the program may use, of this process. `serverRun` is set where a server carries out a run by it. */
function createProcessRuntime({
  clock,
  stdout,
  stderr,
  serverRun,
}: Pick<Runtime, 'clock' | 'stdout' | 'stderr'> & {
  readonly serverRun: Awaited<ReturnType<typeof joinRun>>;
}): Runtime {
  return {
    clock,
    random: () => Math.random(),
    openNetwork: (settings) => openLazyNetwork(process.env, settings),
    cwd: process.cwd(),
    env: process.env,
    stdout,
    stderr,
    ask,
    isAttended: process.stdin.isTTY && process.stdout.isTTY,
    readInput: async () => (await import('node:stream/consumers')).text(process.stdin),
    openLines: async (settings) => {
      const { openLineReader } = await import('./cli/read-lines.ts');
      return openLineReader({ input: process.stdin, output: process.stdout }, settings);
    },
    execute: executeCommand,
    runInTerminal: openTerminalRunner(process.env),
    openProber: (settings) => openProber(process.env, settings),
    openThread: async (file) => {
      const { openThread } = await import('./cli/open-thread.ts');
      return openThread(new URL(`${file}.js`, import.meta.url));
    },
    ...watchProcessEnd(process, stderr),
    process: {
      pid: process.pid,
      get host() {
        return hostname();
      },
      get user() {
        return userName();
      },
      ...(serverRun && { run: serverRun.mark }),
    },
    ...(serverRun && {
      openBudget: serverRun.openBudget,
      followApply: serverRun.followApply,
      askState: serverRun.askState,
      reservedQuotas: serverRun.reservedQuotas,
      ownedProjects: serverRun.ownedProjects,
      ...(serverRun.rescueDirectory !== undefined && {
        rescueDirectory: serverRun.rescueDirectory,
      }),
    }),
  };
}

/** Runs the program for the command line of this process. */
async function main(): Promise<void> {
  // Until all is done: whatever ends the process before has not done it.
  process.exitCode = 1;
  const clock = openProcessClock();

  // A server carries out its runs by this program, and gives each a pipe that lives as long as its worker.
  const serverRun = await joinRun(clock);

  const argv = process.argv.slice(2);
  const stdout = openOutputSink(process.stdout);
  const stderr = openOutputSink(process.stderr);
  const runtime = createProcessRuntime({ clock, stdout, stderr, serverRun });
  const openStreams = () => ({ input: process.stdin, output: process.stdout });
  const code = await runCommandLine(argv, runtime, { openStreams });
  const fault = await stdout.flush();
  if (fault) {
    const { reportLostOutput } = await import('./cli/report-lost-output.ts');
    reportLostOutput(fault, runtime, argv.includes('--no-color'));
  }
  // An interrupted run has said so already; else, results that nobody can read are an error.
  process.exitCode = fault && code !== 130 ? 1 : code;
}

void main();
