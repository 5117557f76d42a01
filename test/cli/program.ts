import { spawn, type ChildProcess } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { ownEnvironment } from '../support/own-home.ts';
import { hurried } from './hurried-clock.ts';

const root = resolve(import.meta.dirname, '../..');
const main = join(root, 'dist/main.js');

/** What a run of the built program left behind. */
export interface Ended {
  /** Null when it was killed. */
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** A run that goes on. */
export interface Started {
  readonly child: ChildProcess;
  readonly ended: Promise<Ended>;
  /** Everything on standard output so far. */
  readStdout(): string;
  /** Resolves once the text stands on either stream, so many times. */
  waitFor(text: string | RegExp, times?: number): Promise<void>;
}

export interface ProgramOptions {
  readonly cwd?: string;
  readonly env?: Record<string, string>;
  /** What is typed; standard input ends behind it. */
  readonly input?: string;
  /** Which stream goes into a file on a disk that is full. */
  readonly full?: 'stdout' | 'stderr';
}

/** Starts the built program, as a user's shell would, but hurried. */
export function start(args: readonly string[], options: ProgramOptions = {}): Started {
  const env = { ...hurried, ...options.env };
  return startCommand([process.execPath, main, ...args], { ...options, env });
}

/** Starts any command with nothing in its environment but what it is given. */
export function startCommand(
  [file = '', ...args]: readonly string[],
  options: ProgramOptions = {},
): Started {
  const full = options.full === undefined ? undefined : openSync('/dev/full', 'w');
  const pipeBut = (stream: 'stdout' | 'stderr') => (options.full === stream ? full : 'pipe');
  const child = spawn(file, args, {
    cwd: options.cwd ?? root,
    env: { ...ownEnvironment, ...options.env },
    stdio: ['pipe', pipeBut('stdout'), pipeBut('stderr')],
  });
  if (full !== undefined) closeSync(full);
  let stdout = '';
  let stderr = '';
  const watchers = new Set<() => void>();
  const told = () => {
    for (const watcher of [...watchers]) watcher();
  };
  child.stdout?.on('data', (chunk: Buffer) => {
    stdout += chunk.toString();
    told();
  });
  child.stderr?.on('data', (chunk: Buffer) => {
    stderr += chunk.toString();
    told();
  });
  child.stdin?.on('error', () => undefined); // it may end before it reads
  child.stdin?.end(options.input ?? '');
  const ended = new Promise<Ended>((done, fail) => {
    child.once('error', fail);
    child.once('close', (code) => {
      done({ code, stdout, stderr });
      told();
    });
  });
  return {
    child,
    ended,
    readStdout: () => stdout,
    waitFor: (text, times = 1) =>
      new Promise<void>((done, fail) => {
        const look = () => {
          const all = stdout + stderr;
          const count = all.split(text).length - 1;
          if (count < times && child.exitCode === null && child.signalCode === null) return;
          watchers.delete(look);
          if (count >= times) done();
          else fail(new Error(`ended without ${String(text)}:\n${all}`));
        };
        watchers.add(look);
        look();
      }),
  };
}

/** Runs the built program to its end. */
export const run = (args: readonly string[], options: ProgramOptions = {}): Promise<Ended> =>
  start(args, options).ended;

/** A copy of a shipped example, without what a run left in it. */
export async function copyExample(
  name: string,
): Promise<{ path: string; remove(): Promise<void> }> {
  const path = await mkdtemp(join(tmpdir(), `hostwright-${name}-`));
  await cp(join(root, 'examples', name), path, {
    recursive: true,
    filter: (source) => !/[/\\](\.hostwright|secrets)$/.test(source),
  });
  return { path, remove: () => rm(path, { recursive: true }) };
}
