// A program `hostwright` for scripts to start, each of whose runs takes place in this process: for scripts whose point is
// not the process of the program, of which one costs a second.
import { mkdir, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { executeCommand } from '../../src/cli/execute-command.ts';
import { runInProcess } from './run-in-process.ts';

/** A run as the script asked for it. */
interface Asked {
  readonly args: readonly string[];
  readonly cwd: string;
  readonly env: Record<string, string>;
}

/** Runs that scripts start of it. */
export interface ProgramRelay {
  /** Its file, to be found on a PATH. */
  readonly program: string;
  close(): Promise<void>;
}

/** @param directory where to put it, which must not be there yet */
export async function openRelay(directory: string): Promise<ProgramRelay> {
  await mkdir(directory);
  const [program, socket] = [join(directory, 'hostwright'), join(directory, 'socket')];
  const client = `#!${process.execPath}
const { argv, env, stdout, stderr } = process;
const relay = require('node:net').connect({ path: ${JSON.stringify(socket)}, allowHalfOpen: true });
let answer = '';
relay.setEncoding('utf8').on('data', (piece) => (answer += piece));
relay.on('end', () => {
  const ended = JSON.parse(answer);
  stdout.write(ended.stdout);
  stderr.write(ended.stderr);
  process.exitCode = ended.code;
});
relay.end(JSON.stringify({ args: argv.slice(2), cwd: process.cwd(), env }));
`;
  await writeFile(program, client, { mode: 0o755 });
  const answer = async (asked: string) => {
    const { args, cwd, env } = JSON.parse(asked) as Asked;
    return runInProcess(args, { cwd, env, execute: executeCommand });
  };
  const server = createServer({ allowHalfOpen: true }, (asking) => {
    let asked = '';
    asking.setEncoding('utf8').on('data', (piece: string) => (asked += piece));
    asking.on('end', () => {
      // The script hears of an error by an answer that is none.
      void answer(asked)
        .then(JSON.stringify, String)
        .then((text) => asking.end(text));
    });
  });
  await new Promise<void>((done) => server.listen(socket, done));
  return { program, close: () => new Promise((done) => server.close(() => done())) };
}
