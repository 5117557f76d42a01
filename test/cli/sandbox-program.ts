import { type ChildProcess, spawn } from 'node:child_process';
import { rm } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { build } from 'tsdown';

const root = resolve(import.meta.dirname, '../..');

/** The program, built apart from `dist`, so that no test disturbs another. */
export interface BuiltProgram {
  readonly main: string;
  remove(): Promise<void>;
}

/** Bundles the program as `npm run build` does. It lies below node_modules: packages are found from there. */
export async function buildProgram(): Promise<BuiltProgram> {
  const outDir = join(root, 'node_modules', '.cache', `hostwright-sandbox-${process.pid}`);
  await build({
    cwd: root,
    config: join(root, 'tsdown.config.ts'),
    outDir,
    logLevel: 'silent',
  });
  return {
    main: join(outDir, 'main.js'),
    remove: () => rm(outDir, { recursive: true, force: true }),
  };
}

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

function open(main: string, args: readonly string[], { cwd, wrapper = [], uid }: SpawnMore) {
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

/** Runs the program to its end. */
export async function runProgram(
  { main }: BuiltProgram,
  args: readonly string[],
  more: SpawnMore = {},
): Promise<Ended> {
  const { output, ended } = open(main, args, more);
  return { code: await ended, ...output };
}

/** Starts `sandbox --json` and waits until it serves. */
export async function startSandbox(
  { main }: BuiltProgram,
  args: readonly string[],
  more: SpawnMore = {},
): Promise<RunningSandbox> {
  const opened = open(main, ['sandbox', '--json', ...args], more);
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
