// A run's work is a process of this same program: what a stranger's YAML makes of it ends with it. It has a pipe to its
// worker, and ends when the worker does.
import { spawn, type ChildProcess } from 'node:child_process';
import { Socket } from 'node:net';
import { constants, setPriority } from 'node:os';
import { createInterface } from 'node:readline';
import type { Duplex, Readable } from 'node:stream';
import type { RunLogStream } from '../store/run-log.ts';
import { explainRunTimeout } from './check-out-in-time.ts';

/** Starts a process of the command-line program. */
export type StartChildProgram = (call: ChildProgramCall) => RunChildProcess;

/** The program that carries out runs, with its limits. */
export interface ChildProgram {
  /** Absolute path of the program's file. */
  readonly file: string;
  readonly maxMemoryMb: number;
  readonly maxMs: number;
}

/** One call of the command-line program. */
export interface ChildProgramCall {
  readonly args: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  /** Milliseconds of the run's time limit that are used up already. */
  readonly spentMs?: number;
  /** True for a process that nobody waits for, so that it gets low priority. */
  readonly isLow?: boolean;
  /** Called for each line that the process writes. */
  readonly onLine: (stream: RunLogStream, text: string) => void;
  /** Answers what the process asks of its worker, until the pipe between them closes. */
  readonly serve: (pipe: Duplex) => Promise<void>;
  /** Called after the start; a result of false ends the process at once. */
  readonly onStart: (pid: number) => Promise<boolean>;
}

/** A running process of the program. */
export interface RunChildProcess {
  /** Like Ctrl-C: the first time it starts nothing new, and waits for what it began; the second time it ends at once. */
  readonly interrupt: () => void;
  /** Kills the process, whatever it is doing. */
  readonly kill: () => void;
  /** Exit code of the process; undefined when a signal ended it. */
  readonly ended: Promise<number | undefined>;
}

/** After an interrupt and so many milliseconds, a process that took too long is killed. */
const drainMs = 60_000;

/** Makes the function that starts the program as a process. */
export function openChildProgram(program: ChildProgram): StartChildProgram {
  return (call) => startChild(program, call);
}

function startChild(program: ChildProgram, call: ChildProgramCall): RunChildProcess {
  const { args, cwd, env, onLine } = call;
  const memory = `--max-old-space-size=${program.maxMemoryMb}`;
  const child = spawn(process.execPath, [memory, program.file, ...args], {
    cwd,
    env,
    // Ctrl-C at the terminal of the worker is for the worker, which lets its runs end.
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe', 'pipe'],
  });
  if (call.isLow === true && child.pid !== undefined) lowerPriority(child.pid);
  const leftMs = Math.max(0, program.maxMs - (call.spentMs ?? 0));
  const timers = endInTime(child, leftMs, () => onLine('server', explainRunTimeout(program.maxMs)));
  return {
    interrupt: () => void child.kill('SIGINT'),
    kill: () => void child.kill('SIGKILL'),
    ended: follow(child, call).finally(() => {
      for (const timer of timers) clearTimeout(timer);
    }),
  };
}

function lowerPriority(pid: number): void {
  try {
    setPriority(pid, constants.priority.PRIORITY_LOW);
  } catch {
    // The process may have ended by now, so that it has no priority to lower.
  }
}

async function follow(
  child: ChildProcess,
  { onLine, onStart, serve }: ChildProgramCall,
): Promise<number | undefined> {
  const lines = Promise.all([
    readLines(child.stdout, (text) => onLine('output', text)),
    readLines(child.stderr, (text) => onLine('error', text)),
    // The fourth stream of the process is a socket, over which it and its worker talk.
    child.stdio[3] instanceof Socket ? serve(child.stdio[3]) : undefined,
  ]);
  const ended = new Promise<number | undefined>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code) => resolve(code ?? undefined));
  });
  ended.catch(() => undefined);
  if (child.pid !== undefined && !(await onStart(child.pid))) child.kill('SIGKILL');
  await lines;
  return ended;
}

async function readLines(stream: Readable | null, onLine: (text: string) => void): Promise<void> {
  if (!stream) return;
  for await (const line of createInterface({ input: stream, crlfDelay: Infinity })) onLine(line);
}

function endInTime(child: ChildProcess, maxMs: number, say: () => void): readonly NodeJS.Timeout[] {
  return [
    setTimeout(() => {
      say();
      child.kill('SIGINT');
    }, maxMs),
    setTimeout(() => child.kill('SIGKILL'), maxMs + drainMs),
  ];
}
