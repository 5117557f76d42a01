import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { makeDatabase } from '../backends/make-database.ts';
import { kept, ReadyLine } from './ready-line.ts';
import type { RigMeans, StartRigProgram } from './server-rig.ts';

/** Processes of the built program, where they are the point. `root` is that of the project. */
export function asProcesses(root: string, openDatabase = makeEmptyDatabase): RigMeans {
  const built = join(root, 'dist/main.js');
  const start: StartRigProgram = async (args, env, program = built) => {
    const child = spawn(process.execPath, [program, ...args], {
      env: { ...kept(), ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const ended = new Promise<number | undefined>((done) =>
      child.once('close', (code) => done(code ?? undefined)),
    );
    let complaints = '';
    child.stderr.on('data', (chunk: Buffer) => (complaints += chunk.toString()));
    const line = new ReadyLine(args, ended, () => complaints);
    child.stdout.on('data', (chunk: Buffer) => line.take(chunk.toString()));
    return {
      pid: child.pid ?? 0,
      ready: await line.ready,
      complaints: () => complaints,
      ended,
      stop: async (signal = 'SIGINT') => {
        if (child.exitCode === null && child.signalCode === null) child.kill(signal);
        await ended;
      },
    };
  };
  return { openDatabase, start };
}

const makeEmptyDatabase = () => makeDatabase();
