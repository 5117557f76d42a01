// The program in this process: its command line with streams, signals and a pipe of its own, as a process has them. For all
// that is no matter of processes, whose start costs a second.
import { EventEmitter } from 'node:events';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { hostname } from 'node:os';
import { duplexPair, type Duplex } from 'node:stream';
import type * as dbos from '@dbos-inc/dbos-sdk';
import { openProcessClock } from '../../../src/cli/clock.ts';
import { executeCommand } from '../../../src/cli/execute-command.ts';
import { joinServerRun } from '../../../src/cli/join-server-run.ts';
import { openLazyNetwork } from '../../../src/cli/network/open-network.ts';
import { runCommandLine } from '../../../src/cli/program.ts';
import { watchProcessEnd } from '../../../src/cli/watch-ends.ts';
import type { Clock, Runtime } from '../../../src/model/runtime.ts';
import type {
  DurableRunEngine,
  DurableRunEngineOptions,
} from '../../../src/server/engine/durable-engine.ts';
import { openDbosEngine } from '../../../src/server/engine/open-dbos-engine.ts';
import type { RunChildProcess, ChildProgramCall } from '../../../src/server/runs/run-child.ts';
import { createRecordingSink } from '../recording-sink.ts';
import { silentRuntime } from '../silent-runtime.ts';

/** How the program is started. */
interface ProgramStart {
  readonly args: readonly string[];
  readonly cwd: string;
  readonly env: Runtime['env'];
  /** Each piece of what it prints. */
  readonly onOutput: (text: string) => void;
  /** Each piece of what it says on standard error. */
  readonly onError: (text: string) => void;
  /** Its pipe to a worker. */
  readonly pipe?: Duplex;
}

/** The program while it runs. */
export interface StartedProgram {
  readonly interrupt: () => void;
  /** Ends it, and the runs that it carries out, at whatever each waits for next: unlike processes, they put away what is open. */
  readonly kill: () => void;
  /** Its exit code; undefined where it was killed. */
  readonly ended: Promise<number | undefined>;
}

/** Starts it. */
export function startInProcess({ args, cwd, env, pipe, ...heard }: ProgramStart): StartedProgram {
  const gone = new AbortController();
  let code: number | undefined;
  const end = (value?: number) => {
    if (gone.signal.aborted) return;
    code = value;
    gone.abort(new Error('The program has ended.'));
  };
  const unlessGone = (say: (text: string) => void) => (text: string) => {
    if (!gone.signal.aborted) say(text);
  };
  const stdout = createRecordingSink(undefined, unlessGone(heard.onOutput));
  const stderr = createRecordingSink(undefined, unlessGone(heard.onError));
  const signals = new EventEmitter();
  const { pid } = process;
  const ends = watchProcessEnd(
    Object.assign(signals, { exit: end, kill: () => undefined, pid }),
    stderr,
  );
  const clock = openEndingClock(gone.signal);
  const run =
    pipe && joinServerRun(env, { clock, openPipe: () => hold(pipe), end: () => end(130) });
  const runtime: Runtime = {
    ...silentRuntime,
    ...{ clock, cwd, env, stdout, stderr, ...ends, execute: executeCommand },
    random: () => Math.random(),
    openNetwork: (settings) => openEndingNetwork(env, settings, gone.signal),
    process: { pid, host: hostname(), user: 'me', ...(run && { run: run.mark }) },
    ...(run && {
      openBudget: run.openBudget,
      followApply: run.followApply,
      askState: run.askState,
      reservedQuotas: run.reservedQuotas,
      ownedProjects: run.ownedProjects,
      ...(run.rescueDirectory !== undefined && { rescueDirectory: run.rescueDirectory }),
    }),
  };
  const runs = new Set<RunChildProcess>();
  const serverPorts = {
    openEngine,
    startProgram: (call: ChildProgramCall) => {
      const child = startRun(call);
      runs.add(child);
      return child;
    },
  };
  const ended = runCommandLine(args, runtime, { serverPorts });
  return {
    interrupt: () => void signals.emit('SIGINT'),
    kill: () => {
      for (const one of runs) one.kill();
      end();
    },
    ended: ended.then(
      (value) => (gone.signal.aborted ? code : value),
      (error: unknown) => {
        if (gone.signal.aborted) return code;
        throw error;
      },
    ),
  };
}

/** Nothing of a pipe in this process keeps it alive. */
const hold = (pipe: Duplex) => Object.assign(pipe, { ref: () => pipe, unref: () => pipe }) as never;

function openEndingClock(gone: AbortSignal): Clock {
  const clock = openProcessClock();
  return {
    now: () => clock.now(),
    sleep: (ms, signal) => clock.sleep(ms, signal ? AbortSignal.any([signal, gone]) : gone),
  };
}

/** Node reads further authorities only when it starts. */
const openEndingNetwork = (
  env: Runtime['env'],
  settings: Parameters<Runtime['openNetwork']>[0],
  gone: AbortSignal,
) => {
  const { NODE_EXTRA_CA_CERTS: path } = env;
  const tls =
    path === undefined ? settings.tls : { ca: readFileSync(path, 'utf8'), ...settings.tls };
  const network = openLazyNetwork(env, { ...settings, ...(tls && { tls }) });
  return {
    ...network,
    exchange: (request) => {
      const { signal } = request;
      return network.exchange({
        ...request,
        signal: signal ? AbortSignal.any([signal, gone]) : gone,
      });
    },
  } satisfies ReturnType<Runtime['openNetwork']>;
};

/** A run of a server, with the other end of its pipe. */
function startRun({ args, cwd, env, onLine, onStart, serve }: ChildProgramCall): RunChildProcess {
  const [ours, theirs] = duplexPair();
  const output = readLines((text) => onLine('output', text));
  const errors = readLines((text) => onLine('error', text));
  let interrupts = 0;
  let isKilled = false;
  let started: StartedProgram | undefined;
  const follow = async () => {
    const served = serve(ours);
    try {
      if (!(await onStart(process.pid)) || isKilled) return undefined;
      const heard = { onOutput: output.take, onError: errors.take };
      started = startInProcess({ args, cwd, env, pipe: theirs, ...heard });
      for (let count = 0; count < interrupts; count += 1) started.interrupt();
      return await started.ended;
    } finally {
      theirs.end();
      await served;
      theirs.destroy();
      output.end();
      errors.end();
    }
  };
  return {
    interrupt: () => {
      interrupts += 1;
      started?.interrupt();
    },
    kill: () => {
      isKilled = true;
      started?.kill();
    },
    ended: follow(),
  };
}

function readLines(onLine: (text: string) => void) {
  let rest = '';
  return {
    take: (text: string) => {
      const lines = (rest + text).split(/\r?\n/);
      rest = lines.pop() ?? '';
      for (const line of lines) onLine(line);
    },
    end: () => {
      if (rest !== '') onLine(rest);
    },
  };
}

const idle: (typeof dbos)[] = [];

/** The library has one engine in the variables of its modules: each engine that is open at a time has a copy of it. */
async function openEngine(options: DurableRunEngineOptions): Promise<DurableRunEngine> {
  const copy = idle.pop() ?? loadCopy();
  const engine = await openDbosEngine(options, () => Promise.resolve(copy));
  return {
    ...engine,
    close: async (patienceMs) => {
      await engine.close(patienceMs);
      idle.push(copy);
    },
  };
}

function loadCopy(): typeof dbos {
  const require = createRequire(import.meta.url);
  const name = '@dbos-inc/dbos-sdk';
  for (const path of Object.keys(require.cache))
    if (path.includes(`/node_modules/${name}/`)) Reflect.deleteProperty(require.cache, path);
  return require(name) as typeof dbos;
}
