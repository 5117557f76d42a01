import { type ChildProcess, spawn } from 'node:child_process';
import { join, resolve } from 'node:path';

const root = resolve(import.meta.dirname, '../..');
const main = join(root, 'dist/main.js');

/** A program that serves, or has ended before it did. */
export interface RunningSandbox {
  readonly baseUrl: string;
  readonly token: string;
  readonly adminUrl: string | undefined;
  readonly child: ChildProcess;
  /** Everything that it has written so far. */
  readonly output: { stdout: string; stderr: string };
  /** Sends a signal and waits for the end. @returns the exit code, or null after a kill */
  end(signal: NodeJS.Signals): Promise<number | null>;
}

interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

interface SpawnMore {
  readonly cwd?: string;
  /** A shell command that runs the program given after it. */
  readonly wrapper?: readonly string[];
  /** The user that it runs as. */
  readonly uid?: number;
}

function open(args: readonly string[], { cwd, wrapper = [], uid }: SpawnMore) {
  const [command = process.execPath, ...rest] = [...wrapper, process.execPath, main, ...args];
  const child = spawn(command, rest, {
    cwd: cwd ?? root,
    env: { ...process.env, NO_COLOR: '1' },
    ...(uid !== undefined && { uid, gid: uid }),
  });
  const output = { stdout: '', stderr: '' };
  child.stdout.on('data', (chunk: Buffer) => (output.stdout += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (output.stderr += chunk.toString()));
  const ended = new Promise<number | null>((done) => child.once('close', done));
  return { child, output, ended };
}

/** Runs the built program to its end. */
export async function runProgram(args: readonly string[], more: SpawnMore = {}): Promise<Ended> {
  const { output, ended } = open(args, more);
  return { code: await ended, ...output };
}

/** Starts `sandbox --json` and waits until it serves. */
export async function startSandbox(
  args: readonly string[],
  more: SpawnMore = {},
): Promise<RunningSandbox> {
  const opened = open(['sandbox', '--json', ...args], more);
  const { child, output, ended } = opened;
  const ready = new Promise<string>((done) => {
    child.stdout.on('data', () => {
      const [line, ...rest] = output.stdout.split('\n');
      if (line !== undefined && rest.length > 0) done(line);
    });
  });
  const line = await Promise.race([ready, ended.then(() => undefined)]);
  if (line === undefined) throw new Error(`The sandbox did not start:\n${output.stderr}`);
  const { baseUrl, token, adminUrl } = JSON.parse(line) as Record<string, string>;
  if (baseUrl === undefined || token === undefined) throw new Error(`Not ready: ${line}`);
  return {
    baseUrl,
    token,
    adminUrl,
    child,
    output,
    end: (signal) => {
      child.kill(signal);
      return ended;
    },
  };
}
